"""Fair maps at random: a field with everything drawn in it, its places alike under a symmetry of the square.

1. Walls, eggs and places are laid together with all their images. Lengths and numbers are those of rule 1 of README.md:
   about as many walls as the field has cells a side, four eggs for each player.
2. A field whose eggs and places do not lie in one open area, or that has no room for them, is drawn anew, `TRIES` times at
   the most: a small field for many players may have none.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Final

from referee.errors import SetupError
from referee.games.egghunt.generate import EGGS_EACH, Field, blanks, bordered, draw_from, is_one_area, wall
from referee.games.egghunt.mapfile import EGG, GROUPS, START, images
from referee.games.egghunt.position import MAX_SEATS, WALL
from referee.grid import Cell
from referee.names import shorten

SIZES: Final = range(5, 301)
TRIES: Final = 300


def map_text(*, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
    """A fair map as TOML text; the same arguments give the same text on every version of Python.

    Args:
        size: the side in cells, the border included.
        symmetry: None for `quarter`, `half` or `none`, the first that so many places can have.

    Raises:
        SetupError: no such map can be drawn.
    """
    if size not in SIZES:
        raise SetupError(f"size: a map can be drawn with {SIZES.start} to {SIZES.stop - 1} cells a side, not {size}")
    if not 1 <= players <= MAX_SEATS:
        raise SetupError(f"players: a map can be drawn for 1 to {MAX_SEATS} players, not {players}")
    possible = [known for known in GROUPS if players % len(GROUPS[known]) == 0]
    symmetry = symmetry or next(usual for usual in ("quarter", "half", "none") if usual in possible)
    if symmetry not in possible:
        raise SetupError(
            f"symmetry: for {players} players use {' or '.join(possible)}, not {shorten(repr(symmetry), 40)}"
        )
    rng = Random(f"egghunt map {size} {players} {symmetry} {rng_seed}")
    for _ in range(TRIES):
        field = _drawn(size, players, symmetry, rng)
        if field is not None and is_one_area(field):
            break
    else:
        raise SetupError(
            f"size: no field of {size} cells a side with room for {players} players was found: use a larger one"
        )
    rows = [list(row) for row in field.rows]
    for letter, cells in ((EGG, field.eggs), (START, field.players)):
        for x, y in cells:
            rows[y][x] = letter
    return "\n".join(
        [
            f"name = {json.dumps(name, ensure_ascii=False)}",
            f'description = "Drawn at random for {players} player{"s" * (players > 1)}, with seed {rng_seed}."',
            f'symmetry = "{symmetry}"',
            "field = '''",
            *("".join(row) for row in rows),
            "'''",
            "",
        ]
    )


def _drawn(size: int, players: int, symmetry: str, rng: Random) -> Field | None:
    """A field, perhaps in several areas; None when there is no room for everything."""
    order = len(GROUPS[symmetry])
    rows = bordered(size)
    for _ in range(size // order):
        for cell in wall(size, rng):
            for x, y in images(cell, symmetry, size):
                rows[y][x] = WALL
    orbits = _orbits(blanks(rows), symmetry, size)
    wanted = (EGGS_EACH + 1) * players // order
    chosen = draw_from(range(len(orbits)), wanted, rng)
    if len(chosen) < wanted:
        return None
    things = [cell for k in chosen for cell in orbits[k]]
    eggs = EGGS_EACH * players
    return Field(["".join(row) for row in rows], things[:eggs], things[eggs:])


def _orbits(cells: Sequence[Cell], symmetry: str, size: int) -> list[list[Cell]]:
    """The cells in sets that the symmetry exchanges, whole sets only: a cell that an exchange leaves in place is no use."""
    order = len(GROUPS[symmetry])
    found = (images(cell, symmetry, size) for cell in cells)
    return [orbit for orbit in found if len(orbit) == order and orbit[0] == min(orbit)]
