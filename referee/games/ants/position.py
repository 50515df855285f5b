"""Positions of Ants as JSON (README.md, Positions). Only positions that obey the rules are accepted.

A position is an untrusted file. An accepted one is consistent: the hills are in different corners, everything is on the field,
each cell has at most one entry, and there are no more ants than can have appeared (rules 1, 2, 5, 6 and 8 of README.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import Field, field_validator, model_validator

from referee.contract.game import FaultName
from referee.text.strict import Strict
from referee.text.words import counted

SIZES: Final = range(2, 201)
"""Cells a side. A field of 1 has only one corner; above 200, the states that a replay keeps would fill the memory."""
MAX_ANTS: Final = 100
"""The most ants a hill. A program has to answer for each of them in each unit."""
MAX_TURNS: Final = 200_000
"""The most turns of a match, over all ants. This many fit into a readable saved game, even if all answers are long."""
SEATS: Final = range(2, 5)
"""How many hills there can be: a field has four corners."""
FRESH: Final = 100
"""The intensity of a new smell (rule 5)."""
BITTEN: Final = 8
"""The turns that a bite costs (rule 6)."""
INT32: Final = range(-(2**31), 2**31)
"""The range of actions and hues: signed 32-bit integers."""
NO_MEMORY: Final = "0" * 64

# Every number has a cap: an untrusted number must not fill a message, and JSON readers must be able to hold it exactly.
Number = Annotated[int, Field(ge=-(2**53), le=2**53)]
Units = Annotated[int, Field(ge=1, le=MAX_TURNS // SEATS.start)]
Ants = Annotated[int, Field(ge=1, le=MAX_ANTS)]
Side = Annotated[int, Field(ge=SIZES.start, le=SIZES.stop - 1)]
Pair = Annotated[list[Number], Field(min_length=2, max_length=2)]
Food = Annotated[list[Number], Field(min_length=3, max_length=3)]
Smell = Annotated[list[Number], Field(min_length=4, max_length=4)]

_MOST_CELLS: Final = (SIZES.stop - 1) ** 2
_MEMORY: Final = re.compile("[0-9A-Fa-f]{64}")


class AntModel(Strict):
    """One ant: `at` is [x, y], `memory` 64 hex digits, `disabled` the number of turns that it is still to lose."""

    at: Pair
    food: bool = False
    memory: str = NO_MEMORY
    disabled: Annotated[int, Field(ge=0, le=BITTEN)] = 0

    @field_validator("memory")
    @classmethod
    def _bytes(cls, memory: str) -> str:
        if not _MEMORY.fullmatch(memory):
            raise ValueError("must be 64 hex digits")
        return memory.lower()


Team = Annotated[list[AntModel], Field(max_length=MAX_ANTS)]


class PositionModel(Strict):
    """A moment of a match. The defaults are those of its start."""

    size: Side
    units: Units
    unit: Annotated[int, Field(ge=0, le=MAX_TURNS)] = 1
    ants: Ants
    hills: Annotated[list[Pair], Field(min_length=SEATS.start, max_length=SEATS.stop - 1)]
    food: Annotated[list[Food], Field(max_length=_MOST_CELLS)] = Field(default_factory=list)
    smells: Annotated[list[Smell], Field(max_length=_MOST_CELLS)] = Field(default_factory=list)
    teams: Annotated[list[Team], Field(max_length=SEATS.stop - 1)] = Field(default_factory=list)
    next: Pair | None = Field(default_factory=lambda: [0, 0])
    disqualified: Annotated[list[FaultName | None], Field(max_length=SEATS.stop - 1)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _fits_together(self) -> PositionModel:
        last = self.size - 1
        for seat, (x, y) in enumerate(self.hills):
            if x not in (0, last) or y not in (0, last):
                raise ValueError(f"hills.{seat}: ({x}, {y}) is not a corner of a field of size {self.size}")
            if [x, y] in self.hills[:seat]:
                raise ValueError(f"hills.{seat}: two hills in the corner ({x}, {y})")
        if lacking := too_long(self.units, self.ants, len(self.hills)):
            raise ValueError(f"units: {lacking}")
        self._cells("food", self.food)
        for index, (_, _, amount) in enumerate(self.food):
            if amount < 1:
                raise ValueError(f"food.{index}: {amount} mg: leave out cells without food")
        self._cells("smells", self.smells)
        for index, (_, _, hue, intensity) in enumerate(self.smells):
            if hue not in INT32:
                raise ValueError(f"smells.{index}: the hue {hue} does not fit into 32 bits")
            if not 0 <= intensity <= FRESH:
                raise ValueError(f"smells.{index}: the intensity {intensity} is not from 0 to {FRESH}")
        for key, entries in (("teams", self.teams), ("disqualified", self.disqualified)):
            if key in self.model_fields_set and len(entries) != len(self.hills):
                raise ValueError(f"{key}: {counted(len(entries), 'entry', 'entries')} for {len(self.hills)} hills")
        self._time_fits()
        self._ants_fit()
        self._next_fits()
        return self

    def _cells(self, key: str, entries: Iterable[list[int]]) -> None:
        """Check that each entry is about a cell of the field, and no two about the same cell."""
        occupied = set()
        for index, (x, y, *_) in enumerate(entries):
            if not (0 <= x < self.size and 0 <= y < self.size):
                raise ValueError(f"{key}.{index}: ({x}, {y}) is off the field")
            if (x, y) in occupied:
                raise ValueError(f"{key}.{index}: the cell ({x}, {y}) is listed twice")
            occupied.add((x, y))

    def _ants_fit(self) -> None:
        most = min(self.unit, self.ants)
        for seat, team in enumerate(self.teams):
            if len(team) > most:
                ants = counted(len(team), "ant")
                raise ValueError(f"teams.{seat}: {ants}, though at most {most} have appeared by now")
            for number, ant in enumerate(team):
                x, y = ant.at
                if not (0 <= x < self.size and 0 <= y < self.size):
                    raise ValueError(f"teams.{seat}.{number}: ({x}, {y}) is off the field")

    def _time_fits(self) -> None:
        if self.unit > self.units:
            raise ValueError(f"unit: {self.unit} is past the end, {self.units} units")
        if self.next is None:
            if self.unit < self.units and not (self.disqualified and all(self.disqualified)):
                why = "null is only for the end of a match, and this one goes on"
                raise ValueError(f"next: {why}: give a seat and an ant")
        elif self.unit == 0:
            raise ValueError("unit: units count from 1")

    def _next_fits(self) -> None:
        if self.next not in (None, [0, 0]):
            seat, number = self.next
            if not (0 <= seat < len(self.teams) and 0 <= number < len(self.teams[seat])):
                raise ValueError(f"next: there is no ant {number} of seat {seat} (both count from 0)")


def too_long(units: int, ants: int, hills: int) -> str | None:
    """Why a match with this many units is too long to save; None if it is not."""
    if units * ants * hills <= MAX_TURNS:
        return None
    most = MAX_TURNS // (ants * hills)
    return f"{units} are too many to save: with {hills} hills and ants = {ants}, use at most {most}"
