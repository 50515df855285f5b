"""A program outside of any match: bytes go in as an experiment wants them, and what comes out is kept, late or not.

No rule is applied here and nothing ends the program but the experiment's own end. It is started, drained and ended like
a player (`players.process`), in a cell of the same level.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Final

import trio

from referee.compliance.deeds import Deed, deed, is_stuck, unread
from referee.players.fairness import cpu_clock
from referee.players.process import Process
from referee.sandbox.cells.cell import Launch

KEPT: Final = 64 * 1024
"""Bytes of output that are kept; more is read and forgotten."""
LOOK: Final = 0.05
"""Seconds between two looks at what the program does."""
STUCK: Final = 0.5
"""Seconds without work, waiting for input that it has all read, after which a program will not go on by itself."""
IDLE: Final = 0.05
"""Part of the time that a program may compute and still count as without work: virtual machines look after themselves."""


class Specimen:
    """A program that runs.

    Attributes:
        process: it, as a player's.
        said: what it wrote to stdout since `forget`.
        closed: whether its output has ended.
    """

    def __init__(self, process: Process) -> None:
        self.process = process
        self.said = b""
        self.closed = False
        self._clock = cpu_clock(process.player_pid) if process.player_pid is not None else None

    def forget(self) -> None:
        """What comes from now on belongs to the next request."""
        self.said = b""

    def cpu(self) -> float:
        """CPU seconds that it has used until now."""
        return self._clock() if self._clock is not None else 0.0

    def deed(self) -> Deed | None:
        """What it does now."""
        return deed(self.process.player_pid) if self.process.player_pid is not None else None

    def computes(self, used: float, took: float) -> bool:
        """Whether it computes: it does now, on a processor or ready for one, or did for half of the time that it took."""
        return self.deed() is Deed.RUNS or used > took / 2

    def unread(self) -> int:
        """Bytes of its input that it has not read."""
        try:
            return unread(self.process.stdin)
        except OSError:  # hung up
            return 0

    async def tell(self, data: bytes, *, within: float) -> int:
        """Write to its input, reading meanwhile what it says; returns how many bytes it has not taken."""
        left = memoryview(data)
        with trio.move_on_after(within):
            while left and not self.closed:
                self._hear()
                try:
                    left = left[os.write(self.process.stdin, left[: 16 * 1024]) :]
                except BlockingIOError:
                    with trio.move_on_after(LOOK):
                        await trio.lowlevel.wait_writable(self.process.stdin)
                except BrokenPipeError:
                    break
                await trio.lowlevel.checkpoint()
        return len(left)

    async def listen(
        self, *, within: float, until: Callable[[bytes], bool] = lambda _said: False, hasty: bool = False
    ) -> float:
        """Read its output until it is enough, its end, or the time is over; returns the seconds that it took.

        It stops early when the program is stuck (`STUCK`): then nothing more would come. `hasty`: also when only some of its
        threads wait for input, which is enough where the program has had its time already.
        """
        began = since = perf_counter()
        used, said = self.cpu(), len(self.said)
        while (passed := perf_counter() - began) < within:
            self._hear()
            if self.closed or until(self.said):
                break
            now = self.cpu()
            busy = now - used > IDLE * STUCK
            if busy or len(self.said) > said or not self._waits(hasty) or self.unread():
                since, used, said = perf_counter(), now, len(self.said)
            elif perf_counter() - since > STUCK:
                break
            with trio.move_on_after(min(LOOK, within - passed)):
                await trio.lowlevel.wait_readable(self.process.stdout)
        return perf_counter() - began

    async def wait_for_end(self, *, within: float) -> float:
        """Read its output until the process has ended or the time is over; returns the seconds that it took."""
        began = perf_counter()
        while not self.process.is_over() and (passed := perf_counter() - began) < within:
            self._hear()
            with trio.move_on_after(min(LOOK, within - passed)):
                await trio.sleep_forever() if self.closed else await trio.lowlevel.wait_readable(self.process.stdout)
        self._hear()
        return perf_counter() - began

    def hang_up(self) -> None:
        """End its input, and leave its output open."""
        # The descriptor's number stays the process's own, which closes it in the end.
        nothing = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        os.dup2(nothing, self.process.stdin, inheritable=False)
        os.close(nothing)

    def _waits(self, hasty: bool) -> bool:
        pid = self.process.player_pid
        return pid is not None and (is_stuck(pid) or (hasty and self.deed() is Deed.READS))

    def _hear(self) -> None:
        while not self.closed:
            try:
                data = os.read(self.process.stdout, KEPT)
            except BlockingIOError:
                return
            self.closed = not data
            self.said += data[: max(0, KEPT - len(self.said))]
            if len(data) == KEPT:  # a flood takes turns with everything else
                return


@asynccontextmanager
async def started(launch: Launch) -> AsyncIterator[Specimen]:
    """Starts a program for an experiment, and ends it on the way out, with all that it left behind.

    Raises:
        BotError, IsolationError: it cannot be started.
    """
    async with at_once() as nursery:
        process = Process.start(launch)
        try:
            await process.settle(nursery)
            yield Specimen(process)
        finally:
            await process.end(grace=0)


@asynccontextmanager
async def at_once() -> AsyncIterator[trio.Nursery]:
    """A nursery whose one error comes out as it is."""
    try:
        async with trio.open_nursery() as nursery:
            yield nursery
    except BaseExceptionGroup as group:
        if len(group.exceptions) != 1:
            raise
        failed = group.exceptions[0]
    else:
        return
    raise failed
