"""The ledger: one SQLite file that holds everything that has happened in a tournament.

1. A match is one committed row. A process that is killed loses only the matches in progress. They are played again with the same
   seeds.
2. There is one writer, which holds a lock (`locking.only_writer`). Readers need no lock (write-ahead log).
3. SQLite's locks and its shared memory do not work over a network, so such file systems are refused.
4. The schedule is in the ledger too: each tour is written before its first match. So a tournament goes on with the tour that it
   was in, even if the bots have changed since.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.errors import UsageError
from referee.tournament.field import Change, Field, Unready, changes
from referee.tournament.locking import remote
from referee.tournament.words import Entrant, SeatResult, Series, SeriesResult, Tour

FILE: Final = "ledger.sqlite"
_FORMAT: Final = 2
VOID: Final = "void"
"""The reason of a match that failed for a cause outside the bots, or that was given up."""
_SCHEMA: Final = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entrants (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, content TEXT NOT NULL, seeding INTEGER, present INTEGER NOT NULL,
    source TEXT NOT NULL
);
CREATE TABLE changes (
    tour INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, change TEXT NOT NULL, before TEXT, replaces INTEGER
);
CREATE TABLE tours (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, byes TEXT NOT NULL);
CREATE TABLE series (
    number INTEGER PRIMARY KEY, tour INTEGER NOT NULL REFERENCES tours, key TEXT NOT NULL UNIQUE, meeting TEXT NOT NULL,
    map TEXT NOT NULL, turn INTEGER NOT NULL, seatings TEXT NOT NULL
);
CREATE TABLE matches (
    series INTEGER NOT NULL REFERENCES series, seating INTEGER NOT NULL, seats TEXT NOT NULL, reason TEXT NOT NULL,
    tries INTEGER NOT NULL, seconds REAL NOT NULL, started TEXT NOT NULL, machine TEXT NOT NULL, saved TEXT, sha256 TEXT,
    faults TEXT NOT NULL, times TEXT NOT NULL, PRIMARY KEY (series, seating)
) WITHOUT ROWID;
CREATE TABLE failures (
    series INTEGER NOT NULL REFERENCES series, seating INTEGER NOT NULL, started TEXT NOT NULL, machine TEXT NOT NULL,
    why TEXT NOT NULL
);
CREATE TABLE unready (name TEXT NOT NULL, source TEXT NOT NULL, why TEXT NOT NULL, number INTEGER, stray INTEGER NOT NULL);
"""


class Match(NamedTuple):
    """A match of the schedule; `number` is that of its series in the ledger."""

    number: int
    series: Series
    seating: int


class Ledger:
    """An open ledger. Close it at the end."""

    def __init__(self, folder: Path, *, writes: bool, part: Path | None = None) -> None:
        """Open the ledger in a folder, or a part of it (`parts`).

        Args:
            writes: make it if it is missing. The caller has the lock (`locking.only_writer`).
            part: the file of the part. It has a rollback journal, which also works on network file systems.

        Raises:
            UsageError: there is none, it cannot be opened, or another version of the referee made it.
        """
        self.path = part or folder / FILE
        if not writes and not self.path.exists():
            raise UsageError(f"{folder} has no ledger yet: `referee tournament run {folder}` plays the tournament")
        if part is None and (kind := remote(folder)) is not None:
            raise UsageError(
                f"{folder} is on a network file system ({kind}), where a ledger is not safe: use a local folder"
            )
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=30.0)
            if writes and part is None:
                self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            if not self._db.execute("SELECT 1 FROM sqlite_schema").fetchone():
                with self.transaction():
                    for statement in _SCHEMA.strip().split(";\n"):
                        self._db.execute(statement)
                    self._db.execute("INSERT INTO facts VALUES ('format', ?)", (str(_FORMAT),))
            if self.fact("format") != str(_FORMAT):
                raise UsageError(f"{self.path} was made by another version of the referee: use that version")
        except sqlite3.Error as failed:
            raise UsageError(f"{self.path} cannot be used as a ledger: {failed}") from None

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written within the context is committed at its end, or not at all."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def beside(self, other: Path) -> Iterator[sqlite3.Connection]:
        """A transaction that sees the tables of another ledger in the schema `part`."""
        self._db.execute("ATTACH ? AS part", (str(other),))
        try:
            with self.transaction():
                yield self._db
        finally:
            self._db.execute("DETACH part")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read within the context is of one moment, whatever a runner writes meanwhile."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def version(self) -> int:
        """A number that changes when another process has written."""
        [[number]] = self._db.execute("PRAGMA data_version")
        return int(number)

    def fact(self, key: str) -> str | None:
        """A fact about the tournament, such as its settings."""
        row = self._db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, value: str) -> None:
        """Write a fact."""
        self._db.execute(
            "INSERT INTO facts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
        )

    def enter(self, field: Field) -> list[Change]:
        """The field from now on. Returns what has changed since the last one; nothing before the first tour."""
        with self.transaction():
            before, changed = self.entrants(), list[Change]()
            for tour, first in self._db.execute(
                "SELECT tour, min(number) FROM series GROUP BY tour ORDER BY tour DESC LIMIT 1"
            ):
                due = tour if any(self.unplayed(first)) else tour + 1
                changed += changes(before, field.entrants, due, planned=tour + 1)
            new = [astuple(one) for one in field.entrants if one not in before[one.number : one.number + 1]]
            self._db.executemany("REPLACE INTO entrants VALUES (?, ?, ?, ?, ?, ?)", new)
            self._db.executemany("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)", map(astuple, changed))
            self._db.execute("DELETE FROM unready")
            self._db.executemany("INSERT INTO unready VALUES (?, ?, ?, ?, ?)", map(astuple, field.unready))
        return changed

    def entrants(self) -> list[Entrant]:
        """All entrants by number, also those that left."""
        rows = self._db.execute("SELECT number, name, content, seeding, present, source FROM entrants ORDER BY number")
        return [
            Entrant(number, name, content, seeding, bool(present), source)
            for number, name, content, seeding, present, source in rows
        ]

    def unready(self) -> list[Unready]:
        """The bots that could not play in the last run."""
        rows = self._db.execute("SELECT name, source, why, number, stray FROM unready ORDER BY rowid")
        return [Unready(name, source, why, number, bool(stray)) for name, source, why, number, stray in rows]

    def changes(self) -> list[Change]:
        """What has happened to entrants since the first tour, in order."""
        found = "SELECT tour, number, name, change, before, replaces FROM changes ORDER BY rowid"
        return [Change(*row) for row in self._db.execute(found)]

    @property
    def begun(self) -> bool:
        """Whether the first tour is planned."""
        return self._db.execute("SELECT 1 FROM tours LIMIT 1").fetchone() is not None

    def add_tour(self, tour: Tour) -> int:
        """Add the next tour. Returns the number of its first series; the others follow."""
        with self.transaction():
            [[number]] = self._db.execute("SELECT count(*) FROM tours")
            [[first]] = self._db.execute("SELECT coalesce(max(number), 0) + 1 FROM series")
            self._db.execute("INSERT INTO tours VALUES (?, ?, ?)", (number, tour.key, json.dumps(tour.byes)))
            self._db.executemany(
                "INSERT INTO series (tour, key, meeting, map, turn, seatings) VALUES (?, ?, ?, ?, ?, ?)",
                ((number, one.key, one.meeting, one.map, one.turn, json.dumps(one.seatings)) for one in tour.series),
            )
        return int(first)

    def tours(self) -> list[Tour]:
        """All tours in order."""
        series: dict[int, list[Series]] = {}
        for tour, _, one in self._series():
            series.setdefault(tour, []).append(one)
        rows = self._db.execute("SELECT number, key, byes FROM tours ORDER BY number").fetchall()
        return [Tour(key, tuple(series.get(number, ())), tuple(json.loads(byes))) for number, key, byes in rows]

    def _series(self, first: int = 0) -> Iterator[tuple[int, int, Series]]:
        """(tour, number, series) in the order of the schedule, from this number on."""
        found = "SELECT tour, number, meeting, map, turn, seatings FROM series WHERE number >= ? ORDER BY number"
        for tour, number, meeting, map_, turn, seatings in self._db.execute(found, (first,)):
            yield tour, number, Series(meeting, map_, turn, tuple(tuple(one) for one in json.loads(seatings)))

    def unplayed(self, first: int = 0) -> Iterator[Match]:
        """The matches that are scheduled and not played, in order.

        Args:
            first: the number of the first series to look at.
        """
        played = set(self._db.execute("SELECT series, seating FROM matches WHERE series >= ?", (first,)))
        for _, number, one in self._series(first):
            for seating in range(len(one.seatings)):
                if (number, seating) not in played:
                    yield Match(number, one, seating)

    def counts(self) -> tuple[int, int, int]:
        """The numbers of matches that are scheduled, played and void so far."""
        [[scheduled]] = self._db.execute("SELECT coalesce(sum(json_array_length(seatings)), 0) FROM series")
        [[played, void]] = self._db.execute("SELECT count(*), coalesce(sum(reason = ?), 0) FROM matches", (VOID,))
        return scheduled, played, void

    def results(self, first: int = 0) -> dict[str, SeriesResult]:
        """The series that have ended, by key.

        Args:
            first: the number of the first series to look at.
        """
        seats: dict[int, list[tuple[SeatResult, ...] | None]] = {}
        for number, row, reason in self._db.execute(
            "SELECT series, seats, reason FROM matches WHERE series >= ? ORDER BY series, seating", (first,)
        ):
            seats.setdefault(number, []).append(None if reason == VOID else tuple(map(_result, json.loads(row))))
        found = {}
        for _, number, one in self._series(first):
            matches = seats.get(number, [])
            if len(matches) == len(one.seatings):
                played = tuple(match for match in matches if match is not None)
                found[one.key] = SeriesResult(one, played if len(played) == len(matches) else ())
        return found

    def record(self, series: int, seating: int, row: Mapping[str, Any]) -> None:
        """Add a match that was played, as `playing.play` describes it. If it is there already, nothing happens."""
        self._db.execute(
            "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, 1 + (SELECT count(*) FROM failures WHERE series = ?1 AND "
            "seating = ?2), ?, ?, ?, ?, ?, ?, ?)",
            (
                series,
                seating,
                json.dumps(row["seats"]),
                row["reason"],
                row["seconds"],
                row["started"],
                row["machine"],
                row["saved"],
                row["sha256"],
                json.dumps(row["faults"]),
                json.dumps(row["times"]),
            ),
        )

    def fail(self, series: int, seating: int, why: str, *, started: str, machine: str) -> int:
        """Add a try that failed for a cause outside the bots. Returns the number of failed tries of this match."""
        self._db.execute("INSERT INTO failures VALUES (?, ?, ?, ?, ?)", (series, seating, started, machine, why))
        [[tries]] = self._db.execute(
            "SELECT count(*) FROM failures WHERE series = ? AND seating = ?", (series, seating)
        )
        return int(tries)

    def give_up(self, series: int, seating: int, entrants: Sequence[Entrant], *, started: str, machine: str) -> None:
        """Make a match void.

        Args:
            entrants: in their seats.
        """
        nothing = dict.fromkeys(
            ("called", "place", "score", "points", "disqualified", "first_ms", "slowest_ms", "total_ms")
        )
        seats = [
            {"seat": seat, "number": one.number, "entrant": one.content, "name": one.name, **nothing}
            for seat, one in enumerate(entrants)
        ]
        self._db.execute(
            "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, (SELECT count(*) FROM failures WHERE series = ?1 AND "
            "seating = ?2), 0, ?, ?, NULL, NULL, '[]', '[]')",
            (series, seating, json.dumps(seats), VOID, started, machine),
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """All matches in the order of the schedule, with everything that is known about each."""
        found = self._db.execute(
            "SELECT key, map, seating, seats, reason, tries, seconds, started, machine, saved, sha256, faults, times "
            "FROM matches JOIN series ON series.number = matches.series ORDER BY series.number, seating"
        )
        names = [column[0] for column in found.description]
        for values in found:
            row = dict(zip(names, values, strict=True))
            for name in ("seats", "faults", "times"):
                row[name] = json.loads(row[name])
            yield row

    def failures(self) -> list[dict[str, Any]]:
        """All tries that failed for a cause outside the bots, in the order of the schedule."""
        found = self._db.execute(
            "SELECT key AS series, seating, started, machine, why FROM failures JOIN series ON series.number = "
            "failures.series ORDER BY series.number, seating, failures.rowid"
        )
        return [dict(zip(("series", "seating", "started", "machine", "why"), values, strict=True)) for values in found]


def _result(seat: Mapping[str, Any]) -> SeatResult:
    return SeatResult(seat["number"], seat["place"], seat["score"], seat["points"], seat["disqualified"])
