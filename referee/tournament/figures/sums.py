"""Running sums of all series that count, from which every figure is computed. Pure.

1. Each series is added once, in the order of the schedule. So the sums are the same to the bit however often a run was broken
   off, and nothing here grows with the number of matches.
2. The games of each pair are kept by *group* of the jackknife, which leaves out one group at a time (`rating`). The i-th series
   that counts, from 0, is in group p[i mod 40], where p is the lot `jackknife/<i div 40>` of 0 … 39.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Self

from referee.tournament.figures.intervals import Values, interval
from referee.tournament.figures.pairs import PairSums, games_of
from referee.tournament.figures.times import Histogram
from referee.tournament.words import SeriesResult, lot

GROUPS: Final = 40
"""The most groups of the jackknife."""
LEAST_SERIES: Final = 10
"""An interval of what a seat was worth in fewer series would say little."""


@dataclass(slots=True)
class EntrantSums:
    """What an entrant did in all series that count.

    An entrant that sits in several seats of a match has the score, points and possible score of all of them. The match counts
    once, and so does each kind of fault in it.

    Attributes:
        points: the game's own. wins: matches in which it was first alone. faults: matches, by the kind of fault.
        times: of its answers.
        called: the last name that one of its players answered, also in matches that do not count; None if none did.
    """

    series: int = 0
    matches: int = 0
    score: float = 0.0
    possible: int = 0
    points: float = 0.0
    wins: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    times: Histogram = field(default_factory=Histogram)
    called: str | None = None

    @property
    def part(self) -> Fraction | None:
        """The part of the possible score; None without matches."""
        return Fraction(self.score) / self.possible if self.possible else None

    @property
    def mean(self) -> float | None:
        """The game's points a match; None without matches."""
        return self.points / self.matches if self.matches else None


@dataclass(slots=True)
class Sums:
    """The sums of a tournament.

    Attributes:
        rng_seed: the tournament's. series, matches: how many count.
        unit: in groups of the jackknife, a game counts unit / rivals, which must be whole; 0 if all matches have the same number
            of rivals, so that a game counts 1.
        entrants: by number. pairs: the lower number is the first. seats: what they were worth (`seat_values`), by map and seat.
    """

    rng_seed: int
    series: int = 0
    matches: int = 0
    unit: int = 0
    entrants: defaultdict[int, EntrantSums] = field(default_factory=lambda: defaultdict(EntrantSums))
    pairs: defaultdict[tuple[int, int], PairSums] = field(default_factory=lambda: defaultdict(PairSums))
    seats: defaultdict[tuple[str, int], Values] = field(default_factory=lambda: defaultdict(Values))

    @classmethod
    def of(cls, results: Iterable[SeriesResult], *, rng_seed: int, unit: int = 0) -> Self:
        """The sums of series, in the order of the schedule."""
        sums = cls(rng_seed, unit=unit)
        for result in results:
            sums.add(result)
        return sums

    def add(self, result: SeriesResult) -> None:
        """Add a series, which is the next one; one that is void changes nothing."""
        if result.void:
            return
        group = _groups(self.rng_seed, self.series // GROUPS)[self.series % GROUPS]
        self.series += 1
        self.matches += len(result.matches)
        for number in result.series.numbers:
            self.entrants[number].series += 1
        for match in result.matches:
            rivals = len(match) - 1
            for seat in match:
                entrant = self.entrants[seat.number]
                entrant.score += seat.score
                entrant.possible += rivals
                entrant.points += seat.points
                entrant.wins += seat.score == rivals
            for number in {seat.number for seat in match}:
                self.entrants[number].matches += 1
            for number, fault in {(seat.number, seat.fault) for seat in match if seat.fault is not None}:
                self.entrants[number].faults[fault] += 1
            pairs = set()
            for first, second, halves in games_of(match):
                pairs.add((first, second))
                self.pairs[first, second].add(group, halves, self.unit // rivals or 1)
            for pair in pairs:
                self.pairs[pair].matches += 1
        for key, value in seat_values(result):
            self.seats[key].add(value)


def seat_values(result: SeriesResult) -> Iterator[tuple[tuple[str, int], float]]:
    """For each map and seat of a series that counts, the part of the possible score that it took, in the mean of the matches."""
    for seat, results in enumerate(zip(*result.matches, strict=True)):
        halves = round(sum(2 * it.score for it in results))  # exact, so the order of matches does not matter
        yield (result.series.map, seat), halves / (2 * len(results) * (len(result.matches[0]) - 1))


@lru_cache(maxsize=1)
def _groups(rng_seed: int, block: int) -> list[int]:
    """The groups of forty series that follow each other."""
    return lot(rng_seed, f"jackknife/{block}", range(GROUPS))


def seat_bias(seats: Mapping[tuple[str, int], Values]) -> list[dict[str, Any]]:
    """A row for each map and seat: `map, seat, series, mean, low, high`.

    `mean` is that of all series. With rotations all entrants sit there once, so 0.5 is fair. `low` and `high` are its interval
    of 95 %, None for fewer than 10 series.
    """
    rows = []
    for (map_, seat), values in sorted(seats.items()):
        few = values.series < LEAST_SERIES
        low, high = (None, None) if few else interval(values.mean, values.variance, values.series)
        rows.append({"map": map_, "seat": seat, "series": values.series, "mean": values.mean, "low": low, "high": high})
    return rows
