"""What a program in a game's own language decides at a moment of a saved game, and why: values for commands and for pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.contract.frame import Sheet
from referee.contract.game import Game, Programs, Request
from referee.errors import UsageError
from referee.moments.evidence import Decision, Explainer
from referee.saved.replay import Replay
from referee.saved.requests import request_at
from referee.text.words import shorten


class Script(NamedTuple):
    """The text of a program, which may have mistakes, with its game and its name in messages."""

    game: Game[Any, Any]
    programs: Programs
    source: bytes
    file: str


def decision(
    script: Script, replay: Replay, step: int, seat: int | None = None, *, drawn: bool = True
) -> dict[str, Any]:
    """What the program decides in a step of a saved game, as `referee program test --json` prints it.

    Args:
        seat: the seat that the program plays, from 0; by default, the seat that the step asked.
        drawn: whether it has the drawings (`sheets`), which take two thirds of the time.

    Raises:
        ProgramError: the program has a mistake. UsageError: the saved game is of another game, or did not ask this.
    """
    game, programs, source, file = script
    if replay.game.name != game.name:
        raise UsageError(
            f"{replay.record.path} is a game of {replay.game.name}, and {shorten(file)} is for {game.name}: name a "
            f"saved game of {game.name}"
        )
    request = request_at(replay, step, seat)
    ruling = programs.decide(source, file, request)
    return {
        "game": game.name,
        "program": file,
        "saved": replay.record.path,
        "step": step,
        "seat": request.seat,
        "recorded": next(answer.text for answer in replay.steps[step - 1].answers if answer.seat == request.seat),
        "answer": game.format(ruling.action),
        "charts": [chart.as_json() for chart in ruling.charts],
        **({"sheets": as_json(programs.explain(source, file, request))} if drawn else {}),
    }


def explainer(script: Script) -> Explainer:
    """Explains the decisions of a program, request by request. Raises: ProgramError."""
    policy = script.programs.compile(script.source, script.file)

    def explain(request: Request[Any]) -> Decision:
        answer = script.game.format(policy.decide(request))
        return Decision(answer, script.programs.explain(script.source, script.file, request))

    return explain


def as_json(sheets: Sequence[Sheet]) -> list[dict[str, Any]]:
    """Drawings as JSON (json.md, `referee program show`)."""
    return [
        {
            "title": sheet.title,
            "rows": [[patch._asdict() for patch in row] for row in sheet.rows],
            "notes": list(sheet.notes),
        }
        for sheet in sheets
    ]
