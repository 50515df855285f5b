"""The board of the tail-biting snakes: what lies where, and how snakes move.

Numbers in brackets are the rules of games/ava/README.md.

Theory. All of this is built for speed; times are measured, in µs.
1. `text` is one bytearray with a margin of `MARGIN` border cells on all sides, so every window of 13×13 cells around a head is
   inside it. The cell (x, y) has the index (y + MARGIN) * stride + x + MARGIN. So a move is an addition, and every move off the
   field leads to border.
2. A byte says which part of which snake is there: 0 is empty, and 1 + s is the tail of seat s. No snake can enter a cell with
   `BORDER` or more. So one comparison tells whether a snake can enter a cell (3); the four cells around a head take 0.4. One
   lookup tells which snake is bitten.
3. One call of `struct` takes the 13 rows of a window. One table for each seat translates the bytes to what that seat sees: own
   parts and enemies' parts. So a window takes 1.0; with 13 slices it would take 3.1. It is never written cell by cell.
4. A move changes at most four cells: the new head, the neck, the old tail and the new tail. A bite also changes the victim's
   new tail.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from referee.boards.grid import DIRECTIONS, Cell, window
from referee.tailbite import sight

MARGIN: Final = sight.SIDE // 2
"""How far a snake sees, in cells."""
EMPTY: Final = 0
_TAIL: Final = 1
"""The byte of seat 0's tail. The tails of the other seats follow."""
_FEED: Final = ord("\n")
"""What ends a row in a text of lines. No cell has this byte: there are fewer seats, and so fewer tails."""
BORDER: Final = 64
"""The first byte of what no snake can enter. There is room below it for more tails than there are seats."""
_HEAD: Final = 65
_BODY: Final = 129


@dataclass(slots=True)
class Snake:
    """One snake: `cells` are board indices, head first.

    An eaten snake has one cell, which is a tail that others may bite; after that bite it has none (4).

    Attributes:
        eaten: the step in which the snake was eaten; None if it was not.
        disqualified: the fault; None if the snake is not disqualified.
    """

    cells: deque[int]
    eaten: int | None
    disqualified: str | None


@dataclass(frozen=True, slots=True)
class Perspective:
    """What an uneaten snake sees of a board, at any moment. It is a `sight.Sight`."""

    board: Board
    seat: int
    options: sight.Options

    @property
    def window(self) -> bytes:
        """The cells around the head, as `Board.window` lists them."""
        return self.board.window(self.seat)

    @property
    def lines(self) -> bytes:
        """The same cells as lines."""
        return self.board.window(self.seat, b"\n")


class Board:
    """Everything on the field. Every method keeps `text` and the snakes consistent."""

    __slots__ = ("_views", "size", "snakes", "steps", "stride", "text")

    def __init__(self, size: int, snakes: Iterable[tuple[Sequence[Sequence[int]], int | None, str | None]]) -> None:
        """A board of `size` × `size` cells. A snake is given as cells (x, y), head first, `eaten` and `disqualified`."""
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

    def copy(self) -> Board:
        """A board of its own."""
        other = Board.__new__(Board)
        other.size, other.stride, other.steps, other._views = self.size, self.stride, self.steps, self._views
        other.text = self.text[:]
        other.snakes = [Snake(snake.cells.copy(), snake.eaten, snake.disqualified) for snake in self.snakes]
        return other

    def index(self, x: int, y: int) -> int:
        """The index of a cell."""
        return (y + MARGIN) * self.stride + x + MARGIN

    def xy(self, index: int) -> Cell:
        """The cell (x, y) of an index."""
        y, x = divmod(index, self.stride)
        return x - MARGIN, y - MARGIN

    def window(self, seat: int, between: bytes = b"") -> bytes:
        """What an uneaten snake sees: 169 letters of `sight`, row by row, its head in the middle; `between` two rows."""
        stride = self.stride
        first = self.snakes[seat].cells[0] - MARGIN * stride - MARGIN
        return between.join(window(stride, sight.SIDE)(self.text, first)).translate(self._views[seat])

    def possible(self, seat: int) -> str:
        """The letters of an uneaten snake's possible moves, in the order U L D R (3)."""
        text, stride, cells = self.text, self.stride, self.snakes[seat].cells
        head = cells[0]
        barred = _TAIL + seat if len(cells) == 2 else BORDER
        letters = ""
        if (there := text[head - stride]) < BORDER and there != barred:
            letters = "U"
        if (there := text[head - 1]) < BORDER and there != barred:
            letters += "L"
        if (there := text[head + stride]) < BORDER and there != barred:
            letters += "D"
        if (there := text[head + 1]) < BORDER and there != barred:
            letters += "R"
        return letters

    def move(self, seat: int, letter: str) -> int | None:
        """Make a possible move (3, 4). Returns the seat whose tail was bitten off; None without a bite.

        A victim with one segment left now has one cell, which is a tail. The caller sets its `eaten`.
        """
        text, cells = self.text, self.snakes[seat].cells
        neck = cells[0]
        target = neck + self.steps[letter]
        there = text[target]
        text[neck] = _BODY + seat
        victim = None
        if there == EMPTY or there == _TAIL + seat:
            text[cells.pop()] = EMPTY
            cells.appendleft(target)
            text[cells[-1]] = _TAIL + seat
        else:
            victim = there - _TAIL
            bitten = self.snakes[victim].cells
            bitten.pop()
            if bitten:
                text[bitten[-1]] = there
            cells.appendleft(target)
        text[target] = _HEAD + seat
        return victim

    def _lay(self, seat: int, snake: Snake) -> None:
        for cell in snake.cells:
            self.text[cell] = _BODY + seat
        if snake.cells:
            self.text[snake.cells[0]] = _HEAD + seat
            self.text[snake.cells[-1]] = _TAIL + seat  # a single cell is a tail


@cache
def _view(seat: int, seats: int) -> bytes:
    """The table that turns the board's bytes into what a seat sees."""
    table = bytearray(256)
    table[_FEED] = _FEED
    table[EMPTY], table[BORDER] = sight.EMPTY, sight.BORDER
    for other in range(seats):
        own = other == seat
        table[_HEAD + other] = sight.OWN_HEAD if own else sight.ENEMY_HEAD
        table[_BODY + other] = sight.OWN_BODY if own else sight.ENEMY_BODY
        table[_TAIL + other] = sight.OWN_TAIL if own else sight.ENEMY_TAIL
    return bytes(table)
