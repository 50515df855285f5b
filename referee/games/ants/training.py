"""Ants for programs that learn: one agent plays all ants of a team, and is asked for one ant after the other.

1. An action is one of the ten of rule 4, and whether the ant marks its cell: not at all, with hue 1 or with hue 2.
2. A memory of 32 bytes is no number to choose, so actions by number leave the memory empty. An answer that is given as text
   (`3 1 7 00ff…`) has its memory, and the text of the request shows it.
3. The 3×3 cells of the planes move with the ant, so nothing is kept from step to step. A plane of flags is one translation.
4. Planes have no room for a 32-bit hue. They show how strong hue 1, hue 2 and all other hues are; a smell that has faded is 0.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from referee.boards.grid import window
from referee.contract.game import Request
from referee.contract.training import MovingPlanes, Training
from referee.games.ants.field import ANTS_HERE, FOOD_HERE, WALL, Ant, sights
from referee.games.ants.position import NO_MEMORY
from referee.games.ants.rules import Ants

HUES: Final = (1, 2)
"""The hues of actions by number."""
_MARKS: Final = ("0 0", *(f"1 {hue}" for hue in HUES))
_HUES: Final = {b"%d " % hue: number for number, hue in enumerate(HUES)}


class SensePlanes(MovingPlanes):
    """The planes of the 3×3 cells around an ant: 1 or 0, intensities from 0 to 100, and on all cells whether it carries food."""

    names = (
        "field", "friends", "enemies", "own hill", "enemies' hills", "food", "intensity of hue 1", "intensity of hue 2",
        "intensity of other hues", "carries food",
    )  # fmt: skip
    rows = columns = 3

    def seen(self, request: Request[Ant]) -> bytearray:
        """The ten planes of an ant (7)."""
        ant = request.observation
        field, seat, here = ant.field, ant.seat, ant.cell
        around, corner = window(field.stride, 3), here - field.stride - 1
        cells = bytearray().join(around(field.cells, corner))
        if field.crowd[seat][here] == 1:  # the asked ant is not its own friend (7)
            cells[4] ^= 1 << seat
        smells = bytearray(27)
        for cell, scent in enumerate(b"".join(around(field.scents, corner))):
            if scent:
                hue = field.hues[corner + cell // 3 * field.stride + cell % 3]
                smells[9 * _HUES.get(hue, len(_HUES)) + cell] = scent - 1
        flags = [cells.translate(table) for table in _flags(seat)]
        return bytearray().join([*flags, smells, bytes([ant.food]) * 9])


@cache
def _flags(seat: int) -> list[bytes]:
    """The planes of flags, as tables for `translate`: what each shows this seat, by the value of `Field.cells` (7)."""
    sensed = [[int(flag) for flag in text.split()] for text in sights(seat)]
    rows = [(1 - wall, *flags) for *flags, wall in sensed]
    return [bytes(plane).ljust(256, b"\0") for plane in zip(*rows, strict=True)]


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


TRAINING: Final = Training(
    answers=[f"{kind} {mark} {NO_MEMORY}" for mark in _MARKS for kind in range(10)],
    allowed=allowed,
    request=lambda state, seat: state.teams[seat][0].due[0],  # of the ant that appeared first
    points=lambda state: state.field.stores(),
    limited=lambda state: state.current_result().reason == "units",
    planes=SensePlanes,
)
