"""A program outside of any match: bytes go in as an experiment wants them, and what comes out is kept, late or not.

No rule is applied here and nothing ends the program but the experiment's own end. It is started, drained and ended like
a player (`players.process`), in a cell of the same level.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from time import perf_counter
from typing import Final

import trio

from referee.players.fairness import cpu_clock
from referee.players.process import Process
from referee.sandbox.cells.cell import Launch
from referee.sandbox.meter import RunDelay

KEPT: Final = 64 * 1024
"""Bytes of output that are kept; more is read and forgotten."""
LOOK: Final = 0.05
"""Seconds between two looks at what the program does."""


class Specimen:
    """A program that runs.

    Attributes:
        process: it, as a player's.
        said: what it wrote to stdout since `forget`.
        closed: whether its output has ended.
    """

    def __init__(self, process: Process, threads: RunDelay) -> None:
        self.process = process
        self.said = b""
        self.closed = False
        self._threads = threads
        self._clock = cpu_clock(process.player_pid) if process.player_pid is not None else None

    def forget(self) -> None:
        """What comes from now on belongs to the next request."""
        self.said = b""

    def cpu(self) -> float:
        """CPU seconds that it has used until now."""
        return self._clock() if self._clock is not None else 0.0

    def computes(self) -> bool:
        """Whether it computes now, or would if it had a processor."""
        return self._threads.is_ready()

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

    async def listen(self, *, within: float, until: Callable[[bytes], bool] = lambda _said: False) -> float:
        """Read its output until it is enough, its end, or the time is over; returns the seconds that it took."""
        began = perf_counter()
        self._hear()
        while not self.closed and not until(self.said) and (passed := perf_counter() - began) < within:
            with trio.move_on_after(within - passed):
                await trio.lowlevel.wait_readable(self.process.stdout)
            self._hear()
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
            with closing(RunDelay(process.player_pid or 0)) as threads:
                yield Specimen(process, threads)
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
