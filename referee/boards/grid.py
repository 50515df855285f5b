"""Square fields: cells, steps and symmetries. Cells are (x, y): x right, y down, (0, 0) top left.

The symmetries of a map form a group. The *orbit* of a cell is the set of cells to which the group sends it. Seats whose
starts lie in one orbit play the same game. An orbit has 1, 2, 4 or 8 cells, so 3, 5, 6 or 7 players never start alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from struct import Struct
from typing import Annotated, Final, TypeAlias

from pydantic import Field

Cell: TypeAlias = tuple[int, int]

AnyCell: TypeAlias = Annotated[list[Annotated[int, Field(ge=-(10**6), le=10**6)]], Field(min_length=2, max_length=2)]
"""A cell [x, y] in an untrusted position, perhaps off the field. It is capped, so that no message is filled by a number."""
DIRECTIONS: Final[Mapping[str, Cell]] = {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}
"""The step (dx, dy) of each direction's letter."""
Symmetry: TypeAlias = Callable[[Cell, int], Cell]
"""Where a symmetry of the square sends a cell of a size × size field."""
SYMMETRIES: Final[Mapping[str, Symmetry]] = {
    "identity": lambda c, n: c,
    "quarter": lambda c, n: (n - 1 - c[1], c[0]),
    "half": lambda c, n: (n - 1 - c[0], n - 1 - c[1]),
    "three-quarter": lambda c, n: (c[1], n - 1 - c[0]),
    "left-right": lambda c, n: (n - 1 - c[0], c[1]),
    "top-bottom": lambda c, n: (c[0], n - 1 - c[1]),
    "diagonal": lambda c, n: (c[1], c[0]),
    "anti-diagonal": lambda c, n: (n - 1 - c[1], n - 1 - c[0]),
}
"""The rotations (clockwise) and reflections of a square field, by name."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "none": ("identity",),
    "half": ("identity", "half"),
    "quarter": ("identity", "half", "quarter", "three-quarter"),
    "left-right": ("identity", "left-right"),
    "top-bottom": ("identity", "top-bottom"),
    "diagonal": ("identity", "diagonal"),
    "anti-diagonal": ("identity", "anti-diagonal"),
    "four-mirrors": ("identity", "half", "left-right", "top-bottom"),
    "full": ("identity", "half", "quarter", "three-quarter", "left-right", "top-bottom", "diagonal", "anti-diagonal"),
}
"""The groups that a map can name as its symmetry. In groups of four and eight the half turn is second, so that the first two
cells of an orbit are opposite each other. In `full` the rotations are first, so that the first four cells are alike too."""


def orbit(cell: Cell, group: str, size: int) -> list[Cell]:
    """The cells to which a group sends a cell of a size × size field, each once, the cell itself first."""
    return list(dict.fromkeys(SYMMETRIES[name](cell, size) for name in GROUPS[group]))


def chain(x: int, y: int, steps: str) -> list[list[int]]:
    """The cells [x, y] from a first cell along steps, which are letters of `DIRECTIONS`."""
    cells = [[x, y]]
    for step in steps:
        dx, dy = DIRECTIONS[step]
        cells.append([cells[-1][0] + dx, cells[-1][1] + dy])
    return cells


def serpentine(width: int, rows: int, turn: str) -> str:
    """Steps that fill rows from left to right and back; `turn` is the step from a row to the next."""
    return turn.join("LR"[row % 2 == 0] * (width - 1) for row in range(rows))


def check_chain(cells: Sequence[Sequence[int]]) -> None:
    """Check that each cell is beside the one before it. Raises: ValueError."""
    for (x, y), (x2, y2) in pairwise(cells):
        if abs(x - x2) + abs(y - y2) != 1:
            raise ValueError(f"broken chain: ({x}, {y}) and ({x2}, {y2}) are not neighbours")


def check_places(places: Iterable[tuple[str, Sequence[int]]], rows: Sequence[str], empty: str) -> None:
    """Check that each thing, which has a name for messages, is alone on an empty cell of the field. Raises: ValueError."""
    occupied: set[tuple[int, ...]] = set()
    for name, (x, y) in places:
        if not (0 <= y < len(rows) and 0 <= x < len(rows[0])):
            raise ValueError(f"{name}: ({x}, {y}) is off the field")
        if rows[y][x] != empty or (x, y) in occupied:
            raise ValueError(f"{name}: two things on the cell ({x}, {y})")
        occupied.add((x, y))


def first_asymmetry(contents: Mapping[Cell, object], group: str, size: int) -> tuple[Cell, Cell] | None:
    """The first cell whose content is not at one of its images, and that image; None if a field is symmetric."""
    sends = [SYMMETRIES[name] for name in GROUPS[group]]
    pairs = ((cell, send(cell, size), thing) for cell, thing in contents.items() for send in sends)
    return min(((cell, image) for cell, image, thing in pairs if contents.get(image) != thing), default=None)


def reachable_cells(start: Cell, cells: Collection[Cell], steps: Iterable[Cell]) -> set[Cell]:
    """The cells that can be reached from `start` by steps (dx, dy) within `cells`, `start` included."""
    reachable, edge = {start}, [start]
    for x, y in edge:  # grows during the loop
        for dx, dy in steps:
            cell = (x + dx, y + dy)
            if cell in cells and cell not in reachable:
                reachable.add(cell)
                edge.append(cell)
    return reachable


@cache
def window(stride: int, side: int) -> Callable[[bytes | bytearray, int], tuple[bytes, ...]]:
    """Takes the rows of a side × side window out of a board's text by one call, given the index of its first cell.

    `stride` is the number of bytes from a row of the text to the next, at least `side`.
    """
    return Struct(f"{stride - side}x".join([f"{side}s"] * side)).unpack_from
