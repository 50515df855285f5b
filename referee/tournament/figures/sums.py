"""Running sums of all series that count, from which every figure is computed, and 95 % intervals of means. Pure.

1. Each series is added once, in the order of the schedule. So the sums are the same to the bit however often a run was broken
   off, and nothing here grows with the number of matches.
2. The games of each pair are kept by *group* of the jackknife, which leaves out one group at a time (`rating`). The i-th series
   that counts, from 0, is in group p[i mod 40], where p is the lot `jackknife/<i div 40>` of 0 … 39.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import sqrt
from typing import Any, Final, Self, TypeAlias

from referee.tournament.figures.times import Histogram
from referee.tournament.model import SeatScore, SeriesResult, lot

Z: Final = 1.959964
"""The quantile of the normal distribution that 2.5 % exceed."""


@dataclass(slots=True)
class Values:
    """The mean and the variance of the values added so far, by Welford's method, which stays accurate.

    Attributes:
        series: how many. mean: of their values. squares: the sum of the squares of their distances from the mean.
    """

    series: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Add the value of a series."""
        self.series += 1
        distance = value - self.mean
        self.mean += distance / self.series
        self.squares += distance * (value - self.mean)

    @property
    def variance(self) -> float:
        """Their variance, estimated with one degree of freedom less; 0 for fewer than two."""
        return self.squares / (self.series - 1) if self.series > 1 else 0.0


def interval(mean: float, variance: float, series: int) -> tuple[float, float]:
    """Both ends of the interval of a mean of two values or more with this variance."""
    half = t_quantile(series - 1) * sqrt(variance / series)
    return mean - half, mean + half


def t_quantile(freedom: int) -> float:
    """The quantile of Student's distribution that 2.5 % exceed, by its series in 1 / freedom.

    It is 24 % too small for one degree of freedom, 3 % for two, 0.3 % for four and 0.01 % for nine.
    """
    z = Z
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


@dataclass(slots=True)
class PairSums:
    """All matches of two entrants that count.

    Attributes:
        matches: how many matches they met in.
        games: how many pairs of their seats there were. It exceeds `matches` if an entrant sat in several seats.
        halves: twice the games that the first of them won, a tie as a half.
        groups: games and halves in each group of the jackknife, with their weights (`sums`).
    """

    matches: int = 0
    games: int = 0
    halves: int = 0
    groups: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, group: int, halves: int, weight: int) -> None:
        """Add a game, which counts `weight` in its group."""
        self.games += 1
        self.halves += halves
        games, before = self.groups.get(group, (0, 0))
        self.groups[group] = games + weight, before + weight * halves

    @property
    def score(self) -> Fraction:
        """What the first scored: 1, 1/2 or 0 a match, or the mean of the match's games if there were several."""
        return Fraction(self.halves * self.matches, 2 * self.games)


Pairs: TypeAlias = Mapping[tuple[int, int], PairSums]
"""The pairs that met; the lower number is the first."""


def games_of(match: Sequence[SeatScore]) -> Iterator[tuple[int, int, int]]:
    """The games of a match: two numbers, the lower first, and 2, 1 or 0 for a win, a tie or a loss of the first."""
    for first, second in combinations(match, 2):
        if first.number > second.number:
            first, second = second, first
        if first.number != second.number:
            halves = 1 if first.place == second.place else 2 if first.place < second.place else 0
            yield first.number, second.number, halves


def cross_rows(pairs: Pairs) -> list[dict[str, Any]]:
    """The cross table as JSON, by number: `score` is that of `a`, `possible` the number of matches."""
    ordered = sorted(pairs.items())
    return [
        {"a": a, "b": b, "score": pair.halves * pair.matches / (2 * pair.games), "possible": pair.matches}
        for (a, b), pair in ordered
    ]  # `float(pair.score)`, in a tenth of its time


def both_orders(cross: Iterable[Mapping[str, Any]]) -> dict[tuple[int, int], tuple[float, int]]:
    """For both orders of each pair of a cross table: the score of the first against the second, and how often they met."""
    scores = {}
    for pair in cross:
        a, b, score, possible = pair["a"], pair["b"], pair["score"], pair["possible"]
        scores[a, b], scores[b, a] = (score, possible), (possible - score, possible)
    return scores


def share(pairs: Pairs, number: int, rivals: Iterable[int]) -> Fraction:
    """The part of the possible score that an entrant took off some rivals; 1/2 if it met none of them."""
    score, possible = Fraction(0), 0
    for rival in rivals:
        pair = pairs.get((min(number, rival), max(number, rival)))
        if pair is not None:
            score += pair.score if number < rival else pair.matches - pair.score
            possible += pair.matches
    return score / possible if possible else Fraction(1, 2)


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
