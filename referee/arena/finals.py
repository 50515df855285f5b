"""Finals: their folders, what a final waits for, and its progress.

1. Each final has a folder of its own among the seasons: `final`, then `final-2` and so on. None is ever overwritten.
2. A final waits for earlier uploads, and for a debug game that is being played, which takes a minute at most. Its first match
   begins when the current wave of the ladder has ended.
3. Opening or closing the arena stops the final. Its matches stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from referee import games
from referee.arena.season import final_of
from referee.arena.settings import ArenaFiles, ArenaSettings
from referee.errors import UsageError
from referee.text.words import counted
from referee.tournament.ledger import FILE as LEDGER
from referee.tournament.tournament import Tournament

_FOLDER: Final = re.compile(r"final(?:-(\d{1,9}))?")
"""The names of the folders of finals."""


def number(folder: str) -> int:
    """The number of a final by its folder, from 1; 0 for a season or another folder."""
    match = _FOLDER.fullmatch(folder)
    return int(match[1] or 1) if match else 0


def title(folder: str) -> str:
    """The title of a final or a season by its folder: `Final`, `Final 2`, `Season 1`."""
    return f"Season {folder}" if folder.isdecimal() else folder.capitalize().replace("-", " ")


def names(files: ArenaFiles) -> list[str]:
    """The folders of all finals that have a ledger, the newest first."""
    folders = (path.parent.name for path in files.seasons.glob(f"*/{LEDGER}"))
    return sorted(filter(number, folders), key=number, reverse=True)


def next_name(files: ArenaFiles) -> str:
    """The folder of the next final."""
    last = max(map(number, names(files)), default=0)
    return f"final-{last + 1}" if last else "final"


def waiting_reason(files: ArenaFiles, names: Iterable[str], uploads: int) -> str:
    """What a final without a match waits for, in a sentence.

    Args:
        names: of the active entrants. uploads: how many are pending.
    """
    try:
        size = f" of about {final_of(files, names).matches:,} matches"
        why = "the wave of the ladder that is being played"
    except UsageError as wrong:
        size, why = "", f"more bots: {wrong}"
    if uploads:
        why = f"{counted(uploads, 'upload')} that came before it"
    return f"The final{size} waits for {why}."


def rule(settings: ArenaSettings) -> str:
    """What decides in a final, in a sentence."""
    if games.find(settings.game).contest.order == "points":
        return "The game's own points a match decide the places."
    return (
        "The rating decides the places: two bots of one author never meet, so percents are not about the same rivals."
    )


def progress(final: Tournament, table: Callable[[], Sequence[Mapping[str, Any]]], *, goes_on: bool) -> str:
    """The progress of a final that has begun, in a sentence.

    Args:
        table: gives the rows of the table once the final is over, or none if they are not written yet.
        goes_on: whether the final is being played.
    """
    scheduled, played, _ = final.ledger.counts()
    if not final.over:
        how = "is being played:" if goes_on else "was stopped after"
        waiting = final.waiting_notes() if goes_on else ()
        return " ".join([f"The final {how} {played:,} of {scheduled:,} matches.", *waiting])
    rows = table()
    won = f": {rows[0]['name']} won" if rows else ""
    return f"The final is over after {played:,} matches{won}."
