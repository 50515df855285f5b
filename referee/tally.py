"""Figures for the closing table, added up while the match runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.game import Column, Fault, Game, Step
from referee.positions import Position
from referee.ranking import Outcome


class Tally:
    """Observes a match. Lists have one entry for each seat.

    Attributes:
        moves: the number of answers, names not counted.
        figures: one list for each of the game's columns, with the sums.
        faults: the last fault, or None. failures: the number of faults.
        failed_at: the step of the last fault: number, round and request.
        computed: whether the player computed for most of the time before its last fault; None if that is not known.
        outcome: the result. final: the last position. Both are None while the match goes on.
        steps: how many steps there were.
    """

    def __init__(self, game: Game[Any, Any], seats: int) -> None:
        self._game = game
        self.moves = [0] * seats
        self.figures = [[0] * seats for _ in game.columns]
        self.faults: list[Fault | None] = [None] * seats
        self.failures = [0] * seats
        self.failed_at: list[tuple[int, int, str] | None] = [None] * seats
        self.computed: list[bool | None] = [None] * seats
        self.outcome: Outcome | None = None
        self.final: Position | None = None
        self.steps = 0

    @property
    def columns(self) -> Sequence[Column]:
        """The game's own columns of the closing table."""
        return self._game.columns

    def step(self, step: Step) -> None:
        """Add one step."""
        self.steps = step.number
        for answer in step.answers:
            if isinstance(answer.action, Fault):
                self.faults[answer.seat] = answer.action
                self.failures[answer.seat] += 1
                self.failed_at[answer.seat] = (step.number, step.round, step.ask)
                self.computed[answer.seat] = None if answer.cpu is None else answer.cpu > answer.elapsed / 2
            elif step.round:  # in round 0 names are asked
                self.moves[answer.seat] += 1
        columns = self.columns
        for event in step.events:
            seat = event.get("seat")
            if seat is not None:
                for column, sums in zip(columns, self.figures, strict=True):
                    sums[seat] += column.of(event)

    def end(self, outcome: Outcome, final: Position) -> None:
        """Keep how it ended."""
        self.outcome = outcome
        self.final = final
