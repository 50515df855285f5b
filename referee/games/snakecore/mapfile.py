"""Map files of SnakeCore (rule 19 of README.md).

A map is a TOML document:

    name = "Duel"                     # one line
    description = "What it is about"  # one line
    rounds = 300                      # 300 if left out
    symmetry = "half"                 # what makes the seats alike
    field = '''
    1..b.
    .W.R.
    ..e..
    .R.W.
    .b..2
    '''
    [blocks]                          # strewn with the match's seed; none if left out
    ordinary = 4
    energy = 2

1. `field` has n rows of n characters: `W` wall, `R` reactor, `b` and `e` blocks, `.` empty, `1` to `8` starting places. Places
   are numbered without a gap. A seat's place is its number; places can be rotated over the seats.
2. `symmetry` is `none`, `half`, `quarter`, `left-right`, `top-bottom`, `diagonal`, `anti-diagonal`, `four-mirrors` (half,
   left-right and top-bottom together) or `full` (all rotations and mirrors). It exchanges the places and leaves the map as it
   is. Two places need `half` or a mirror; four need `quarter` or `four-mirrors`; eight need `full`. No symmetry of a square
   has 3, 5, 6 or 7 alike places.
3. Blocks are strewn on empty cells, but never on a starting place, whether taken or not. So the blocks of a map and seed do
   not depend on the number of bots. They fill whole orbits, so that all seats start alike; orbits with fewer cells than the
   others stay empty, and both numbers are multiples of the orbits' size.
4. On a map with four or eight places, the first two are opposite each other, so that it is fair for two bots as well. The
   first four of eight are alike, so that it is fair for four.
   Other numbers of bots below the number of places start fairly only if the places are rotated over the seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from pydantic import Field

from referee.boards.grid import GROUPS, Cell, orbit
from referee.boards.maptext import MapModel, cells_with, check_field
from referee.errors import SetupError
from referee.games.snakecore.position import MAX_SEATS, MAX_SIZE, Rounds
from referee.text.strict import Strict, read

SIZES: Final = range(3, MAX_SIZE + 1)
"""Cells a side: below 3 there is no room for a turn."""

PLACES: Final = "123456789"[:MAX_SEATS]


class BlocksModel(Strict):
    """The table [blocks]: how many blocks are strewn."""

    ordinary: int = Field(0, ge=0)
    energy: int = Field(0, ge=0)


class DocumentModel(MapModel):
    """A map's keys. `read_map` checks the field."""

    rounds: Rounds = 300
    symmetry: Literal[
        "none", "half", "quarter", "left-right", "top-bottom", "diagonal", "anti-diagonal", "four-mirrors", "full"
    ]
    field: str
    blocks: BlocksModel = BlocksModel()


@dataclass(frozen=True)
class Map:
    """A map that is readable, fair or not.

    Attributes:
        rows: the field, `rows[y][x]`, with the digits of the places.
        starts: the places (x, y) in the order of their digits.
    """

    document: DocumentModel
    rows: Sequence[str]
    starts: Sequence[Cell]

    @property
    def size(self) -> int:
        """The side in cells."""
        return len(self.rows)

    @property
    def order(self) -> int:
        """The number of cells of a whole orbit."""
        return len(GROUPS[self.document.symmetry])

    @cached_property
    def orbits(self) -> Sequence[Sequence[Cell]]:
        """The sets of cells on which blocks are strewn together, by their first cell in reading order."""
        cells = cells_with(self.rows, ".")
        free, left = set(cells), set(cells)
        orbits: list[list[Cell]] = []
        for cell in cells:
            if cell in left:
                images = orbit(cell, self.document.symmetry, self.size)
                left.difference_update(images)
                if len(images) == self.order and free.issuperset(images):
                    orbits.append(images)
        return orbits


def read_map(document: Mapping[str, Any]) -> Map:
    """The map that a parsed TOML document describes. Raises: SetupError, with the key and what is wrong."""
    head = read(DocumentModel, dict(document), SetupError)
    rows = [row.strip() for row in head.field.strip().splitlines()]
    legend = "W wall, R reactor, b or e block, . empty, 1 to 8 start"
    check_field(rows, SIZES, "WRbe." + PLACES, legend)
    chart = Map(head, rows, _places(rows))
    for key, number in (("ordinary", head.blocks.ordinary), ("energy", head.blocks.energy)):
        if rest := number % chart.order:
            raise SetupError(
                f"blocks.{key}: {number} cannot be placed symmetrically, {chart.order} at a time: "
                f"use {number - rest} or {number - rest + chart.order}"
            )
    return chart


def _places(rows: Sequence[str]) -> list[Cell]:
    """The starting places of a field, in the order of their digits. Raises: SetupError."""
    starts: dict[str, Cell] = {}
    for x, y in cells_with(rows, PLACES):
        digit = rows[y][x]
        if digit in starts:
            raise SetupError(f"field: start {digit} is at {starts[digit]} and at ({x}, {y}): use each number once")
        starts[digit] = (x, y)
    if not starts:
        raise SetupError("field: no place to start: write 1 on an empty cell, 2 on another, and so on")
    for expected, digit in zip(PLACES, sorted(starts), strict=False):
        if digit != expected:
            raise SetupError(f"field: start {digit} but no start {expected}: number the starts from 1 without a gap")
    return [starts[digit] for digit in sorted(starts)]
