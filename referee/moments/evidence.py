"""What one player was asked, what it answered and when, what it wrote to stderr for it, and why a program decided so.

1. The request is made anew by the rules, from the state before the step, so it is what the player got.
2. The evidence of a moment is that of the last move of the followed seat, or without one, of the first seat that the last step
   asked.
3. Everything here comes from bots or untrusted files. It is capped here and escaped where it is shown.
4. An `Explainer` says why a program in a game's own language made a move: it puts the request to the program and explains its
   decision. The caller says which program sits in which seat, since a saved game does not hold the programs.
5. So the program may be another one than in the match, or a later version of it. If it answers something else than the saved
   game has, the first line says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from referee.contract.frame import Sheet
from referee.contract.game import Fault, Request, State
from referee.moments.timeline import Timeline
from referee.players import wire
from referee.saved.replay import Replay

Logs = Callable[[int, int], str]
"""From a step and a seat (from 0) to what the player wrote to stderr for that answer; untrusted, perhaps empty."""

Why = Callable[[Request[Any], str | None], Sequence[str]]
"""From a request to a program and its recorded answer to the reasons."""

MOST_LINES: Final = 100
"""The most lines of a request, an answer or a log; a terminal has fewer."""
MOST_COLUMNS: Final = 1000


@dataclass(frozen=True, slots=True)
class Evidence:
    """One request and its answer.

    Attributes:
        step: the step of the request. seat: the seat that was asked. ask: the name of the request.
        request: its last lines.
        answer: the lines of the answer; None if there is none. fault: why there is none.
        took: the seconds charged. limit: the seconds that were allowed.
        log: the last lines that the player wrote to stderr for it.
        reasons: why a program decided so; the first lines. ahead: whether the move comes next.
    """

    step: int
    seat: int
    ask: str
    request: Sequence[str]
    answer: Sequence[str] | None
    fault: Fault | None
    took: float
    limit: float
    log: Sequence[str] = ()
    reasons: Sequence[str] = ()
    ahead: bool = False


class Decision(NamedTuple):
    """What a program answers to a request, as it is saved, and why (`Programs.explain`)."""

    answer: str
    sheets: Sequence[Sheet]


Explainer: TypeAlias = Callable[[Request[Any]], Decision]
Explainers: TypeAlias = Mapping[int, Explainer]
"""By seat."""


def choose_evidence(timeline: Timeline, at: int, follow: int | None, *, ahead: bool = False) -> tuple[int, int] | None:
    """The step and the seat whose evidence belongs to the moment after step `at`; None at the setup.

    With `ahead`, it is that of the next step, if that asks the followed seat.
    """
    if follow is not None:
        if ahead and timeline.move_from(at, follow, forward=True) == at + 1:
            return at + 1, follow
        step = timeline.move_from(at + 1, follow, forward=False)
        return None if step is None else (step, follow)
    return (at, timeline.saved.steps[at - 1].answers[0].seat) if at else None


def evidence_of(
    timeline: Timeline, step: int, seat: int, logs: Logs | None = None, *, why: Why | None = None, ahead: bool = False
) -> Evidence | None:
    """The evidence of a seat's move; None if the rules do not ask this seat there. `why` gives its reasons.

    It is quick if the step before was played last. Afterwards the saved match is at the step before.

    Raises:
        SavedGameError: a step before it does not follow from the rules. UsageError: the log cannot be read.
    """
    saved = timeline.saved
    request = request_to(saved.state_at(step - 1), seat)
    answer = next((answer for answer in saved.steps[step - 1].answers if answer.seat == seat), None)
    if request is None or answer is None:
        return None
    fault = answer.action if isinstance(answer.action, Fault) else None
    return Evidence(
        step=step,
        seat=seat,
        ask=request.ask,
        request=_lines(request_bytes(saved, request).decode(errors="replace")),
        answer=None if fault is not None else _lines(answer.text or "") or [""],
        fault=fault,
        took=answer.elapsed,
        limit=timeline.limit(step, seat),
        log=() if logs is None else _lines(logs(step, seat)),
        reasons=() if why is None else [line[:MOST_COLUMNS] for line in why(request, answer.text)[:MOST_LINES]],
        ahead=ahead,
    )


def request_to(state: State[Any, Any], seat: int) -> Request[Any] | None:
    """The request that is due to a seat; None without one."""
    return next((request for request in state.requests() if request.seat == seat), None)


def request_bytes(saved: Replay, request: Request[Any]) -> bytes:
    """The bytes that a process in its seat gets, or would get."""
    lifetime = saved.entrants[request.seat].lifetime if saved.entrants else "game"
    return wire.encode_request(saved.game, request, lifetime)


def reasons(explainers: Explainers, request: Request[Any], recorded: str | None) -> list[str]:
    """The reasons of a decision as lines: the outcome, then the parts that decided, each with its drawing.

    Args:
        recorded: the answer in the saved game; None if there is none.

    Returns:
        Untrusted text, because programs have descriptions. No lines for a request for a name, and for a seat without a program.
    """
    if request.ask == "getName" or (explainer := explainers.get(request.seat)) is None:
        return []
    answer, sheets = explainer(request)
    lines = []
    if answer != recorded:
        has = "no answer" if recorded is None else recorded
        lines.append(f"this is not the program of the match: it answers {answer}, the saved game has {has}")
    return [*lines, *(sheets[0].notes if sheets else ()), *_parts(sheets)]


def _parts(sheets: Sequence[Sheet]) -> Iterator[str]:
    for sheet in sheets:
        if sheet.fired:
            yield sheet.title
            yield from ("  " + " ".join(patch.text for patch in row) for row in sheet.rows)
            yield from (f"  {note}" for note in sheet.notes)


def _lines(text: str) -> list[str]:
    """The last lines, with blanks for tabs."""
    lines = text.removesuffix("\n").split("\n")[-MOST_LINES:] if text else []
    return [line[:MOST_COLUMNS].expandtabs(4).rstrip("\r") for line in lines]
