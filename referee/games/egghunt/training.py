"""The egg hunt for programs that learn: 27 actions, and the 5×5 cells around a player as planes.

1. An action is a direction and a stance (rule 3), and leaves the memory empty. A program that learns has a memory of its own; an
   answer that is given as text has one in the game.
2. Every answer is carried out, so all actions are allowed.
3. The window moves with its player, so all of it changes in each step: its planes are made by one translation each.
"""

from __future__ import annotations

from typing import Final

from referee.boards.grid import window
from referee.contract.game import Request
from referee.contract.training import MovingPlanes, Training
from referee.games.egghunt.board import EGG, OUTSIDE, PLAYER, VIEW, WALL
from referee.games.egghunt.rules import EggHunt

_PLANES: Final = {"wall": WALL, "outside": OUTSIDE, "egg": EGG, "player": PLAYER}
_TABLES: Final = [bytes(letter == code for letter in range(256)) for code in _PLANES.values()]
_ANSWERS: Final = [f"{direction}\n{stance}\n" for stance in "NAC" for direction in range(1, 10)]


class ViewPlanes(MovingPlanes):
    """The planes of what a player sees (2). The player in the middle is itself."""

    names = tuple(_PLANES)
    rows = columns = VIEW

    def seen(self, request: Request[EggHunt]) -> bytearray:
        """The four planes of the cells around a player."""
        state = request.observation
        stride = state.board.stride
        rows = window(stride, VIEW)(state.board.text, state.homes[request.seat] - 2 * stride - 2)
        cells = b"".join(rows)
        return bytearray().join([cells.translate(table) for table in _TABLES])


def points(state: EggHunt) -> list[float]:
    """The eggs of every seat for each run (6)."""
    return [(total + score) / state.runs for total, score in zip(state.totals, state.scores, strict=True)]


TRAINING: Final = Training(
    answers=_ANSWERS,
    allowed=lambda _state, _seat: bytearray(b"\1" * len(_ANSWERS)),
    request=lambda state, seat: Request(seat, "getAction", state),
    points=points,
    limited=lambda state: bool(state.eggs) and state.current_result().reason == "runs",
    planes=ViewPlanes,
)
