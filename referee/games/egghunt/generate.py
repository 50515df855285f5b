"""Fields at random, by rule 1 of README.md.

1. A field is drawn whole: walls first, each inside the border with both ends, then eggs and players on blank cells, all
   different. If they do not all lie in one open area (steps go to all eight neighbours), the whole field is drawn again. So
   each valid field is as likely as any other.
2. For seven players one field in four is valid, for twenty nearly all. `TRIES` ends the search in any case.
3. Fields are drawn during a match. So `is_one_area` works on a large number with a bit for each cell: steps from all reached
   cells in all eight directions are four shifts. This takes 20 µs for seven players.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from referee.boards.chance import pick, shuffled
from referee.boards.grid import Cell
from referee.boards.maptext import cells_with
from referee.errors import InternalError
from referee.games.egghunt.position import BLANK, WALL

LENGTHS: Final = range(2, 11)
"""Cells of a wall."""
SIDE_EACH: Final = 3
"""Cells of a side, and walls, for each player."""
EGGS_EACH: Final = 4
TRIES: Final = 10_000
_BLANK_BITS: Final = str.maketrans({BLANK: "1", WALL: "0"})


class Field(NamedTuple):
    """Walls and blanks by rows, the eggs, and where the players start, by seat."""

    rows: Sequence[str]
    eggs: Sequence[Cell]
    players: Sequence[Cell]


def field_of_run(players: int, rng_seed: int, run: int) -> Field:
    """The field of a run (from 1) of the match with this seed."""
    rng = Random(f"egghunt field {rng_seed} {run}")
    for _ in range(TRIES):
        field = _random_field(players, rng)
        if is_one_area(field):
            return field
    raise InternalError(f"{TRIES} tries gave no field for {players} players")


def keeps_the_rules(field: Field) -> bool:
    """Whether rule 1 allows a field that another program drew. Its inner walls may be any."""
    rows, count = field.rows, len(field.players)
    side = SIDE_EACH * count
    return (
        len(rows) == len(rows[0]) == side
        and rows[0] == rows[-1] == WALL * side
        and all(row[0] == row[-1] == WALL for row in rows)
        and len(field.eggs) == EGGS_EACH * count
        and is_one_area(field)
    )


def is_one_area(field: Field) -> bool:
    """Whether all eggs and players lie in one open area."""
    rows, eggs, players = field
    stride = len(rows[0]) + 1  # a column of wall ends each row
    blank = int(WALL.join(rows).translate(_BLANK_BITS)[::-1], 2)
    targets = before = 0
    for x, y in (*eggs, *players):
        targets |= 1 << y * stride + x
    reached = targets & -targets & blank  # the first of them, unless it is a wall
    while reached != before and targets & ~reached:
        before = reached
        across = reached | reached << 1 | reached >> 1
        reached = (across | across << stride | across >> stride) & blank
    return not targets & ~reached


def wall(size: int, rng: Random) -> list[Cell]:
    """The cells of a straight wall at a random place inside the border; short enough for a small field."""
    inside = size - 2
    length = min(inside, LENGTHS.start + pick(rng, len(LENGTHS)))
    across = 1 + pick(rng, inside)
    first = 1 + pick(rng, inside - length + 1)
    along = range(first, first + length)
    return [(k, across) for k in along] if rng.random() < 0.5 else [(across, k) for k in along]


def _random_field(players: int, rng: Random) -> Field:
    size = SIDE_EACH * players
    inner = [[WALL, *BLANK * (size - 2), WALL] for _ in range(size - 2)]
    rows = [[*WALL * size], *inner, [*WALL * size]]
    for _ in range(size):
        for x, y in wall(size, rng):
            rows[y][x] = WALL
    eggs = EGGS_EACH * players
    things = shuffled(cells_with(rows, BLANK), rng, eggs + players)
    return Field(["".join(row) for row in rows], things[:eggs], things[eggs:])
