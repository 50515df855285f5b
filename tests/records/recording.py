"""Makes golden records: players in this process answer the requests of a match, and everything is saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Game, Request, State, Step
from referee.saved.record import Recorder, header_line


def reply(game: Game[Any, Any], request: Request[Any], *lines: bytes) -> Answer[Any]:
    """An answer of these lines."""
    text = "\n".join(line.decode(errors="replace") for line in lines[: game.reply_lines(request.ask)])
    return Answer(request.seat, game.decode(request.ask, lines), text, 0.0005)


def late(request: Request[Any], limit: float) -> Answer[Any]:
    """No answer within the limit, in seconds."""
    return Answer(request.seat, Fault(FaultKind.TIMEOUT, f"no answer within {limit:g} s"), None, limit + 0.0003)


def save(
    path: Path, game: Game[Any, Any], state: State[Any, Any], answer: Callable[[int, Request[Any]], Answer[Any] | None],
    *, rng_seed: int, bots: Sequence[str | Entrant], limits: TimeControl | None = None,
) -> None:  # fmt: skip
    """Play a match and save it, to its end or until `answer` gives None. That gets the number of the step and a request."""
    entrants = [bot if isinstance(bot, Entrant) else Entrant(bot) for bot in bots]
    header = header_line(
        game, limits or game.time, entrants, rng_seed=rng_seed, setup=state.position(), created="2026-01-31T12:00:00Z", referee="0.1.0",
    )  # fmt: skip
    recorder = Recorder(path, header)
    number = 0
    while due := state.requests():
        number += 1
        round_, ask = state.round, due[0].ask
        given = [answer(number, request) for request in due]
        answers = [each for each in given if each is not None]
        if len(answers) < len(given):
            break
        recorder.record([Step(number, round_, ask, answers, state.advance([answer.action for answer in answers]))])
    recorder.end(state.current_result(), state.position())
