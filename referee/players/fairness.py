"""What is seen of a player and of the referee itself while an answer is awaited, and what it makes of the player's clock.

1. The arithmetic is `clock.Stopwatch`'s; here are the readings. A look at a player costs about 10 µs and 7 for each
   thread beyond the first. Looks begin when the referee parks, so an answer at once costs none. A process of more than
   `FEW` threads is looked at first when it has not answered by then: some language runtimes have dozens of threads.
2. The referee's own delays come from its thread's schedstat. What it slept in the kernel is not in there, because a
   player can put the referee to sleep: a reader of a pipe waits for the thread that is writing to it.
3. What else the event loop does while a player is awaited (it draws a view, or prints to a terminal that does not
   read) is nobody's fault either. An instrument of the event loop adds it up; what the task that waits does itself is
   left out, since that is where a player's pipes are read.
4. A stop of the whole referee (SIGSTOP, Ctrl-Z) shows by the SIGCONT that ends it.
5. The time before the referee parks is measured against its delay when the event loop last woke up. `match` lets the
   loop run every 2 ms, so no more than that is credited too much.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EINVAL
from functools import cache
from time import clock_gettime, perf_counter
from typing import Any, Final, Protocol

import trio
from typing_extensions import override

from referee.clock import SHORTEST, Clock, Sight, Stopwatch, seconds
from referee.errors import RefereeError

FEW: Final = 8
"""Threads of a process that is looked at before the referee parks for the first time."""


class Witness(Protocol):
    """What is seen of a player's process from outside."""

    def cpu(self) -> float:
        """CPU seconds that it has used until now, all its threads together."""

    def watch(self, *, many: bool = False) -> bool:
        """Measure its run delay from now on, if it has few threads or `many` are allowed; whether that was done."""

    def stood(self) -> float:
        """Seconds that it was ready to run and others than itself ran, as far as the kernel has booked them."""

    def is_ready(self) -> bool:
        """Whether it runs, or waits to be run."""


@dataclass(frozen=True, slots=True)
class Stall:
    """An answer for which this machine is no place to judge.

    Attributes:
        seconds: what was taken off its time.
        limit: seconds that it had by itself.
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
        """`lacking` says of what, and what to do about it (`errors.out_of`)."""
        super().__init__(f"the match is void: {lacking}")


class HostStalled(Void):
    """The machine takes too much of the players' time.

    Attributes:
        seat: the one that was to answer.
        stall: what was in its way.
    """

    def __init__(self, seat: int, stall: Stall) -> None:
        super().__init__(
            f"the match is void: {told(stall, f'seat {seat + 1}')}; play again with less running beside it, or with longer limits"
        )
        self.seat = seat
        self.stall = stall


def told(stall: Stall, who: str) -> str:
    """What a stall did to `who`, in words."""
    alone = "; the other players were stopped meanwhile" if stall.alone else ""
    return (
        f"{who} was to answer within {seconds(stall.limit)}, but for {stall.seconds:.1f} s this machine ran something else "
        f"in its place{alone}"
    )


class OwnTime(trio.abc.Instrument):
    """What keeps the referee from looking at its players (theory, points 2 to 5); an instrument of the event loop.

    Attributes:
        latest: `delayed` when the event loop last woke up. users: how many use it.
    """

    def __init__(self) -> None:
        self.users = 0
        self._schedstat = -1
        with suppress(OSError):
            self._schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._stops = stops()
        self._awake = 0.0
        self._woke = perf_counter()
        self.latest = self.delayed()

    @override
    def after_io_wait(self, timeout: float) -> None:
        self._woke = perf_counter()
        self.latest = self.delayed()

    @override
    def before_io_wait(self, timeout: float) -> None:
        self._awake += perf_counter() - self._woke

    def awake(self) -> float:
        """Seconds that the event loop has not waited until now."""
        return self._awake + perf_counter() - self._woke

    def delayed(self) -> float:
        """Seconds that this thread was ready to run and was not."""
        return 0.0 if self._schedstat < 0 else int(os.pread(self._schedstat, 64, 0).split()[1]) * 1e-9

    def stops(self) -> int:
        """How often this process was stopped and went on."""
        return self._stops[0]

    def close(self) -> None:
        """Give the descriptor back."""
        if self._schedstat >= 0:
            os.close(self._schedstat)
            self._schedstat = -1


_own: Final[trio.lowlevel.RunVar[OwnTime | None]] = trio.lowlevel.RunVar("own time", None)


@contextmanager
def own_time() -> Iterator[OwnTime]:
    """Watches this thread and the event loop that runs in it; all matches in it share one."""
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
    """A count of the SIGCONTs that this process has got since the first call, which has to come from the main thread.

    The handler stays: it is harmless, and a program that starts has the usual meaning of the signal again.
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
    """One request under way, with its clock. Make it when the referee parks for the answer.

    Attributes:
        stopwatch: the arithmetic. alone: whether players that are not due have been stopped.
    """

    __slots__ = (
        "_busy",
        "_cpu_before",
        "_looked",
        "_now",
        "_own",
        "_starved",
        "_used",
        "_watched",
        "_witness",
        "alone",
        "stopwatch",
    )

    def __init__(
        self,
        clock: Clock,
        started: float,
        cpu_before: float,
        witness: Witness | None,
        own: OwnTime | None,
        *,
        limit: float,
        now: Callable[[], float] = perf_counter,
        starved: Callable[[], bool] = lambda: False,
    ) -> None:
        """Begin to look.

        Args:
            clock: the player's. limit: of this answer.
            started: when the request was put, on the clock `now`; cpu_before: the player's CPU clock then.
            witness: of the player. own: of the referee. None if it cannot be observed.
            starved: stops players that are not due, and returns whether there were any.
        """
        self._witness, self._own, self._now, self._starved = witness, own, now, starved
        self._cpu_before, self._looked = cpu_before, started
        self._used = self._busy = 0.0
        self._watched = witness is not None and witness.watch()
        self.alone = False
        before = Sight(started) if own is None else Sight(started, delayed=own.latest, stops=own.stops())
        self.stopwatch = Stopwatch(before, limit, clock.own_limit())

    def look(self) -> float:
        """Look before the answer is looked for; returns the seconds left, at most 0 when it is late.

        A look that comes right behind another, with time left, is spared.
        """
        watch = self.stopwatch
        since = self._now() - self._looked
        if since < SHORTEST and (left := watch.limit - watch.charged - since) > 0:
            watch.nothing_found()
            return left
        left = watch.look(self._sight())
        if watch.starved and not self.alone:
            self.alone = self._starved()
        return left

    def found(self) -> bool:
        """Look behind a read that has found the whole answer; returns whether it is in time."""
        return self.stopwatch.found(self._sight())

    def stall(self, limit: float) -> Stall | None:
        """What makes the match void, None when it goes on."""
        watch = self.stopwatch
        return Stall(watch.stolen, limit, self.alone) if watch.hopeless else None

    def used(self) -> float | None:
        """CPU seconds that the player has used since the request; None if they cannot be read."""
        return None if self._witness is None else self._witness.cpu() - self._cpu_before

    async def park(self, until: Callable[[int], Awaitable[None]], descriptor: int) -> None:
        """Wait for a descriptor, no longer than until the next look."""
        own = self._own
        before = 0.0 if own is None else own.awake()
        with trio.move_on_after(self.stopwatch.nap()):
            await until(descriptor)
        if own is not None:
            self._busy += own.awake() - before
        if not self._watched and self._witness is not None:
            self._watched = self._witness.watch(many=True)

    def _sight(self) -> Sight:
        witness, own = self._witness, self._own
        used, stood, ready = self._used, 0.0, False
        if witness is not None:
            used = witness.cpu() - self._cpu_before
            if self._watched:
                stood = witness.stood()
                ready = used == self._used and witness.is_ready()
            self._used = used
        self._looked = now = self._now()
        if own is None:
            return Sight(now, used, stood, ready, busy=self._busy)
        return Sight(now, used, stood, ready, own.delayed(), self._busy, own.stops())


def cpu_clock(pid: int) -> Callable[[], float]:
    """Reads the CPU clock of a process: seconds used by all its threads, also by those that have ended.

    A reading costs about 0.3 µs. The clock belongs to the process, which may be anybody's, and goes with it: the last value
    stays, also when the number is another process's by then, whose clock stands lower.
    """
    number = (~pid << 3) | 2  # the kernel's number for it, as clock_getcpuclockid(3) makes it
    last = 0.0

    def read() -> float:
        nonlocal last
        try:
            used = clock_gettime(number)
        except OSError as gone:
            if gone.errno != EINVAL:
                raise
            return last
        if used > last:
            last = used
        return last

    return read
