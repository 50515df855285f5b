"""Fair maps at random: fields with walls, eggs and places, whose places are alike under a symmetry of the square.

1. Walls, eggs and places are laid together with all their images. Lengths and numbers are those of rule 1 of README.md:
   about as many walls as the field has cells a side, four eggs for each player.
2. A field without enough room, or whose eggs and places do not lie in one open area, is drawn again, at most `TRIES`
   times: a small field for many players may be impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from referee.boards.chance import shuffled
from referee.boards.grid import GROUPS, Cell, orbit
from referee.boards.maptext import cells_with, check_new, document, drawn
from referee.errors import SetupError
from referee.games.egghunt.generate import EGGS_EACH, Field, bordered, is_one_area, wall
from referee.games.egghunt.mapfile import EGG, START
from referee.games.egghunt.position import BLANK, MAX_SEATS, WALL
from referee.text.words import shorten

SIZES: Final = range(5, 301)
TRIES: Final = 300
SYMMETRIES: Final = ("none", "half", "left-right", "top-bottom", "quarter")


def map_text(*, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
    """A fair map as TOML text; the same arguments give the same text on every version of Python.

    Args:
        size: the side in cells, the border included.
        symmetry: None for `quarter`, `half` or `none`, the first that fits the number of players.

    Raises:
        SetupError: no such map can be drawn.
    """
    check_new(name, size, SIZES)
    if not 1 <= players <= MAX_SEATS:
        raise SetupError(f"players: a map can be drawn for 1 to {MAX_SEATS} players, not {players}")
    possible = [candidate for candidate in SYMMETRIES if players % len(GROUPS[candidate]) == 0]
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
    things = dict.fromkeys(field.eggs, EGG) | dict.fromkeys(field.players, START)
    description = f"Drawn at random for {players} player{'s' * (players > 1)}, with seed {rng_seed}."
    return document(name, description, {"symmetry": symmetry}, drawn(field.rows, things))


def _drawn(size: int, players: int, symmetry: str, rng: Random) -> Field | None:
    """A field, perhaps in several areas; None if there is no room for everything."""
    order = len(GROUPS[symmetry])
    rows = bordered(size)
    for _ in range(size // order):
        for cell in wall(size, rng):
            for x, y in orbit(cell, symmetry, size):
                rows[y][x] = WALL
    orbits = _orbits(cells_with(rows, BLANK), symmetry, size)
    orbit_count = (EGGS_EACH + 1) * players // order
    chosen = shuffled(orbits, rng, orbit_count)
    if len(chosen) < orbit_count:
        return None
    things = [cell for images in chosen for cell in images]
    eggs = EGGS_EACH * players
    return Field(["".join(row) for row in rows], things[:eggs], things[eggs:])


def _orbits(cells: Sequence[Cell], symmetry: str, size: int) -> list[list[Cell]]:
    """The cells in whole orbits; a cell that the symmetry leaves in place is not used."""
    orbits = (orbit(cell, symmetry, size) for cell in cells)
    return [images for images in orbits if len(images) == len(GROUPS[symmetry]) and images[0] == min(images)]
