"""Whether the files of an arena are whole: its databases, its uploads, and its matches against the saved games."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from referee.arena.accounts import Accounts
from referee.arena.settings import ArenaFiles
from referee.arena.state import now
from referee.arena.uploads import stored_name
from referee.arena.versions import Versions
from referee.errors import RefereeError
from referee.tournament.ledger import FILE as LEDGER
from referee.tournament.tournament import Tournament

OVER: Final = ("active", "replaced", "withdrawn", "failed")
SHOWN: Final = 5
"""The most that a line lists."""


def damaged(files: ArenaFiles) -> Iterator[str]:
    """The databases that SQLite calls damaged. Other processes may be writing them."""
    for path in sorted(files.root.rglob("*.sqlite")):
        try:
            with closing(sqlite3.connect(path, timeout=60)) as database:
                said = [row[0] for row in database.execute("PRAGMA integrity_check")]
        except sqlite3.DatabaseError as failed:
            said = [str(failed)]
        if said != ["ok"]:
            yield f"{path.relative_to(files.root)}: {'; '.join(said[:SHOWN])}"


def states(files: ArenaFiles) -> dict[int, str]:
    """The state of each accepted upload; `waiting` if intake has not seen it."""
    known = dict[int, str]()
    if files.versions.exists():
        with closing(Versions(files.versions, writes=False)) as versions:
            known = {version.id: version.state for version in versions.all()}
    with closing(Accounts(files.accounts, now=now)) as accounts:
        return {upload.id: known.get(upload.id, "waiting") for upload in accounts.uploads()}


def lost(files: ArenaFiles, accepted: Mapping[int, str]) -> Iterator[str]:
    """What became of no upload.

    Args:
        accepted: the names of the files that the site has accepted, by the ids that it answered.
    """
    known = states(files)
    if gone := accepted.keys() - known.keys():
        yield f"accepted, but without a row: {_some(gone)}"
    gone = {
        number
        for number, file in accepted.items()
        if not any((folder / stored_name(number, file)).exists() for folder in (files.inbox, files.sources))
    }
    if gone:
        yield f"accepted, but without a file: {_some(gone)}"


def season_defects(folder: Path) -> Iterator[str]:
    """What is wrong in the tournament of a season: matches left out, and saved games of no match."""
    with Tournament(folder) as tournament:
        end, ledger = tournament.ledger.schedule.under_way(), tournament.ledger
        series = {number: entry for _, number, entry in ledger.schedule.series()}
        played = {match.id: row["saved"] for match, row in ledger.played()}
    before = {number: entry for number, entry in series.items() if end is None or number < end}
    ids = [entry.match_id(seating) for entry in before.values() for seating in range(len(entry.seatings))]
    if lacking := [match for match in ids if match not in played]:
        yield f"{folder.name}: matches of waves that have ended, but are not there: {_some(lacking)}"
    names = {Path(saved).name for saved in played.values() if saved is not None}
    there = {path.name for path in (folder / "games").glob("*.gz")}
    # A match of the wave under way may have its saved game already, and its row after the next start.
    if strange := [name for name in there - names if int(name.partition("-")[0]) in before]:
        yield f"{folder.name}: saved games of no match: {_some(strange)}"


def unproved(folder: Path) -> Iterator[str]:
    """What the saved games of a tournament do not prove: matches and the sums of the table."""
    command = [sys.executable, "-m", "referee", "tournament", "check", "--games", str(folder)]
    proof = subprocess.run(command, capture_output=True, text=True, check=False)
    if proof.returncode:
        yield f"{folder.name}: the saved games do not prove the ledger: {(proof.stdout + proof.stderr)[-300:]}"


def seasons(files: ArenaFiles) -> list[Path]:
    """The folders of seasons with a ledger, and the final's."""
    return sorted(path.parent for path in files.seasons.glob(f"*/{LEDGER}"))


def played(files: ArenaFiles) -> dict[str, int]:
    """How many matches each season has."""
    counts = {}
    for folder in seasons(files):
        with suppress(RefereeError), Tournament(folder) as tournament:  # its first run may only just be making it
            counts[folder.name] = tournament.ledger.schedule.matches()[1]
    return counts


def _some(things: Collection[object]) -> str:
    listed = ", ".join(sorted(map(str, things))[:SHOWN])
    return f"{listed}{' …' if len(things) > SHOWN else ''} ({len(things)})"
