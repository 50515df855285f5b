"""The running sums of a ledger (`figures.sums`), in tables of their own.

1. A series is added in the transaction of its last match, but never before an earlier series. So while several matches are under
   way, the sums lack series that have ended; readers add these from their rows. A run adds them before it plans a tour.
2. The fact `summed` has the number of the first series that is not in the sums, and how many series and matches in them count.
3. The rows of matches prove the sums: `tournament check` works them out anew and compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from referee.tournament.answers import Number
from referee.tournament.database import Database
from referee.tournament.figures.sums import EntrantSums, PairSums, Sums, Values
from referee.tournament.figures.times import Histogram
from referee.tournament.model import Series, SeriesResult
from referee.tournament.rows import EntrantSumsRow, MatchRow, PairSumsRow, SeatSumsRow, pack

_SUMMED: Final = "summed"
_GAMES: Final = "SELECT first, second, games, halves FROM pair_sums WHERE"


class Summed(NamedTuple):
    """The number of the first series that is not in the sums, and how many series and matches in them count."""

    next: Number
    series: Number
    matches: Number


_SUMMED_MODEL: Final = TypeAdapter(Summed)


class SumsTables:
    """The sums in an open ledger."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def extent(self) -> Summed:
        """How far the sums go."""
        rows = self._db.query("SELECT value FROM facts WHERE key = ?", (_SUMMED,))
        if not rows:
            return Summed(1, 0, 0)
        try:
            return _SUMMED_MODEL.validate_json(str(rows[0][0]))
        except ValidationError:
            raise self._db.damage_error(f"facts, {_SUMMED}: not three numbers") from None

    def whole(self, rng_seed: int) -> Sums:
        """All of the sums."""
        _, series, matches = self.extent()
        sums = Sums(rng_seed, series, matches)
        sums.entrants.update(self._entrants())
        sums.pairs.update(self._pairs())
        sums.seats.update(self._seats())
        entrants = self._db.number("SELECT coalesce(max(number), -1) + 1 FROM entrants")
        if max((*sums.entrants, *(second for _, second in sums.pairs)), default=-1) >= entrants:
            raise self._db.damage_error("entrant_sums, pair_sums: of entrants that are not there")
        return sums

    def games(self, number: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """The games of an entrant with each rival: two numbers, the lower first; how many, and the halves of the first."""
        for row in self._db.query(f"{_GAMES} first = ? UNION ALL {_GAMES} second = ?", (number, number)):
            yield (row[0], row[1]), (row[2], row[3])

    def games_of_two(self, pair: tuple[int, int]) -> tuple[int, int]:
        """The games of two entrants, the lower number first: how many, and the halves of the first."""
        rows = self._db.query(f"{_GAMES} first = ? AND second = ?", pair)
        return rows[0][2:] if rows else (0, 0)

    def series_of(self, number: int) -> int:
        """How many series of an entrant count."""
        rows = self._db.query("SELECT series FROM entrant_sums WHERE number = ?", (number,))
        return int(rows[0][0]) if rows else 0

    def add(self, rng_seed: int, ended: Iterable[tuple[SeriesResult, Iterable[MatchRow]]]) -> None:
        """Add the next series, which have ended, with the rows of their matches; within a transaction."""
        due, series, matches = self.extent()
        sums = Sums(rng_seed, series, matches)
        for result, rows in ended:
            self._read(sums, result.series)
            add_series(sums, result, rows)
            due += 1
        self._write(sums, due)

    def _read(self, sums: Sums, series: Series) -> None:
        """The sums that a series changes, besides those that are there."""
        marks = ", ".join("?" * len(series.numbers))
        entrants = self._entrants(f"number IN ({marks})", series.numbers)
        sums.entrants.update(row for row in entrants if row[0] not in sums.entrants)
        pairs = self._pairs(f"first IN ({marks}) AND second IN ({marks})", 2 * series.numbers)
        sums.pairs.update(row for row in pairs if row[0] not in sums.pairs)
        if (series.map, 0) not in sums.seats:
            sums.seats.update(self._seats("map = ?", (series.map,)))

    def _write(self, sums: Sums, due: int) -> None:
        """Write them; `due` is the number of the first series that is not in them."""
        entrants = (
            (number, it.series, it.matches, it.score, it.possible, it.points, it.wins, json.dumps(it.faults),
             pack([it.times.as_json()]), it.called)
            for number, it in sums.entrants.items()
        )  # fmt: skip
        self._db.write_all(f"REPLACE INTO entrant_sums VALUES ({', '.join('?' * 10)})", entrants)
        pairs = (
            (*pair, it.matches, it.games, it.halves, json.dumps([(group, *part) for group, part in it.groups.items()]))
            for pair, it in sums.pairs.items()
        )
        update = ", ".join(f"{column} = excluded.{column}" for column in ("matches", "games", "halves", "groups"))
        self._db.write_all(f"INSERT INTO pair_sums VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET {update}", pairs)
        seats = ((*key, seat.series, seat.mean, seat.squares) for key, seat in sums.seats.items())
        self._db.write_all("REPLACE INTO seat_sums VALUES (?, ?, ?, ?, ?)", seats)
        self._db.query("REPLACE INTO facts VALUES (?, ?)", (_SUMMED, json.dumps((due, sums.series, sums.matches))))

    def _entrants(self, where: str = "TRUE", values: Sequence[Any] = ()) -> Iterator[tuple[int, EntrantSums]]:
        for row in self._db.rows("entrant_sums", EntrantSumsRow, "number", where, values):
            sums = EntrantSums(row["series"], row["matches"], row["score"], row["possible"], row["points"], row["wins"])
            sums.faults.update(row["faults"])
            sums.times = Histogram.from_json(row["times"][0])
            sums.called = row["called"]
            yield row["number"], sums

    def _pairs(self, where: str = "TRUE", values: Sequence[Any] = ()) -> Iterator[tuple[tuple[int, int], PairSums]]:
        for row in self._db.rows("pair_sums", PairSumsRow, "first, second", where, values):
            groups, games, halves, possible = {}, 0, 0, True
            for group, part, won in row["groups"]:
                possible &= won <= 2 * part and group not in groups
                groups[group] = part, won
                games += part
                halves += won
            if not possible or (games, halves) != (row["games"], row["halves"]):
                raise self._db.damage_error(f"pair_sums, {row['first']} and {row['second']}: its groups do not add up")
            yield (row["first"], row["second"]), PairSums(row["matches"], row["games"], row["halves"], groups)

    def _seats(self, where: str = "TRUE", values: Sequence[Any] = ()) -> Iterator[tuple[tuple[str, int], Values]]:
        for row in self._db.rows("seat_sums", SeatSumsRow, "map, seat", where, values):
            yield (row["map"], row["seat"]), Values(row["series"], row["mean"], row["squares"])


def add_series(sums: Sums, result: SeriesResult | None, rows: Iterable[MatchRow]) -> None:
    """Add a series to sums. If it has not ended, only the names that players answered are added."""
    if result is not None:
        sums.add(result)
    for row in rows:
        for seat in row["seats"]:
            if seat["called"] is not None:
                sums.entrants[seat["number"]].called = seat["called"]
        if result is not None and not result.void:
            for seat, times in zip(row["seats"], row["times"], strict=True):
                sums.entrants[seat["number"]].times.merge(Histogram.from_json(times))
