"""The second derivatives of the likelihood, their signs turned, and about Newton's step.

Newton's step for thousands of entrants takes too long. The step here is that of a preconditioner of two levels. Entrants are
dealt to blocks. What the entrants of a block have in common is solved exactly, with Cholesky's factors of a matrix of blocks.
The rest is divided by the diagonal. If entrants are few, each has a block of its own, and the step is Newton's.

Entrants of about one strength and one time play with each other, so a change spreads among them in one step, and to others in
many. A block is a section of the order of strength within a section of the order of entering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from operator import mul, truediv
from typing import Final

from referee.tournament.figures.likelihood import Games, bends

MOST_BLOCKS: Final = 160


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
        diagonal = []
        odds = [*map(exp, strengths), 1.0]
        for index, block in enumerate(blocks):
            parts = bends(games, index, odds)
            diagonal.append(sum(parts))
            common[block] += diagonal[-1]
            line = matrix[block]
            for rival, part in zip(games.rivals[index][:-1], parts, strict=False):  # without the prior's rival
                line[blocks[rival]] -= part
        for block, value in enumerate(common):
            matrix[block][block] += value
        return cls(diagonal, blocks, common, Factors.of(matrix))

    @property
    def exact(self) -> bool:
        """Whether the step is Newton's."""
        return len(self.common) == len(self.blocks)

    def step(self, slope: Sequence[float]) -> list[float]:
        """About Newton's step."""
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
    spans = sum(rivals[-2] - rivals[0] for rivals in games.rivals)  # the last one is the prior's rival
    power = 2  # the best in simulated ladders
    sections = min(most, max(1, round((count * count / max(spans, 1)) ** power)))
    size = most // sections
    blocks = [0] * count
    for section in range(sections):
        members = range(count * section // sections, count * (section + 1) // sections)
        for place, member in enumerate(sorted(members, key=strengths.__getitem__)):
            blocks[member] = section * size + place * size // len(members)
    return blocks
