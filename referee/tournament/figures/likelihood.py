"""How well strengths explain the games of two: the Bradley-Terry likelihood with a prior, its derivatives, and Newton's step.

The chance that i beats j is the logistic function of their difference in strength. A tie is half a win. The prior is one drawn
game of each entrant with a rival of strength 0. So the logarithm of the likelihood is strictly concave: it has one maximum, and
that is finite for entrants that won all games, too.

An entrant of odds a = exp(strength) expects a / (a + b) of its games with a rival of odds b. A long ladder has 200,000 pairs.
So no function is called for a single pair: that would take as long as the rest.

Newton's step for thousands of entrants takes too long. The step here is that of a preconditioner of two levels. Entrants are
dealt to blocks. What the entrants of a block have in common is solved exactly, with Cholesky's factors of a matrix of blocks.
The rest is divided by the diagonal. If entrants are few, each has a block of its own, and the step is Newton's.

Entrants of about one strength and one time play with each other, so a change spreads among them in one step, and to others in
many. A block is a section of the order of strength within a section of the order of entering.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, sqrt
from operator import add, mul, truediv
from typing import Final, Self, TypeAlias

Totals: TypeAlias = Mapping[tuple[int, int], tuple[int, int]]
"""For each pair of indices, the lower first: its games, and the halves that the first won (2 for a win, 1 for a tie)."""
MOST_BLOCKS: Final = 160


@dataclass(frozen=True, slots=True)
class Games:
    """The games of some entrants. Each entrant has a row; its index is that of its row.

    Attributes:
        rows: how many games each had with each rival of a higher index, by that index.
        won: how many each won, a tie as a half, with half of `prior`.
        prior: how many games the drawn one of the prior counts as.
    """

    rows: Sequence[dict[int, float]]
    won: Sequence[float]
    prior: float

    @classmethod
    def of(cls, count: int, pairs: Totals, *, seats: int = 2) -> Self:
        """The games of pairs.

        Args:
            count: of entrants. Each of them is in a pair.
            seats: of a match. Each of its pairs has 1 / (seats - 1) of the weight of the prior's game, so an entrant has weight 1
                in a match. The maximum depends on that ratio alone. So each pair counts 1 here, and the prior's game seats - 1.
        """
        prior = seats - 1.0
        rows: list[dict[int, float]] = [{} for _ in range(count)]
        won = [prior / 2] * count
        shared = list(range(count))  # one object for each index, and below for each number: caches are small
        numbers: dict[int, float] = {}
        for (first, second), (games, halves) in pairs.items():
            number = numbers.setdefault(games, float(games))
            rows[first][shared[second]] = number
            won[first] += halves / 2
            won[second] += games - halves / 2
        return cls(rows, won, prior)

    def without(self, pairs: Totals) -> Games:
        """The games that are left without some. There is no error of rounding: all numbers are whole or halves."""
        rows, won = list(map(dict.copy, self.rows)), list(self.won)
        for (first, second), (games, halves) in pairs.items():
            rows[first][second] -= games
            won[first] -= halves / 2
            won[second] -= games - halves / 2
        return replace(self, rows=rows, won=won)


def gradient(games: Games, strengths: Sequence[float]) -> list[float]:
    """The derivative of the likelihood's logarithm by each strength: what was won less what was expected."""
    odds = list(map(exp, strengths))
    shares = [games.prior / (own + 1) for own in odds]
    for index, (own, row) in enumerate(zip(odds, games.rows, strict=True)):
        total = 0.0
        for rival, number in row.items():
            share = number / (own + odds[rival])
            total += share
            shares[rival] += share
        shares[index] += total
    return [won - own * share for won, own, share in zip(games.won, odds, shares, strict=True)]


@dataclass(frozen=True, slots=True)
class Factors:
    """Cholesky's factors of a symmetric matrix: rows up to the diagonal, and columns from the last row up to below it."""

    rows: Sequence[Sequence[float]]
    columns: Sequence[Sequence[float]]

    @classmethod
    def of(cls, matrix: Sequence[Sequence[float]]) -> Factors:
        """The factors of a positive definite matrix."""
        rows: list[list[float]] = []
        for index, values in enumerate(matrix):
            row: list[float] = []
            for done, value in zip(rows, values, strict=False):  # what is right of the diagonal is not read
                row.append((value - sum(map(mul, row, done))) / done[-1])
            row.append(sqrt(values[index] - sum(map(mul, row, row))))
            rows.append(row)
        columns = [[row[index] for row in reversed(rows[index + 1 :])] for index in range(len(rows))]
        return cls(rows, columns)

    def solve(self, right: Sequence[float]) -> list[float]:
        """The vector whose product with the matrix is `right`."""
        ahead: list[float] = []
        for row, value in zip(self.rows, right, strict=True):
            ahead.append((value - sum(map(mul, row, ahead))) / row[-1])
        back: list[float] = []
        for row, column, value in zip(reversed(self.rows), reversed(self.columns), reversed(ahead), strict=True):
            back.append((value - sum(map(mul, column, back))) / row[-1])
        return back[::-1]


@dataclass(frozen=True, slots=True)
class Curvature:
    """What is used of the second derivatives.

    Attributes:
        diagonal: theirs. blocks: the block of each entrant. common: the sums of the diagonal in each block.
        factors: those of the sums of the second derivatives in each pair of blocks.
    """

    diagonal: Sequence[float]
    blocks: Sequence[int]
    common: Sequence[float]
    factors: Factors

    @classmethod
    def of(cls, games: Games, strengths: Sequence[float], most_blocks: int = MOST_BLOCKS) -> Curvature:
        """The curvature at some strengths."""
        blocks = _blocks(games, strengths, most_blocks)
        count = max(blocks, default=-1) + 1
        matrix = [[0.0] * count for _ in range(count)]
        common = [0.0] * count
        odds = list(map(exp, strengths))
        diagonal = [games.prior * (own / (own + 1)) / (own + 1) for own in odds]
        for index, (own, block, row) in enumerate(zip(odds, blocks, games.rows, strict=True)):
            line, total = matrix[block], 0.0
            for rival, number in row.items():
                both = own + odds[rival]
                part = number * (own / both) * (odds[rival] / both)  # a square of odds may be too large for a float
                total += part
                diagonal[rival] += part
                line[blocks[rival]] -= part
            diagonal[index] += total
        # a pair stands in one row only; the matrix is symmetric
        matrix = [list(map(add, row, column)) for row, column in zip(matrix, zip(*matrix, strict=True), strict=True)]
        for block, value in zip(blocks, diagonal, strict=True):
            common[block] += value
        for block, value in enumerate(common):
            matrix[block][block] += value
        return cls(diagonal, blocks, common, Factors.of(matrix))

    @property
    def exact(self) -> bool:
        """Whether the step is Newton's."""
        return len(self.common) == len(self.blocks)

    def step(self, slope: Sequence[float]) -> list[float]:
        """A step close to Newton's."""
        sums = [0.0] * len(self.common)
        for block, value in zip(self.blocks, slope, strict=True):
            sums[block] += value
        shared = self.factors.solve(sums)
        shared = [value - part for value, part in zip(shared, map(truediv, sums, self.common), strict=True)]
        return [
            value / bend + shared[block]
            for value, bend, block in zip(slope, self.diagonal, self.blocks, strict=True)
        ]  # fmt: skip


def _blocks(games: Games, strengths: Sequence[float], most: int) -> Sequence[int]:
    """The block of each entrant, from 0."""
    count = len(strengths)
    if count <= most:
        return range(count)
    # the index of the first row that has an entrant is that of its lowest rival
    lowest = {rival: index for index, row in reversed([*enumerate(games.rows)]) for rival in row}
    spans = sum(max(row, default=index) - lowest.get(index, index) for index, row in enumerate(games.rows))
    power = 2  # the best in simulated ladders
    sections = min(most, max(1, round((count * count / max(spans, 1)) ** power)))
    size = most // sections
    blocks = [0] * count
    for section in range(sections):
        members = range(count * section // sections, count * (section + 1) // sections)
        for place, member in enumerate(sorted(members, key=strengths.__getitem__)):
            blocks[member] = section * size + place * size // len(members)
    return blocks
