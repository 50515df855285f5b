"""The strengths that explain the games of two best: the maximum of the Bradley-Terry likelihood with a prior.

The chance that i beats j is the logistic function of their difference in strength. A tie is half a win. The prior is one drawn
game of each entrant with one of strength 0. So the logarithm of the likelihood is strictly concave: it has one maximum, and that
is finite for entrants that won all games, too.

The maximum is found by Newton's method. The factors of its matrix are kept as long as each step is much smaller than the last
one, since they cost more than all else: the fits of a jackknife, which start near their maximum, mostly need no factors of
their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log, log1p, sqrt
from operator import mul
from typing import Final, NamedTuple

ENOUGH: Final = 1e-7
"""No strength is farther from its maximum than this."""
SHRINKS: Final = 0.25
"""A step that is longer than this, or than this part of the last one, calls for new factors."""
LONGEST: Final = 3.0
"""Steps are cut to this length, far from the maximum."""
PART: Final = 0.1
"""A step that rises by less than this part of what its slope promises is too long (Armijo's rule)."""
NOISE: Final = 1e-12
"""A relative loss of likelihood that rounding explains."""


class Games(NamedTuple):
    """The games of two entrants.

    Attributes:
        first, second: their places in the list of strengths; the first is the smaller.
        won: the weight of the games that the first one won. weight: that of all their games.
    """

    first: int
    second: int
    won: float
    weight: float


@dataclass(frozen=True, slots=True)
class Factors:
    """The triangular factors of the matrix of second derivatives, its sign turned.

    Attributes:
        rows: each row up to its diagonal. columns: each column from the last row up to below the diagonal.
    """

    rows: Sequence[Sequence[float]]
    columns: Sequence[Sequence[float]]

    def solve(self, slope: Sequence[float]) -> list[float]:
        """Newton's step for the first derivatives."""
        ahead: list[float] = []
        for row, value in zip(self.rows, slope, strict=True):
            ahead.append((value - sum(map(mul, row, ahead))) / row[-1])
        back: list[float] = []
        for row, column, value in zip(reversed(self.rows), reversed(self.columns), reversed(ahead), strict=True):
            back.append((value - sum(map(mul, column, back))) / row[-1])
        return back[::-1]


def strongest(
    games: Sequence[Games], start: Sequence[float], factors: Factors | None = None
) -> tuple[list[float], Factors]:
    """The strengths of maximal likelihood.

    Args:
        start: where to begin, a strength for each entrant.
        factors: those of a maximum near by, if there are any.

    Returns:
        The strengths, and factors for fits near by.
    """
    strengths = list(start)
    slope = slopes(games, strengths)
    last = inf
    fresh = factors is None
    factors = factors or factorised(games, strengths)
    while True:
        step = factors.solve(slope)
        size = max(map(abs, step), default=0.0)
        step = [part * min(1.0, LONGEST / max(size, ENOUGH)) for part in step]
        before, promise = strengths, sum(map(mul, slope, step))
        strengths = [strength + part for strength, part in zip(before, step, strict=True)]
        slope = slopes(games, strengths)
        # The likelihood is concave: if it still rises along the step, it has risen all the way.
        while sum(map(mul, slope, step)) < 0 and not _rose(games, before, strengths, promise * PART):
            promise /= 2
            step = [part / 2 for part in step]
            strengths = [strength + part for strength, part in zip(before, step, strict=True)]
            slope = slopes(games, strengths)
        if (fresh and size <= ENOUGH) or _settled(slope, strengths):
            return strengths, factors
        fresh = size > SHRINKS * min(1.0, last)
        if fresh:
            factors = factorised(games, strengths)
        last = size


def _settled(slope: Sequence[float], strengths: Sequence[float]) -> bool:
    """Whether the maximum is as near as `ENOUGH`, whatever the games.

    Where the distance from the maximum is largest, the games only pull back. So the slope there is at least the distance
    times the second derivative of the prior.
    """
    return all(abs(pull) <= ENOUGH * _bend(strength) for pull, strength in zip(slope, strengths, strict=True))


def _bend(apart: float) -> float:
    """The derivative of the logistic function."""
    odds = exp(-abs(apart))
    return odds / (1 + odds) ** 2


def _rose(games: Sequence[Games], before: Sequence[float], after: Sequence[float], by: float) -> bool:
    """Whether the likelihood rose by so much, but for rounding."""
    old = likelihood(games, before)
    return likelihood(games, after) >= old + by - NOISE * (1 + abs(old))


def likelihood(games: Iterable[Games], strengths: Sequence[float]) -> float:
    """The logarithm of the likelihood."""
    value = sum(-abs(strength) / 2 - log1p(exp(-abs(strength))) for strength in strengths)
    for first, second, won, weight in games:
        apart = strengths[first] - strengths[second]
        value += won * apart - weight * (max(0.0, apart) + log1p(exp(-abs(apart))))
    return value


def slopes(games: Iterable[Games], strengths: Sequence[float]) -> list[float]:
    """The derivative of `likelihood` by each strength."""
    odds = [exp(strength) for strength in strengths]
    slope = [0.5 - ratio / (1 + ratio) for ratio in odds]
    for first, second, won, weight in games:
        pull = won - weight * odds[first] / (odds[first] + odds[second])
        slope[first] += pull
        slope[second] -= pull
    return slope


def factorised(games: Iterable[Games], strengths: Sequence[float]) -> Factors:
    """Cholesky's factors of the second derivatives at some strengths."""
    matrix = [[0.0] * (index + 1) for index in range(len(strengths))]
    for index, strength in enumerate(strengths):
        matrix[index][index] = _bend(strength)
    for first, second, _, weight in games:
        bend = weight * _bend(strengths[first] - strengths[second])
        matrix[first][first] += bend
        matrix[second][second] += bend
        matrix[second][first] -= bend
    rows: list[list[float]] = []
    for values in matrix:
        row: list[float] = []
        for done, value in zip(rows, values, strict=False):  # the diagonal is left
            row.append((value - sum(map(mul, row, done))) / done[-1])
        row.append(sqrt(values[-1] - sum(map(mul, row, row))))
        rows.append(row)
    columns = [[row[index] for row in reversed(rows[index + 1 :])] for index in range(len(rows))]
    return Factors(rows, columns)


def nearly_strongest(games: Mapping[tuple[int, int], tuple[int, int]], start: Mapping[int, float]) -> dict[int, float]:
    """A stand-in."""
    rates = {number: exp(strength) for number, strength in start.items()}
    won = dict.fromkeys(start, 0.5)
    rivals: dict[int, list[tuple[int, int]]] = {number: [] for number in start}
    for (first, second), (count, halves) in games.items():
        won[first] += halves / 2
        won[second] += count - halves / 2
        rivals[first].append((second, count))
        rivals[second].append((first, count))
    for _ in range(5):
        for number, rate in rates.items():
            lost = 1 / (rate + 1) + sum(count / (rate + rates[rival]) for rival, count in rivals[number])
            rates[number] = won[number] / lost
    return {number: log(rate) for number, rate in rates.items()}
