"""Why a program in a game's own language made a move: the parts that decided, as lines of text. No trio, no rich.

1. An `Explain` puts a request to a program and explains its decision. The caller says which program sits in which seat, since
   a saved game does not hold the programs.
2. So the program may be another one than in the match, or a later version of it. If it answers something else than the saved
   game has, the first line says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from referee.contract.frame import Sheet
from referee.contract.game import Request
from referee.moments.evidence import request_to

if TYPE_CHECKING:
    from referee.moments.timeline import Saved


class Explanation(NamedTuple):
    """What a program answers to a request, as it is saved, and why (`Programs.explain`)."""

    answer: str
    sheets: Sequence[Sheet]


Explain: TypeAlias = Callable[[Request[Any]], Explanation]
Explains: TypeAlias = Mapping[int, Explain]
"""By seat."""


def reasons(explain: Explain, request: Request[Any], recorded: str | None) -> list[str]:
    """The reasons of a decision as lines: the outcome, then the parts that decided, each with its drawing.

    Args:
        recorded: the answer in the saved game; None if there is none.

    Returns:
        Untrusted text, because programs have descriptions. No lines for a request for a name.
    """
    if request.ask == "getName":
        return []
    answer, sheets = explain(request)
    told = []
    if answer != recorded:
        has = "no answer" if recorded is None else recorded
        told.append(f"this is not the program of the match: it answers {answer}, the saved game has {has}")
    return [*told, *(sheets[0].notes if sheets else ()), *_parts(sheets)]


def by_step(saved: Saved, explains: Explains) -> Callable[[int, int], str]:
    """The same reasons by step and seat (from 0), for pages; empty if the seat has no program or was not asked there.

    The result plays `saved` up to the step before. It takes about 10 ms.
    """

    def told(step: int, seat: int) -> str:
        explain = explains.get(seat)
        answer = next((answer for answer in saved.steps[step - 1].answers if answer.seat == seat), None)
        if explain is None or answer is None or (request := request_to(saved.state_at(step - 1), seat)) is None:
            return ""
        return "\n".join(reasons(explain, request, answer.text))

    return told


def _parts(sheets: Sequence[Sheet]) -> Iterator[str]:
    for sheet in sheets:
        if sheet.fired:
            yield sheet.title
            yield from ("  " + " ".join(patch.text for patch in row) for row in sheet.rows)
            yield from (f"  {note}" for note in sheet.notes)
