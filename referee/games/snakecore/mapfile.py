"""A map of SnakeCore as it is written, and read (rule 19 of README.md).

A map is a TOML document:

    name = "Duel"                     # one line
    description = "What it is about"  # one line
    rounds = 300                      # the usual number of rounds; 300 when left out
    symmetry = "half"                 # what makes the seats alike; see below
    field = '''
    1..b.
    .W.R.
    ..e..
    .R.W.
    .b..2
    '''
    [blocks]                          # strewn from the match's seed; none when left out
    ordinary = 4
    energy = 2
    symmetric = true                  # in whole orbits, so that all seats start alike; true when left out

1. `field` has n rows of n characters: `W` wall, `R` reactor, `b` and `e` a given block, `.` empty, `1` to `8` the
   starting places, numbered without a gap. A seat's place is its number; places can be rotated over the seats.
2. `symmetry` is `none`, `half`, `quarter`, `left-right`, `top-bottom`, `diagonal`, `anti-diagonal`, `four-mirrors` (half,
   left-right and top-bottom together): what exchanges the places without changing the map. Two places need `half` or a
   mirror; four need `quarter` or `four-mirrors`. No symmetry of a square has three alike places.
3. Strewn blocks lie on cells that are empty then, never on a starting place, whether taken or not: so the blocks of a map
   and seed are the same for any number of bots. When symmetric, they fill whole orbits, a cell that an exchange leaves
   in place is no use, and both numbers are multiples of the orbits' size.
4. A map with four places puts the first two opposite each other, so that it is fair for two bots as well.
   Other bots fewer than places start fair only by rotating them through the seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pydantic import Field, ValidationError

from referee.errors import SetupError
from referee.games.snakecore import symmetry
from referee.games.snakecore.graph import Graph
from referee.games.snakecore.position import MAX_SEATS, MAX_SIZE, MAX_TURNS, Rounds
from referee.grid import Cell
from referee.names import counted, is_line, shorten
from referee.strict import Strict

SIZES: Final = range(3, MAX_SIZE + 1)
"""Cells a side: below 3 there is no room for a turn."""

PLACES: Final = "123456789"[:MAX_SEATS]

_WANTED: Final[Mapping[str, str]] = {
    "name": "must be a line of text in quotes",
    "description": "must be a line of text in quotes",
    "rounds": f"must be a whole number from 1 to {MAX_TURNS}",
    "symmetry": f"must be one of {', '.join(symmetry.NAMES)}",
    "field": "must be rows of text between ''' and '''",
    "blocks": "must be a table: [blocks], then ordinary, energy, symmetric",
    "blocks.ordinary": "must be a whole number, 0 or more",
    "blocks.energy": "must be a whole number, 0 or more",
    "blocks.symmetric": "must be true or false",
}
"""What may stand under each key, for the message about what does not."""


class BlocksModel(Strict):
    """The table [blocks]: how many are strewn, and whether in whole orbits."""

    ordinary: int = Field(0, ge=0)
    energy: int = Field(0, ge=0)
    symmetric: bool = True


class DocumentModel(Strict):
    """A map's keys; what the texts must look like beyond that, `read_map` says."""

    name: str
    description: str
    rounds: Rounds = 300
    symmetry: str
    field: str
    blocks: BlocksModel = BlocksModel()


@dataclass(frozen=True)
class Map:
    """A map that is readable; whether it is fair is another question.

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

    @cached_property
    def contents(self) -> dict[Cell, str]:
        """Every cell that is not a wall, by rows; a place is an empty cell."""
        return {
            (x, y): "." if char in PLACES else char
            for y, row in enumerate(self.rows)
            for x, char in enumerate(row)
            if char != "W"
        }

    @cached_property
    def graph(self) -> Graph:
        """The cells that are not walls, as neighbours."""
        return Graph(self.contents)

    @cached_property
    def steps(self) -> list[list[int]]:
        """The distances from each start to all cells, by their numbers in `ways`."""
        return [self.graph.distances(start) for start in self.starts]

    @cached_property
    def group(self) -> list[symmetry.Exchange]:
        """The exchanges of the map's symmetry, the identity first; as many as a whole orbit has cells."""
        return symmetry.of_square(self.document.symmetry, self.size)

    def orbits(self) -> list[list[Cell]]:
        """The sets of cells on which blocks are strewn together, by their first cell in reading order."""
        free = {cell for cell, char in self.contents.items() if char == "."}.difference(self.starts)
        if not self.document.blocks.symmetric:
            return [[cell] for cell in self.contents if cell in free]
        found = []
        left = set(free)
        for cell in self.contents:
            if cell in left:
                images = symmetry.orbit(cell, self.group)
                left.difference_update(images)
                if len(images) == len(self.group) and free.issuperset(images):
                    found.append(images)
        return found


def read_map(document: Mapping[str, Any]) -> Map:
    """The map that a parsed TOML document describes. Raises: SetupError, with the key and what may stand there."""
    try:
        head = DocumentModel.model_validate(dict(document))
    except ValidationError as error:
        raise SetupError(_complaint(error)) from None
    for key, text in (("name", head.name), ("description", head.description)):
        if not is_line(text):
            raise SetupError(f"{key}: must be one line of text, not empty")
    if head.symmetry not in symmetry.NAMES:
        raise SetupError(f"symmetry: {_WANTED['symmetry']}, not {shorten(repr(head.symmetry), 40)}")
    rows = [row.strip() for row in head.field.strip().splitlines()]
    board = Map(head, rows, _places(rows))
    if head.blocks.symmetric:
        for key, number in (("ordinary", head.blocks.ordinary), ("energy", head.blocks.energy)):
            order = len(board.group)
            rest = number % order
            if rest:
                raise SetupError(
                    f"blocks.{key}: {number} cannot be strewn in whole orbits of {order} cells: "
                    f"use {number - rest} or {number - rest + order}, or set blocks.symmetric = false"
                )
    return board


def _places(rows: Sequence[str]) -> list[Cell]:
    """The starting places of a field, in the order of their digits. Raises: SetupError: the field is not one."""
    size = len(rows)
    if size not in SIZES:
        raise SetupError(f"field: must have {SIZES.start} to {SIZES.stop - 1} rows, not {size}")
    found: dict[str, Cell] = {}
    for y, row in enumerate(rows):
        if len(row) != size:
            raise SetupError(
                f"field: row {y + 1} has {counted(len(row), 'character')}, but a field of {size} rows needs {size} in each"
            )
        for x, char in enumerate(row):
            if char not in "WRbe." + PLACES:
                raise SetupError(
                    f"field: {char!r} at ({x}, {y}) is no cell: use W wall, R reactor, b or e block, . empty, 1 to 8 start"
                )
            if char in found:
                raise SetupError(f"field: start {char} stands at {found[char]} and at ({x}, {y}): number each once")
            if char in PLACES:
                found[char] = (x, y)
    digits = sorted(found)
    if not digits:
        raise SetupError("field: no place to start: write 1 on an empty cell, 2 on another, and so on")
    for wanted, digit in zip(PLACES, digits, strict=False):
        if digit != wanted:
            raise SetupError(f"field: start {digit} but no start {wanted}: number the starts from 1 without a gap")
    return [found[digit] for digit in digits]


def _complaint(error: ValidationError) -> str:
    """The first thing that is wrong with a document, in one line with the key and the way out."""
    first = error.errors(include_url=False)[0]
    *table, last = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        known = [name for name in _WANTED if name.split(".")[:-1] == table]
        return f"{'.'.join([*table, shorten(last, 40)])}: there is no such key: use {', '.join(known)}"
    key = ".".join([*table, last])
    if first["type"] == "missing":
        return f"{key}: is missing: {_WANTED[key]}"
    return f"{key}: {_WANTED[key]}, not {shorten(repr(first['input']), 40)}"
