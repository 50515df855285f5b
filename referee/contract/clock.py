"""Time limits, and whose time it is. Pure: the caller passes readings of clocks in, in seconds.

1. A player has three limits (protocol.md, Clocks): for its first answer, for each later answer, and for all answers
   together. The limit of an answer is the first or the later one, or what is left of the total if that is less.
2. The limits of single answers count wall time, so that a sleeping player is caught. The total counts wall time too,
   or instead the CPU time of the player's process (`Kind`). Then an answer has two limits that do not mix.
3. A player's clock runs only while the player could run. A `Stopwatch` charges wall time less what was *stolen*. Three
   things steal time, and all are measured between two looks at the player (`Sight`):
   (a) The referee was kept from looking: it was ready to run and something else ran, it was stopped, or it was busy
       with something else. This counts only in the gap that ends with the look that finds the answer: until then the
       player loses nothing by it. The CPU time that the player used in the gap is subtracted.
   (b) The player was ready to run and something else ran.
   (c) The whole machine stood still, such as a virtual machine that its host does not run or a container that is frozen.
       Then the referee's own sleep ends too late, although it was not ready to run. This counts in every gap, because the
       player stood still too; if it did run, its CPU time in the gap is subtracted. A stop of the referee alone does not
       count here.
   Of the three in one gap the largest counts; but (c) and a referee that was not run follow each other, so these are added.
4. The kernel books a wait when it ends. So a player that is ready at a look and whose CPU clock has not moved since the
   look before is taken to have waited all that time; once the wait is booked, the booking replaces the guess. If the player
   slept for a part of that gap, the guess is too long, and the booked wait cannot be divided between this gap and the next.
   Then (a) and (b) of the next gap may both count. The excess is at most the shorter of the two, and both were stolen.
5. The charge is never less than the CPU time that the process used, nor more than the wall time that passed. So whatever
   the looks say, no player can compute for free.
6. The deadline moves with what is stolen: an answer is late when the charge has reached its limit. At most
   `MOST_LIMITS` limits are added, at least `LEAST_ADDED` and at most `MOST_ADDED` seconds; beyond that the machine is too
   busy to judge the player. Before that, when one limit has been stolen (at most `LEAST_ADDED`), players that are not due are
   stopped, because they may be what runs instead.
7. A process that lives for one turn must end by itself after its answer. No limit of the player counts this wait: its clock
   stops when the answer is complete, and the end has `END_LIMIT` of its own, which moves with what is stolen too.
8. If a player runs and then waits for a processor while the referee waits for one too, the look finds a player that is ready
   and whose CPU clock has moved. The kernel has not booked the wait yet. The wait is at most the time since the look before,
   less the CPU time and what was stolen in it. If the answer would be in time without such a wait, it is not late yet: later
   looks decide, once the player has run. A player that has used its limit of CPU time is late. Nothing is credited for this.
   So a player that slept instead cannot make a match void, and its answer is late all the same.
9. Some things cannot be told apart from a player that sleeps, and such a player must not gain time. So they are charged, and
   an innocent player can be late if one of these happens:
   - The referee is delayed after the player has run, in the last gap. The CPU time that the player used before the delay is
     subtracted from (a) too. A nap is at most half of the time that is left, until almost none is left, so this costs at
     most one nap.
   - A player runs and then waits in two gaps in a row. The kernel books the wait of the first gap in the second, where it is
     subtracted from the longest wait that is possible (point 8).
   - The machine stands still during the referee's nap. The part before the planned end of the nap is charged. The time that
     the player ran or waited in the rest of the gap is subtracted from (c).
   - The host of a virtual machine does not run it while the referee waits for a processor. The kernel books this as the
     referee's delay, so it counts only in the last gap.
   - The machine stands still in a gap in which the referee alone is stopped too. Both count only in the last gap.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.text.amounts import Total

LOOK: Final = 0.05
"""Longest planned time between two looks at a player that is due, in seconds."""
SHORTEST: Final = 0.001
"""Shortest planned time: the event loop's clock is no finer."""
MOST_LIMITS: Final = 10
LEAST_ADDED: Final = 2.0
MOST_ADDED: Final = 30.0
"""Bounds of the time that is added to a limit (theory, point 6); the last two in seconds."""
END_LIMIT: Final = 2.0
"""Seconds in which the process of a turn must end once its answer is complete (theory, point 7)."""
LATE_END: Final = f"did not end within {END_LIMIT:g} s of its answer"
"""The words in the detail of a timeout because of `END_LIMIT`; the charge of such a timeout is that of the answer."""
FOREVER: Final = float("inf")

Kind: TypeAlias = Literal["wall", "cpu"]
"""Which time the total counts (theory, point 2). The header of a saved game has this word."""


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

    def changed(
        self, first: float | None, answer: float | None, total: Total | None, kind: Kind = "wall"
    ) -> TimeControl:
        """These limits with others in their place; None leaves a limit as it is.

        Raises:
            ValueError: a limit is not above 0, or not finite.
        """
        return TimeControl(
            self.first if first is None else first,
            self.answer if answer is None else answer,
            self.total if total is None else None if total == "none" else total,
            kind,
        )

    def as_json(self) -> dict[str, float | None]:
        """The limits as the header of a saved game has them."""
        return {"first": float(self.first), "answer": float(self.answer), "total": self.total and float(self.total)}


DEBUGGING: Final = TimeControl(600.0, 600.0, None)
"""Limits that leave time for a debugger, but not without end."""


@dataclass(slots=True)
class Clock:
    """One player's time in one match: gives the limits of the next answer and adds up the time used.

    Attributes:
        used: the seconds used of the total: wall or CPU, whichever it counts.
        slowest: the longest answer, in wall time.
        answers: how many answers there were.
        limit: the wall seconds that the next answer may take.
        cpu_limit: the CPU seconds that the next answer may use; infinite unless the total counts them.
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
        """Wall seconds that the next answer may take, regardless of the total."""
        return self.control.answer if self.answers else self.control.first

    def charge(self, elapsed: float, cpu: float | None = None) -> None:
        """Book one answer, or the time until a fault: wall seconds, and CPU seconds (None: wall time counts instead)."""
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
        """Seconds left of the total; None if there is no total."""
        return None if self.control.total is None else max(0.0, self._total - self.used)

    def why(self, limit: float) -> str:
        """Says which of the three limits was exceeded, given the wall `limit` of the answer."""
        return self.why_total() if limit < self.own_limit() else f"no answer within {seconds(limit)}"

    def why_total(self) -> str:
        """Says that the total is used up."""
        time = " of CPU time" if self._by_cpu else ""
        return f"the {seconds(self.control.total or 0)}{time} for all answers together are used up"

    def _set_limits(self, own: float, left: float) -> None:
        if self._by_cpu:
            self.cpu_limit = max(0.0, left)
            self.limit = own if left > 0 else 0.0
        else:
            self.limit = max(0.0, min(own, left))


class Sight(NamedTuple):
    """The readings of one look, in seconds since any fixed moment.

    Attributes:
        now: the time of a steady clock.
        used: the CPU time of the player's process.
        stood: how long the player was ready to run while other programs ran, as far as the kernel has booked it.
        ready: whether the player is ready to run, or runs.
        delayed: how long the referee's thread was ready to run and did not run.
        busy: how long the referee's thread was busy with something else while it waited for this player.
        stops: how often the referee was stopped and resumed.
        still: how much too late sleeps of the referee's thread ended, apart from `delayed`.
    """

    now: float
    used: float = 0.0
    stood: float = 0.0
    ready: bool = False
    delayed: float = 0.0
    busy: float = 0.0
    stops: int = 0
    still: float = 0.0


class Stopwatch:
    """Measures one request (theory, points 3 to 9).

    Attributes:
        limit: the seconds that may be charged.
        charged: the seconds charged up to the last look. stolen: the seconds that were not charged.
    """

    __slots__ = (
        "_begin", "_last", "_left", "_nap", "_own_limit", "_pending", "_settled", "_tentative", "_unbooked", "charged",
        "limit", "stolen",
    )  # fmt: skip

    def __init__(self, begin: Sight, limit: float, own_limit: float) -> None:
        """Start when the request is written. `limit` is the answer's own (`own_limit`), or less if the total leaves less."""
        self.limit = limit
        self._own_limit = own_limit
        self._begin = self._last = begin
        self._settled = self._pending = 0.0
        self._tentative = (begin, 0.0, 0.0)
        self._left = limit
        self._nap = self._unbooked = 0.0
        self.charged = self.stolen = 0.0

    def look(self, sight: Sight) -> float:
        """Note a look before a read. Returns the seconds left; 0 or less means that the answer is late.

        If the read then finds the whole answer, call `answered`, which replaces this look.
        """
        self.unanswered()
        last = self._last
        stood = sight.stood - last.stood
        waits = sight.ready and sight.used == last.used
        pending = max(0.0, self._pending + sight.now - last.now - stood) if waits else 0.0
        alone = waits or sight.stops != last.stops
        beyond = 0.0 if alone else self._beyond(sight, sight.still - last.still)
        settled = self._settled + stood + beyond
        self._tentative = (sight, settled, pending)
        self._charge(sight, settled + pending)
        self._left = left = self.limit - self.charged
        if left <= 0 and sight.ready:  # theory, point 8
            if not waits:
                self._unbooked = max(0.0, sight.now - last.now - (sight.used - last.used) - (settled - self._settled))
            self._left = left = min(left + self._unbooked, self.limit - (sight.used - self._begin.used))
        return left

    def unanswered(self) -> None:
        """Note that the read after the last look found no whole answer, so that `answered` measures from that look."""
        self._last, self._settled, self._pending = self._tentative

    def answered(self, sight: Sight) -> bool:
        """Note the look after the read that found the whole answer. Returns whether the answer is in time."""
        last = self._last
        stopped = sight.now - last.now - self._nap if sight.stops != last.stops else 0.0
        away = max(sight.delayed - last.delayed + sight.still - last.still, sight.busy - last.busy, stopped)
        settled = self._settled + sight.stood - last.stood + self._beyond(sight, away)
        self._tentative = (sight, settled, 0.0)
        self._charge(sight, settled)
        return self.charged <= self.limit

    def nap(self) -> float:
        """Seconds until the next look. The caller sleeps that long, or until the player writes something."""
        left = self._left
        self._nap = min(LOOK, left if left < 2 * SHORTEST else left / 2)
        return self._nap

    @property
    def starved(self) -> bool:
        """Whether so much time was stolen that players that are not due should be stopped."""
        return self.stolen >= min(self._own_limit, LEAST_ADDED)

    @property
    def hopeless(self) -> bool:
        """Whether more time was stolen than may be added to the limit."""
        return self.stolen > min(max(MOST_LIMITS * self._own_limit, LEAST_ADDED), MOST_ADDED)

    def _beyond(self, sight: Sight, away: float) -> float:
        """What was stolen in the gap before this look besides the player's own waiting: `away`, less the CPU time in it."""
        last = self._last
        stood = max(0.0, sight.stood - last.stood - self._pending)
        return max(0.0, away - (sight.used - last.used) - stood)

    def _charge(self, sight: Sight, stolen: float) -> None:
        begin = self._begin
        wall = sight.now - begin.now
        self.charged = min(wall, max(wall - stolen, sight.used - begin.used))
        self.stolen = wall - self.charged


def seconds(value: float) -> str:
    """A limit as people read it: `1 s`, `0.5 s`, `120 s`."""
    return f"{value:g} s"
