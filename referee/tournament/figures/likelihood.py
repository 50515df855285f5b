"""How well strengths explain the games of two: the Bradley-Terry likelihood with a prior.

The chance that i beats j is the logistic function of their difference in strength. A tie is half a win. The prior is one drawn
game of each entrant with a rival of strength 0. So the logarithm of the likelihood is strictly concave: it has one maximum, and
that is finite for entrants that won all games, too.

An entrant of odds a = exp(strength) expects a / (a + b) of its games with a rival of odds b. A long ladder has 200,000 pairs, so
the games are kept in rows, one for each entrant, which the functions of `operator` work through faster than a loop would.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from math import exp
from operator import add, itemgetter, mul, truediv
from typing import Final, Self, TypeAlias

Totals: TypeAlias = Mapping[tuple[int, int], tuple[int, int]]
"""For each pair of indices, the lower first: its games, and the halves that the first won (2 for a win, 1 for a tie)."""
MAX_STEP: Final = 1.0
"""No strength is moved farther at once where its games are rated alone."""


@dataclass(frozen=True, slots=True)
class Games:
    """The games of some entrants. Each entrant has a row; its index is that of its row.

    Attributes:
        rivals: the indices of each entrant's rivals, ascending. The last one is the prior's rival, behind all entrants.
        rows: how many games each had with each of them.
        won: how many each won, a tie as a half.
        weight: of a game.
        chosen: functions that choose the rivals of a row from values by index.
    """

    rivals: Sequence[tuple[int, ...]]
    rows: Sequence[list[float]]
    won: Sequence[float]
    weight: float
    chosen: Sequence[Callable[[Sequence[float]], tuple[float, ...]]]

    @classmethod
    def of(cls, count: int, pairs: Totals, *, seats: int = 2) -> Self:
        """The games of pairs.

        Args:
            count: of entrants. Each of them is in a pair.
            seats: of a match. Each of its pairs is a game of weight 1 / (seats - 1), so an entrant has weight 1 in a match.
        """
        games_with: list[dict[int, int]] = [{} for _ in range(count)]
        won = [(seats - 1) / 2] * count  # half a game of weight 1
        shared = list(range(count + 1))  # one object for each index, and below for each number: caches are small
        numbers: dict[int, float] = {}
        for (first, second), (games, halves) in pairs.items():
            games_with[first][shared[second]] = games_with[second][shared[first]] = games
            won[first] += halves / 2
            won[second] += games - halves / 2
        rivals = [(*sorted(row), shared[count]) for row in games_with]
        rows = [
            [*(numbers.setdefault(row[rival], float(row[rival])) for rival in sorted(row)), seats - 1.0]
            for row in games_with
        ]
        return cls(rivals, rows, won, 1 / (seats - 1), [itemgetter(*row) for row in rivals])

    def without(self, pairs: Totals) -> Games:
        """The games that are left without some. There is no error of rounding: all numbers are whole or halves."""
        rows, won = list(map(list, self.rows)), list(self.won)
        for (first, second), (games, halves) in pairs.items():
            rows[first][bisect_left(self.rivals[first], second)] -= games
            rows[second][bisect_left(self.rivals[second], first)] -= games
            won[first] -= halves / 2
            won[second] -= games - halves / 2
        return replace(self, rows=rows, won=won)


def gradient(games: Games, strengths: Sequence[float]) -> list[float]:
    """The derivative of the likelihood's logarithm by each strength: what was won less what was expected."""
    odds = [*map(exp, strengths), 1.0]
    return [
        games.weight * (won - own * sum(map(truediv, row, map(add, chosen(odds), repeat(own)))))
        for won, own, row, chosen in zip(games.won, odds, games.rows, games.chosen, strict=False)
    ]


def bends(games: Games, index: int, odds: Sequence[float]) -> list[float]:
    """How the slope of one entrant depends on the strength of each of its rivals, the prior's last. `odds` has 1 for that one."""
    own, rivals = odds[index], games.chosen[index](odds)
    both = list(map(add, rivals, repeat(own)))
    parts = map(truediv, map(mul, games.rows[index], rivals), map(mul, both, both))
    return [games.weight * own * part for part in parts]


def relaxed(games: Games, strengths: Sequence[float], indices: Iterable[int], times: int) -> list[float]:
    """The strengths after some are moved, one after the other, to about where each is likeliest beside the others."""
    strengths = list(strengths)
    odds = [*map(exp, strengths), 1.0]
    indices = list(indices)
    for _ in range(times):
        for index in indices:
            own, rivals = odds[index], games.chosen[index](odds)
            expected = own * sum(map(truediv, games.rows[index], map(add, rivals, repeat(own))))
            step = games.weight * (games.won[index] - expected) / sum(bends(games, index, odds))
            strengths[index] += max(-MAX_STEP, min(MAX_STEP, step))
            odds[index] = exp(strengths[index])
    return strengths
