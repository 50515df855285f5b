"""The ledger: one SQLite file that holds everything that has happened in a tournament.

1. A match is one committed row. A process that is killed loses only the matches in progress. They are played again with the same
   seeds.
2. There is one writer, which holds a lock (`locking.only_writer`). Readers need no lock (write-ahead log).
3. SQLite's locks and its shared memory do not work over a network, so such file systems are refused.
4. The schedule is in the ledger too: each tour is written before its first match. So a tournament goes on with the tour that it
   was in, even if the bots have changed since.
5. A ledger may come from a stranger or from a damaged disk. So every row is read by a strict model (`rows.py`) and must fit the
   rows that it belongs to. A `LedgerError` names the first one that does not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.errors import UsageError
from referee.tournament.database import Database, LedgerError
from referee.tournament.field import Change, Field, Unready, changes
from referee.tournament.locking import remote
from referee.tournament.rows import (
    FORMAT,
    SCHEMA,
    VOID,
    ChangeRow,
    EntrantRow,
    FailureRow,
    MatchRow,
    SeriesRow,
    TourRow,
    UnreadyRow,
    match_defect,
    seat_result,
    void_row,
)
from referee.tournament.words import Competitor, Series, SeriesResult, Tour

FILE: Final = "ledger.sqlite"
_JSON: Final = frozenset({"seats", "faults", "times"})
"""The columns of `matches` that hold JSON."""


class ScheduledMatch(NamedTuple):
    """A match of the schedule; `number` is that of its series in the ledger."""

    number: int
    series: Series
    seating: int

    @property
    def id(self) -> str:
        """Such as `0-1/arena/0#2`."""
        return self.series.match_id(self.seating)

    @property
    def key(self) -> tuple[int, int]:
        """Its key in the ledger."""
        return self.number, self.seating

    @property
    def entrants(self) -> tuple[int, ...]:
        """The numbers of its entrants, by seat."""
        return self.series.seatings[self.seating]


class Ledger:
    """An open ledger. Close it at the end. Its methods raise a `LedgerError` if the file is damaged."""

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
        self._db = Database(self.path, SCHEMA, writes=writes, log_ahead=part is None)
        if self.fact("format") != str(FORMAT):
            self.close()
            raise UsageError(f"{self.path} was made by another version of the referee: use that version")

    @property
    def in_place(self) -> bool:
        """Whether its file is where it was opened."""
        return self._db.in_place

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def damaged(self, why: str) -> LedgerError:
        """The error for a ledger with such content."""
        return self._db.damaged(why)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def transaction(self) -> AbstractContextManager[None]:
        """What is written within the context is committed at its end, or not at all."""
        return self._db.transaction()

    def snapshot(self) -> AbstractContextManager[None]:
        """All that is read within the context is of one moment, whatever a runner writes meanwhile."""
        return self._db.snapshot()

    def version(self) -> int:
        """A number that changes when another process has written."""
        return self._db.number("PRAGMA data_version")

    def fact(self, key: str) -> str | None:
        """A fact about the tournament, such as its settings."""
        rows = self._db.query("SELECT value FROM facts WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def keep(self, key: str, value: str) -> None:
        """Write a fact."""
        self._db.query(
            "INSERT INTO facts VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
        )

    def enter(self, field: Field) -> list[Change]:
        """The field from now on. Returns what has changed since the last one; nothing before the first tour."""
        with self.transaction():
            before, changed = self.entrants(), list[Change]()
            for tour, first in self._db.query(
                "SELECT tour, min(number) FROM series GROUP BY tour ORDER BY tour DESC LIMIT 1"
            ):
                due = tour if any(self.unplayed(first)) else tour + 1
                changed += changes(before, field.entrants, due, planned=tour + 1)
            self.put(new for new in field.entrants if new not in before[new.number : new.number + 1])
            self._db.write_all("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)", map(astuple, changed))
            self._db.query("DELETE FROM unready")
            self._db.write_all("INSERT INTO unready VALUES (?, ?, ?, ?, ?)", map(astuple, field.unready))
        return changed

    def put(self, entrants: Iterable[Competitor]) -> None:
        """Write entrants under their numbers."""
        self._db.write_all("REPLACE INTO entrants VALUES (?, ?, ?, ?, ?, ?)", map(astuple, entrants))

    def entrants(self) -> list[Competitor]:
        """All entrants by number, also those that left."""
        field = list[Competitor]()
        for row in self._db.rows("entrants", EntrantRow, "ORDER BY number", key=1):
            if row["number"] != len(field):
                raise self.damaged(f"entrants: number {len(field)} is missing")
            present = bool(row["present"])
            field.append(Competitor(len(field), row["name"], row["content"], row["seeding"], present, row["source"]))
        return field

    def unready(self) -> list[Unready]:
        """The bots that could not play in the last run."""
        return [
            Unready(row["name"], row["source"], row["why"], row["number"], bool(row["stray"]))
            for row in self._db.rows("unready", UnreadyRow, "ORDER BY rowid", key=1)
        ]

    def changes(self) -> list[Change]:
        """What has happened to entrants since the first tour, in order."""
        return [
            Change(row["tour"], row["number"], row["name"], row["change"], row["before"], row["replaces"])
            for row in self._db.rows("changes", ChangeRow, "ORDER BY rowid", key=1)
        ]

    @property
    def begun(self) -> bool:
        """Whether the first tour is planned."""
        return bool(self._db.query("SELECT 1 FROM tours LIMIT 1"))

    def add_tour(self, tour: Tour) -> int:
        """Add the next tour. Returns the number of its first series; the others follow."""
        with self.transaction():
            return self.append(tour)

    def append(self, tour: Tour) -> int:
        """The same, within a transaction."""
        number = self._db.number("SELECT count(*) FROM tours")
        first = self._db.number("SELECT coalesce(max(number), 0) + 1 FROM series")
        self._db.query("INSERT INTO tours VALUES (?, ?, ?)", (number, tour.key, json.dumps(tour.byes)))
        self._db.write_all(
            "INSERT INTO series (tour, key, meeting, map, turn, seatings) VALUES (?, ?, ?, ?, ?, ?)",
            ((number, new.key, new.meeting, new.map, new.turn, json.dumps(new.seatings)) for new in tour.series),
        )
        return first

    def tours(self) -> list[Tour]:
        """All tours in order."""
        series: dict[int, list[Series]] = {}
        for tour, _, entry in self._series():
            series.setdefault(tour, []).append(entry)
        entrants, tours = self._db.number("SELECT count(*) FROM entrants"), list[Tour]()
        for row in self._db.rows("tours", TourRow, "ORDER BY number", key=1):
            if row["number"] != len(tours) or max(row["byes"], default=-1) >= entrants:
                raise self.damaged(f"tours, number {row['number']}: not the next one, or with byes of nobody")
            tours.append(Tour(row["key"], tuple(series.pop(len(tours), ())), tuple(row["byes"])))
        if series:
            raise self.damaged(f"series: of tour {min(series)}, which is missing")
        return tours

    def _series(self, first: int = 0) -> Iterator[tuple[int, int, Series]]:
        """(tour, number, series) in the order of the schedule, from this number on."""
        entrants = self._db.number("SELECT count(*) FROM entrants")
        due, tour = max(first, 1), 0
        for row in self._db.rows("series", SeriesRow, "WHERE number >= ? ORDER BY number", (first,), key=1):
            series = Series(row["meeting"], row["map"], row["turn"], tuple(map(tuple, row["seatings"])))
            where = f"series, number {row['number']}"
            if row["number"] != due or row["tour"] < tour or row["key"] != series.key:
                raise self.damaged(f"{where}: not number {due}, of an earlier tour, or its key is not {series.key!r}")
            if len(set(map(len, series.seatings))) != 1 or series.numbers[-1] >= entrants:
                raise self.damaged(f"{where}: its seatings have different lengths, or seats of nobody")
            yield row["tour"], due, series
            due, tour = due + 1, row["tour"]

    def unplayed(self, first: int = 0) -> Iterator[ScheduledMatch]:
        """The matches that are scheduled and not played, in order.

        Args:
            first: the number of the first series to look at.
        """
        ended = self.ended(first)
        for _, number, series in self._series(first):
            for seating in range(len(series.seatings)):
                if (number, seating) not in ended:
                    yield ScheduledMatch(number, series, seating)

    def ended(self, first: int = 0) -> set[tuple[int, int]]:
        """The matches that were played or are void, as numbers of series and seatings. `first` is as above."""
        return set(self._db.query("SELECT series, seating FROM matches WHERE series >= ?", (first,)))

    def counts(self) -> tuple[int, int, int]:
        """The numbers of matches that are scheduled, played and void so far."""
        scheduled = self._db.number("SELECT coalesce(sum(json_array_length(seatings)), 0) FROM series")
        played = self._db.number("SELECT count(*) FROM matches")
        return scheduled, played, self._db.number("SELECT count(*) FROM matches WHERE reason = ?", (VOID,))

    def played(self, first: int = 0) -> Iterator[tuple[ScheduledMatch, MatchRow]]:
        """The matches that were played or are void, in the order of the schedule.

        Args:
            first: the number of the first series to look at.
        """
        schedule = self._series(first)
        _, number, series = next(schedule, (0, 0, None))
        for row in self._db.rows("matches", MatchRow, "WHERE series >= ? ORDER BY series, seating", (first,), key=2):
            while series is not None and number < row["series"]:
                _, number, series = next(schedule, (0, 0, None))
            where = f"matches, series {row['series']}, seating {row['seating']}"
            if series is None or number != row["series"] or row["seating"] >= len(series.seatings):
                raise self.damaged(f"{where}: not in the schedule")
            numbers = series.seatings[row["seating"]]
            if (why := match_defect(row, number, row["seating"], numbers)) is not None:
                raise self.damaged(f"{where}: {why}")
            yield ScheduledMatch(number, series, row["seating"]), row

    def results(
        self,
        first: int = 0,
        *,
        tell: Callable[[list[MatchRow], SeriesResult | None], None] = lambda _rows, _result: None,
    ) -> dict[str, SeriesResult]:
        """The series that have ended, by key.

        Args:
            first: the number of the first series to look at.
            tell: gets the rows of each series that has any, and its result if it has ended.
        """
        results = {}
        for (_, series), played in groupby(self.played(first), lambda pair: pair[0][:2]):
            rows, result = [row for _, row in played], None
            if len(rows) == len(series.seatings):
                void = any(row["reason"] == VOID for row in rows)
                matches = () if void else tuple(tuple(map(seat_result, row["seats"])) for row in rows)
                results[series.key] = result = SeriesResult(series, matches)
            tell(rows, result)
        return results

    def record(self, series: int, seating: int, row: Mapping[str, Any]) -> None:
        """Add a match that was played, as `jobs.JobRunner.play` describes it. If it is there already, nothing happens."""
        tries = self._failed(series, seating) + (row["reason"] != VOID)
        self.put_match({**row, "series": series, "seating": seating, "tries": tries})

    def put_match(self, row: Mapping[str, Any]) -> None:
        """Add a row. If there is one of this match, nothing happens."""
        self._db.query(
            "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [json.dumps(row[name]) if name in _JSON else row[name] for name in MatchRow.__annotations__],
        )

    def fail(self, series: int, seating: int, why: str, *, started: str, machine: str) -> int:
        """Add a try that failed for a cause outside the bots. Returns the number of failed tries of this match."""
        self._db.query("INSERT INTO failures VALUES (?, ?, ?, ?, ?)", (series, seating, started, machine, why))
        return self._failed(series, seating)

    def _failed(self, series: int, seating: int) -> int:
        return self._db.number("SELECT count(*) FROM failures WHERE series = ? AND seating = ?", (series, seating))

    def give_up(self, series: int, seating: int, entrants: Sequence[Competitor], *, started: str, machine: str) -> None:
        """Make a match void.

        Args:
            entrants: in their seats.
        """
        self.record(series, seating, void_row(entrants, started=started, machine=machine))

    def failures(self) -> list[tuple[ScheduledMatch, FailureRow]]:
        """All tries that failed for a cause outside the bots, in the order of the schedule."""
        schedule = {number: series for _, number, series in self._series()}
        failures = list[tuple[ScheduledMatch, FailureRow]]()
        for row in self._db.rows("failures", FailureRow, "ORDER BY rowid", key=1):
            series = schedule.get(row["series"])
            if series is None or row["seating"] >= len(series.seatings):
                raise self.damaged(f"failures, rowid {row['rowid']}: not in the schedule")
            failures.append((ScheduledMatch(row["series"], series, row["seating"]), row))
        return sorted(failures, key=lambda failure: failure[0].key)
