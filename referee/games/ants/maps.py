"""Maps of Ants: what is known of them, whether they are fair, and what a match starts from (rule 11 of README.md).

A map is a TOML document. Its food is drawn,

    name = "Hoard"                    # one line
    description = "What it is about"  # one line
    units = 600                       # 1000 when left out
    ants = 8                          # 10 when left out
    field = '''
    H....H
    ..3...
    ...a..
    H....H
    '''

with `H` in the four corners, `.` for nothing, `1` to `9` and then `a` to `z` (10 to 35) for the milligrams on a cell; or it
is laid anew for each match, from the match's seed:

    size = 31
    [food]
    heaps = 6        # in each quarter of the field
    smallest = 5     # mg; heaps are spread evenly from the smallest
    largest = 20     # to the largest
    crumbs = 12      # cells with 1 mg, in each quarter
    centre = 32      # mg on the middle cell, or on each of four
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field, field_validator, model_validator

from referee.errors import SetupError
from referee.game import MapFacts, Maps, Position
from referee.games.ants import generate
from referee.games.ants.generate import LETTERS, SYMMETRY, Larder, corners, mirrored
from referee.games.ants.position import SEATS, SIZES, Ants, Side, Units, too_long
from referee.grid import Cell
from referee.names import counted, is_line, shorten
from referee.strict import Strict, read

EXAMPLE: Final = " (Food is laid anew for each match; what is drawn is an example.)"

Amount = Annotated[int, Field(ge=0, le=10**6)]


class LarderModel(Strict):
    """The table [food]."""

    heaps: Amount
    smallest: Annotated[int, Field(ge=1, le=10**6)]
    largest: Annotated[int, Field(ge=1, le=10**6)]
    crumbs: Amount = 0
    centre: Amount = 0

    @model_validator(mode="after")
    def _in_order(self) -> LarderModel:
        if self.smallest > self.largest:
            raise ValueError(f"smallest: {self.smallest} is more than largest, {self.largest}")
        return self


class DocumentModel(Strict):
    """A map's keys: either a field, or size and food."""

    name: str
    description: str
    units: Units = 1000
    ants: Ants = 10
    field: str | None = None
    size: Side | None = None
    food: LarderModel | None = None

    @field_validator("name", "description")
    @classmethod
    def _one_line(cls, text: str) -> str:
        if not is_line(text):
            raise ValueError("must be one line of text, not empty")
        return text

    @model_validator(mode="after")
    def _drawn_or_laid(self) -> DocumentModel:
        if self.field is not None and (self.size is not None or self.food is not None):
            raise ValueError("field: it has its own size and food: leave out `size` and [food], or the field")
        if self.field is None and (self.size is None or self.food is None):
            raise ValueError("field: is missing: draw one, or give `size` and a table [food]")
        return self


@dataclass(frozen=True)
class Map:
    """A map that is readable. `food` has mg by cell; `larder` how food is laid for a match, None on a drawn map."""

    document: DocumentModel
    size: int
    food: Mapping[Cell, int]
    larder: Larder | None

    def for_match(self, rng_seed: int) -> Mapping[Cell, int]:
        """The food of a match with this seed. Raises: SetupError: there is no room for it."""
        if self.larder is None:
            return self.food
        return generate.laid(self.larder, self.size, random.Random(f"ants setup {rng_seed}"))


class AntsMaps(Maps):
    """What Ants knows about its maps: the `Maps` of the contract."""

    default = "meadow"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. `counts` are the milligrams of food, and the cells that have any; of a laid map, an example is drawn.

        Raises: SetupError.
        """
        field = read_map(document)
        head = field.document
        food = field.for_match(0)
        return MapFacts(
            name=head.name,
            description=head.description + (EXAMPLE if field.larder else ""),
            size=field.size,
            starts=corners(field.size),
            rounds=head.units,
            rows=generate.drawn(food, field.size),
            symmetry="none" if _unmirrored(field) else SYMMETRY,
            counts={"mg of food": sum(food.values()), "cells with food": len(food), "ants a hill": head.ants},
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair on a map, one sentence each; empty when all is well. Raises: SetupError.

        Fair means that the food is the same in both mirrors: then all four hills have it at the same distances, and so have
        two in opposite corners. Of three the middle one has two near rivals, on every map: only rotating makes up for it.
        """
        field = read_map(document)
        found = []
        lost = _unmirrored(field)
        if lost is not None:
            cell, image = lost
            found.append(
                f"The food at {cell}, {field.food[cell]} mg, is not mirrored at {image}, with {field.food.get(image, 0)} mg."
            )
        if not field.for_match(0):
            found.append("There is no food, so that nobody can score.")
        return found

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from (README.md, Positions), every key written out and the food laid.

        Seat s has the hill of place (s + `rotate`) mod `seats`, counted from 0, among those that so many players use.
        The same map and seed give the same food on every version of Python, for any number of players.

        Raises: SetupError: the map cannot be read, or is not for so many players.
        """
        field = read_map(document)
        head = field.document
        if seats not in SEATS:
            raise SetupError(f"{shorten(head.name, 80)} is for {SEATS.start} to {SEATS.stop - 1} bots, not {seats}")
        units = head.units if rounds is None else rounds
        if units < 1:
            raise SetupError(f"rounds: must be 1 or more units, not {units}")
        if lacking := too_long(units, head.ants, seats):
            raise SetupError(f"rounds: {lacking}" if rounds is not None else f"units: {lacking}")
        hills = generate.hills(field.size, seats)
        food = field.for_match(rng_seed)
        return {
            "size": field.size,
            "units": units,
            "unit": 1,
            "ants": head.ants,
            "hills": [list(hills[(seat + rotate) % seats]) for seat in range(seats)],
            "food": [[x, y, food[x, y]] for x, y in sorted(food, key=lambda cell: (cell[1], cell[0]))],
            "smells": [],
            "teams": [[] for _ in range(seats)],
            "next": [0, 0],
            "disqualified": [None] * seats,
        }

    def generate(self, *, size: int, players: int, symmetry: str | None, rng_seed: int, name: str) -> str:
        """A fair map as TOML text, its food drawn. Raises: SetupError."""
        if not is_line(name):
            raise SetupError("name: must be one line of text, not empty")
        return generate.map_text(size=size, players=players, symmetry=symmetry, rng_seed=rng_seed, name=name)


def read_map(document: Mapping[str, Any]) -> Map:
    """The map that a parsed TOML document describes. Raises: SetupError, with the key and what is wrong."""
    head = read(DocumentModel, dict(document), SetupError)
    if head.field is None:
        assert head.size is not None
        assert head.food is not None
        larder = Larder(**head.food.model_dump())
        lacking = generate.lack_of_room(larder, head.size)
        if lacking:
            raise SetupError(lacking)
        return Map(head, head.size, {}, larder)
    rows = [row.strip() for row in head.field.strip().splitlines()]
    return Map(head, len(rows), _drawn_food(rows), None)


def _drawn_food(rows: Sequence[str]) -> dict[Cell, int]:
    """The food of a drawn field, by rows. Raises: SetupError: it is none."""
    size = len(rows)
    if size not in SIZES:
        raise SetupError(f"field: must have {SIZES.start} to {SIZES.stop - 1} rows, not {size}")
    hills = corners(size)
    food: dict[Cell, int] = {}
    for y, row in enumerate(rows):
        if len(row) != size:
            raise SetupError(
                f"field: row {y + 1} has {counted(len(row), 'character')}, but a field of {size} rows needs {size} in each"
            )
        for x, char in enumerate(row):
            if (char == "H") != ((x, y) in hills):
                raise SetupError(f"field: {char!a} at ({x}, {y}): H stands in the four corners and nowhere else")
            if char not in LETTERS + "H":
                raise SetupError(
                    f"field: {char!a} at ({x}, {y}) is no cell: use . for nothing, 1 to 9 or a to z for food"
                )
            if char not in ".H":
                food[x, y] = LETTERS.index(char)
    return food


def _unmirrored(field: Map) -> tuple[Cell, Cell] | None:
    """Food without the same in a mirror: its cell, and where it should be. What is laid is always mirrored."""
    for cell, amount in field.food.items():
        for image in sorted(mirrored(cell, field.size)):
            if field.food.get(image) != amount:
                return cell, image
    return None


MAPS: Final = AntsMaps()
