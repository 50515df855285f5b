"""A bot's process outside of any match: a test writes to it whatever it wants, and keeps all output, however late.

It is started and ended like a player's process (`players.process`), in a cell of the same level, but no rule and no limit
applies to it.
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
"""Bytes of output that are kept. The rest is read and dropped."""
LOOK: Final = 0.05
"""Seconds between two looks at the process."""


class ProbeProcess:
    """A running bot.

    Attributes:
        process: the process, as a player's.
        said: what it wrote to stdout since `forget`.
        closed: whether its stdout has ended.
    """

    def __init__(self, process: Process, threads: RunDelay) -> None:
        self.process = process
        self.said = b""
        self.closed = False
        self._threads = threads
        self._clock = cpu_clock(process.player_pid) if process.player_pid is not None else None

    def forget(self) -> None:
        """Drop the output so far: what comes now belongs to the next request."""
        self.said = b""

    def cpu(self) -> float:
        """CPU seconds used so far."""
        return self._clock() if self._clock is not None else 0.0

    def computes(self) -> bool:
        """Whether it is running, or ready to run."""
        return self._threads.is_ready()

    async def tell(self, data: bytes, *, within: float) -> None:
        """Write to its stdin, and read its output meanwhile."""
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

    async def listen(self, *, within: float, until: Callable[[bytes], bool] = lambda _said: False) -> float:
        """Read its output until `until` holds, it ends, or the time is over. Returns the seconds that took."""
        began = perf_counter()
        self._hear()
        while not self.closed and not until(self.said) and (passed := perf_counter() - began) < within:
            with trio.move_on_after(within - passed):
                await trio.lowlevel.wait_readable(self.process.stdout)
            self._hear()
        return perf_counter() - began

    async def wait_for_end(self, *, within: float) -> float:
        """Read its output until the process ends or the time is over. Returns the seconds that took."""
        began = perf_counter()
        while not self.process.is_over() and (passed := perf_counter() - began) < within:
            self._hear()
            with trio.move_on_after(min(LOOK, within - passed)):
                await trio.sleep_forever() if self.closed else await trio.lowlevel.wait_readable(self.process.stdout)
        self._hear()
        return perf_counter() - began

    def hang_up(self) -> None:
        """Close its stdin, and leave its stdout open."""
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
async def started(launch: Launch) -> AsyncIterator[ProbeProcess]:
    """Starts a bot, and ends it and all its processes on the way out.

    Raises:
        BotError, IsolationError: it cannot be started.
    """
    async with only_error() as nursery:
        process = Process.start(launch)
        try:
            await process.settle(nursery)
            with closing(RunDelay(process.player_pid or 0)) as threads:
                yield ProbeProcess(process, threads)
        finally:
            await process.end(grace=0)


@asynccontextmanager
async def only_error() -> AsyncIterator[trio.Nursery]:
    """A nursery that raises its one error without a group around it."""
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
