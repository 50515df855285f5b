"""Whose time it is while the referee waits for an answer: readings of the player and of the referee itself.

1. `clock.Stopwatch` does the arithmetic; this module takes the readings. One look at a player costs about 10 µs, and 7 µs
   for each thread beyond the first. Looks begin when the referee parks, so an immediate answer costs none. A process with
   more than `meter.FEW` threads is looked at only after the first nap, because some language runtimes have dozens of threads.
2. The referee's own delays come from its thread's schedstat. Sleep in the kernel is not counted there, and must not be: a
   player can put the referee to sleep, because a reader of a pipe waits for the thread that is writing to it.
3. Other work of the event loop (drawing a view, printing to a terminal that does not read) is not the player's fault
   either. An instrument of the event loop adds it up. The work of the waiting task itself is left out, since that task
   reads the player's pipes.
4. A stop of the whole referee (SIGSTOP, Ctrl-Z) is noticed by the SIGCONT that ends it.
5. If the machine stands still (a virtual machine that its host does not run, a frozen container), the event loop's sleep
   ends later than planned, and schedstat does not explain it. No player can prolong this sleep: it waits only for events, its
   timer and Python's own lock. It is the only sleep in the kernel that counts (point 2). While another thread of this
   process holds that lock, the player runs on; so the CPU time of other threads is subtracted.
6. A player that waits for a disk, or for a lock in the kernel, neither runs nor is ready. This time is charged, because a
   program can make it: by one read from a slow disk, it waits for seconds. But the message of a timeout says so.
7. The time before the referee parks is compared with its delay when the event loop last woke up. `loop` lets other tasks run
   every 2 ms, so the player is credited at most 2 ms too much.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from time import perf_counter, process_time
from typing import Any, Final

import trio
from typing_extensions import override

from referee.contract.clock import FOREVER, SHORTEST, Clock, Sight, Stopwatch, seconds
from referee.errors import RefereeError
from referee.sandbox.meter import ProcessWitness

STILL: Final = 0.01
"""Seconds. A sleep that ends less than this too late is usual: timers are coarse."""


@dataclass(frozen=True, slots=True)
class Stall:
    """This machine was too busy to judge an answer.

    Attributes:
        seconds: the time that was not charged. limit: the seconds that the player had for the answer.
        alone: whether players that were not due had been stopped.
    """

    seconds: float
    limit: float
    alone: bool = False


class Void(RefereeError):
    """The machine spoiled the match: it can be played again."""


class Exhausted(Void):
    """The machine has no memory, process or descriptor left for the match."""

    def __init__(self, lacking: str) -> None:
        """`lacking` names the resource and says what to do (`errors.out_of`)."""
        super().__init__(f"the match is void: {lacking}")


class HostStalled(Void):
    """The machine took too much of the time of the seat that had to answer."""

    def __init__(self, seat: int, stall: Stall) -> None:
        super().__init__(
            f"the match is void: {in_words(stall, f'seat {seat + 1}')}; play again with less running beside it, or with "
            "longer limits"
        )
        self.seat = seat
        self.stall = stall


def in_words(stall: Stall, who: str) -> str:
    """A stall in words; `who` is the player that it hit."""
    alone = ", although the other players were stopped" if stall.alone else ""
    return (
        f"{who} had to answer within {seconds(stall.limit)}, but for {stall.seconds:.1f} s this machine ran other programs "
        f"or stood still{alone}"
    )


class OwnTime(trio.abc.Instrument):
    """The referee's own delays (theory, points 2 to 5 and 7); an instrument of the event loop.

    Attributes:
        latest: `delayed` when the event loop last woke up. users: how many matches use it.
        still: the seconds by which its sleeps were too long, because the machine stood still.
    """

    still = 0.0

    def __init__(self) -> None:
        self.users = 0
        self._schedstat = -1
        with suppress(OSError):
            self._schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._stops = stops()
        self._awake = 0.0
        self._woke = self._slept = perf_counter()
        self._used = process_time()
        self.latest = self.delayed()

    @override
    def after_io_wait(self, timeout: float) -> None:
        self._woke, before = perf_counter(), self.latest
        self.latest = self.delayed()
        if (over := self._woke - self._slept - timeout) > STILL:
            self.still += max(0.0, over - (self.latest - before) - (process_time() - self._used))

    @override
    def before_io_wait(self, timeout: float) -> None:
        self._slept, self._used = perf_counter(), process_time()
        self._awake += self._slept - self._woke

    def awake(self) -> float:
        """Seconds in which the event loop was busy so far."""
        return self._awake + perf_counter() - self._woke

    def delayed(self) -> float:
        """Seconds in which this thread was ready to run and did not run."""
        return 0.0 if self._schedstat < 0 else int(os.pread(self._schedstat, 64, 0).split()[1]) * 1e-9

    def stops(self) -> int:
        """How often this process was stopped and resumed."""
        return self._stops[0]

    def close(self) -> None:
        """Close the descriptor."""
        if self._schedstat >= 0:
            os.close(self._schedstat)
            self._schedstat = -1


_own: Final[trio.lowlevel.RunVar[OwnTime | None]] = trio.lowlevel.RunVar("own time", None)


@contextmanager
def own_time() -> Iterator[OwnTime]:
    """Measure this thread and its event loop. All matches in the loop share one `OwnTime`."""
    if (own := _own.get()) is None:
        own = OwnTime()
        _own.set(own)
        trio.lowlevel.add_instrument(own)
    own.users += 1
    try:
        yield own
    finally:
        own.users -= 1
        if not own.users:
            _own.set(None)
            trio.lowlevel.remove_instrument(own)
            own.close()


@cache
def stops() -> list[int]:
    """Counts the SIGCONT signals since the first call, which must come from the main thread.

    The handler stays installed. It is harmless, and programs that are started get the default handler again.
    """
    count = [0]
    if threading.current_thread() is threading.main_thread():
        before = signal.getsignal(signal.SIGCONT)

        def went_on(number: int, frame: Any) -> None:
            count[0] += 1
            if callable(before):
                before(number, frame)

        signal.signal(signal.SIGCONT, went_on)
    return count


class Watch:
    """Measures one request. Create it when the referee parks for the answer.

    Attributes:
        clock: the player's clock. stopwatch: the arithmetic. alone: whether players that are not due have been stopped.
        stuck: the seconds in which the player did not run and waited in the kernel, as for a disk (theory, point 6).
    """

    __slots__ = (
        "_busy", "_cpu_before", "_looked", "_now", "_own", "_passes", "_starved", "_used", "_watched", "_witness", "alone",
        "clock", "stopwatch", "stuck",
    )  # fmt: skip

    def __init__(
        self,
        clock: Clock,
        started: float,
        cpu_before: float,
        witness: ProcessWitness | None,
        own: OwnTime,
        *,
        now: Callable[[], float] = perf_counter,
        starved: Callable[[], bool] = lambda: False,
    ) -> None:
        """Start to measure.

        Args:
            clock: the player's clock, with the limits of this answer.
            started: when the request was written, on the clock `now`. cpu_before: the player's CPU clock then.
            witness: what measures the player; None if that is not possible. own: what measures the referee.
            starved: a function that stops players that are not due, and returns whether there were any.
        """
        self.clock, self._witness, self._own, self._now, self._starved = clock, witness, own, now, starved
        self._cpu_before, self._looked, self._passes = cpu_before, started, started + clock.limit
        self._used = self._busy = self.stuck = 0.0
        self._watched = witness is not None and witness.watch()
        self.alone = False
        before = Sight(started, delayed=own.latest, stops=own.stops(), still=own.still)
        self.stopwatch = Stopwatch(before, clock.limit, clock.own_limit())

    def look(self) -> float:
        """Look at the player before reading. Returns the seconds left; 0 or less means that the player is late.

        A look that follows right after another is skipped if time is left.
        """
        watch = self.stopwatch
        since = self._now() - self._looked
        if since < SHORTEST and (left := watch.limit - watch.charged - since) > 0:
            watch.unanswered()
            return left
        left = watch.look(self._sight())
        if watch.starved and not self.alone:
            self.alone = self._starved()
        return left

    def answered(self) -> bool:
        """Look at the player after a read has found the whole answer. Returns whether the answer is in time."""
        return self.stopwatch.answered(self._sight())

    def stall(self) -> Stall | None:
        """The stall that makes the match void; None if the match can go on."""
        watch = self.stopwatch
        return Stall(watch.stolen, self.clock.own_limit(), self.alone) if watch.hopeless else None

    def used(self) -> float | None:
        """CPU seconds that the player has used since the request; None if they cannot be read."""
        return None if self._witness is None else self._witness.cpu() - self._cpu_before

    def is_spent(self) -> bool:
        """Whether the player has used more CPU time than is left of its total."""
        return self.clock.cpu_limit < FOREVER and (self.used() or 0.0) > self.clock.cpu_limit

    async def park(self, until: Callable[[int], Awaitable[None]], descriptor: int) -> None:
        """Wait for a descriptor, at most until the next look."""
        before = self._own.awake()
        with trio.move_on_after(self.stopwatch.nap()):
            await until(descriptor)
        self._busy += self._own.awake() - before
        if not self._watched and self._witness is not None:
            self._watched = self._witness.watch(many=True)

    def _sight(self) -> Sight:
        witness, own = self._witness, self._own
        used, stood, ready, stuck = self._used, 0.0, False, False
        if witness is not None:
            used = witness.cpu() - self._cpu_before
            if self._watched:
                stood = witness.stood()
                idle = used == self._used
                passed = self._now() >= self._passes  # its limit (theory of `clock`, point 8)
                ready = (idle or passed) and witness.is_ready()
                stuck = idle and not ready and witness.is_stuck()
            self._used = used
        now = self._now()
        self.stuck += now - self._looked if stuck else 0.0
        self._looked = now
        return Sight(now, used, stood, ready, own.delayed(), self._busy, own.stops(), own.still)
