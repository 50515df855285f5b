"""Food laid at random for a match, with its seed, the same for all hills (rule 11 of README.md).

1. Food is laid on a quarter of the field and mirrored left-right and top-bottom. The middle row and column of an odd field
   stay free, so that every heap exists four times. Only the middle cell may have a heap of its own.
2. Nothing is within 3 cells of a corner in either direction, whether the corner has a hill or not.
3. The sizes of the heaps are the same for every seed, spread evenly from the smallest to the largest. Seeds change the
   places of food, never its amount.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Annotated, Final

from pydantic import Field, model_validator

from referee.boards.chance import shuffled
from referee.boards.grid import Cell, orbit
from referee.boards.maptext import draw_on as with_things
from referee.text.strict import Strict

SYMMETRY: Final = "four-mirrors"
"""The symmetry of both mirrors, which includes the half turn."""
KEPT_CLEAR: Final = 3
LETTERS: Final = ".123456789abcdefghijklmnopqrstuvwxyz"
"""The characters of a map for 0 to 35 milligrams on a cell."""


Amount = Annotated[int, Field(ge=0, le=10**6)]
Heap = Annotated[int, Field(ge=1, le=10**6)]


class Larder(Strict):
    """The table [food], the food of each quarter: `heaps`, of `smallest` to `largest` mg, and `crumbs` of 1 mg.

    `centre` mg are on each cell in the middle of the field: one, or four on an even side.
    """

    heaps: Amount
    smallest: Heap
    largest: Heap
    crumbs: Amount = 0
    centre: Amount = 0

    @model_validator(mode="after")
    def _in_order(self) -> Larder:
        if self.smallest > self.largest:
            raise ValueError(f"smallest: {self.smallest} is more than largest, {self.largest}")
        return self

    def amounts(self) -> list[int]:
        """The mg of each heap, the largest first, then of each crumb."""
        spread, steps = self.largest - self.smallest, max(1, self.heaps - 1)
        return [self.largest - spread * k // steps for k in range(self.heaps)] + [1] * self.crumbs


def quarter(size: int) -> list[Cell]:
    """The cells of the top left quarter that may have food, by rows."""
    half = range(size // 2)
    middle = {size // 2, (size - 1) // 2}
    cells = [(x, y) for y in half for x in half if max(x, y) > KEPT_CLEAR]
    return [(x, y) for x, y in cells if not (x in middle and y in middle)]


def corners(size: int) -> list[Cell]:
    """The corners: top left, top right, bottom left, bottom right (rule 1)."""
    last = size - 1
    return [(0, 0), (last, 0), (0, last), (last, last)]


def hills(size: int, seats: int) -> list[Cell]:
    """The corners of a match with this number of seats, in seat order. Two seats have opposite ones (rule 1)."""
    every = corners(size)
    return [every[0], every[3]] if seats == 2 else every[:seats]


def lack_of_room(larder: Larder, size: int) -> str | None:
    """Why there is no room for the food; None if there is."""
    cells, room = larder.heaps + larder.crumbs, len(quarter(size))
    if cells > room:
        return f"food: {cells} cells in each quarter, but there is room for {room}: lay less, or use a larger field"
    if larder.centre and (size - 1) // 2 <= KEPT_CLEAR:
        return f"food.centre: the middle of a field of size {size} is too near to the hills: use 0, or a larger field"
    return None


def lay_food(larder: Larder, size: int, rng: Random) -> dict[Cell, int]:
    """Food for a field with room for it (`lack_of_room`): mg by cell."""
    food: dict[Cell, int] = {}
    amounts = larder.amounts()
    for cell, amount in zip(shuffled(quarter(size), rng, len(amounts)), amounts, strict=True):
        food.update(dict.fromkeys(orbit(cell, SYMMETRY, size), amount))
    if larder.centre:
        food.update(dict.fromkeys(orbit((size // 2, size // 2), SYMMETRY, size), larder.centre))
    return food


def map_rows(food: Mapping[Cell, int], size: int) -> list[str]:
    """The rows of a map: `H` in the corners, a digit or letter for food, `+` for more than 35 mg."""
    things = {cell: LETTERS[amount] if amount < len(LETTERS) else "+" for cell, amount in food.items()}
    return with_things(["." * size] * size, things | dict.fromkeys(corners(size), "H"))
