"""A bot's process outside of any match: it gets requests, and all its output is kept, however late it arrives.

1. It is started and ended like a player's process (`players.process`), in a cell of the same level. No rule and no limit of a
   match applies to it.
2. On a busy machine a bot is slow through no fault of its own. So the time that it waited for a processor does not count, and
   a bot is idle only if several looks in a row found it neither running nor ready to run.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from time import perf_counter
from typing import Final, NamedTuple

import trio

from referee.errors import ungrouped
from referee.players.process import Process
from referee.sandbox import advice
from referee.sandbox.cells.spawning import Wiring
from referee.sandbox.meter import NO_PROCESS, ProcessWitness
from referee.sandbox.opening import Sandbox
from referee.sandbox.program import Program

OUTPUT_BYTES: Final = 64 * 1024
"""Bytes of output that are kept. The rest is read and dropped."""
POLL_TIME: Final = 0.05
"""Seconds between two looks at the process."""
IDLE_TIME: Final = 3.0
"""Seconds of idleness after which a bot waits for something that does not come."""
QUIET_TIME: Final = 0.4
"""Seconds of idleness after which a bot has written all that it wanted to write."""


class Timing(NamedTuple):
    """How long it took to listen to a bot.

    Attributes:
        seconds: the time that passed while the bot could run. cpu: the CPU seconds that it used.
        computes: whether it computed for most of the time, or still does and has not answered.
        idle: whether it has written nothing and was idle to the end.
    """

    seconds: float
    cpu: float
    computes: bool
    idle: bool


class ProbeProcess:
    """A running bot.

    Attributes:
        process: the process, as a player's.
        output: what it wrote to stdout since the last request.
        lines: the number of lines of the reply to it.
        closed: whether its stdout has ended.
    """

    def __init__(self, process: Process, witness: ProcessWitness) -> None:
        self.process, self._witness = process, witness
        self.output, self.lines = b"", 1
        self.closed = False
        self._unsent = memoryview(b"")
        self._hangs_up = False

    @property
    def log(self) -> list[str]:
        """The last lines that it wrote to stderr."""
        return self.process.log.last_lines(advice.LINES)

    @property
    def complete(self) -> bool:
        """Whether it has written a whole reply."""
        return self.output.count(b"\n") >= self.lines

    async def ask(self, request: bytes, lines: int, *, within: float) -> Timing:
        """Write a request and listen to the reply of so many lines (`listen`)."""
        self.output, self.lines = b"", lines
        self.send(request)
        return await self.listen(within=within)

    def send(self, data: bytes) -> None:
        """Write these bytes while it listens next."""
        self._unsent = memoryview(data)

    async def listen(self, *, within: float, idle: float = IDLE_TIME, on: bool = False) -> Timing:
        """Read its output until the reply is complete, the output ends, time runs out, or the bot is idle.

        Args:
            within: the limit, in seconds in which the bot can run. idle: the seconds of idleness after which to stop.
            on: whether to read on when the reply is complete.
        """
        began, cpu = perf_counter(), self._witness.cpu()
        self._witness.watch(many=True)
        at_first, calm = cpu, 0.0
        while True:
            progress = self._exchange()
            before, cpu = cpu, self._witness.cpu()
            ready = self._witness.is_ready()
            calm = 0.0 if progress or ready or cpu - before > POLL_TIME / 10 else calm + POLL_TIME
            took = perf_counter() - began - self._witness.stood()
            answered = self.closed or (self.complete and not on)
            if answered or took >= within or calm >= idle:
                used = cpu - at_first
                computes = used > took / 2 or (ready and not answered)
                return Timing(took, used, computes, calm >= idle and not self.output)
            with trio.move_on_after(POLL_TIME):
                if self._unsent:
                    await trio.lowlevel.wait_writable(self.process.stdin)
                else:
                    await trio.lowlevel.wait_readable(self.process.stdout)

    async def rest(self) -> None:
        """Read all that it writes until it is quiet, but not for long: a bot may compute all the time."""
        await self.listen(within=IDLE_TIME, idle=QUIET_TIME, on=True)

    def hang_up(self) -> None:
        """Close its stdin, once the request is written; its stdout stays open."""
        self._hangs_up = True

    def _exchange(self) -> bool:
        """Read and write without waiting. Returns whether there was anything to read or to write."""
        received, unsent = len(self.output), len(self._unsent)
        with suppress(BlockingIOError):
            data = os.read(self.process.stdout, OUTPUT_BYTES)
            self.closed = not data
            self.output += data[: max(0, OUTPUT_BYTES - len(self.output))]
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self.process.stdin, self._unsent[: 16 * 1024]) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it has closed its stdin: the rest is dropped, as in a match
            self._unsent = memoryview(b"")
        if self._hangs_up and not self._unsent:
            self.process.hang_up()
        return (len(self.output), len(self._unsent)) != (received, unsent)


@asynccontextmanager
async def start_probe(sandbox: Sandbox, bot: Program, wiring: Wiring) -> AsyncIterator[ProbeProcess]:
    """Starts a bot, and ends it and all its processes on the way out.

    Args:
        wiring: which of its streams are sockets.

    Raises:
        BotError, IsolationError: it cannot be started.
    """
    launch = await sandbox.prepare(bot)
    with ungrouped():
        async with trio.open_nursery() as nursery:
            process = Process(launch, wiring=wiring)
            try:
                await process.settle(nursery)
                with closing(ProcessWitness(process.cell.pid or NO_PROCESS)) as witness:
                    yield ProbeProcess(process, witness)
            finally:
                await process.end(grace=0)
