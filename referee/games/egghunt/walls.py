"""Whether so many straight walls can have made the walls of a field (rule 1 of README.md).

1. Walls are laid one over the other, so that a field does not tell which were laid. Asked is whether a set of cells is covered
   by so many straight pieces of a wall's length that lie in it. More than are needed is no objection: walls may coincide.
   Border cells are walls anyway, and a piece may reach into them.
2. Pieces that cover cells of different clumps have no cell in common (a clump is what steps to the four neighbours join), so
   each clump is looked at for itself, and what they need is added up.
3. Of a clump's uncovered cells take the first, row by row. All before it are covered, so nothing is lost if its piece begins
   there and goes right, or goes down, as far as one may. Only where both ways cover more than the cell itself are both tried.
4. A clump that somebody built to be hard has too many ways. After `MOST_WAYS` of them what is certain has to do: cells that
   only one direction can cover, counted along their lines, and the number of cells. So no field that the rules allow is
   ever refused, and hardly one that they do not allow is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from referee.games.egghunt.position import WALL
from referee.grid import DIRECTIONS, Cell

LENGTHS: Final = range(2, 11)
"""How long a wall may be."""
LONGEST: Final = LENGTHS[-1]
MOST_WAYS: Final = 2_000
"""How many pieces are tried in a clump."""


def can_be_laid(rows: Sequence[str], walls: int) -> bool:
    """Whether the inner walls of a field with a border can be so many straight walls."""
    last = len(rows) - 1
    inside = {
        (x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == WALL and 0 < x < last > y > 0
    }
    needed = 0
    if not inside:
        return walls == 0
    for clump in _clumps(inside):
        alone = next((cell for cell in clump if not _stretches(cell, rows)), None)
        if alone is not None:
            return False
        needed += _needed(frozenset(clump), walls - needed)
        if needed > walls:
            return False
    return True


def _stretches(cell: Cell, rows: Sequence[str]) -> bool:
    """Whether a wall's piece can cover a cell: it has a neighbour in the same line, in the border too."""
    x, y = cell
    return any(rows[y + dy][x + dx] == WALL for dx, dy in DIRECTIONS.values())


def _clumps(cells: set[Cell]) -> Iterator[list[Cell]]:
    left = set(cells)
    while left:
        clump = [left.pop()]
        for x, y in clump:
            near = left.intersection((x + dx, y + dy) for dx, dy in DIRECTIONS.values())
            left -= near
            clump += near
        yield clump


def _needed(clump: frozenset[Cell], most: int) -> int:
    """How many pieces a clump takes; more than `most` is told as `most` + 1, and a guess is never too high."""
    least = max(-(-len(clump) // LONGEST), _certain(clump))
    ways = _Ways(clump)
    for count in range(least, most + 1):
        if ways.cover(clump, count):
            return count
        if ways.left <= 0:
            return least
    return most + 1


class _Ways:
    """Tries pieces on a clump, up to `MOST_WAYS` of them."""

    def __init__(self, clump: frozenset[Cell]) -> None:
        self._clump = clump
        self.left = MOST_WAYS

    def cover(self, uncovered: frozenset[Cell], count: int) -> bool:
        """Whether so many pieces cover these cells of the clump; False also where the ways are used up."""
        while uncovered:
            if count * LONGEST < len(uncovered) or self.left <= 0:
                return False
            self.left -= 1
            first = min(uncovered, key=lambda cell: (cell[1], cell[0]))
            right, down = self._piece(first, 1, 0) & uncovered, self._piece(first, 0, 1) & uncovered
            count -= 1
            if len(right) == 1 or len(down) == 1:
                uncovered -= right if len(down) == 1 else down
            elif self.cover(uncovered - right, count):
                return True
            else:
                uncovered -= down
        return True

    def _piece(self, cell: Cell, dx: int, dy: int) -> frozenset[Cell]:
        """The longest piece from a cell on."""
        x, y = cell
        found: list[Cell] = []
        while len(found) < LONGEST and (x, y) in self._clump:
            found.append((x, y))
            x, y = x + dx, y + dy
        return frozenset(found)


def _certain(clump: frozenset[Cell]) -> int:
    """Pieces that a clump needs whatever the others are: for cells with neighbours in one direction only."""
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    for x, y in clump:
        across, upright = not clump.isdisjoint([(x - 1, y), (x + 1, y)]), not clump.isdisjoint([(x, y - 1), (x, y + 1)])
        if across != upright:
            (rows if across else columns).setdefault(y if across else x, []).append(x if across else y)
    return sum(map(_pieces, (*rows.values(), *columns.values())))


def _pieces(places: Iterable[int]) -> int:
    """Pieces of the greatest length that cover these places of a line, gaps between them too."""
    count, end = 0, -1
    for place in sorted(places):
        if place >= end:
            count, end = count + 1, place + LONGEST
    return count
