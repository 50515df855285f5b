"""Figures for the closing table, added up while the match runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.contract.clock import Clock
from referee.contract.game import Fault, Game, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome


class FailedAt(NamedTuple):
    """When a seat failed: the number of the step, its round, and the request."""

    step: int
    round: int
    ask: str


@dataclass(slots=True)
class SeatResult:
    """How a match goes for one seat.

    Attributes:
        clock: the clock with the time charged to the seat.
        figures: the sums of the game's columns, in their order.
        moves: the number of answers, names not counted.
        fault: the last fault; None without one. failures: the number of faults.
        failed_at: when the last fault happened.
        computed: whether the player computed for most of the time before its last fault; None if that is not known.
        last_words: the last lines of the player on stderr; empty until the match has come to its end.
    """

    clock: Clock
    figures: list[int]
    moves: int = 0
    fault: Fault | None = None
    failures: int = 0
    failed_at: FailedAt | None = None
    computed: bool | None = None
    last_words: Sequence[str] = ()


class Tally:
    """Observes a match.

    Attributes:
        seats: the result of each seat so far.
        outcome: the result. final: the last position. Both are None while the match goes on.
        steps: how many steps there were.
    """

    def __init__(self, game: Game[Any, Any], clocks: Sequence[Clock]) -> None:
        self._amounts = [column.of for column in game.columns]
        self.seats = [SeatResult(clock, [0] * len(game.columns)) for clock in clocks]
        self.outcome: Outcome | None = None
        self.final: Position | None = None
        self.steps = 0

    def record(self, steps: Sequence[Step]) -> None:
        """Add steps."""
        self.steps += len(steps)
        for number, round_, ask, answers, events in steps:
            for seat, action, _, elapsed, cpu, _ in answers:
                result = self.seats[seat]
                if isinstance(action, Fault):
                    result.fault = action
                    result.failures += 1
                    result.failed_at = FailedAt(number, round_, ask)
                    result.computed = None if cpu is None else cpu > elapsed / 2
                elif round_:  # in round 0 names are asked
                    result.moves += 1
            for event in events:
                if (about := event.get("seat")) is not None:
                    figures = self.seats[about].figures
                    for index, amount in enumerate(self._amounts):
                        figures[index] += amount(event)

    def end(self, outcome: Outcome, final: Position) -> None:
        """Keep how it ended."""
        self.outcome = outcome
        self.final = final
