"""Maps of SnakeCore: files, facts, whether they are fair, and the position that a match starts from (rule 19 of README.md).

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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Final, Literal

from pydantic import Field

from referee.boards.chance import shuffled
from referee.boards.grid import DIRECTIONS, GROUPS, SYMMETRIES, Cell, Symmetry, orbit, reachable_cells
from referee.boards.maptext import MapModel, cells_with, check_field, counterparts
from referee.contract.positions import MapFacts, Maps, Position
from referee.errors import SetupError
from referee.games.snakecore.generate import map_text
from referee.games.snakecore.position import MAX_SEATS, MAX_SIZE, Rounds
from referee.games.snakecore.rules import start
from referee.text.strict import Strict, read
from referee.text.words import counted

SIZES: Final = range(3, MAX_SIZE + 1)
"""Cells a side: below 3 there is no room for a turn."""
PLACES: Final = "123456789"[:MAX_SEATS]
ALIKE: Final = "two starts are alike under half or a mirror, four under quarter or four-mirrors, eight under full"
"""The symmetries for each number of alike starts."""


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
    """A map that is readable, fair or not. `rows` has the digits of the places, and `starts` their cells in that order."""

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
    check_field(rows, SIZES, "WRbe." + PLACES, "W wall, R reactor, b or e block, . empty, 1 to 8 start")
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


class SnakeCoreMaps(Maps):
    """What SnakeCore knows about its maps: the `Maps` of the contract."""

    default = "crossroads"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. `counts` are walls, reactors, and all ordinary and energy blocks, drawn or strewn."""
        chart = read_map(document)
        head, rows = chart.document, chart.rows
        text = "".join(rows)
        return MapFacts(
            name=head.name,
            description=head.description,
            size=chart.size,
            starts=chart.starts,
            rounds=head.rounds,
            rows=rows,
            symmetry=head.symmetry,
            counts={
                "walls": text.count("W"),
                "reactors": text.count("R"),
                "ordinary": text.count("b") + head.blocks.ordinary,
                "energy": text.count("e") + head.blocks.energy,
            },
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair or unreachable on a map.

        A map is fair if it has the symmetry that it names, and if this symmetry exchanges the places. Then all seats have the
        same game.
        """
        chart = read_map(document)
        return [*_unfair(chart), *_unreachable(chart), *_unscorable(chart)]

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from, the blocks strewn."""
        chart = read_map(document)
        name = chart.document.name
        if seats < 1:
            raise SetupError(f"a match on {name} needs at least 1 bot")
        if seats > len(chart.starts):
            most = counted(len(chart.starts), "bot")
            raise SetupError(f"{name} takes at most {most}, not {seats}: choose a larger map")
        if rounds is not None and rounds < 1:
            raise SetupError(f"rounds: must be 1 or more, not {rounds}")
        rows = [["." if char in PLACES else char for char in row] for row in chart.rows]
        for (x, y), kind in _strewn(chart, Random(f"snakecore setup {rng_seed}")):
            rows[y][x] = kind
        setup = {
            "size": chart.size,
            "rounds": rounds or chart.document.rounds,
            "field": ["".join(row) for row in rows],
            "pythons": [{"cells": [list(chart.starts[(seat + rotate) % seats])]} for seat in range(seats)],
        }
        return start(setup, rng_seed).position()

    generate = staticmethod(map_text)


def _strewn(chart: Map, rng: Random) -> Iterator[tuple[Cell, str]]:
    """The blocks that are strewn: cell and kind. Raises: SetupError: there is not enough room."""
    if lacking := _no_room(chart):
        raise SetupError(lacking)
    blocks = chart.document.blocks
    chosen = shuffled(chart.orbits, rng, (blocks.ordinary + blocks.energy) // chart.order)
    for k, cells in enumerate(chosen):
        for cell in cells:
            yield cell, "b" if k * chart.order < blocks.ordinary else "e"


def _no_room(chart: Map) -> str | None:
    """Why the map's blocks cannot be strewn; None if they can."""
    blocks = chart.document.blocks
    count = blocks.ordinary + blocks.energy
    room = sum(map(len, chart.orbits))
    if count <= room:
        return None
    return f"blocks: {count} do not fit on {room} symmetric empty cells: place fewer, or clear some cells"


def _unfair(chart: Map) -> Iterator[str]:
    """What makes the seats unequal."""
    name, size, starts = chart.document.symmetry, chart.size, chart.starts
    things = {"wall": "W", "reactor": "R", "ordinary block": "b", "energy block": "e"}
    yield from counterparts({thing: cells_with(chart.rows, char) for thing, char in things.items()}, name, size)
    sends = [SYMMETRIES[element] for element in GROUPS[name]]
    if apart := _distinct_starts(starts, sends, size):
        places = ", ".join(map(str, apart))
        yield f"Starts that are not alike with start 1: {places}. The symmetry {name} does not exchange them ({ALIKE})."
    elif len(starts) in (4, 8) and orbit(starts[0], "half", size)[-1] != starts[1]:
        yield "Two bots would not start alike: number the starts so that 2 is opposite 1, by a half turn."
    elif len(starts) == 8 and _distinct_starts(starts[:4], sends, size):
        yield "Four bots would not start alike: number the starts so that quarter turns send 1 to 2, 3 and 4."


def _distinct_starts(starts: Sequence[Cell], sends: Sequence[Symmetry], size: int) -> list[int]:
    """The numbers of the starts that are not alike with the first one, if no others are taken."""
    keeping = [send for send in sends if set(starts) == {send(start, size) for start in starts}]
    alike = {send(starts[0], size) for send in keeping}
    return [k for k, start in enumerate(starts, 1) if start not in alike]


def _unreachable(chart: Map) -> Iterator[str]:
    """What cannot be reached from start 1, and starts that reach no reactor. A head never enters a reactor."""
    steps = DIRECTIONS.values()
    reactors, open_cells = cells_with(chart.rows, "R"), cells_with(chart.rows, ".be" + PLACES)
    passable = set(open_cells)
    near = [reachable_cells(start, passable, steps) for start in chart.starts]
    beside = {(x, y): [(x + dx, y + dy) for dx, dy in steps] for x, y in reactors}
    lost_cells = [cell for cell in open_cells if cell not in near[0]]
    lost_reactors = [cell for cell in reactors if near[0].isdisjoint(beside[cell])]
    for thing, lost in (("cell", lost_cells), ("reactor", lost_reactors)):
        if lost:
            yield f"The {thing} at {lost[0]} cannot be reached from start 1."
    for number, cells in enumerate(near, 1):
        if all(cells.isdisjoint(beside[reactor]) for reactor in reactors):
            yield f"Start {number} cannot reach a reactor."


def _unscorable(chart: Map) -> Iterator[str]:
    """What is wrong with the blocks."""
    blocks = chart.document.blocks
    if not blocks.ordinary + blocks.energy and not cells_with(chart.rows, "be"):
        yield "There are no blocks, so that nobody can score."
    if lacking := _no_room(chart):
        yield f"{lacking[0].upper()}{lacking[1:]}."


MAPS: Final = SnakeCoreMaps()
