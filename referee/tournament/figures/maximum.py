"""The strengths of maximal likelihood, by a quasi-Newton method: L-BFGS (Nocedal and Wright, Numerical Optimization, 7.2).

1. A step begins as the step of a `Curvature`. What the last steps have shown about the second derivatives corrects it.
2. The curvature is worked out again after long steps, or after many. The fits of a jackknife start near their maximum, with the
   curvature of all games, and mostly need none of their own.
3. The games of an entrant may be nearly all in one group of the jackknife. Without that group its strength is far from where it
   was, while those of its rivals are not. So a fit without a group begins with the diagonal without its games.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp
from operator import add, mul, sub
from typing import Final, NamedTuple

from referee.tournament.figures.likelihood import MOST_BLOCKS, Curvature, Games, Totals, gradient

NEWTON_TOLERANCE: Final = 1e-7
"""The last step is not longer than this, if steps are Newton's. The error is smaller."""
BLOCK_TOLERANCE: Final = 2e-5
"""The last step is not longer than this otherwise: 0.0035 points of rating."""
REPLICATE_TOLERANCE: Final = 1e-4
"""The same for the fits of a jackknife: 0.02 points."""
MANY: Final = 1000
"""With more entrants, each fit of a jackknife takes a tenth of a second or more."""
ROUGH_TOLERANCE: Final = 2e-3
"""The same for the fits of a jackknife with many entrants: 0.35 points. It changes an interval by 0.2 % (the median of 4,400
entrants; 5 % at most), while 40 groups leave an uncertainty of 11 %."""
PLANNING_TOLERANCE: Final = 2e-2
"""The last step of `approach` is not longer than this: 3.5 points of rating."""
PLANNING_BLOCKS: Final = 60
MAX_STEP: Final = 3.0
"""Steps are cut to this length, far from the maximum."""
OVERSHOOT: Final = 0.5
"""A step is too long if the slope at its end points back with more than this part of the slope at its start."""
REFRESH_STEP: Final = 0.1
"""A step of this mean length calls for a new curvature."""
REFRESH_INTERVAL: Final = 24
"""So many steps do, too."""
MEMORY: Final = 6
"""How many steps are remembered."""
LEAST: Final = 1e-9
"""An entrant keeps at least this part of its curvature in a fit without some games: less may be an error of rounding."""


class Step(NamedTuple):
    """A step, by how much it lowered the slope, and the product of the two."""

    step: Sequence[float]
    fall: Sequence[float]
    product: float


class Maximum(NamedTuple):
    """The maximum of the likelihood of some games, or a guess.

    Attributes:
        strengths: where it is. slope: the derivatives there, nearly 0 at the maximum. near: the curvature near it.
    """

    strengths: Sequence[float]
    slope: Sequence[float]
    near: Curvature

    def without(self, less: Totals) -> Maximum:
        """The same guess, with the slope and the diagonal of the curvature without some of the games (theory, point 3)."""
        odds = list(map(exp, self.strengths))
        slope, diagonal = list(self.slope), list(self.near.diagonal)
        for (first, second), (number, halves) in less.items():
            chance = odds[first] / (odds[first] + odds[second])
            surplus, part = halves / 2 - number * chance, number * chance * (1 - chance)
            slope[first] -= surplus
            slope[second] += surplus
            diagonal[first] -= part
            diagonal[second] -= part
        diagonal = [max(left, LEAST * whole) for left, whole in zip(diagonal, self.near.diagonal, strict=True)]
        return Maximum(self.strengths, slope, replace(self.near, diagonal=diagonal))


def strongest(games: Games, most_blocks: int = MOST_BLOCKS) -> Maximum:
    """The maximum, with a curvature of so many blocks at most."""
    start = [0.0] * len(games.rows)
    near = Curvature.of(games, start, most_blocks)
    tolerance = NEWTON_TOLERANCE if near.exact else BLOCK_TOLERANCE
    strengths, near = _climb(games, start, gradient(games, start), near, tolerance)
    return Maximum(strengths, gradient(games, strengths), near)


def refit(games: Games, whole: Maximum, less: Totals) -> list[float]:
    """The strengths of maximal likelihood without some of the games.

    Args:
        whole: the maximum for all games.
        less: the games to leave out.
    """
    start = whole.without(less)
    near = start.near
    tolerance = NEWTON_TOLERANCE if near.exact else ROUGH_TOLERANCE if len(near.blocks) > MANY else REPLICATE_TOLERANCE
    return _climb(games.without(less), start.strengths, start.slope, near, tolerance)[0]


def approach(games: Games, start: Sequence[float]) -> list[float]:
    """Strengths a few points of rating from those of maximal likelihood, in a few cheap steps from others near by."""
    near = Curvature.of(games, start, PLANNING_BLOCKS)
    return _climb(games, list(start), gradient(games, start), near, PLANNING_TOLERANCE)[0]


def _climb(
    games: Games, strengths: Sequence[float], slope: Sequence[float], near: Curvature, tolerance: float
) -> tuple[list[float], Curvature]:
    """The strengths of maximal likelihood, and the curvature near them.

    Args:
        strengths, slope, near: where to begin, and the derivatives and the curvature there.
        tolerance: the last step is not longer than this.
    """
    memory = deque[Step](maxlen=MEMORY)
    steps = 0
    while True:
        step = _step(slope, near, memory)
        size = max(map(abs, step))
        if size <= tolerance:
            return list(map(add, strengths, step)), near
        if size > MAX_STEP:
            step = [part * MAX_STEP / size for part in step]
        before, high, rise = strengths, slope, _product(slope, step)
        strengths = list(map(add, before, step))
        slope = gradient(games, strengths)
        while _product(slope, step) < -rise * OVERSHOOT:
            rise /= 2
            step = [part / 2 for part in step]
            strengths = list(map(add, before, step))
            slope = gradient(games, strengths)
        fall = list(map(sub, high, slope))
        product = _product(step, fall)
        steps += 1
        if steps % REFRESH_INTERVAL == 0 or sum(map(abs, step)) > REFRESH_STEP * len(step) or product <= 0:
            near = Curvature.of(games, strengths, len(near.common))
            memory.clear()
        else:
            memory.append(Step(step, fall, product))


def _step(slope: Sequence[float], near: Curvature, memory: deque[Step]) -> list[float]:
    """The step of L-BFGS."""
    parts = []
    for step, fall, product in reversed(memory):
        parts.append(_product(step, slope) / product)
        slope = [value - parts[-1] * other for value, other in zip(slope, fall, strict=True)]
    result = near.step(slope)
    for step, fall, product in memory:
        part = parts.pop() - _product(fall, result) / product
        result = [value + part * other for value, other in zip(result, step, strict=True)]
    return result


def _product(one: Iterable[float], other: Iterable[float]) -> float:
    product: float = sum(map(mul, one, other))
    return product
