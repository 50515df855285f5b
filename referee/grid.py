"""Square fields: cells, directions and the eight symmetries. Cells are (x, y): x right, y down, (0, 0) top left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from struct import Struct
from typing import Final, TypeAlias

Cell: TypeAlias = tuple[int, int]

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


@cache
def window(stride: int, side: int) -> Callable[[bytes | bytearray, int], tuple[bytes, ...]]:
    """Takes the rows of a side × side window out of a board's text by one call, given the index of its first cell.

    Args:
        stride: bytes from a row of the text to the next, at least `side`.
    """
    return Struct(f"{stride - side}x".join([f"{side}s"] * side)).unpack_from
