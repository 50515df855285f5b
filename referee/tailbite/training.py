"""The games of tail-biting snakes for programs that learn: one letter for each action, and the window as planes.

1. An action is one letter. Programs answer several candidates, one of which is drawn; the one that is wanted leaves nothing to
   chance. Several letters can be given as text.
2. A snake is asked only if it has a choice (rule 5), so the same snake can be asked twice in a row, and others not at all in a
   step. A snake that is eaten is never asked again (rule 4).
3. A window moves with its head, so all of it changes in each step: its planes are made by one translation each.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from referee.contract.game import Request
from referee.contract.training import MovingPlanes, Training
from referee.tailbite import sight
from referee.tailbite.board import Perspective
from referee.tailbite.ranking import score
from referee.tailbite.rules import TailBite
from referee.tailbite.sight import LETTERS, SIDE, FixedSight, Sight

_PLANES: Final = {
    "border": sight.BORDER,
    "own body": sight.OWN_BODY,
    "own tail": sight.OWN_TAIL,
    "enemies' heads": sight.ENEMY_HEAD,
    "enemies' bodies": sight.ENEMY_BODY,
    "enemies' tails": sight.ENEMY_TAIL,
}
_TABLES: Final = [bytes(letter == code for letter in range(256)) for code in _PLANES.values()]
_MASKS: Final = {
    "".join(moves): bytes(letter in moves for letter in LETTERS)
    for count in range(len(LETTERS) + 1)
    for moves in combinations(LETTERS, count)
}
"""A mask for each set of possible moves. Copying one takes a third of the time of making one."""
_NOTHING: Final = bytes([sight.EMPTY]) * (SIDE * SIDE)


class WindowPlanes(MovingPlanes):
    """The planes of what a snake sees; its own head is in the middle."""

    names = tuple(_PLANES)
    rows = columns = SIDE

    def seen(self, request: Request[Sight]) -> bytearray:
        """The six planes of the window."""
        window = request.observation.window
        return bytearray().join([window.translate(table) for table in _TABLES])


def allowed(state: TailBite, seat: int) -> bytearray:
    """The possible moves (rule 3)."""
    return bytearray(_MASKS[state.board.possible(seat)])


def request(state: TailBite, seat: int) -> Request[Sight]:
    """What a snake sees now. An eaten snake sees nothing."""
    alive = state.board.snakes[seat].eaten is None
    observed = Perspective(state.board, seat, state.options) if alive else FixedSight(_NOTHING, state.options)
    return Request(seat, "getAction", observed)


TRAINING: Final = Training(
    answers=tuple(LETTERS),
    allowed=allowed,
    request=request,
    points=lambda state: [score(snake) for snake in state.board.snakes],
    limited=lambda state: state.current_result().reason == "steps",
    planes=WindowPlanes,
    leaving=frozenset({"eaten"}),
)
