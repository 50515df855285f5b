"""The board of the tail-biting snakes: what lies where, and how snakes move.

Numbers in brackets are the rules of games/ava/README.md.

Theory, which is also the fast path of a match:
1. `text` is one bytearray with a margin of `MARGIN` border cells all around: every window of 13×13 cells around a head lies
   inside, so it is cut out as 13 slices. The cell (x, y) has the index (y + MARGIN) * stride + x + MARGIN, so that a step
   is an addition and every way off the field ends on border.
2. A byte tells which snake's part lies there: 0 empty, 1 border, then for seat s the three numbers 2 + 3s head, 3 + 3s body,
   4 + 3s tail. Who is bitten is one look, not a search.
3. One table a seat translates those bytes to what that seat sees: own parts, enemies' parts. A window is never written
   cell by cell.
4. A move patches four cells at the most: the new head, the neck, the old tail, the new one. With a bite the victim's
   new tail comes to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from referee.grid import DIRECTIONS, Cell
from referee.tailbite import sight

MARGIN: Final = sight.SIDE // 2
"""How far a snake sees, in cells."""

EMPTY, BORDER = 0, 1
_FIRST: Final = 2
_HEAD, _BODY, _TAIL = range(3)


@dataclass(slots=True)
class Snake:
    """One snake: `cells` as board indices, head first.

    One that was eaten has a single cell, which is a tail that others may bite, or none any more (4).

    Attributes:
        eaten: the step in which it was, None for an uneaten one.
        disqualified: the fault, None for one that plays.
    """

    cells: deque[int]
    eaten: int | None
    disqualified: str | None


class Board:
    """Everything on the field. Each method leaves `text` and the snakes agreeing with each other."""

    __slots__ = ("_views", "size", "snakes", "steps", "stride", "text")

    def __init__(self, size: int, snakes: Iterable[tuple[Sequence[Sequence[int]], int | None, str | None]]) -> None:
        """A board of `size` × `size` cells; snakes as cells (x, y), head first, with `eaten` and `disqualified`."""
        self.size = size
        stride = self.stride = size + 2 * MARGIN
        self.steps = {letter: dy * stride + dx for letter, (dx, dy) in DIRECTIONS.items()}
        self.text = bytearray([BORDER]) * (stride * stride)
        for y in range(size):
            self.text[self.index(0, y) : self.index(size, y)] = bytes(size)
        self.snakes: list[Snake] = []
        for seat, (cells, eaten, disqualified) in enumerate(snakes):
            snake = Snake(deque(self.index(x, y) for x, y in cells), eaten, disqualified)
            self.snakes.append(snake)
            self._lay(seat, snake)
        self._views = [_view(seat, len(self.snakes)) for seat in range(len(self.snakes))]

    def index(self, x: int, y: int) -> int:
        """The index of a cell."""
        return (y + MARGIN) * self.stride + x + MARGIN

    def xy(self, index: int) -> Cell:
        """The cell (x, y) of an index."""
        y, x = divmod(index, self.stride)
        return x - MARGIN, y - MARGIN

    def window(self, seat: int) -> bytes:
        """What an uneaten snake sees: 169 letters of `sight`, row by row, its head in the middle."""
        text, stride, side = self.text, self.stride, sight.SIDE
        first = self.snakes[seat].cells[0] - MARGIN * stride - MARGIN
        rows = [text[at : at + side] for at in range(first, first + side * stride, stride)]
        return b"".join(rows).translate(self._views[seat])

    def possible(self, seat: int) -> str:
        """The letters of an uneaten snake's possible moves, in the order U L D R (3)."""
        cells, text = self.snakes[seat].cells, self.text
        head = cells[0]
        barred = cells[-1] if len(cells) == 2 else -1
        found = ""
        for letter, step in self.steps.items():
            there = text[head + step]
            if there == EMPTY or (there >= _FIRST and (there - _FIRST) % 3 == _TAIL and head + step != barred):
                found += letter
        return found

    def move(self, seat: int, letter: str) -> int | None:
        """Make a possible move (3, 4); returns the seat whose tail was bitten off, None without a bite.

        A victim that was left with one segment has one cell now, which is a tail; whether that eats it now is told by its
        `eaten`, which is the caller's to set.
        """
        text, cells = self.text, self.snakes[seat].cells
        target = cells[0] + self.steps[letter]
        there = text[target]
        base = _FIRST + 3 * seat
        victim = None
        if there == EMPTY or there == base + _TAIL:
            text[cells.pop()] = EMPTY
            cells.appendleft(target)
            text[cells[1]] = base + _BODY
            text[cells[-1]] = base + _TAIL
        else:
            victim = (there - _FIRST) // 3
            bitten = self.snakes[victim].cells
            bitten.pop()
            if bitten:
                text[bitten[-1]] = _FIRST + 3 * victim + _TAIL
            cells.appendleft(target)
            text[cells[1]] = base + _BODY
        text[target] = base + _HEAD
        return victim

    def _lay(self, seat: int, snake: Snake) -> None:
        base = _FIRST + 3 * seat
        for cell in snake.cells:
            self.text[cell] = base + _BODY
        if snake.cells:
            self.text[snake.cells[0]] = base + _HEAD
            self.text[snake.cells[-1]] = base + _TAIL  # of a single cell this is what stays


@cache
def _view(seat: int, seats: int) -> bytes:
    """The table that turns the board's bytes into what a seat sees."""
    table = bytearray(256)
    table[EMPTY], table[BORDER] = sight.EMPTY, sight.BORDER
    for other in range(seats):
        at = _FIRST + 3 * other
        table[at : at + 3] = (
            bytes([sight.OWN_HEAD, sight.OWN_BODY, sight.OWN_TAIL])
            if other == seat
            else bytes([sight.ENEMY_HEAD, sight.ENEMY_BODY, sight.ENEMY_TAIL])
        )
    return bytes(table)
