"""Food laid at random, the same for all hills (rule 11 of README.md): for a match, from its seed, and drawn into new maps.

1. A quarter of the field is laid and mirrored left-right and top-bottom. The middle row and column of an odd field stay free,
   so that every heap is there four times; only the middle cell may have a heap of its own.
2. Nothing lies within 3 cells of a corner in either direction, whether there is a hill or not.
3. The sizes of the heaps are the same for every seed, spread evenly from the smallest to the largest: seeds differ in places,
   never in how much food there is.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.errors import SetupError
from referee.games.ants.position import SEATS
from referee.grid import Cell

SYMMETRY: Final = "four-mirrors"
"""The name of the symmetry under both mirrors, and so under the half turn."""
SIZES: Final = range(10, 101)
"""Below 10 a quarter has no cell that is far enough from its hill; above 100 ants would only walk."""
KEPT_CLEAR: Final = 3
LETTERS: Final = ".123456789abcdefghijklmnopqrstuvwxyz"
"""The milligrams on a cell as maps are drawn."""


@dataclass(frozen=True)
class Larder:
    """How much food is laid in each quarter: `heaps`, of `smallest` to `largest` mg, and `crumbs` of 1 mg.

    `centre` mg lie on each cell in the middle of the field: one, or four on an even side.
    """

    heaps: int
    smallest: int
    largest: int
    crumbs: int
    centre: int

    def amounts(self) -> list[int]:
        """The mg on each cell of a quarter that gets any: the heaps, the largest first, then the crumbs."""
        spread, steps = self.largest - self.smallest, max(1, self.heaps - 1)
        return [self.largest - spread * k // steps for k in range(self.heaps)] + [1] * self.crumbs


def quarter(size: int) -> list[Cell]:
    """The cells of the top left quarter that food may be laid on, by rows."""
    half = size // 2
    middle = {size // 2, (size - 1) // 2}
    return [
        (x, y) for y in range(half) for x in range(half) if max(x, y) > KEPT_CLEAR and not (x in middle and y in middle)
    ]


def corners(size: int) -> list[Cell]:
    """The corners: top left, top right, bottom left, bottom right (rule 1)."""
    last = size - 1
    return [(0, 0), (last, 0), (0, last), (last, last)]


def hills(size: int, seats: int) -> list[Cell]:
    """The corners that so many players use, in the order of seats: two have opposite ones (rule 1)."""
    every = corners(size)
    return [every[0], every[3]] if seats == 2 else every[:seats]


def mirrored(cell: Cell, size: int) -> set[Cell]:
    """A cell and its images under both mirrors."""
    x, y = cell
    return {(x, y), (size - 1 - x, y), (x, size - 1 - y), (size - 1 - x, size - 1 - y)}


def lack_of_room(larder: Larder, size: int) -> str | None:
    """Why that much food cannot be laid, None when it can."""
    wanted, room = larder.heaps + larder.crumbs, len(quarter(size))
    if wanted > room:
        return f"food: {wanted} cells in each quarter, but there is room for {room}: lay less, or use a larger field"
    if larder.centre and (size - 1) // 2 <= KEPT_CLEAR:
        return f"food.centre: the middle of a field of size {size} is too near to the hills: use 0, or a larger field"
    return None


def laid(larder: Larder, size: int, rng: random.Random) -> dict[Cell, int]:
    """Food for a field: mg by cell. The same generator gives the same on every version of Python.

    Raises: SetupError: there is not enough room.
    """
    lacking = lack_of_room(larder, size)
    if lacking:
        raise SetupError(lacking)
    cells = quarter(size)
    food: dict[Cell, int] = {}
    for k, amount in enumerate(larder.amounts()):
        chosen = k + int(rng.random() * (len(cells) - k))
        cells[k], cells[chosen] = cells[chosen], cells[k]
        food.update(dict.fromkeys(mirrored(cells[k], size), amount))
    if larder.centre:
        food.update(dict.fromkeys(mirrored((size // 2, size // 2), size), larder.centre))
    return food


def drawn(food: Mapping[Cell, int], size: int) -> list[str]:
    """The rows of a map: `H` in the corners, a digit or letter for food, `+` where it is more than a letter can tell."""
    rows = [["."] * size for _ in range(size)]
    for (x, y), amount in food.items():
        rows[y][x] = LETTERS[amount] if amount < len(LETTERS) else "+"
    for x, y in corners(size):
        rows[y][x] = "H"
    return ["".join(row) for row in rows]


def map_text(*, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
    """A fair map as TOML text, its food drawn; the same arguments give the same text.

    Raises: SetupError: no such map can be drawn.
    """
    if size not in SIZES:
        raise SetupError(f"size: a map can be drawn with {SIZES.start} to {SIZES.stop - 1} cells a side, not {size}")
    if players not in SEATS:
        raise SetupError(f"players: Ants is for {SEATS.start} to {SEATS.stop - 1} players, not {players}")
    if symmetry not in (None, SYMMETRY):
        raise SetupError(f"symmetry: the only one of Ants' maps is {SYMMETRY}")
    rng = random.Random(f"ants map {size} {rng_seed}")
    area = len(quarter(size))
    larder = Larder(heaps=max(1, round(area / 35)), smallest=5, largest=20, crumbs=area // 17, centre=0)
    rows = drawn(laid(larder, size, rng), size)
    return "\n".join(
        [
            f"name = {json.dumps(name, ensure_ascii=False)}",
            f'description = "Drawn at random, with seed {rng_seed}; the same for all hills."',
            "units = 1000",
            "ants = 10",
            "field = '''",
            *rows,
            "'''",
            "",
        ]
    )
