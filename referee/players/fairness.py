"""Whose fault it is that an answer came too late: the player's, or that of the machine it plays on.

1. A timeout is the player's only if the host let it play. Two things can have gone wrong: the referee's own loop was
   away (`Stopwatch.absent`; such time is not charged either), or the player was ready to run and no processor ran it
   (`Waiting`). Where one of the two exceeds `TOLERANCE` of the answer's own limit, the timeout is booked on nobody: the
   match is void. What is left of the total is no measure: who has nearly used it up could blame any microsecond.
2. No player may bring this about for itself, so whatever it can have caused is taken off first, and in doubt it is booked:
   - Its own threads keep each other waiting. What they used is taken off by whoever measures the waiting.
   - It forges the measure: a thread that has waited before becomes the one that is measured. Whoever measures has to be
     proof against that, and finds no more waiting than the machine ran others on the player's processors meanwhile.
   - It stops itself, sleeps, waits for something: then it is not ready to run.
   - It burns the processors, so that the referee is not run. To keep the referee off n processors for a second it has to
     use n seconds: of the absence an nth of its CPU time is taken off.
   - It makes the referee work, by a drip or a flood of log or output, so that the referee is late or runs in its place:
     what the referee's thread used itself is taken off both.
   - It makes the referee wait, for a slow disk that takes a transcript: who has logged more than `LOUD` meanwhile has no
     claim at all. Its answer cannot do that: lines are capped, and one that is too long is a fault at once.
   - It uses up a total that counts CPU time: that is the verdict of a clock that no stall moves, and is always booked.
3. Another player that runs at the same moment can keep this one waiting. Nobody wins by that: the match is void, not
   lost. Where players are paused while it is not their turn (no pondering) there is no such other player.
4. A program's processes besides its own count for nobody, and who moves to a busy processor or lowers its own priority
   is not run for that reason. A sandbox allows none of this; where nothing isolates it, a program is trusted not to.
   Likewise memory: limits that do not fit the machine together are the host's fault.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from errno import EINVAL
from time import clock_gettime, thread_time
from typing import Final, Literal, Protocol

from referee.clock import seconds
from referee.errors import RefereeError

TOLERANCE: Final = 0.1
"""Part of an answer's limit that the host may take without spoiling the match."""
LOUD: Final = 256 * 1024
"""Bytes of log in one request from which on a player may be why the referee was away."""


class Waiting(Protocol):
    """Watches a program from the moment it is made."""

    def stalled(self) -> float:
        """Seconds since then that it was ready to run and others than itself were run, the referee perhaps among them."""


class Witness(Protocol):
    """What is seen of a player's process from outside."""

    def cpu(self) -> float:
        """CPU seconds that it has used until now, all its threads together."""

    def logged(self) -> int:
        """Bytes of log that it has written until now."""

    def waiting(self) -> Waiting | None:
        """Begin to watch it; None where it cannot be watched."""


@dataclass(frozen=True, slots=True)
class Stall:
    """What the host took from an answer with this limit: seconds in which the referee was away or the player not run."""

    which: Literal["referee", "player"]
    seconds: float
    limit: float


class HostStalled(RefereeError):
    """A timeout that is the host's fault: the match is void, and can be played again.

    Attributes:
        seat: who was to answer.
        stall: what was in its way.
    """

    def __init__(self, seat: int, stall: Stall) -> None:
        who = "the referee was kept from running" if stall.which == "referee" else "its program was not run"
        super().__init__(
            f"the match is void: seat {seat + 1} did not answer within {seconds(stall.limit)}, but this machine is to "
            f"blame: for {stall.seconds:.2g} s {who}; play again with less beside it, or with longer limits"
        )
        self.seat = seat
        self.stall = stall


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


class HostWatch:
    """The host's part in one request. Make it when the request has been put; `begin` watching once the answer takes its time."""

    __slots__ = ("_asked_at", "_busy", "_busy_before", "_logged_before", "_waiting", "_witness")

    def __init__(self, witness: Witness, asked_at: float, busy: Callable[[], float] = thread_time) -> None:
        """Note what has been used: `asked_at` is the player's CPU clock before the request, `busy` the referee's own."""
        self._witness = witness
        self._asked_at = asked_at
        self._busy = busy
        self._busy_before = busy()
        self._logged_before = witness.logged()
        self._waiting: Waiting | None = None

    def begin(self) -> None:
        """The answer takes its time: from the first call on it is seen whether the player is run."""
        if self._waiting is None:
            self._waiting = self._witness.waiting()

    def stall(self, limit: float, absent: float) -> Stall | None:
        """What the host is to blame for now that the time is up; None when the player is late by itself.

        Args:
            limit: of this answer by itself, in seconds.
            absent: seconds that the referee was away.
        """
        return blame(
            limit,
            absent=absent,
            unrun=0.0 if self._waiting is None else self._waiting.stalled(),
            busy=self._busy() - self._busy_before,
            cpu=self._witness.cpu() - self._asked_at,
            processors=len(os.sched_getaffinity(0)),
            logged=self._witness.logged() - self._logged_before,
        )


def blame(
    limit: float, *, absent: float, unrun: float, busy: float, cpu: float, processors: int, logged: int
) -> Stall | None:
    """The rule (theory, points 1 and 2), for one answer that came too late; times in seconds.

    Args:
        limit: of this answer by itself.
        absent: how long the referee was away.
        unrun: how long the player was ready to run and was not.
        busy: CPU time that the referee's thread used meanwhile.
        cpu: CPU time that the player used.
        processors: how many the referee may run on.
        logged: bytes of log that the player wrote.
    """
    if logged > LOUD:
        return None
    stalls = (Stall("referee", absent - busy - cpu / processors, limit), Stall("player", unrun - busy, limit))
    return next((stall for stall in stalls if stall.seconds > TOLERANCE * limit), None)
