"""SnakeCore for programs that learn: possible actions, and the board as planes. Numbers in brackets are rules of README.md.

1. A stack has four planes of the field, and then four for each python: the asked one first, the others in the order in which
   they move after it, as in the request. Walls and reactors never change, so they are one piece.
2. The chain of a python is a plane too: each of its cells has the number of cells from there to the tail, which is what a bite
   there would score. So everything in the request is in the planes.
3. The planes of a python are patched when its chain changes, cell by cell. A free block changes only by its own event. Each
   python has planes of its own, so that one join makes the stack of any seat.
4. A shield counter is the same on all cells of its plane, so there is a ready plane for each value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from referee.contract.game import Request
from referee.contract.training import Training
from referee.games.snakecore.board import EMPTY, ENERGY, KIND, REACTOR, WALL, Board
from referee.games.snakecore.rules import SnakeCore
from referee.games.snakecore.wire import ACTIONS

MOST: Final = 255
"""The largest number in a plane; longer chains and shields are shown as this."""
OF_THE_FIELD: Final = ("wall", "reactor", "free ordinary block", "free energy block")
OF_A_PYTHON: Final = ("head", "chain", "energy", "shield")


_OBSTACLE: Final = bytes(0 if letter in (EMPTY, REACTOR) else 1 if letter in KIND else 2 for letter in range(256))
"""What each letter of the board means for a head that goes there: 0 is possible, 1 depends on the block, 2 is impossible."""


def allowed(state: SnakeCore, seat: int) -> bytearray:
    """Which actions are not a skip (9–15)."""
    board = state.board
    python = board.pythons[seat]
    text, stride, head = board.text, board.stride, python.cells[0]
    mask = bytearray(b"\1\1\1\1\1\0")
    if python.energy:
        mask[5] = 1
    for number, target in enumerate((head - stride, head - 1, head + stride, head + 1)):
        if obstacle := _OBSTACLE[text[target]]:
            mask[number] = obstacle == 1 and _edible(board, seat, target)
    return mask


def _edible(board: Board, seat: int, target: int) -> bool:
    """Whether a python can eat, bite or follow the block there (10, 11, 12, 15)."""
    owner = board.owner[target] - 1
    if owner < 0:
        return True
    python = board.pythons[owner]
    if owner == seat:  # the counter goes down before the bite (7)
        return target == python.cells[-1] or python.shield <= 1
    return target != python.cells[-1] and not python.shield


class FieldPlanes:
    """The planes of a match (theory). `rows` and `columns` are the size of the field."""

    def __init__(self, state: SnakeCore) -> None:
        board = self._board = state.board
        size = self.rows = self.columns = board.size
        seats = range(state.seats)
        others = [f"python {number + 1} after it" for number in range(state.seats - 1)]
        self.names = (
            *OF_THE_FIELD,
            *(f"{what} of {whose}" for whose in ("the asked python", *others) for what in OF_A_PYTHON),
        )
        cells = size * size
        self._at = [(cell // board.stride - 1) * size + cell % board.stride for cell in range(len(board.text))]
        lines = "".join(board.field_rows()).encode()
        self._fixed = bytes(letter == WALL for letter in lines) + bytes(letter == REACTOR for letter in lines)
        self._free = {kind: bytearray(letter == kind for letter in lines) for kind in KIND}
        self._cells = cells
        self._pythons = [bytearray(3 * cells) for _ in seats]
        """The planes of the head, the chain and the energy of each python, one after the other."""
        self._drawn_chains: list[list[int]] = [[] for _ in seats]
        """The cells of each chain as they are in the planes."""
        self._orders = [[*range(seat, state.seats), *range(seat)] for seat in seats]
        for seat in seats:
            self._rewrite(seat)

    def follow(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Patch what a step changed: the chains of its events, and the blocks that became free or came back."""
        for event in events:
            match event["event"]:
                case "move" | "deliver" | "shield":
                    self._rewrite(event["seat"])
                case "eat":
                    seat = event["seat"]
                    self._rewrite(seat)
                    for plane in self._free.values():
                        plane[self._drawn_chains[seat][0]] = 0
                case "bite":
                    chain = self._drawn_chains[event["victim"]]
                    loose = chain[len(chain) - event["length"] + 1 :]
                    self._rewrite(event["victim"])
                    self._rewrite(event["seat"])
                    for cell in loose:
                        self._put(cell)
                case "return":
                    x, y = event["at"]
                    self._put(y * self.columns + x)

    def seen(self, request: Request[SnakeCore]) -> bytearray:
        """The stack of a seat, with its own shield as the request shows it (7)."""
        seat = request.seat
        cells = self._cells
        pythons = self._board.pythons
        pieces: list[bytes | bytearray] = [self._fixed, *self._free.values()]
        for whose in self._orders[seat]:
            shield = pythons[whose].shield
            if whose == seat and shield:
                shield -= 1
            pieces += (self._pythons[whose], _level(cells, shield))
        return bytearray().join(pieces)

    def _put(self, cell: int) -> None:
        """Show the free block that is there now."""
        y, x = divmod(cell, self.columns)
        self._free[self._board.text[(y + 1) * self._board.stride + x]][cell] = 1

    def _rewrite(self, seat: int) -> None:
        """Show a chain as it is now."""
        python, drawn_chain = self._board.pythons[seat], self._drawn_chains[seat]
        planes = self._pythons[seat]
        chain, energy = self._cells, 2 * self._cells  # where these planes begin
        for cell in drawn_chain:
            planes[chain + cell] = planes[energy + cell] = 0
        if drawn_chain:
            planes[drawn_chain[0]] = 0
        at = self._at
        drawn_chain[:] = [at[cell] for cell in python.cells]
        planes[drawn_chain[0]] = 1
        left = len(drawn_chain)
        for cell in drawn_chain:
            planes[chain + cell] = min(MOST, left)
            left -= 1
        if python.energy:
            for cell, kind in zip(drawn_chain[1:], python.kinds, strict=True):
                planes[energy + cell] = kind == ENERGY


@lru_cache(maxsize=1024)
def _level(cells: int, value: int) -> bytes:
    return bytes([min(value, MOST)]) * cells


TRAINING: Final = Training(
    answers=tuple(ACTIONS),
    allowed=allowed,
    request=lambda state, seat: Request(seat, "getAction", state),
    points=lambda state: [python.score for python in state.board.pythons],
    limited=lambda state: state.turn_round > state.rounds,
    planes=FieldPlanes,
)
