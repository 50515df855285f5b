"""The cell of a build: how it is held and released, and how it ends.

1. Order of a start: spawn bubblewrap; find its init; set its limits; release it. The build runs only after the release, so there
   is no moment without limits.
2. If the referee is killed during a start, it leaves an init process that does not end with its parent yet. The init waits for
   its release for ever, because the pipe has no end of file, or it has been released. A shell beside the build ends it within
   milliseconds (`cells/guard.py`).
3. All processes in the jail end with its init, and bubblewrap may end a moment before that. So the init is awaited too, by its
   descriptor; closing the cell reaps it if the referee has adopted it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

import trio
from typing_extensions import override

from referee.errors import BotError, IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.calls import seccomp
from referee.sandbox.cells.bubblewrap import Descriptors, Status
from referee.sandbox.cells.bubblewrap_cell import SETTLE, BubblewrapCell, spawned
from referee.sandbox.cells.limiting import Bounds
from referee.sandbox.cells.spawning import PIPES

END: Final = 1.0
"""Seconds that all processes of a killed jail have to end; milliseconds are usual."""


def spawn_held(name: str, call: Callable[[Descriptors], list[str]], bounds: Bounds) -> JailCell:
    """Start bubblewrap, held until its cell is settled.

    Args:
        name: the bot's name in messages.
        call: a function that makes the arguments. They name all descriptors, so that bubblewrap closes them: the build would
            get any other.
        bounds: the build's limits, and whose they are.
    """
    with ExitStack() as ours, ExitStack() as theirs:
        status, status_in = os.pipe()
        ours.callback(os.close, status)
        theirs.callback(os.close, status_in)
        block_out, block = held_pipe()
        ours.callback(os.close, block)
        theirs.callback(os.close, block_out)
        filter_fd = seccomp.as_memfd("builds")
        theirs.callback(os.close, filter_fd)
        fds = Descriptors(status_in, block_out, filter_fd)
        cell = JailCell(spawned(call(fds), bounds, wiring=PIPES, passed=fds), name, bounds, status, block)
        ours.pop_all()
        return cell


class JailCell(BubblewrapCell):
    """A build in bubblewrap, which is held until its limits are set (theory, point 1)."""

    def __init__(self, popen: subprocess.Popen[bytes], name: str, bounds: Bounds, status: int, block: int) -> None:
        super().__init__(popen, name, bounds)
        os.set_blocking(status, False)
        self._status_fd = status
        self._status = Status()
        self._block = block

    @override
    async def settle(self) -> None:
        try:
            with trio.fail_after(SETTLE):
                while not self._status.has_init and not self._status.closed:
                    await self._listen()
                if self.limit():
                    with suppress(BrokenPipeError):  # bubblewrap has given up
                        os.write(self._block, b"!")
                else:  # bubblewrap gives up: its stderr says why
                    while not self._status.closed:
                        await self._listen()
        except trio.TooSlowError:
            raise IsolationError(isolation_errors.slow(self._name, SETTLE)) from None
        if self._status.closed and self._status.exit_code is None:
            raise self.failure()

    async def all_gone(self) -> None:
        """Kill everything in it, wait until it is dead, and reap bubblewrap. Must not be cancelled."""
        self.kill()
        with trio.move_on_after(END):
            await trio.lowlevel.wait_readable(self.end)
        self.kill_outer()
        await trio.lowlevel.wait_readable(self.end)
        self.popen.wait()
        if self._init is not None:
            with trio.move_on_after(END):
                await trio.lowlevel.wait_readable(self._init)

    async def never_ran(self) -> BotError | IsolationError | None:
        """After the end of bubblewrap: why nothing has run in the cell; None if something has."""
        while not self._status.closed:
            await self._listen()
        return self.failure() if self._status.exit_code is None else None

    @override
    def close(self) -> None:
        os.close(self._status_fd)
        os.close(self._block)
        super().close()

    async def _listen(self) -> None:
        await trio.lowlevel.wait_readable(self._status_fd)
        with suppress(BlockingIOError):
            self._status.feed(os.read(self._status_fd, 4096))


def held_pipe() -> tuple[int, int]:
    """A pipe that holds a program until a byte comes through: the end that is passed on, and the referee's.

    The first end is opened for writing too. So the process that waits there never sees an end of file, which would release
    the program when the referee is killed.
    """
    reading, writing = os.pipe()
    try:
        return os.open(f"/proc/self/fd/{reading}", os.O_RDWR | os.O_CLOEXEC), writing
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
