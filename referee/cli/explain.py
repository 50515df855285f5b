"""`referee explain`: why a match went as it did, from its saved game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from referee.cli.options import Ascii, Json, SavedGame, Whole, print_json

if TYPE_CHECKING:
    from referee.saved.replay import Replay


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
    from referee.cli.saved import open_saved
    from referee.errors import UsageError

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
    print("\n".join(analysis.explained(explanation, commands, chosen, ascii_only=ascii)))


def bots_of(saved: Replay) -> list[str | None]:
    """The word that names the bot of each seat in a command; None for bots that are not samples.

    A player is taken for a sample bot if it has its name and the user did not choose that name. A tournament chooses the names
    of all its players: there, the player must have answered that name, too.
    """
    from referee import bots
    from referee.text.words import unnumbered

    samples, result = bots.samples_by_name(saved.game.name), saved.record.result
    answered = {} if result is None else {line.seat: line.name for line in result.ranking}
    words = []
    for player in saved.record.header.players:
        name = unnumbered(player.bot)
        own = not player.house and (not player.given or answered.get(player.seat) == name)
        words.append(samples.get(name) if own else None)
    return words
