"""The requests of a saved game: which seats were asked in which steps, and a request itself."""

from __future__ import annotations

from typing import Any

from referee.contract.game import Request
from referee.errors import UsageError
from referee.saved.replay import Replay


def request_at(replay: Replay, step: int, seat: int | None = None) -> Request[Any]:
    """The request for a move to a seat in a step; by default, to the first seat that was asked. Valid as long as the state.

    Raises:
        UsageError: there is no such step or seat, the step did not ask it, or it asked for a name.
        SavedGameError: a step before it does not follow from the rules.
    """
    seats = seats_asked(replay, step)
    chosen = seats[0] if seat is None else seat
    own = steps_of(replay, chosen, step)
    if replay.steps[step - 1].ask == "getName":
        first = next((number for number in own if replay.steps[number - 1].ask != "getName"), None)
        more = f": seat {chosen + 1} has its first move in step {first}" if first else ""
        raise UsageError(f"step {step} asks for a name, not for a move{more}")
    return next(request for request in replay.state_at(step - 1).requests() if request.seat == chosen)


def steps_of(replay: Replay, seat: int, step: int | None = None) -> list[int]:
    """The numbers of the steps in which this seat was asked.

    Raises:
        UsageError: there is no such seat, or it was never asked, or not in the given step.
    """
    seats = len(replay.record.header.players)
    if not 0 <= seat < seats:
        raise UsageError(f"there is no seat {seat + 1}: {replay.record.path} has seats 1 to {seats}")
    numbers = [step.number for step in replay.steps if any(answer.seat == seat for answer in step.answers)]
    if not numbers:
        raise UsageError(f"seat {seat + 1} was never asked in {replay.record.path}")
    if step is not None and step not in numbers:
        others = ", ".join(str(other + 1) for other in seats_asked(replay, step))
        near = min(numbers, key=lambda number: abs(number - step))
        raise UsageError(f"step {step} asked seat {others}, not seat {seat + 1}, which was asked in step {near}")
    return numbers


def seats_asked(replay: Replay, number: int) -> list[int]:
    """The seats that were asked in this step. Raises: UsageError: there is no such step."""
    if not 1 <= number <= len(replay.steps):
        raise UsageError(f"there is no step {number}: {replay.record.path} has steps 1 to {len(replay.steps)}")
    return [answer.seat for answer in replay.steps[number - 1].answers]
