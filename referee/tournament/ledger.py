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
from contextlib import nullcontext
from dataclasses import astuple
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final, cast

from typing_extensions import override

from referee.errors import UsageError
from referee.tournament.answers import VOID, match_defect, seat_score
from referee.tournament.database import Database, NotBegun, OtherTables, tables_of
from referee.tournament.field import Change, Field, Unready, changes
from referee.tournament.figures.sums import Sums
from referee.tournament.locking import only_writer, remote
from referee.tournament.match_tables import Key, MatchTables
from referee.tournament.model import Competitor, Series, SeriesResult, Tour
from referee.tournament.rows import FORMAT, SCHEMA, ChangeRow, EntrantRow, FailureRow, MatchRow, UnreadyRow
from referee.tournament.schedule_tables import ScheduledMatch, ScheduleTables
from referee.tournament.sums_tables import SumsTables, add_series
from referee.tournament.upgrading import OLD_SCHEMA, upgrade

FILE: Final = "ledger.sqlite"
RECENT: Final = 1000
"""Series whose rows are kept until they are added up, lest they are read again."""
PAGE: Final = 1000
"""Matches that `matches_at` reads at a time."""
SERIES: Final = 200
"""Series of which `pages` reads the matches at a time."""


class Ledger(Database):
    """An open ledger, with its groups of tables. Close it at the end. Its methods raise a `LedgerError` if it is damaged."""

    def __init__(self, folder: Path, *, writes: bool, part: Path | None = None) -> None:
        """Open the ledger in a folder, or a part of it (`parts`).

        Args:
            writes: make it if it is missing. The caller has the lock (`locking.only_writer`).
            part: the file of the part. It has a rollback journal, which also works on network file systems.

        Raises:
            UsageError: there is none, it cannot be opened, or another version of the referee made it.
        """
        path = part or folder / FILE
        if not writes and not path.exists():
            raise NotBegun(f"{folder} has no ledger yet: `referee tournament run {folder}` plays the tournament")
        if part is None and (kind := remote(folder)) is not None:
            why = f"is on a network file system ({kind}), where a ledger is not safe"
            raise UsageError(f"{folder} {why}: use a local folder")
        try:
            super().__init__(path, SCHEMA, writes=writes, log_ahead=part is None)
        except OtherTables as other:
            if part is not None or other.tables != tables_of(OLD_SCHEMA):
                raise
            with nullcontext() if writes else only_writer(folder):
                upgrade(path)
            super().__init__(path, SCHEMA, writes=writes, log_ahead=True)
        self.schedule, self.matches, self.sums = ScheduleTables(self), MatchTables(self), SumsTables(self)
        self._alone = writes and part is None
        self._recent: dict[int, dict[int, MatchRow]] = {}  # rows that were just written, by series and seating
        self._field: list[Competitor] | None = None  # as long as nobody else writes, those that left are not read again

    @override
    def _check_tables(self, schema: str) -> None:
        super()._check_tables(schema)
        if self.fact("format") != str(FORMAT):
            raise UsageError(f"{self.path} was made by another version of the referee: use that version")

    def fact(self, key: str) -> str | None:
        """A fact about the tournament, such as its settings."""
        rows = self.query("SELECT value FROM facts WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def keep(self, key: str, value: str) -> None:
        """Write a fact."""
        self.query("REPLACE INTO facts VALUES (?, ?)", (key, value))

    def enter(
        self, field: Field, closed: Callable[[str], bool] = lambda key: False, *, fixed: bool = False
    ) -> list[Change]:
        """The field from now on. Returns what has changed since the last one; nothing before the first tour.

        An entrant that joins after a tour whose key is `closed` is too late to play. `fixed` says whether an entrant that comes
        back plays what is not played of earlier tours.
        """
        with self.transaction():
            before, changed = self.entrants(), list[Change]()
            last = "SELECT number, key, matches, ended FROM tours ORDER BY number DESC LIMIT 1"
            for tour, key, matches, ended in self.query(last):
                now, is_closed = tour + (ended == matches), closed(key)
                unfinished = "SELECT coalesce(min(number), ?) FROM tours WHERE ended < matches"
                back = self.number(unfinished, (now,)) if fixed else None
                late = {change.number for change in self.changes() if change.change == "late"} if is_closed else ()
                changed += changes(
                    before, field.entrants, now, planned=tour + 1, back=back, closed=is_closed, late=late
                )
            self.put(new for new in field.entrants if new not in before[new.number : new.number + 1])
            self.write_all("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)", map(astuple, changed))
            self.query("DELETE FROM unready")
            self.write_all("INSERT INTO unready VALUES (?, ?, ?, ?, ?)", map(astuple, field.unready))
        if self._alone:
            self._field = list(field.entrants)
        return changed

    def put(self, entrants: Iterable[Competitor]) -> None:
        """Write entrants under their numbers."""
        self._field = None
        self.write_all("REPLACE INTO entrants VALUES (?, ?, ?, ?, ?, ?)", map(astuple, entrants))

    def entrants(self) -> list[Competitor]:
        """All entrants by number, also those that left."""
        if self._field is not None:
            return list(self._field)
        field = list[Competitor]()
        for row in self.rows("entrants", EntrantRow, "number"):
            if row["number"] != len(field):
                raise self.damage_error(f"entrants: number {len(field)} is missing")
            field.append(Competitor(**row))
        if self._alone:
            self._field = list(field)
        return field

    def unready(self) -> list[Unready]:
        """The bots that could not play in the last run."""
        return [Unready(**row) for row in self.rows("unready", UnreadyRow, "rowid")]

    def changes(self) -> list[Change]:
        """What has happened to entrants since the first tour, in order."""
        return [Change(**row) for row in self.rows("changes", ChangeRow, "rowid")]

    @property
    def begun(self) -> bool:
        """Whether the first tour is planned."""
        return bool(self.query("SELECT 1 FROM tours LIMIT 1"))

    def add_tour(self, tour: Tour) -> int:
        """Add the next tour. Returns the number of its first series; the others follow."""
        with self.transaction():
            return self.schedule.append(tour)

    def unplayed(self, first: int | None = None) -> Iterator[ScheduledMatch]:
        """The matches that are scheduled and not played, in order.

        Args:
            first: the number of the first series to look at; by default, that of the first tour that has not ended.
        """
        if first is None and (first := self.schedule.under_way()) is None:
            return
        ended = self.ended(first)
        for _, number, series in self.schedule.series(first):
            for seating in range(len(series.seatings)):
                if (number, seating) not in ended:
                    yield ScheduledMatch(number, series, seating)

    def ended(self, first: int = 1) -> set[Key]:
        """The matches that were played or are void, from the series with this number on."""
        return set(self.query("SELECT series, seating FROM matches WHERE series >= ?", (first,)))

    def counts(self) -> tuple[int, int, int]:
        """The numbers of matches that are scheduled, played and void so far."""
        return *self.schedule.matches(), self.number("SELECT count(*) FROM matches WHERE reason = ?", (VOID,))

    def played(
        self, first: int = 1, last: int = 2**62, *, among: str | None = None
    ) -> Iterator[tuple[ScheduledMatch, MatchRow]]:
        """The matches that were played or are void, in the order of the schedule.

        Args:
            first, last: the numbers of the first and of the last series to look at.
            among: only those that another table names, by their key: `faults` or `failures`.
        """
        schedule = self.schedule.series(first, among=among)
        _, number, series = next(schedule, (0, 0, None))
        where = "series BETWEEN ? AND ?" + (
            f" AND (series, seating) IN (SELECT series, seating FROM {among})" if among else ""
        )
        for row in self.matches.rows(where, (first, last)):
            while series is not None and number < row["series"]:
                _, number, series = next(schedule, (0, 0, None))
            why: str | None = "not in the schedule"
            if series is not None and number == row["series"] and row["seating"] < len(series.seatings):
                match = ScheduledMatch(number, series, row["seating"])
                why = match_defect(row, *match.key, match.entrants)
            if why is not None:
                raise self.damage_error(f"matches, series {row['series']}, seating {row['seating']}: {why}")
            yield match, row

    def pages(self, last: int) -> Iterator[list[tuple[ScheduledMatch, MatchRow]]]:
        """The matches of the series up to this number, `SERIES` of these at a time.

        Between two lists nothing is being read. So the log of a writer does not grow, however long the reader takes for a list.
        """
        for first in range(1, last + 1, SERIES):
            yield list(self.played(first, min(first + SERIES - 1, last)))

    def newest(
        self, most: int, *, before: Key | None = None, numbers: Iterable[int] | None = None, fault: str | None = None
    ) -> tuple[list[tuple[ScheduledMatch, MatchRow]], Key | None]:
        """The newest matches, and the key to look on before; see `MatchTables.newest`."""
        keys, further = self.matches.newest(before or (2**62, 0), most, numbers=numbers, fault=fault)
        return list(self.matches_at(keys[::-1]))[::-1], further

    def match(self, series: int, seating: int) -> tuple[ScheduledMatch, MatchRow] | None:
        """A match that was played or is void."""
        return next(self.matches_at([(series, seating)]), None)

    def matches_at(self, keys: Iterable[Key]) -> Iterator[tuple[ScheduledMatch, MatchRow]]:
        """Those of these matches that were played or are void. The keys are in the order of the schedule."""
        columns = "json_extract(value, '$[0]') AS series, json_extract(value, '$[1]') AS seating"
        rest = iter(keys)
        while some := list(islice(rest, PAGE)):
            yield from self.played(among=f"(SELECT {columns} FROM json_each('{json.dumps(some)}'))")

    def by_series(self, first: int = 1) -> Iterator[tuple[list[tuple[ScheduledMatch, MatchRow]], SeriesResult | None]]:
        """The matches of each series from this number on that has some, and its result if it has ended."""
        for series, played in groupby(self.played(first), lambda pair: pair[0].series):
            matches = list(played)
            ended = len(matches) == len(series.seatings)
            yield matches, _result(series, [row for _, row in matches]) if ended else None

    def results(self, first: int = 1) -> dict[str, SeriesResult]:
        """The series that have ended, by key, from this number on."""
        return {result.series.key: result for _, result in self.by_series(first) if result is not None}

    def whole_sums(self, rng_seed: int, *, anew: bool = False) -> Sums:
        """The sums of all series that have ended; `anew` from the rows of all matches, instead of the tables of sums."""
        sums, first = (Sums(rng_seed), 1) if anew else (self.sums.whole(rng_seed), self.sums.extent().next)
        for matches, result in self.by_series(first):
            add_series(sums, result, (row for _, row in matches))
        return sums

    def add_up(self, rng_seed: int) -> None:
        """Add all series that have ended to the tables of sums, as far as no earlier one is missing. Within a transaction."""
        while ended := list(islice(self._next_of_sums(), RECENT)):  # a merge may have a million
            self.sums.add(rng_seed, ended)

    def _next_of_sums(self) -> Iterator[tuple[SeriesResult, Sequence[MatchRow]]]:
        """The series that have ended and are not in the sums yet, up to the first that is missing; each with its rows."""
        due = self.sums.extent().next
        while self.schedule.has_ended(due):
            _, _, series = next(self.schedule.series(due))
            recent = self._recent.pop(due, {})
            rows = [recent[seating] for seating in sorted(recent)]
            if len(rows) < len(series.seatings):
                matches, _ = next(self.by_series(due))
                rows = [row for _, row in matches]
            yield _result(series, rows), rows
            due += 1

    def record(self, series: int, seating: int, row: Mapping[str, Any]) -> None:
        """Add a match that was played, as `jobs.JobRunner.play` describes it, or is void (`void_row`). Within a transaction."""
        tries = self._failure_count(series, seating) + (row["reason"] != VOID)
        whole = cast(MatchRow, {**row, "series": series, "seating": seating, "tries": tries})
        if self.put_match(whole):
            if len(self._recent) >= RECENT:  # an earlier series is missing, and may be for long
                self._recent.clear()
            self._recent.setdefault(series, {})[seating] = whole

    def put_match(self, row: Mapping[str, Any]) -> bool:
        """Add a `MatchRow`, within a transaction; whether there was none of this match. If there was, nothing happens."""
        if new := self.matches.put(row):
            self.schedule.end(row["series"])
        return new

    def fail(self, series: int, seating: int, why: str, *, started: str, machine: str) -> int:
        """Add a try that failed for a cause outside the bots. Returns the number of failed tries of this match."""
        self.query("INSERT INTO failures VALUES (?, ?, ?, ?, ?)", (series, seating, started, machine, why))
        return self._failure_count(series, seating)

    def _failure_count(self, series: int, seating: int) -> int:
        return self.number("SELECT count(*) FROM failures WHERE series = ? AND seating = ?", (series, seating))

    def failures(self) -> Iterator[tuple[ScheduledMatch, FailureRow]]:
        """All tries that failed for a cause outside the bots, in the order of the schedule."""
        schedule = {number: series for _, number, series in self.schedule.series(among="failures")}
        for row in self.rows("failures", FailureRow, "series, seating, rowid"):
            series = schedule.get(row["series"])
            if series is None or row["seating"] >= len(series.seatings):
                where = f"failures, series {row['series']}, seating {row['seating']}"
                raise self.damage_error(f"{where}: not in the schedule")
            yield ScheduledMatch(row["series"], series, row["seating"]), row

    def failures_of(self, match: ScheduledMatch) -> Iterator[FailureRow]:
        """The tries of a match that failed for a cause outside the bots, the oldest first."""
        return self.rows("failures", FailureRow, "rowid", "series = ? AND seating = ?", match.key)


def _result(series: Series, rows: Sequence[MatchRow]) -> SeriesResult:
    """The result of a series whose matches have ended."""
    if any(row["reason"] == VOID for row in rows):
        return SeriesResult(series, ())
    return SeriesResult(series, tuple(tuple(map(seat_score, row["seats"])) for row in rows))
