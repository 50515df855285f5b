"""The board of SnakeCore: its cells, and how chains move. Numbers in brackets are the rules of README.md.

This is the fast path of a match:
1. `text` is one bytearray: a guard row of line feeds, the rows of the protocol, each with its line feed, and another guard
   row. The cell (x, y) has the index (y + 1) * stride + x with stride = size + 1. So a step is an addition, and every step
   off the field ends on a line feed.
2. Rows have the characters that players get: `W R b e p .`, linked blocks by their kind. A turn patches the cells that it
   changes, and the wire copies the rows: a request is never rebuilt from objects.
3. `owner[cell]` is 1 + the seat whose body is there, 0 elsewhere, for finding the owner of a bitten cell.
4. A body moves by popping its tail and pushing its head. Kinds travel with the chain: in a body with both kinds, the cells
   between are patched too; otherwise only the two ends change (9).
5. `empty` is an unordered list of the empty cells, and `index_in_empty` has the index of each. So a returning block (16)
   draws an index in constant time. A move fills one cell and empties another, which gets its index. This costs 0.02 µs a turn.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import Final

from referee.boards.grid import Cell
from referee.games.snakecore.position import PositionModel

EMPTY, WALL, REACTOR, ORDINARY, ENERGY, HEAD, EDGE = b".WRbep\n"
_EMPTY: Final = re.compile(re.escape(bytes([EMPTY])))
KIND: Final = {ORDINARY: "b", ENERGY: "e"}


@dataclass(slots=True)
class Python:
    """A head and its chain: `cells` as board indices, head first; `kinds` of the body, from the head.

    `energy` counts the energy blocks of the body. `line` is the wire's copy of the chain, None after a change. If the only
    change was one crawl, `former` is that copy and `left` is the cell that the tail left.
    """

    cells: deque[int]
    kinds: deque[int]
    shield: int
    score: int
    disqualified: str | None
    energy: int
    line: bytes | None = None
    former: bytes | None = None
    left: int = 0

    def copy(self) -> Python:
        """A python of its own."""
        return Python(
            self.cells.copy(), self.kinds.copy(), self.shield, self.score, self.disqualified, self.energy,
            self.line, self.former, self.left,
        )  # fmt: skip

    def rewritten(self) -> None:
        """Forget the wire's copy after a change of the chain."""
        self.line = self.former = None


class Board:
    """Everything on the field. Each method keeps `text`, `owner`, the chains and `empty` consistent.

    `by_seat` has for each seat its own python and the others, in the order of its requests. `index_in_empty` has the index of
    every empty cell in `empty`; its other entries mean nothing.
    """

    __slots__ = ("by_seat", "empty", "index_in_empty", "owner", "pythons", "size", "stride", "text")

    def __init__(self, setup: PositionModel) -> None:
        n = self.size = setup.size
        stride = self.stride = n + 1
        guard = "\n" * stride
        self.text = bytearray((guard + "".join(row + "\n" for row in setup.field) + guard).encode())
        self.owner = bytearray(len(self.text))
        self.pythons: list[Python] = []
        for seat, model in enumerate(setup.pythons):
            cells = deque((y + 1) * stride + x for x, y in model.cells)
            kinds, energy = deque(model.blocks.encode()), model.blocks.count("e")
            self.pythons.append(Python(cells, kinds, model.shield, model.score, model.disqualified, energy))
            self.text[cells[0]] = HEAD
            for cell, kind in zip(islice(cells, 1, None), kinds, strict=True):
                self.text[cell] = kind
                self.owner[cell] = seat + 1
        self.by_seat = _by_seat(self.pythons)

        self.empty = [match.start() for match in _EMPTY.finditer(self.text)]
        self.index_in_empty = [0] * len(self.text)
        for index, cell in enumerate(self.empty):
            self.index_in_empty[cell] = index

    def copy(self) -> Board:
        """A board of its own."""
        other = Board.__new__(Board)
        other.size, other.stride = self.size, self.stride
        other.text, other.owner = self.text[:], self.owner[:]
        other.empty, other.index_in_empty = self.empty[:], self.index_in_empty[:]
        other.pythons = [python.copy() for python in self.pythons]
        other.by_seat = _by_seat(other.pythons)
        return other

    def xy(self, index: int) -> Cell:
        """The cell (x, y) of an index."""
        y, x = divmod(index, self.stride)
        return x, y - 1

    def field_rows(self) -> list[str]:
        """The board without the pythons: walls, reactors and independent blocks, a string for each row."""
        text = bytearray(self.text)
        for python in self.pythons:
            for cell in python.cells:
                text[cell] = EMPTY
        return text.decode().split()

    def crawl(self, seat: int, python: Python, target: int) -> None:
        """Move the head to `target`, an empty cell or the own tail's; the chain follows (9, 12)."""
        text, owner, cells, kinds = self.text, self.owner, python.cells, python.kinds
        head = cells[0]
        tail = cells.pop()
        cells.appendleft(target)
        text[tail] = EMPTY
        owner[tail] = 0
        if target != tail:  # point 5
            index = self.index_in_empty[target]
            self.empty[index] = tail
            self.index_in_empty[tail] = index
        if kinds:
            text[head] = kinds[0]
            owner[head] = seat + 1
            if 0 < python.energy < len(kinds):
                for cell, kind in zip(islice(cells, 1, None), kinds, strict=True):
                    text[cell] = kind
        text[target] = HEAD
        python.former, python.line, python.left = python.line, None, tail

    def grow(self, seat: int, python: Python, target: int, kind: int) -> None:
        """Move the head to the free cell `target`; a block of this kind takes its place, the rest stays (10, 11)."""
        head = python.cells[0]
        self.text[head] = kind
        self.owner[head] = seat + 1
        self.text[target] = HEAD
        python.cells.appendleft(target)
        python.kinds.appendleft(kind)
        python.energy += kind == ENERGY
        python.rewritten()

    def cut(self, python: Python, target: int) -> tuple[int, int]:
        """Break a chain at `target`, one of its blocks: the blocks from there on become independent (11).

        Returns the number of lost blocks, and the kind of the one at `target`.
        """
        cells, kinds, owner = python.cells, python.kinds, self.owner
        bitten = cells.index(target)
        length = len(cells) - bitten
        kind = kinds[bitten - 1]
        for _ in range(length):
            owner[cells.pop()] = 0
            python.energy -= kinds.pop() == ENERGY
        python.rewritten()
        return length, kind

    def clear(self, python: Python) -> list[int]:
        """Remove the whole body (13). Returns its kinds, from the head."""
        kinds = list(python.kinds)
        for _ in kinds:
            self._drop_tail(python)
        python.kinds.clear()
        python.energy = 0
        return kinds

    def close_up(self, python: Python) -> None:
        """Remove the energy block nearest to the head; those behind it move up (14)."""
        python.kinds.remove(ENERGY)
        python.energy -= 1
        self._drop_tail(python)
        for cell, kind in zip(islice(python.cells, 1, None), python.kinds, strict=True):
            self.text[cell] = kind

    def put(self, cell: int, kind: int) -> None:
        """Put a block of this kind on an empty cell (16)."""
        last, index = self.empty.pop(), self.index_in_empty[cell]
        if last != cell:
            self.empty[index] = last
            self.index_in_empty[last] = index
        self.text[cell] = kind

    def _drop_tail(self, python: Python) -> None:
        tail = python.cells.pop()
        self.text[tail] = EMPTY
        self.owner[tail] = 0
        self.index_in_empty[tail] = len(self.empty)
        self.empty.append(tail)
        python.rewritten()


def _by_seat(pythons: list[Python]) -> list[tuple[Python, list[Python]]]:
    return [(python, pythons[seat + 1 :] + pythons[:seat]) for seat, python in enumerate(pythons)]
