"""Maps of the tail-biting snakes (rule 1 of games/ava/README.md).

The field is always empty, so a map has only the sizes of a match. It is a TOML document. Missing keys mean the usual values of
the game:

    name = "Classic"                  # one line
    description = "What it is about"  # one line
    size = 25                         # cells a side, odd
    length = 10                       # segments of each snake, from 2 to (size - 1) / 2
    steps = 1000                      # the longest match
    [options]                         # how programs are read
    rating = "sum"                    # or "max"
    failed_and_groups = "count"       # or "ignore"
    or_groups = "all"                 # or "any"

The starts are a cross on the middle lines. The match's seed decides which player starts where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, Final

from pydantic import Field

from referee.boards.chance import shuffled
from referee.boards.grid import Cell
from referee.boards.maptext import MapModel, draw_on
from referee.contract.positions import MapFacts, Maps, Position
from referee.errors import SetupError
from referee.tailbite.position import MAX_SIZE, MAX_STEPS, SEATS, OptionsModel, Steps, read_position
from referee.text.strict import read

STARTS: Final = 4
SIZES: Final = range(5, MAX_SIZE + 1, 2)


class DocumentModel(MapModel):
    """A map's keys; None is the usual value of the game."""

    size: Annotated[int, Field(ge=SIZES.start, le=MAX_SIZE)] | None = None
    length: Annotated[int, Field(ge=2, le=MAX_SIZE)] | None = None
    steps: Steps | None = None
    options: OptionsModel = OptionsModel()


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a match, in cells, segments and steps."""

    size: int
    length: int
    steps: int

    def start(self, number: int) -> list[Cell]:
        """The cells of the snake on a place, head first. Place 0 is below, the others follow clockwise: left, above, right."""
        last = self.size - 1
        middle = last // 2
        upwards = [(middle, last - k) for k in range(self.length - 1, -1, -1)]
        for _ in range(number):
            upwards = [(last - y, x) for x, y in upwards]
        return upwards


@dataclass(slots=True)
class TailBiteMaps(Maps):
    """The maps of one of the two games, with its name for messages: the `Maps` of the contract."""

    game: str
    usual: Sizes
    default: str = "classic"

    def facts(self, document: Mapping[str, Any]) -> MapFacts:
        """Read a map. The field shows the four starts: the head a digit, `o` body, `t` tail."""
        head, sizes = self._read(document)
        snakes = [sizes.start(number) for number in range(STARTS)]
        things: dict[Cell, str] = {}
        for number, cells in enumerate(snakes, start=1):
            things |= dict.fromkeys(cells, "o") | {cells[-1]: "t", cells[0]: str(number)}
        return MapFacts(
            name=head.name,
            description=head.description,
            size=sizes.size,
            starts=[cells[0] for cells in snakes],
            rounds=sizes.steps,
            rows=draw_on(["." * sizes.size] * sizes.size, things),
            symmetry="quarter",
            counts={"segments a snake": sizes.length},
        )

    def setup(
        self, document: Mapping[str, Any], *, seats: int, rng_seed: int, rounds: int | None = None, rotate: int = 0
    ) -> Position:
        """The position to start from; `rounds` are steps. The seed shuffles the four places, and `rotate` goes by that order."""
        head, sizes = self._read(document)
        if seats not in SEATS:
            raise SetupError(f"{self.game} is for {SEATS.start} to {SEATS.stop - 1} bots, not {seats}")
        steps = sizes.steps if rounds is None else rounds
        if not 1 <= steps <= MAX_STEPS:
            raise SetupError(f"rounds: a match has 1 to {MAX_STEPS} steps, not {steps}")
        numbers = shuffled(range(STARTS), Random(f"tailbite setup {rng_seed}"))[:seats]
        starts = [sizes.start(numbers[(seat + rotate) % seats]) for seat in range(seats)]
        snakes = [{"cells": [list(cell) for cell in cells]} for cells in starts]
        setup = {"size": sizes.size, "steps": steps, "snakes": snakes, "options": head.options.model_dump()}
        return read_position(setup).model_dump()

    def _read(self, document: Mapping[str, Any]) -> tuple[DocumentModel, Sizes]:
        head = read(DocumentModel, dict(document), SetupError)
        usual = self.usual
        sizes = Sizes(head.size or usual.size, head.length or usual.length, head.steps or usual.steps)
        if sizes.size not in SIZES:
            raise SetupError(f"size: must be odd, so that there is a middle, not {sizes.size}")
        if sizes.length > (most := (sizes.size - 1) // 2):
            possible = f"on {sizes.size} cells a side snakes have 2 to {most} segments"
            raise SetupError(f"length: {possible}, not {sizes.length}")
        return head, sizes
