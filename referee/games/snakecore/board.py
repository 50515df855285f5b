"""The board of SnakeCore: what lies where, and how chains move. Numbers in brackets are the rules of README.md.

Theory, which is also the fast path of a match:
1. `text` is one bytearray: a guard row of line feeds, the rows as the protocol writes them, each with its line feed, and
   another guard row. The cell (x, y) has the index (y + 1) * stride + x with stride = size + 1, so a step is an addition
   and every way off the field ends on a line feed.
2. Rows hold what players are sent: `W R b e p .`, linked blocks by their kind. A turn patches the cells it changes, and
   the wire copies the rows as they stand: a request is never rebuilt from objects.
3. `owner[cell]` is 1 + the seat whose body lies there, 0 elsewhere: one look finds the owner of a bitten cell.
4. A body moves by popping its tail and pushing its head. Kinds travel with the chain: where a body has both kinds the
   cells between are patched too, else its two ends are all that changes (9).
5. The empty cells are a list in no order, `empty`, with the index of each in it, `place`: a block that comes back (16) draws
   an index, whatever the size of the board and however full it is. A move fills one cell and empties another, which
   takes over its index; that is all it costs a turn, 0.02 µs.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import Final

from referee.game import Position
from referee.games.snakecore.position import PositionModel
from referee.grid import Cell

EMPTY, WALL, REACTOR, ORDINARY, ENERGY, HEAD, EDGE = b".WRbep\n"
_EMPTY: Final = re.compile(re.escape(bytes([EMPTY])))
KIND: Final = {ORDINARY: "b", ENERGY: "e"}


@dataclass(slots=True)
class Python:
    """A head and its chain: `cells` as board indices, head first; `kinds` of the body, from the head.

    `energy` counts the energy blocks of the body. `line` is the wire's copy of the chain, None once it has changed. Where one
    crawl is all that changed it, `former` is that copy and `left` the cell that the tail left.
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

    def rewritten(self) -> None:
        """The chain is another now: nothing of the wire's copy can be kept."""
        self.line = self.former = None


class Board:
    """Everything on the field. Each method leaves `text`, `owner`, the chains and `empty` agreeing with each other.

    `told` has for each seat its own python and the others, in the order in which it is told of them. `place` has the index
    in `empty` of every cell that is empty; what it has of others means nothing.
    """

    __slots__ = ("empty", "owner", "place", "pythons", "size", "stride", "text", "told")

    def __init__(self, setup: PositionModel) -> None:
        n = self.size = setup.size
        stride = self.stride = n + 1
        guard = "\n" * stride
        self.text = bytearray((guard + "".join(row + "\n" for row in setup.field) + guard).encode())
        self.owner = bytearray(len(self.text))
        self.pythons: list[Python] = []
        for seat, model in enumerate(setup.pythons):
            cells = deque((y + 1) * stride + x for x, y in model.cells)
            kinds = deque(model.blocks.encode())
            self.pythons.append(
                Python(cells, kinds, model.shield, model.score, model.disqualified, model.blocks.count("e"))
            )
            self.text[cells[0]] = HEAD
            for cell, kind in zip(islice(cells, 1, None), kinds, strict=True):
                self.text[cell] = kind
                self.owner[cell] = seat + 1
        self.told = [
            (python, self.pythons[seat + 1 :] + self.pythons[:seat]) for seat, python in enumerate(self.pythons)
        ]

        self.empty = [match.start() for match in _EMPTY.finditer(self.text)]
        self.place = [0] * len(self.text)
        for index, cell in enumerate(self.empty):
            self.place[cell] = index

    def xy(self, index: int) -> Cell:
        """The cell (x, y) of an index."""
        y, x = divmod(index, self.stride)
        return x, y - 1

    def field_rows(self) -> list[str]:
        """Walls, reactors and independent blocks, a string a row: the board without the pythons."""
        text = bytearray(self.text)
        for python in self.pythons:
            for cell in python.cells:
                text[cell] = EMPTY
        return text.decode().split()

    def crawl(self, seat: int, python: Python, target: int) -> None:
        """The head goes to `target`, an empty cell or the own tail's; the chain follows (9, 12)."""
        text, owner, cells, kinds = self.text, self.owner, python.cells, python.kinds
        head = cells[0]
        tail = cells.pop()
        cells.appendleft(target)
        text[tail] = EMPTY
        owner[tail] = 0
        if target != tail:  # point 5
            index = self.place[target]
            self.empty[index] = tail
            self.place[tail] = index
        if kinds:
            text[head] = kinds[0]
            owner[head] = seat + 1
            if 0 < python.energy < len(kinds):
                for cell, kind in zip(islice(cells, 1, None), kinds, strict=True):
                    text[cell] = kind
        text[target] = HEAD
        python.former, python.line, python.left = python.line, None, tail

    def grow(self, seat: int, python: Python, target: int, kind: int) -> None:
        """The head goes to `target`, a free cell by now, a block of this kind takes its place, the rest stays (10, 11)."""
        head = python.cells[0]
        self.text[head] = kind
        self.owner[head] = seat + 1
        self.text[target] = HEAD
        python.cells.appendleft(target)
        python.kinds.appendleft(kind)
        python.energy += kind == ENERGY
        python.rewritten()

    def cut(self, python: Python, target: int) -> tuple[int, int]:
        """Break a chain at `target`, one of its blocks: from there on it is independent where it lies (11).

        Returns:
            How many blocks the chain lost, and the kind of the one at `target`.
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
        """Take the whole body off the field (13); returns its kinds, from the head."""
        kinds = list(python.kinds)
        for _ in kinds:
            self._drop_tail(python)
        python.kinds.clear()
        python.energy = 0
        return kinds

    def close_up(self, python: Python) -> None:
        """Take the energy block nearest to the head out of the chain; those behind it move up (14)."""
        python.kinds.remove(ENERGY)
        python.energy -= 1
        self._drop_tail(python)
        for cell, kind in zip(islice(python.cells, 1, None), python.kinds, strict=True):
            self.text[cell] = kind

    def put(self, cell: int, kind: int) -> None:
        """A block of this kind lies on an empty cell from now on (16)."""
        last, index = self.empty.pop(), self.place[cell]
        if last != cell:
            self.empty[index] = last
            self.place[last] = index
        self.text[cell] = kind

    def _drop_tail(self, python: Python) -> None:
        tail = python.cells.pop()
        self.text[tail] = EMPTY
        self.owner[tail] = 0
        self.place[tail] = len(self.empty)
        self.empty.append(tail)
        python.rewritten()


def write_position(board: Board, *, rounds: int, turn_round: int, seat: int) -> Position:
    """A moment as a position with every key, as README.md describes it, sharing nothing with the board."""
    pythons = [
        {
            "cells": [list(board.xy(cell)) for cell in python.cells],
            "blocks": bytes(python.kinds).decode(),
            "shield": python.shield,
            "score": python.score,
            "disqualified": python.disqualified,
        }
        for python in board.pythons
    ]
    return {
        "size": board.size,
        "rounds": rounds,
        "round": turn_round,
        "seat": seat,
        "field": board.field_rows(),
        "pythons": pythons,
    }
