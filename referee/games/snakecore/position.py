"""Positions of SnakeCore as JSON (README.md, Positions). Only positions that obey the rules are accepted.

A position is an untrusted file. An accepted one is consistent: each row has the field's size, the cells of a chain are
neighbours, no cell holds two things, and nothing is off the field (rules 1, 2 and 5 of README.md).
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, model_validator

from referee.boards.grid import AnyCell, check_chain, check_places
from referee.contract.game import FaultName
from referee.text.strict import Strict
from referee.text.words import counted

MAX_SIZE: Final = 999
"""The largest field, in cells a side. The rules have no limit, but no player can read a million cells in a second."""
MAX_SEATS: Final = 8
"""The most players. Views do not have more colours that people can tell apart."""
MAX_TURNS: Final = 200_000
"""The most turns of a match, over all seats. This many fit into a readable saved game, even if all answers are long."""
MAX_CELLS: Final = 100_000
"""The most cells of all pythons together. If one python delivers them, every block has an event in one line of a saved game."""


# Every number has a cap: an untrusted number must not fill a message, and JSON readers must be able to hold it exactly.
Count = Annotated[int, Field(ge=0, le=2**53)]
Rounds = Annotated[int, Field(ge=1, le=MAX_TURNS)]


class PythonModel(Strict):
    """One python: `cells` as [x, y], head first, and `blocks`, the kinds of its body blocks from the head."""

    cells: Annotated[list[AnyCell], Field(min_length=1)]
    blocks: str = ""
    shield: Count = 0
    score: Count = 0
    disqualified: FaultName | None = None

    @model_validator(mode="after")
    def _chain(self) -> PythonModel:
        if bad := set(self.blocks) - set("be"):
            raise ValueError(f"blocks: {min(bad)!a} is neither b nor e")
        if len(self.blocks) != len(self.cells) - 1:
            letters = f"{len(self.cells) - 1} letters, one for each cell behind the head, not {len(self.blocks)}"
            raise ValueError(f"blocks: must have {letters}")
        check_chain(self.cells)
        return self


class PositionModel(Strict):
    """A moment of a match. The defaults are those of its start."""

    size: Annotated[int, Field(ge=1, le=MAX_SIZE)]
    rounds: Rounds
    round: Annotated[int, Field(ge=1, le=MAX_TURNS + 1)] = 1
    seat: Annotated[int, Field(ge=0, le=10**6)] = 0
    field: list[str]
    pythons: Annotated[list[PythonModel], Field(min_length=1, max_length=MAX_SEATS)]

    @model_validator(mode="after")
    def _fits_together(self) -> PositionModel:
        n = self.size
        if len(self.field) != n:
            raise ValueError(f"field: {counted(len(self.field), 'row')} on a field of size {n}")
        for y, row in enumerate(self.field):
            if len(row) != n:
                raise ValueError(f"field.{y}: {counted(len(row), 'character')} in a row of {n}")
            if bad := set(row) - set("WRbe."):
                raise ValueError(f"field.{y}: {min(bad)!a} is not one of W R b e . (pythons are in `pythons`)")
        if lacking := too_long(self.rounds, len(self.pythons)):
            raise ValueError(lacking)
        if (cells := sum(len(python.cells) for python in self.pythons)) > MAX_CELLS:
            raise ValueError(f"pythons: {cells} cells in all, {MAX_CELLS} are allowed")
        chains = ((f"pythons.{seat}", cell) for seat, python in enumerate(self.pythons) for cell in python.cells)
        check_places(chains, self.field, ".")
        if self.seat >= len(self.pythons):
            count = len(self.pythons)
            raise ValueError(f"seat: there is no seat {self.seat} among {count} pythons (seats count from 0)")
        if self.round > self.rounds and (self.round, self.seat) != (self.rounds + 1, 0):
            raise ValueError(f"round: {self.round} is past the end, {counted(self.rounds, 'round')}")
        return self


def too_long(rounds: int, seats: int) -> str | None:
    """Why a match with this many rounds is too long to save; None if it is not."""
    if rounds * seats <= MAX_TURNS:
        return None
    return f"rounds: {rounds} are too many to save: with {seats} pythons, use at most {MAX_TURNS // seats}"
