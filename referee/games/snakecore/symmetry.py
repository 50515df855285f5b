"""What makes seats alike: exchanges of a map's cells that leave the game as it is.

1. An *exchange* sends every cell to another one. The exchanges of a map form a group; its *orbits* are the sets of cells
   that it makes alike. Seats whose starts lie in one orbit play the same game.
2. The symmetries of the square (`GROUPS`) serve one, two and four starts. None of them has three alike cells: an
   orbit has one, two, four or eight. Three players play on a map for four and take turns at its places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from referee.grid import DIRECTIONS, SYMMETRIES, Cell

Exchange: TypeAlias = Callable[[Cell], Cell]

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "none": ("identity",),
    "half": ("identity", "half"),
    "quarter": ("identity", "half", "quarter", "three-quarter"),
    "left-right": ("identity", "left-right"),
    "top-bottom": ("identity", "top-bottom"),
    "diagonal": ("identity", "diagonal"),
    "anti-diagonal": ("identity", "anti-diagonal"),
    "four-mirrors": ("identity", "half", "left-right", "top-bottom"),
}
"""The symmetries of the square that a map can name, with their elements; where there are four, the half turn is second,
so that the images of a start in this order put the first two opposite each other."""

NAMES: Final = tuple(GROUPS)


def of_square(symmetry: str, size: int) -> list[Exchange]:
    """The group of a symmetry of the square on a size × size field, the identity first."""

    def bound(name: str) -> Exchange:
        send = SYMMETRIES[name]
        return lambda cell: send(cell, size)

    return [bound(name) for name in GROUPS[symmetry]]


def orbit(cell: Cell, group: Sequence[Exchange]) -> list[Cell]:
    """The images of a cell, each once, in the order of the group."""
    return list(dict.fromkeys(send(cell) for send in group))


def four(cell: Cell) -> list[Cell]:
    """The four cells around one, those beyond the edge included."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS.values()]
