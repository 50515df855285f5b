"""Time limits and how they are charged. Pure: whoever measures passes the times in, in seconds.

1. A player has three limits (PROTOCOL.md, Clocks): for its first answer, for each later one, and for all together.
   An answer's limit is the first or later one, or what is left of the total, whichever is less.
2. A `Stopwatch` measures one request. Whoever waits promises to look at it at least once every `TICK`; what passes
   beyond that between two looks is the referee's own absence (stopped, swapped out, starved) and is not charged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

TICK: Final = 0.1
"""Longest time between two looks at a running stopwatch, in seconds; what is beyond it counts as the referee's absence."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Limits in seconds: the first answer, each later answer, all answers of a match together (None: no such limit)."""

    first: float
    answer: float
    total: float | None

    def __post_init__(self) -> None:
        for name, value in (("first", self.first), ("answer", self.answer), ("total", self.total)):
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"the {name} time limit must be above 0 s and finite, not {value}")

    def as_json(self) -> dict[str, float | None]:
        """As it stands in a saved game's header."""
        return {"first": float(self.first), "answer": float(self.answer), "total": self.total and float(self.total)}


@dataclass(slots=True)
class Clock:
    """One player's time in one match: hands out the limit of the next answer and adds up what was used."""

    control: TimeControl
    used: float = 0.0
    slowest: float = 0.0
    answers: int = 0
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        self._next = self._least(self.control.first)

    def limit(self) -> float:
        """Seconds that the next answer may take."""
        return self._next

    def charge(self, elapsed: float) -> None:
        """Book one answer, or the time until a fault."""
        self.answers += 1
        self.used += elapsed
        if elapsed > self.slowest:
            self.slowest = elapsed
        self._next = self._least(self.control.answer)

    def left(self) -> float | None:
        """Seconds left of the total, None where there is none."""
        return None if self.control.total is None else max(0.0, self.control.total - self.used)

    def why(self, limit: float) -> str:
        """The words for having passed `limit`: which of the three limits it was."""
        own = self.control.answer if self.answers else self.control.first
        if limit < own:
            return f"the {seconds(self.control.total or 0)} for all answers together are used up"
        return f"no answer within {seconds(limit)}"

    def _least(self, limit: float) -> float:
        left = self.left()
        return limit if left is None or limit <= left else left


@dataclass(slots=True)
class Stopwatch:
    """One request under way: times are readings of any steady clock, in seconds (theory, point 2)."""

    started: float
    limit: float
    absent: float = 0.0
    _looked: float = field(init=False)

    def __post_init__(self) -> None:
        self._looked = self.started

    def look(self, now: float) -> float:
        """Note that the referee is awake at `now`; returns the seconds left, at most 0 when the limit is passed."""
        gap = now - self._looked - TICK
        if gap > 0:
            self.absent += gap
        self._looked = now
        return self.limit - (now - self.started - self.absent)

    def elapsed(self, now: float) -> float:
        """Seconds that are charged to the player up to `now`."""
        return self.limit - self.look(now)


def seconds(value: float) -> str:
    """A limit for people: `1 s`, `0.5 s`, `120 s`."""
    return f"{value:g} s"
