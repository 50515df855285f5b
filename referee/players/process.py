"""A player's process: its start, its streams, and its end, which leaves nothing behind.

1. A program runs in a `Cell` of the sandbox, which isolates it.
2. A task drains stderr all the time, so that no player waits for its log; the first and the last lines are kept. If memory is
   limited, another task checks it every `LOOK`, because the kernel's limit does not count all memory.
3. To end a process, the cell is killed, its end is awaited, and the cell sweeps: at level full, its namespace holds everything
   that it started; at the others `children.py` finds what it left behind. A child of the referee is reaped last: until then, no
   other process can get its number or the number of its group.
4. An end that was interrupted (Ctrl-C) is repeated from its beginning: nothing is closed before all processes are dead.
5. A program that cannot be started is the user's error and raises `BotError`. Everything later is the player's fault.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import closing
from typing import Final

import trio

from referee.contract.game import Fault, FaultKind
from referee.sandbox.cells.cell import Launch
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring
from referee.sandbox.limits import MIB
from referee.sandbox.log import Log
from referee.sandbox.meter import Meter

STATUS_WAIT: Final = 1.0
"""Seconds to wait for the end of a process after its output has ended, so that the verdict can give its exit status."""
SIGNALLED: Final = 128
LOOK: Final = 0.02
"""Seconds between two looks at a program's memory."""
LOG_CHUNK: Final = 64 * 1024
_SIGNALS: Final = {number.value: number.name for number in signal.Signals}


class Process:
    """A running program. End it with `end`.

    Attributes:
        cell: the cell in which it runs.
        stdin, stdout: the referee's ends, non-blocking descriptors, valid until the end (`stdin`: until `hang_up`).
    """

    @trio.lowlevel.enable_ki_protection
    def __init__(
        self,
        launch: Launch,
        *,
        hear: Callable[[bytes], None] | None = None,
        log: Log | None = None,
        wiring: Wiring = LOG_SOCKET,
    ) -> None:
        """Start the program. Call `settle` next.

        Args:
            hear: a function that gets what it writes to stderr. log: keeps that; it may have lines of earlier processes.

        Raises:
            BotError: the program cannot be started; one line that says what to do.
            OSError: the machine has no descriptor, process or memory left. This is not the bot's fault.
        """
        cell = self.cell = launch.spawn(wiring)
        self._hear = hear
        self._stdin, self._stdout, self._stderr = cell.stdin, cell.stdout, cell.stderr
        self.stdin, self.stdout = self._stdin.fileno(), self._stdout.fileno()
        self._one_at_a_time = trio.Lock()
        self._over_memory = 0
        self._gone = trio.Event()
        self.log = Log() if log is None else log
        self.ended = False
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)

    @trio.lowlevel.enable_ki_protection
    async def settle(self, nursery: trio.Nursery) -> None:
        """Wait until the program runs. From then on, tasks in `nursery` drain its stderr and watch its memory.

        Raises:
            BotError, IsolationError, OSError: as `Cell.settle`. The caller still ends the process.
        """
        await self.cell.settle()
        nursery.start_soon(self._drain)
        if self.cell.memory is not None and self.cell.pid is not None:
            nursery.start_soon(self._watch_memory, self.cell.pid, self.cell.memory)

    def catch_up(self) -> None:
        """If somebody listens to its stderr, read what the program has written so far, without waiting."""
        if self._hear is not None:
            self._drain_once(everything=True)

    def hang_up(self) -> None:
        """Close its stdin."""
        self._stdin.close()

    def pause(self) -> None:
        """Stop the program (SIGSTOP), until `resume`."""
        self.cell.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let the program go on (SIGCONT)."""
        self.cell.signal(signal.SIGCONT)

    @trio.lowlevel.enable_ki_protection
    async def end(self, *, grace: float) -> None:
        """Close its stdin, wait `grace` seconds, then kill it and all that it left behind.

        Without grace, it is killed before its stdin is closed. Otherwise it could log an error about the end of its input, which
        would look like the cause of its fault. May be called several times, also concurrently. Cannot be cancelled midway.
        """
        with trio.CancelScope(shield=True):
            async with self._one_at_a_time:
                if not self.ended:
                    await self._end(grace)

    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.cell.status() is not None

    async def how_it_ended(self) -> str:
        """How a process ended whose output has ended, in words. All that it wrote to stderr is in `log` then."""
        with trio.move_on_after(STATUS_WAIT):
            await trio.lowlevel.wait_readable(self.cell.end)
        self._drain_once(everything=True)
        status = self.cell.status()
        if status is None:
            return "it closed its output and kept running"
        return exit_words(status)

    def verdict(self) -> Fault | None:
        """Why the sandbox ended the program; None if it did not."""
        if self._over_memory:
            used, cap = self._over_memory / MIB, (self.cell.memory or 0) / MIB
            return Fault(FaultKind.SANDBOX, f"used {used:.0f} MiB of memory, {cap:.0f} are allowed")
        return None

    async def _end(self, grace: float) -> None:
        if grace:
            self._stdin.close()
            self.resume()
            with trio.move_on_after(grace):
                await trio.lowlevel.wait_readable(self.cell.end)
        self.cell.kill()
        if not self.is_over():
            await trio.lowlevel.wait_readable(self.cell.end)
        await self.cell.sweep()
        self.ended = True
        self._gone.set()
        try:
            self._drain_once(everything=True)
        finally:
            trio.lowlevel.notify_closing(self._stderr.fileno())
            for stream in (self._stdin, self._stdout, self._stderr):
                stream.close()
            self.cell.close()

    async def _watch_memory(self, pid: int, cap: int) -> None:
        """End the program if it holds more than `cap` bytes, including shared memory."""
        with closing(Meter(pid)) as meter:
            while not self.ended:
                used = meter.memory() or 0  # it may only seem to have ended (`Meter.memory`)
                if used > cap:
                    self._over_memory = used
                    self.cell.kill()
                    return
                with trio.move_on_after(LOOK):
                    await self._gone.wait()

    async def _drain(self) -> None:
        """Read stderr until it ends, chunk by chunk, so that a flood does not block other tasks."""
        try:
            while not self.ended and self._drain_once():
                await trio.lowlevel.wait_readable(self._stderr.fileno())
        except trio.ClosedResourceError:
            pass

    def _drain_once(self, *, everything: bool = False) -> bool:
        """Read one chunk of stderr, or everything in the pipe. Returns whether more may come."""
        # A surviving child could write for ever, but a pipe holds at most so many chunks.
        for _ in range(32 if everything else 1):
            try:
                data = os.read(self._stderr.fileno(), LOG_CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.log.add(data)
            if self._hear is not None:
                self._hear(data)
        return True


def exit_words(status: int) -> str:
    """Words for an exit status, negative for a signal."""
    if status < 0:
        return f"ended by signal {-status} ({_SIGNALS.get(-status, 'a real-time signal')})"
    # A cell passes a signal on as a status, but a program may exit with the same status.
    if status - SIGNALLED in _SIGNALS:
        return f"exited with status {status} (as after {_SIGNALS[status - SIGNALLED]})"
    return f"exited with status {status}"
