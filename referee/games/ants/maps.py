"""Maps of Ants: their facts, whether they are fair, and the position that a match starts from (rule 11 of README.md).

A map is a TOML document. Either its food is drawn:

    name = "Hoard"                    # one line
    description = "What it is about"  # one line
    units = 600                       # 1000 if left out
    ants = 8                          # 10 if left out
    field = '''
    H....H
    ..3...
    ...a..
    H....H
    '''

with `H` in the four corners, `.` for nothing, and `1` to `9`, then `a` to `z` (10 to 35) for the milligrams on a cell. Or it is
laid for each match, with the match's seed:

    size = 31
    [food]
    heaps = 6        # in each quarter of the field
    smallest = 5     # mg; the sizes of heaps are spread evenly from the smallest
    largest = 20     # to the largest
    crumbs = 12      # cells with 1 mg, in each quarter
    centre = 32      # mg on the middle cell, or on each of four
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from pydantic import model_validator

from referee.boards.grid import Cell, first_asymmetry
from referee.boards.maptext import MapModel, check_field
from referee.contract.positions import MapFacts, Maps, Position
from referee.errors import SetupError
from referee.games.ants import generate
from referee.games.ants.generate import LETTERS, SYMMETRY, Larder, corners
from referee.games.ants.position import SEATS, SIZES, Ants, Side, Units, too_long
from referee.games.ants.rules import start
from referee.text.strict import read

EXAMPLE: Final = " (Food is laid anew for each match; what is drawn is an example.)"


class DocumentModel(MapModel):
    """A map's keys: either a field, or size and food."""

    units: Units = 1000
    ants: Ants = 10
    field: str | None = None
    size: Side | None = None
    food: Larder | None = None

    @model_validator(mode="after")
    def _drawn_or_laid(self) -> DocumentModel:
        if self.field is not None and (self.size is not None or self.food is not None):
            raise ValueError("field: it has its own size and food: leave out `size` and [food], or the field")
        if self.field is None and (self.size is None or self.food is None):
            raise ValueError("field: is missing: draw one, or give `size` and a table [food]")
        return self


@dataclass(frozen=True)
class Map:
    """A map that is readable. `food` is what is drawn, in mg by cell; nothing if food is laid for each match."""

    document: DocumentModel
    size: int
    food: Mapping[Cell, int]

    def for_match(self, rng_seed: int) -> Mapping[Cell, int]:
        """The food of a match with this seed."""
        if (larder := self.document.food) is None:
            return self.food
        return generate.lay_food(larder, self.size, Random(f"ants setup {rng_seed}"))


class AntsMaps(Maps):
    """What Ants knows about its maps: the `Maps` of the contract."""

    default = "meadow"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. If food is laid for each match, `rows` is an example."""
        chart = read_map(document)
        head = chart.document
        food = chart.for_match(0)
        return MapFacts(
            name=head.name,
            description=head.description + (EXAMPLE if head.food else ""),
            size=chart.size,
            starts=corners(chart.size),
            rounds=head.units,
            rows=generate.map_rows(food, chart.size),
            symmetry="none" if _first_asymmetry(chart) else SYMMETRY,
            counts={"mg of food": sum(food.values()), "cells with food": len(food), "ants a hill": head.ants},
        )

    def check(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What is unfair on a map.

        A map is fair if its food is the same in both mirrors. Then all four hills have food at the same distances, and so have
        two in opposite corners. Of three hills the middle one has two near rivals on every map: only rotation is fair.
        """
        chart = read_map(document)
        food = chart.food
        sentences = []
        if lost := _first_asymmetry(chart):
            cell, image = lost
            mirror = f"{image}, with {food.get(image, 0)} mg"
            sentences.append(f"The food at {cell}, {food[cell]} mg, is not mirrored at {mirror}.")
        if not chart.for_match(0):
            sentences.append("There is no food, so that nobody can score.")
        return sentences

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from, the food laid: the same for any number of players."""
        chart = read_map(document)
        head = chart.document
        if seats not in SEATS:
            raise SetupError(f"{head.name} is for {SEATS.start} to {SEATS.stop - 1} bots, not {seats}")
        units = head.units if rounds is None else rounds
        if units < 1:
            raise SetupError(f"rounds: must be 1 or more units, not {units}")
        if lacking := too_long(units, head.ants, seats):
            raise SetupError(f"rounds: {lacking}" if rounds is not None else f"units: {lacking}")
        hills = generate.hills(chart.size, seats)
        rotated = [list(hills[(seat + rotate) % seats]) for seat in range(seats)]
        food = [[*cell, amount] for cell, amount in chart.for_match(rng_seed).items()]
        setup = {"size": chart.size, "units": units, "ants": head.ants, "hills": rotated, "food": food}
        return start(setup, rng_seed).position()


def read_map(document: Mapping[str, Any]) -> Map:
    """The map that a parsed TOML document describes. Raises: SetupError, with the key and what is wrong."""
    head = read(DocumentModel, dict(document), SetupError)
    if head.field is None:
        assert head.size is not None
        assert head.food is not None
        if lacking := generate.lack_of_room(head.food, head.size):
            raise SetupError(lacking)
        return Map(head, head.size, {})
    rows = [row.strip() for row in head.field.strip().splitlines()]
    check_field(rows, SIZES, LETTERS + "H", ". for nothing, 1 to 9 or a to z for food, H for a hill")
    contents = {(x, y): char for y, row in enumerate(rows) for x, char in enumerate(row)}
    hills = corners(len(rows))
    for (x, y), char in contents.items():
        if (char == "H") != ((x, y) in hills):
            raise SetupError(f"field: {char!a} at ({x}, {y}): H must be in the four corners and nowhere else")
    food = {cell: LETTERS.index(char) for cell, char in contents.items() if char not in ".H"}
    return Map(head, len(rows), food)


def _first_asymmetry(chart: Map) -> tuple[Cell, Cell] | None:
    """Food without the same amount in a mirror: its cell, and where it should be. Laid food is always mirrored."""
    return first_asymmetry(chart.food, SYMMETRY, chart.size)


MAPS: Final = AntsMaps()
