"""Positions of the tail-biting snakes as JSON (games/ava/README.md, Positions). Only those that obey the rules are accepted.

A position is an untrusted file. An accepted one is consistent: the size is odd, the cells of a chain are neighbours, no cell
holds two things, nothing is off the field, and the order contains only snakes that can still move.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from referee.boards.grid import AnyCell, check_chain, check_places
from referee.contract.game import FaultName
from referee.contract.positions import Position
from referee.errors import SetupError
from referee.tailbite.board import Board
from referee.tailbite.sight import Options
from referee.text.strict import Strict, read
from referee.text.words import counted

MAX_SIZE: Final = 255
"""The largest field, in cells a side. Snakes see six cells far; on a larger field they would hardly ever meet."""
MAX_STEPS: Final = 40_000
"""The most steps of a match. Steps with only forced moves share one line of a saved game, and a line has a cap."""
SEATS: Final = range(2, 5)
"""How many snakes there can be: the cross has four starts."""
Size = Annotated[int, Field(ge=3, le=MAX_SIZE)]
Steps = Annotated[int, Field(ge=1, le=MAX_STEPS)]
Seat = Annotated[int, Field(ge=0, le=1000)]


class OptionsModel(Strict):
    """How programs are read (`sight.Options`)."""

    rating: Literal["sum", "max"] = "sum"
    failed_and_groups: Literal["count", "ignore"] = "count"
    or_groups: Literal["all", "any"] = "all"

    def options(self) -> Options:
        """The options as programs get them. They are read for each chart, and a model's attributes take twice as long."""
        return Options(self.rating, self.failed_and_groups, self.or_groups)


class SnakeModel(Strict):
    """One snake: `cells` as [x, y], head first, and `eaten`, the step in which it was eaten."""

    cells: Annotated[list[AnyCell], Field(max_length=MAX_SIZE * MAX_SIZE)]
    eaten: Steps | None = None
    disqualified: FaultName | None = None

    @model_validator(mode="after")
    def _chain(self) -> SnakeModel:
        if self.eaten is None and len(self.cells) < 2:
            raise ValueError("a snake of fewer than 2 cells has been eaten: set `eaten` to the step")
        if self.eaten is not None and len(self.cells) > 1:
            raise ValueError(f"an eaten snake has at most one cell, not {len(self.cells)}")
        check_chain(self.cells)
        return self


class PositionModel(Strict):
    """A moment of a match. The defaults are those of its start."""

    size: Size
    steps: Steps
    step: Steps = 1
    moved: bool = False
    order: list[Seat] = Field(default_factory=list, max_length=1000)
    snakes: Annotated[list[SnakeModel], Field(max_length=1000)]
    options: OptionsModel = OptionsModel()

    @model_validator(mode="after")
    def _fits_together(self) -> PositionModel:
        if self.size % 2 == 0:
            raise ValueError(f"size: must be odd, not {self.size}")
        if self.step > self.steps:
            raise ValueError(f"step: {self.step} is past the end, {counted(self.steps, 'step')}")
        chains = ((f"snakes.{seat}", cell) for seat, snake in enumerate(self.snakes) for cell in snake.cells)
        check_places(chains, ["." * self.size] * self.size, ".")
        for seat, snake in enumerate(self.snakes):
            if snake.eaten is not None and snake.eaten > self.step:
                raise ValueError(f"snakes.{seat}: eaten in step {snake.eaten}, but this is step {self.step}")
        for index, seat in enumerate(self.order):
            if seat >= len(self.snakes):
                raise ValueError(f"order: there is no seat {seat} among {len(self.snakes)} snakes (seats count from 0)")
            if seat in self.order[:index]:
                raise ValueError(f"order: {seat} is listed twice")
            if self.snakes[seat].eaten is not None or self.snakes[seat].disqualified is not None:
                raise ValueError(f"order: {seat} was eaten or disqualified, so it cannot move")
        return self


def read_position(setup: Position) -> PositionModel:
    """Check a setup. Raises: SetupError: it breaks a rule; the message names the key and the cell."""
    model = read(PositionModel, setup, SetupError)
    if len(model.snakes) not in SEATS:
        raise SetupError(f"snakes: this game has {SEATS.start} to {SEATS.stop - 1}, not {len(model.snakes)}")
    return model


def board_of(model: PositionModel) -> Board:
    """The board of a position."""
    return Board(model.size, [(snake.cells, snake.eaten, snake.disqualified) for snake in model.snakes])


def steps(position: Position) -> int:
    """The most turns of a match from this position. How many of them are forced is not known in advance."""
    return int(position["steps"]) * len(position["snakes"])
