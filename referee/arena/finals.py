"""Finals: their folders, what one waits for, and how far it has come.

1. Each final has a folder of its own among the seasons: `final`, then `final-2` and so on. None is ever overwritten.
2. A final that was asked for waits for the uploads that were accepted before it, and for a game that is being debugged, which
   takes a minute at most. Its first match begins when the wave of the ladder that is being played has ended.
3. Whoever opens or closes the arena stops a final that is being played. What was played of it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from referee import games
from referee.arena.season import final_of
from referee.arena.settings import ArenaFiles, ArenaSettings
from referee.arena.state import FINAL, ArenaState
from referee.errors import UsageError
from referee.text.words import counted
from referee.tournament.ledger import FILE as LEDGER
from referee.tournament.tournament import Tournament


def number(name: str) -> int | None:
    """Which final a folder's name means, from 1; None if it is none."""
    match = FINAL.fullmatch(name)
    return None if match is None else int(match[1] or 1)


def title(name: str) -> str:
    """A final or a season for people, by the name of its folder: `Final`, `Final 2`, `Season 1`."""
    return f"Season {name}" if name.isdecimal() else name.capitalize().replace("-", " ")


def names(files: ArenaFiles) -> list[str]:
    """The folders of all finals that have a match, the newest first."""
    folders = (path.parent.name for path in files.seasons.glob(f"*/{LEDGER}"))
    return sorted((name for name in folders if number(name)), key=lambda name: -(number(name) or 0))


def next_name(files: ArenaFiles) -> str:
    """The folder of the next final."""
    last = max((number(name) or 0 for name in names(files)), default=0)
    return f"final-{last + 1}" if last else "final"


def coming(files: ArenaFiles, names: Iterable[str], uploads: int) -> str:
    """What a final waits for that has no match yet, in a sentence.

    Args:
        names: of the entrants: the active versions. uploads: how many wait.
    """
    try:
        of = f" of about {final_of(files, names).matches:,} matches"
        why = "the wave of the ladder that is being played"
    except UsageError as wrong:
        of, why = "", f"more bots: {wrong}"
    if uploads:
        why = f"{counted(uploads, 'upload')} that came before it"
    return f"The final{of} waits for {why}."


def rule(settings: ArenaSettings) -> str:
    """What decides in a final, in a sentence."""
    if games.find(settings.game).contest.order == "points":
        return "The game's own points a match decide the places."
    return (
        "The rating decides the places: two bots of one author never meet, so percents are not about the same rivals."
    )


def goes_on(state: ArenaState, name: str) -> bool:
    """Whether a final is played on if it is not over, by the name of its folder."""
    return state.state == "final" and name == state.final


def progress(final: Tournament, table: Callable[[], Sequence[Mapping[str, Any]]], *, goes_on: bool) -> str:
    """How far a final is that has begun, in a sentence.

    Args:
        table: gives its rows once it is over; none if they are not there yet.
    """
    scheduled, played, _ = final.ledger.counts()
    if not final.over:
        state = "is being played:" if goes_on else "was stopped after"
        return f"The final {state} {played:,} of {scheduled:,} matches."
    rows = table()
    won = f": {rows[0]['name']} won" if rows else ""
    return f"The final is over after {played:,} matches{won}."
