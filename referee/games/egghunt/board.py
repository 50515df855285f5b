"""The board: one text of bytes, which each turn patches. A player sees five pieces of it.

1. Two rows of `X` are above the field and two below. Two columns of `X` separate the rows: the right margin of one is the
   left margin of the next. So the board has the two cells around the field that rule 2 of README.md shows as `X`.
2. A cell is an index into the text. `stride` is the distance from a cell to the one below it. It is at least `VIEW`, with
   more columns of `X` beside a narrow field, so that the rows of a view never overlap.
3. No player is on an egg between two turns (rule 5), so a cell has one letter: wall, blank, egg or player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from referee.boards.grid import Cell

OUTSIDE, WALL, BLANK, EGG, PLAYER = b"X# o*"

VIEW: Final = 5
"""Cells of a side of what a player sees (rule 2)."""
STEPS: Final[Sequence[Cell]] = ((0, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (0, 0))
"""The step (dx, dy) of each direction: 1 is up-left, then clockwise, 9 is none (rule 3). There is no direction 0."""


class Board:
    """The field with its walls, the eggs and the players on it; `text` has one byte for each cell (points 1 and 2)."""

    __slots__ = ("field", "stride", "text")

    def __init__(self, field: Sequence[str], eggs: Iterable[Cell], players: Iterable[Cell]) -> None:
        self.field = tuple(field)
        stride = self.stride = max(VIEW, len(field[0]) + 2)
        outside = b"X" * (2 * stride)
        rows = b"".join([b"XX" + row.encode().ljust(stride - 2, b"X") for row in field])
        self.text = bytearray(outside + rows + b"XX" + outside)
        for letter, cells in ((EGG, eggs), (PLAYER, players)):
            for x, y in cells:
                self.text[self.index(x, y)] = letter

    def index(self, x: int, y: int) -> int:
        """The index of a cell of the field in the text."""
        return (y + 2) * self.stride + x + 2

    def xy(self, index: int) -> list[int]:
        """The cell at an index, as in positions and events."""
        y, x = divmod(index - 2, self.stride)
        return [x, y - 2]

    def step(self, direction: int) -> int:
        """What a direction adds to an index."""
        dx, dy = STEPS[direction]
        return dy * self.stride + dx
