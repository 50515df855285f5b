"""The schedule of a ledger: its tours, their series, and how many matches of each tour have ended."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from referee.tournament.database import Database
from referee.tournament.model import Series, Standing, Tour
from referee.tournament.rows import SeriesRow, StandingRow, TourRow


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


class ScheduleTables:
    """The schedule in an open ledger."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._over = 0, 0, 0  # all tours before this number have ended; their matches, scheduled and ended

    def planned(self) -> tuple[int, int]:
        """The numbers of tours and of series so far."""
        tours = self._db.number("SELECT coalesce(max(number), -1) + 1 FROM tours")
        return tours, self._db.number("SELECT coalesce(max(number), 0) FROM series")

    def append(self, tour: Tour) -> int:
        """Add the next tour, within a transaction. Returns the number of its first series; the others follow."""
        number, before = self.planned()
        first = before + 1
        cells = (number, tour.key, json.dumps(tour.byes), first, tour.matches)
        self._db.query("INSERT INTO tours VALUES (?, ?, ?, ?, ?, 0)", cells)
        series = ((number, it.key, it.meeting, it.map, it.turn, json.dumps(it.seatings)) for it in tour.series)
        columns = "(tour, key, meeting, map, turn, seatings)"
        self._db.write_all(f"INSERT INTO series {columns} VALUES (?, ?, ?, ?, ?, ?)", series)
        if tour.standings:
            self._db.query("DELETE FROM standings")
            standings = ((entrant, *standing) for entrant, standing in tour.standings.items())
            self._db.write_all("INSERT INTO standings VALUES (?, ?, ?, ?, ?)", standings)
        return first

    def standings(self) -> dict[int, Standing]:
        """What the format remembers of entrants since it planned the last tour (`Tour.standings`)."""
        return {
            row["number"]: Standing(row["since"], row["credit"], row["strength"], row["known"])
            for row in self._db.rows("standings", StandingRow, "number")
        }

    def tour_keys(self) -> list[str]:
        """The keys of all tours in order."""
        keys = list[str]()
        for row in self._db.rows("tours", TourRow, "number"):
            if row["number"] != len(keys):
                raise self._db.damage_error(f"tours, number {row['number']}: not the next one")
            keys.append(row["key"])
        return keys

    def tours(self) -> list[Tour]:
        """All tours in order."""
        series = defaultdict[int, list[tuple[int, Series]]](list)
        for of_tour, number, entry in self.series():
            series[of_tour].append((number, entry))
        entrants, tours = self._db.number("SELECT coalesce(max(number), -1) + 1 FROM entrants"), list[Tour]()
        for row in self._db.rows("tours", TourRow, "number"):
            if row["number"] != len(tours) or max(row["byes"], default=-1) >= entrants:
                raise self._db.damage_error(f"tours, number {row['number']}: not the next one, or with byes of nobody")
            entries = series.pop(len(tours), [])
            tour = Tour(row["key"], tuple(entry for _, entry in entries), tuple(row["byes"]))
            due = entries[0][0] if entries else row["first"]
            if (row["first"], row["matches"]) != (due, tour.matches) or row["ended"] > tour.matches:
                raise self._db.damage_error(f"tours, number {row['number']}: its matches are not those of its series")
            tours.append(tour)
        if series:
            raise self._db.damage_error(f"series: of tour {min(series)}, which is missing")
        return tours

    def series(self, first: int = 1, *, among: str | None = None) -> Iterator[tuple[int, int, Series]]:
        """(tour, number, series) in the order of the schedule, from number `first` on, or `among` those of another table."""
        entrants = self._db.number("SELECT coalesce(max(number), -1) + 1 FROM entrants")
        due, tour = first, 0
        where = "number >= ?" + (f" AND number IN (SELECT series FROM {among})" if among else "")
        for row in self._db.rows("series", SeriesRow, "number", where, (first,)):
            series = Series(row["meeting"], row["map"], row["turn"], tuple(map(tuple, row["seatings"])))
            row_name = f"series, number {row['number']}"
            due = row["number"] if among else due
            if row["number"] != due or row["tour"] < tour or row["key"] != series.key:
                wrong = f"not number {due}, of an earlier tour, or its key is not {series.key!r}"
                raise self._db.damage_error(f"{row_name}: {wrong}")
            if len(set(map(len, series.seatings))) != 1 or series.numbers[-1] >= entrants:
                raise self._db.damage_error(f"{row_name}: its seatings have different lengths, or seats of nobody")
            yield row["tour"], due, series
            due, tour = due + 1, row["tour"]

    def find(self, match: str) -> tuple[int, int] | None:
        """The key of a match, by its id."""
        series, _, seating = match.rpartition("#")
        rows = self._db.query("SELECT number FROM series WHERE key = ?", (series,))
        return (int(rows[0][0]), int(seating)) if rows and seating.isdecimal() and len(seating) < 9 else None

    def matches(self, *, anew: bool = False) -> tuple[int, int]:
        """The numbers of matches that are scheduled, and of those that have ended.

        Tours that are over are added up once, since a site asks all the time, and a ladder has a tour for each wave; `anew` adds
        all of them up.
        """
        first, scheduled, ended = (0, 0, 0) if anew else self._over
        after_all = "(SELECT coalesce(max(number), -1) + 1 FROM tours)"
        under_way = f"SELECT coalesce(min(number), {after_all}) FROM tours WHERE number >= ? AND ended < matches"
        now = self._db.number(under_way, (first,))
        over = "SELECT coalesce(sum({}), 0) FROM tours WHERE number >= ? AND number < ?"
        scheduled += self._db.number(over.format("matches"), (first, now))
        ended += self._db.number(over.format("ended"), (first, now))
        self._over = now, scheduled, ended
        rest = "SELECT coalesce(sum({}), 0) FROM tours WHERE number >= ?"
        return (
            scheduled + self._db.number(rest.format("matches"), (now,)),
            ended + self._db.number(rest.format("ended"), (now,)),
        )

    def last_key(self) -> str | None:
        """The key of the last tour; None before the first."""
        keys = self._db.query("SELECT key FROM tours ORDER BY number DESC LIMIT 1")
        return str(keys[0][0]) if keys else None

    def under_way(self) -> int | None:
        """The number of the first series of the first tour that has not ended; None if all have."""
        tours = self._db.query("SELECT first FROM tours WHERE ended < matches ORDER BY number LIMIT 1")
        return int(tours[0][0]) if tours else None

    def end(self, series: int) -> None:
        """A match of this series has ended; within a transaction."""
        tour = "SELECT tour FROM series WHERE number = ?"
        self._db.query(f"UPDATE tours SET ended = ended + 1 WHERE number = ({tour})", (series,))

    def has_ended(self, series: int) -> bool:
        """Whether all matches of this series have ended."""
        count = "SELECT count(*) FROM matches WHERE series = number"
        question = f"SELECT json_array_length(seatings) = ({count}) FROM series WHERE number = ?"
        return self._db.query(question, (series,)) == [(1,)]
