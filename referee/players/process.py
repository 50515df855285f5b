"""The life of a program that plays: started, listened to, and ended so that nothing of it is left.

1. A program lives in a `Cell` of the sandbox, which says how well it is isolated. Cells are spawned from the main thread.
   (trio's own spawning goes through a worker thread, and what a parent's death signals follows the thread that spawned.)
2. stderr is drained all the time by a task of its own, so that no player waits for its log; both ends of it are kept.
   Where memory is limited another task looks at it every `LOOK`: the limit that the kernel holds does not count all.
3. The end is the cell's kill, then waiting for the outer process by its pidfd, then a sweep (`children.py`) for what it
   left behind, by its group and by its mark in the environment. The process itself is reaped last: as long as it is not,
   nobody else can get its number or its group's.
4. An end that was broken off (Ctrl-C) is done again from its beginning by the next: nothing is closed before all is dead.
5. A program that cannot be started is the user's error and raises `BotError`; everything after that is the player's.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Final

import trio

from referee.game import Fault, FaultKind
from referee.players import children
from referee.sandbox.cells.cell import Cell, Launch
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring
from referee.sandbox.limits import MIB
from referee.sandbox.meter import Meter
from referee.wire import Log

STATUS_WAIT: Final = 1.0
"""Seconds that a process whose output has ended gets to end too, so that the verdict can give its status."""
SIGNALLED: Final = 128
KILL_WAIT: Final = 1.0
"""Seconds that the outer process gets to follow its program: some milliseconds are usual."""
LOOK: Final = 0.02
"""Seconds between two looks at a program's memory."""
LOG_CHUNK: Final = 64 * 1024


class Process:
    """A program with its pipes, its log, its status and its end. Make it with `start`, end it with `end`.

    `stdin` and `stdout` are the referee's ends, non-blocking descriptors, good until the process is ended (`stdin`: until
    `hang_up`); `pid` is the referee's child, `player_pid` the program itself; `pidfd` is readable when the child has ended.
    """

    def __init__(self, cell: Cell, hear: Callable[[bytes], None] | None, log: Log | None = None) -> None:
        self._cell = cell
        self.pidfd = cell.pidfd
        self._hear = hear
        self._stdin, self._stdout, self._stderr = cell.stdin, cell.stdout, cell.stderr
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._one_at_a_time = trio.Lock()
        self._over_memory = 0
        self._gone = trio.Event()
        self.pid = cell.outer_pid
        self.stdin, self.stdout = self._stdin.fileno(), self._stdout.fileno()
        self.log = Log() if log is None else log
        self.ended = False

    @classmethod
    @trio.lowlevel.enable_ki_protection
    def start(
        cls,
        launch: Launch,
        *,
        hear: Callable[[bytes], None] | None = None,
        log: Log | None = None,
        wiring: Wiring = LOG_SOCKET,
    ) -> Process:
        """Start the program, which is to be settled then.

        Args:
            hear: gets what it writes to stderr. log: what it is kept in, where earlier processes have written to it too.
            wiring: which of its streams are sockets.

        Raises:
            BotError: the program cannot be started; one line that says what to do.
            OSError: the machine has no descriptor, process or memory left for it, which is no fault of the bot's.
        """
        children.expect()
        cell = launch.spawn(wiring)
        # Out of descriptors: that is ours, and still nothing may stay.
        with ExitStack() as undo:
            undo.enter_context(cell.popen)
            undo.callback(cell.close)
            undo.callback(cell.kill_outer)
            process = cls(cell, hear, log)
            children.enter(cell.outer_pid)
            undo.pop_all()
        return process

    async def settle(self, nursery: trio.Nursery) -> None:
        """Wait until it runs; tasks in `nursery` drain its stderr and look at its memory from then on.

        Raises:
            BotError, IsolationError: see `Cell.settle`. It is still to be ended.
        """
        await self._cell.settle()
        nursery.start_soon(self._drain)
        if self._cell.memory is not None and self._cell.pid is not None:
            nursery.start_soon(self._watch_memory, self._cell.pid, self._cell.memory)

    @property
    def player_pid(self) -> int | None:
        """The program itself, as the host counts; None when it was gone before it was seen."""
        return self._cell.pid

    def hang_up(self) -> None:
        """End its input."""
        self._stdin.close()

    def pause(self) -> None:
        """Stop the program (SIGSTOP), until `resume`."""
        self._cell.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on (SIGCONT)."""
        self._cell.signal(signal.SIGCONT)

    @trio.lowlevel.enable_ki_protection
    async def end(self, *, grace: float) -> None:
        """Close its input, give it `grace` seconds to leave by itself, then kill it and all that it left behind.

        May be called more than once, also while it is under way. Not cancelled midway.
        """
        with trio.CancelScope(shield=True):
            async with self._one_at_a_time:
                if not self.ended:
                    await self._end(grace)

    def status(self) -> int | None:
        """The exit status, negative for a signal, None while it runs; the process stays to be reaped."""
        info = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if info is None:
            return None
        return info.si_status if info.si_code == os.CLD_EXITED else -info.si_status

    def is_over(self) -> bool:
        """Whether it has ended."""
        return children.is_dead(self.pid)

    async def how_it_ended(self) -> str:
        """Words for a process whose output ended; a signal or a status where there is one."""
        with trio.move_on_after(STATUS_WAIT):
            await trio.lowlevel.wait_readable(self.pidfd)
        status = self.status()
        if status is None:
            return "it closed its output and went on running"
        return ending(status)

    def verdict(self) -> Fault | None:
        """Why the sandbox ended the program, None when it did not."""
        if self._over_memory:
            used, cap = self._over_memory / MIB, (self._cell.memory or 0) / MIB
            return Fault(FaultKind.SANDBOX, f"used {used:.0f} MiB of memory, {cap:.0f} are allowed")
        if self._cell.out_of_memory():
            cap = (self._cell.memory or 0) / MIB
            return Fault(FaultKind.SANDBOX, f"used more than the {cap:.0f} MiB of memory that are allowed")
        return None

    async def _end(self, grace: float) -> None:
        self._stdin.close()
        if grace:
            self.resume()
            with trio.move_on_after(grace):
                await trio.lowlevel.wait_readable(self.pidfd)
        self._cell.kill()
        with trio.move_on_after(KILL_WAIT):
            await trio.lowlevel.wait_readable(self.pidfd)
        self._cell.kill_outer()
        await trio.lowlevel.wait_readable(self.pidfd)
        await children.sweep(self.pid, self._cell.mark)
        self.ended = True
        self._gone.set()
        self._cell.popen.poll()
        try:
            self._drain_once(everything=True)
        finally:
            trio.lowlevel.notify_closing(self._stderr.fileno())
            for stream in (self._stdout, self._stderr):
                stream.close()
            self._cell.close()

    async def _watch_memory(self, pid: int, cap: int) -> None:
        """End the program when it holds more than `cap` bytes, shared ones too."""
        with closing(Meter(pid)) as meter:
            while not self.ended:
                used = meter.memory()
                if used is None:
                    return
                if used.resident > cap:
                    self._over_memory = used.resident
                    self._cell.kill()
                    return
                with trio.move_on_after(LOOK):
                    await self._gone.wait()

    async def _drain(self) -> None:
        """Read stderr until it ends, a chunk at a time, so that a flood of it takes turns with everything else."""
        try:
            while not self.ended and self._drain_once():
                await trio.lowlevel.wait_readable(self._stderr.fileno())
        except trio.ClosedResourceError:
            pass

    def _drain_once(self, *, everything: bool = False) -> bool:
        """Read a chunk of stderr, or what is in the pipe; whether there may be more later."""
        # A child that outlived the kill could write for ever: a pipe's worth of chunks is all that can be left.
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


def ending(status: int) -> str:
    """Words for an exit status, negative for a signal."""
    if status < 0:
        return f"ended by signal {-status} ({_signal_name(-status)})"
    # A cell hands on a signal as a status, and a program may choose the same one, or one that no signal has.
    if SIGNALLED < status <= SIGNALLED + signal.SIGRTMAX:
        return f"exited with status {status} (as after {_signal_name(status - SIGNALLED)})"
    return f"exited with status {status}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "a real-time signal"
