"""The open areas of a field: blank cells that steps to all eight neighbours join (rule 1 of README.md).

A row is cut into runs of blanks, and runs of neighbouring rows that touch, at their corners too, belong together. So
a large field takes a moment, however its walls lie: work is done for each run, not for each cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from referee.games.egghunt.position import BLANK
from referee.grid import Cell

_RUN: Final = re.compile(f"{BLANK}+")


class Areas:
    """The areas of a field, each known by a number."""

    def __init__(self, rows: Sequence[str]) -> None:
        self._starts: list[list[int]] = []
        self._ends: list[list[int]] = []
        self._first: list[int] = []
        """The number of each row's first run; the others follow."""
        self._joined: list[int] = []
        """By run: another run of its area, nearer to the one that stands for it, or itself."""
        for y, row in enumerate(rows):
            runs = [run.span() for run in _RUN.finditer(row)]
            self._starts.append([start for start, _ in runs])
            self._ends.append([end for _, end in runs])
            self._first.append(len(self._joined))
            self._joined += range(len(self._joined), len(self._joined) + len(runs))
            if y:
                self._join(y)

    def of(self, cell: Cell) -> int | None:
        """The area of a cell; None where there is a wall, or nothing of the field."""
        x, y = cell
        if not 0 <= y < len(self._starts):
            return None
        place = bisect_right(self._starts[y], x) - 1
        return self._find(self._first[y] + place) if place >= 0 and x < self._ends[y][place] else None

    def largest(self) -> int | None:
        """The area with the most cells, of equals the one with the leftmost, then topmost cell; None where all is wall."""
        sizes: dict[int, int] = {}
        corners: dict[int, Cell] = {}
        for y, first in enumerate(self._first):
            for run, (start, end) in enumerate(zip(self._starts[y], self._ends[y], strict=True), start=first):
                found = self._find(run)
                sizes[found] = sizes.get(found, 0) + end - start
                corners[found] = min(corners.get(found, (start, y)), (start, y))
        return min(sizes, key=lambda found: (-sizes[found], corners[found]), default=None)

    def cells(self, area: int | None) -> list[Cell]:
        """The cells of an area, column by column."""
        width = max((ends[-1] for ends in self._ends if ends), default=0)
        rows = [bytearray(width) for _ in self._starts]
        for y, first in enumerate(self._first):
            for run, (start, end) in enumerate(zip(self._starts[y], self._ends[y], strict=True), start=first):
                if self._find(run) == area:
                    rows[y][start:end] = b"\1" * (end - start)
        return [(x, y) for x, column in enumerate(zip(*rows, strict=True)) for y, there in enumerate(column) if there]

    def _join(self, y: int) -> None:
        """Join the runs of a row with those of the row above."""
        starts, ends = self._starts[y], self._ends[y]
        above_starts, above_ends = self._starts[y - 1], self._ends[y - 1]
        here = above = 0
        while here < len(starts) and above < len(above_starts):
            if above_starts[above] <= ends[here] and starts[here] <= above_ends[above]:
                one, other = self._find(self._first[y] + here), self._find(self._first[y - 1] + above)
                self._joined[max(one, other)] = min(one, other)
            if ends[here] < above_ends[above]:
                here += 1
            else:
                above += 1

    def _find(self, run: int) -> int:
        """The run that stands for an area; the way there is halved for the next time."""
        joined = self._joined
        while joined[run] != run:
            joined[run] = run = joined[joined[run]]
        return run
