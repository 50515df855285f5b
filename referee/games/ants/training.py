"""Ants for programs that learn: one agent plays all ants of a team, and is asked for one ant after the other.

1. An action is one of the ten of rule 4, and whether the ant marks its cell: not at all, with hue 1 or with hue 2.
2. A memory of 32 bytes is no number to choose, so actions by number leave the memory empty. An answer that is given as text
   (`3 1 7 00ff…`) has its memory, and the text of the request shows it.
3. The 3×3 cells of the planes move with the ant, so nothing is kept from step to step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.game import Request
from referee.games.ants.field import ANTS_HERE, FOOD_HERE, HILL, WALL, Ant
from referee.games.ants.position import NO_MEMORY
from referee.games.ants.rules import Ants
from referee.training import Training

HUES: Final = (1, 2)
"""The hues of actions by number."""
_MARKS: Final = ("0 0", *(f"1 {hue}" for hue in HUES))
_HUES: Final = tuple(b"%d " % hue for hue in HUES)


class SensePlanes:
    """The planes of the 3×3 cells around an ant: 1 or 0, intensities from 0 to 100, and on all cells whether it carries food."""

    names = (
        "field", "friends", "enemies", "own hill", "enemies' hills", "food", "intensity of hue 1", "intensity of hue 2",
        "intensity of other hues", "carries food",
    )  # fmt: skip
    rows = columns = 3

    def __init__(self, _state: Ants) -> None:
        pass

    def follow(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Nothing is kept between steps (theory, point 3)."""

    def seen(self, request: Request[Ant]) -> bytearray:
        """The ten planes of an ant (7)."""
        ant = request.observation
        field, seat, here = ant.field, ant.seat, ant.cell
        planes = bytearray(81)
        for row in (-1, 0, 1):
            for column in (-1, 0, 1):
                place, cell = 4 + 3 * row + column, here + row * field.stride + column
                flags = field.cells[cell]
                if flags == WALL:
                    continue
                planes[place] = 1
                planes[9 + place] = flags >> seat & 1 if cell != here else field.crowd[seat][here] > 1
                planes[18 + place] = flags & ANTS_HERE & ~(1 << seat) != 0
                planes[27 + place] = flags // HILL == 1 + seat
                planes[36 + place] = flags // HILL not in (0, 1 + seat)
                planes[45 + place] = flags & FOOD_HERE != 0
                if scent := field.scents[cell]:
                    hue = field.hues[cell]
                    planes[54 + 9 * (_HUES.index(hue) if hue in _HUES else len(_HUES)) + place] = scent - 1
        return planes + bytes([ant.food]) * 9


def allowed(state: Ants, seat: int) -> bytearray:
    """Which actions of the asked ant have an effect (4), in the order of `answers`."""
    ant = state.requests()[0].observation
    assert ant is not None
    cells, here, steps = ant.field.cells, ant.cell, ant.field.steps
    enemies = ANTS_HERE & ~(1 << seat)
    beside = [cells[here + step] for step in steps]
    possible = [there != WALL for there in beside]
    possible += [there & enemies != 0 and there != WALL for there in beside]
    possible += [not ant.food and cells[here] & FOOD_HERE != 0, ant.food]
    return bytearray(possible) * len(_MARKS)


def request(state: Ants, seat: int) -> Request[Ant | None]:
    """The request of the ant that appeared first, for a team whose turn it is not."""
    return state.teams[seat][0].due[0]


TRAINING: Final = Training(
    answers=[f"{kind} {mark} {NO_MEMORY}" for mark in _MARKS for kind in range(10)],
    allowed=allowed,
    request=request,
    points=lambda state: state.field.stores(),
    limited=lambda state: state.current_result().reason == "units",
    planes=SensePlanes,
)
