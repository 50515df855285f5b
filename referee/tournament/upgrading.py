"""Ledgers of the older format: they are upgraded when they are opened, and a copy is kept.

The new ledger is made beside the old one, from rows that strict models have read, and takes its name when it is complete. So a
process that is killed leaves either the old ledger or the new one.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, Json

from referee.tournament.answers import Count, FaultRow, Number, SeatRow, Seats, StrictRow, Text
from referee.tournament.database import Database, DiskError
from referee.tournament.match_tables import MatchTables
from referee.tournament.rows import (
    SCHEMA,
    TABLES_OF_BOTH,
    ChangeRow,
    EntrantRow,
    FailureRow,
    RecordedMatch,
    SeriesRow,
    UnreadyRow,
)

OLD: Final = "format-2"
"""In the name of the copy: `ledger.format-2.sqlite`."""
OLD_SCHEMA: Final = f"""{TABLES_OF_BOTH}
CREATE TABLE tours (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, byes TEXT NOT NULL);
CREATE TABLE matches (
    series INTEGER NOT NULL REFERENCES series, seating INTEGER NOT NULL, seats TEXT NOT NULL, reason TEXT NOT NULL,
    tries INTEGER NOT NULL, seconds REAL NOT NULL, started TEXT NOT NULL, machine TEXT NOT NULL, saved TEXT, sha256 TEXT,
    faults TEXT NOT NULL, times TEXT NOT NULL, PRIMARY KEY (series, seating)
) WITHOUT ROWID;
"""


class _Fact(StrictRow):
    key: Text
    value: Annotated[str, Field(max_length=10_000_000)]


class _Tour(StrictRow):
    number: Number
    key: Text
    byes: Json[list[Number]]


class _Match(RecordedMatch):
    seats: Json[Seats[SeatRow]]
    faults: Json[Annotated[list[FaultRow], Field(max_length=1000)]]
    times: Json[Annotated[list[list[Count]], Field(max_length=1000)]]


def upgrade(path: Path) -> Path:
    """Make a ledger one of the present format. Returns the copy of the old one. The caller has the lock of the tournament.

    The tables of sums stay empty: `Ledger.add_up` fills them.

    Raises:
        LedgerError: it is damaged. DiskError: there is no room.
    """
    new, old_copy = path.with_name(f".{path.name}.new"), path.with_name(f"{path.stem}.{OLD}{path.suffix}")
    _remove(new)  # a process that was killed left it
    try:
        with Database(path, OLD_SCHEMA, writes=True) as old:
            with Database(new, SCHEMA, writes=True) as database, database.transaction():
                _copy(old, database)
            old.query("PRAGMA journal_mode = DELETE")  # so that the copy needs no file beside it
        try:
            shutil.copyfile(path, old_copy)
            os.replace(new, path)
        except OSError as failed:
            old_copy.unlink(missing_ok=True)
            why = f"cannot be written ({failed.strerror}): free space there; {path} is as it was"
            raise DiskError(f"{old_copy}, a copy of the ledger before its upgrade, {why}") from None
    finally:
        _remove(new)
    return old_copy


def _remove(database: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        database.with_name(f"{database.name}{end}").unlink(missing_ok=True)


def _copy(old: Database, new: Database) -> None:
    for row in old.rows("facts", _Fact, "key", "key != 'format'"):
        new.query("INSERT INTO facts VALUES (?, ?)", tuple(row.values()))
    for table, model, key in (
        ("entrants", EntrantRow, "number"),
        ("changes", ChangeRow, "rowid"),
        ("series", SeriesRow, "number"),
        ("failures", FailureRow, "series, seating, rowid"),
        ("unready", UnreadyRow, "rowid"),
    ):
        marks = ", ".join("?" * len(model.__annotations__))
        new.write_all(f"INSERT INTO {table} VALUES ({marks})", map(_cells, old.rows(table, model, key)))
    for tour in old.rows("tours", _Tour, "number"):
        of_tour = "FROM series WHERE tour = :tour"
        new.query(
            f"INSERT INTO tours SELECT :tour, :key, :byes, (SELECT coalesce(min(number), 0) {of_tour}), "
            f"(SELECT coalesce(sum(json_array_length(seatings)), 0) {of_tour}), 0",
            {"tour": tour["number"], "key": tour["key"], "byes": json.dumps(tour["byes"])},
        )
    matches = MatchTables(new)
    for match in old.rows("matches", _Match, "series, seating"):
        matches.put(match)
    new.query(
        "UPDATE tours SET ended = (SELECT count(*) FROM matches JOIN series ON series.number = matches.series "
        "WHERE series.tour = tours.number)"
    )


def _cells(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """The cells of a row as the file has them."""
    return tuple(json.dumps(value) if name == "seatings" else value for name, value in row.items())
