"""Why a program in a game's own language made a move: the parts that decided, as lines of text. No trio, no rich.

1. An `Explainer` puts a request to a program and explains its decision. The caller says which program sits in which seat, since
   a saved game does not hold the programs.
2. So the program may be another one than in the match, or a later version of it. If it answers something else than the saved
   game has, the first line says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from referee.contract.frame import Sheet
from referee.contract.game import Request


class Decision(NamedTuple):
    """What a program answers to a request, as it is saved, and why (`Programs.explain`)."""

    answer: str
    sheets: Sequence[Sheet]


Explainer: TypeAlias = Callable[[Request[Any]], Decision]
Explainers: TypeAlias = Mapping[int, Explainer]
"""By seat."""


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
