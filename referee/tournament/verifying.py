"""Whether the saved games of a tournament prove the rows of its ledger, on all processors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.errors import SavedGameError
from referee.record import load
from referee.replay import verify
from referee.tournament.processes import on_all_processors


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved game and its row in the ledger.

    Attributes:
        match: its id. path: the file. sha256: the file's hash.
        seats: place, points, and the kind of the fault if it was disqualified, of each seat.
    """

    match: str
    path: Path
    sha256: str
    seats: tuple[tuple[float, float, str | None], ...]


def saved_games(folder: Path, rows: Iterable[Mapping[str, Any]]) -> list[Saved]:
    """The saved games of a tournament, in the order of the rows of its ledger. Rows whose game was not kept have none."""
    return [
        Saved(
            f"{row['key']}#{row['seating']}",
            folder / row["saved"],
            row["sha256"],
            tuple((seat["place"], seat["points"], seat["disqualified"]) for seat in row["seats"]),
        )
        for row in rows
        if row["saved"] is not None
    ]


def verify_all(games: Iterable[Saved], tell: Callable[[Saved, str | None], None]) -> None:
    """Verify saved games.

    Args:
        tell: gets each game in order, and what is wrong with it.
    """
    games = list(games)
    for game, wrong in zip(games, on_all_processors(defect, games), strict=True):
        tell(game, wrong)


def defect(game: Saved) -> str | None:
    """What is wrong with a saved game; None if its hash is the ledger's, it follows from the rules, and it proves the row."""
    try:
        with game.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as failed:
        return f"{game.path} cannot be read: {failed.strerror}"
    if digest != game.sha256:
        return f"{game.path} has changed since the match: its SHA-256 is not the ledger's"
    try:
        record = load(game.path)
        verify(record)
    except SavedGameError as wrong:
        return str(wrong)
    assert record.result is not None
    ranked = {one.seat: (one.rank, one.score, one.disqualified) for one in record.result.ranking}
    for seat, told in enumerate(game.seats):
        if ranked.get(seat) != told:
            return f"{game.path} has another result than the ledger for seat {seat + 1}"
    return None
