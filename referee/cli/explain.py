"""`referee explain`: why a match went as it did, from its saved game."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Ascii, Json, SavedGame, Whole, print_json
from referee.errors import UsageError


def explain(
    file: SavedGame = None,
    /,
    *,
    seat: Annotated[Whole | None, Parameter(help="The seat to explain in more detail, from 1; default: all.")] = None,
    ascii: Ascii = False,  # noqa: A002
    json: Json = False,
) -> None:
    """Say why a match went as it did, in a page of text.

    It shows how the lead changed, the turning point, and for each seat where its points came from, its largest gains and
    losses, turns that came to nothing, faults, and how near it was to a time limit. Each paragraph has a command that shows
    the step; for other steps, change the number.
    """
    from referee import analysis
    from referee.cli.again import command
    from referee.cli.saved import bots_of, open_saved

    saved = open_saved(file)
    explanation = analysis.explain(saved)
    ranked = sorted(story.seat for story in explanation.seats)
    if seat is not None and seat - 1 not in ranked:
        seats = ", ".join(str(number + 1) for number in ranked)
        raise UsageError(f"seat {seat} is not ranked in {saved.record.path}: the ranked seats are {seats}")
    chosen = None if seat is None else seat - 1
    if json:
        print_json({"saved": saved.record.path, **analysis.document(explanation, chosen)})
        return
    commands = analysis.Commands(None if file is None else str(file), bots_of(saved), command)
    print("\n".join(analysis.explanation_lines(explanation, commands, chosen, ascii_only=ascii)))
