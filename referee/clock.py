"""Time limits and how they are charged. Pure: whoever measures passes the times in, in seconds.

1. A player has three limits (PROTOCOL.md, Clocks): for its first answer, for each later one, and for all together.
   An answer's limit is the first or later one, or what is left of the total, whichever is less.
2. The limits of single answers are wall time, always: who sleeps is to be caught. The total counts wall time too, or
   instead what the player's process used of the processors (`Kind`). Then an answer has two limits that do not mix:
   its own in wall time, and what is left of the total in CPU time.
3. A `Stopwatch` measures one request. Whoever waits promises to look at it at least once every `TICK`; what passes
   beyond that between two looks is the referee's own absence (stopped, swapped out, starved) and is not charged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

TICK: Final = 0.1
"""Longest time between two looks at a running stopwatch, in seconds; what is beyond it counts as the referee's absence."""

FOREVER: Final = float("inf")

Kind: TypeAlias = Literal["wall", "cpu"]
"""Which time the total counts (theory, point 2); the word in a saved game's header."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Limits in seconds: the first answer, each later answer, all answers of a match together (None: no such limit)."""

    first: float
    answer: float
    total: float | None
    kind: Kind = "wall"

    def __post_init__(self) -> None:
        for name, value in (("first", self.first), ("answer", self.answer), ("total", self.total)):
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"the {name} time limit must be above 0 s and finite, not {value}")

    def as_json(self) -> dict[str, float | None]:
        """As it stands in a saved game's header."""
        return {"first": float(self.first), "answer": float(self.answer), "total": self.total and float(self.total)}


@dataclass(slots=True)
class Clock:
    """One player's time in one match: hands out the limits of the next answer and adds up what was used.

    Attributes:
        used: seconds used of the total, in the time that it counts.
        slowest: the longest answer, in wall time.
        answers: how many there were.
        limit: wall seconds that the next answer may take.
        cpu_limit: CPU seconds that it may use; infinite unless the total counts them.
    """

    control: TimeControl
    used: float = 0.0
    slowest: float = 0.0
    answers: int = 0
    limit: float = field(init=False)
    cpu_limit: float = field(init=False, default=FOREVER)
    _total: float = field(init=False)
    _by_cpu: bool = field(init=False)
    _plenty: float = field(init=False, default=-FOREVER)

    def __post_init__(self) -> None:
        control = self.control
        self._total = FOREVER if control.total is None else control.total
        self._by_cpu = control.kind == "cpu"
        self._set_limits(control.first, self._total - self.used)

    def own_limit(self) -> float:
        """Wall seconds that the next answer may take, whatever is left of the total."""
        return self.control.answer if self.answers else self.control.first

    def charge(self, elapsed: float, cpu: float | None = None) -> None:
        """Book one answer, or the time until a fault.

        Args:
            elapsed: wall seconds.
            cpu: CPU seconds, None where nobody measured them: then wall time stands for them.
        """
        self.answers += 1
        self.used = used = self.used + (cpu if self._by_cpu and cpu is not None else elapsed)
        if elapsed > self.slowest:
            self.slowest = elapsed
        if used > self._plenty:  # with plenty left, the usual case, the limits stay as they are
            own = self.control.answer
            self._set_limits(own, self._total - used)
            if not self._by_cpu:
                self._plenty = self._total - own

    def left(self) -> float | None:
        """Seconds left of the total, None where there is none."""
        return None if self.control.total is None else max(0.0, self._total - self.used)

    def why(self, limit: float) -> str:
        """The words for having passed this wall `limit`: which of the three limits it was."""
        return self.why_total() if limit < self.own_limit() else f"no answer within {seconds(limit)}"

    def why_total(self) -> str:
        """The words for having used up the total."""
        time = " of CPU time" if self._by_cpu else ""
        return f"the {seconds(self.control.total or 0)}{time} for all answers together are used up"

    def _set_limits(self, own: float, left: float) -> None:
        if self._by_cpu:
            self.cpu_limit = max(0.0, left)
            self.limit = own if left > 0 else 0.0
        else:
            self.limit = max(0.0, min(own, left))


@dataclass(slots=True)
class Stopwatch:
    """One request under way: times are readings of any steady clock, in seconds (theory, point 3)."""

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
