"""How near each seat was to a limit: its slowest answers, the time of all answers, and its faults."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from operator import attrgetter
from typing import Any, Final, NamedTuple

from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Answer, Fault
from referee.contract.ranking import Outcome
from referee.moments.formatting import places
from referee.moments.scene import ranks_of

SLOWEST: Final = 3
"""How many of the slowest answers are kept."""


class AnswerTime(NamedTuple):
    """The time of an answer and its limit, in seconds."""

    step: int
    seconds: float
    limit: float


class Failure(NamedTuple):
    """A fault: its step, the request, the seconds, and the rank, the place in words (`2=`) and the points before it."""

    step: int
    request: str
    kind: str
    detail: str
    seconds: float
    rank: float | None
    place: str
    points: float


class Times:
    """The answers of one seat.

    Attributes:
        clock: counts how often the seat was asked, and the seconds of all answers.
        answers: the time of each answer, in order. failures: all faults.
    """

    def __init__(self, control: TimeControl) -> None:
        self.clock = Clock(control)
        self.answers: list[AnswerTime] = []
        self.failures: list[Failure] = []

    @property
    def first(self) -> AnswerTime | None:
        """The first answer; None if there is none."""
        return self.answers[0] if self.answers else None

    def was_asked(self, step: int) -> bool:
        """Whether the seat was asked in a step."""
        return any(timed.step == step for timed in self.answers)

    def slowest(self) -> Sequence[AnswerTime]:
        """The slowest answers after the first one, the slowest first."""
        return nlargest(SLOWEST, self.answers[1:], key=attrgetter("seconds"))

    def nearest(self) -> float:
        """The largest part of a limit that was used, 0 to 1, or more after a timeout."""
        parts = [timed.seconds / timed.limit for timed in (*self.slowest()[:1], self.first) if timed is not None]
        total = self.clock.control.total
        return max([*parts, 0.0 if total is None else self.clock.used / total])

    def note(self, step: int, ask: str, answer: Answer[Any], before: Outcome, points: Sequence[float]) -> None:
        """Note the answer to a request; `before` and `points` are the result and the points by seat before it."""
        self.answers.append(AnswerTime(step, answer.elapsed, self.clock.own_limit()))
        self.clock.charge(answer.elapsed, answer.cpu)
        if isinstance(answer.action, Fault):
            fault, seat, ranks = answer.action, answer.seat, ranks_of(before, len(points))
            place = places(ranks)[seat]
            stood = ranks[seat], place, points[seat]
            self.failures.append(Failure(step, ask, fault.kind.value, fault.detail, answer.elapsed, *stood))
