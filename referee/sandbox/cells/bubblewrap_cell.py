"""A process in bubblewrap: how it is held, limited and released, and how it ends.

1. The outer process is bubblewrap, the referee's child. Its child is the init process of the cell. When the init ends, everything
   in the cell ends.
2. Order of a start: spawn bubblewrap; find its init; open a descriptor of it; set its limits, which all processes in the cell
   inherit, and make it the kernel's first choice when memory runs out; release it. What runs in the cell runs only after the
   release, so there is no moment without limits.
3. If the referee is killed during a start, it leaves an init process that does not end with its parent yet. The init waits for
   its release for ever, because the pipe has no end of file, or it has been released. A shell beside the match ends it within
   milliseconds (`guard.py`). A fork server that the shell does not know any more ends with its socket.
4. Until the init is known, the process group is killed, which is bubblewrap's own. The init is in it even if bubblewrap has
   been killed by somebody else. And bubblewrap makes none later: the kernel adds no process to a group that it is killing.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final, TypeVar

import trio
from typing_extensions import override

from referee.errors import BotError, IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.calls import seccomp
from referee.sandbox.cells import children
from referee.sandbox.cells.bubblewrap import Descriptors, Status
from referee.sandbox.cells.cell import ChildCell
from referee.sandbox.cells.limiting import Bounds
from referee.sandbox.cells.spawning import PIPES, Wiring, spawn
from referee.sandbox.meter import read_once

SETTLE: Final = 20.0
"""Seconds that a cell may take to be set up: some milliseconds on an idle machine, much more on one that swaps."""
_BURIAL: Final = 1000
"""Milliseconds."""
_WORDS_CAP: Final = 8192

Held = TypeVar("Held", bound="BubblewrapCell")


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


class BubblewrapCell(ChildCell):
    """A process in bubblewrap; `end` and `pid` are bubblewrap's own."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        name: str,
        status: int,
        block: int,
        bounds: Bounds,
    ) -> None:
        super().__init__(popen)
        os.set_blocking(status, False)
        self._name = name
        self._status_fd = status
        self._status = Status()
        self._block = block
        self._bounds = bounds
        self._init: int | None = None

    @staticmethod
    @override
    def abort(popen: subprocess.Popen[bytes]) -> None:
        """End bubblewrap and its init, which does not end with it yet."""
        with popen:
            os.killpg(popen.pid, signal.SIGKILL)
        with suppress(ChildProcessError):  # it has none yet, or the referee has not adopted it
            os.waitid(os.P_PGID, popen.pid, os.WEXITED)

    @override
    async def settle(self) -> None:
        """Set the limits and let the program run (theory, point 2)."""
        try:
            with trio.fail_after(SETTLE):
                child = await self._its_init()
                if child is not None and self._limit(child):
                    self._release()
                else:  # bubblewrap gives up: its stderr says why
                    while not self._status.closed:
                        await self._listen()
        except trio.TooSlowError:
            raise IsolationError(isolation_errors.slow(self._name, SETTLE)) from None
        if self._status.closed and self._status.exit_code is None:
            raise self.failure()

    async def never_ran(self) -> BotError | IsolationError | None:
        """After the end of bubblewrap: why nothing has run in the cell; None if something has."""
        while not self._status.closed:
            await self._listen()
        return self.failure() if self._status.exit_code is None else None

    def failure(self) -> BotError | IsolationError:
        """Why bubblewrap has ended: its own words."""
        return isolation_errors.failure(self._name, self.words(_WORDS_CAP).decode(errors="replace"))

    @override
    def kill(self) -> None:
        """End the init process of the cell; all others end with it."""
        with suppress(ProcessLookupError):
            if self._init is not None:
                signal.pidfd_send_signal(self._init, signal.SIGKILL)
            else:  # it may not end with bubblewrap yet (theory, point 4)
                os.killpg(self.popen.pid, signal.SIGKILL)

    def kill_outer(self) -> None:
        """End bubblewrap itself, if it outlives its init."""
        super().kill()

    @override
    def close(self) -> None:
        os.close(self._status_fd)
        if self._block >= 0:
            os.close(self._block)
        if self._init is not None:
            self._reap(self._init)
            os.close(self._init)
        else:
            with suppress(ChildProcessError):
                os.waitid(os.P_PGID, self.popen.pid, os.WEXITED)  # the init, if there is one
        super().close()  # last: the next player with this uid may start now

    def _reap(self, init: int) -> None:
        """Reap the init, which bubblewrap leaves behind: a zombie still counts as a process of its uid.

        It ends right after bubblewrap, so there is hardly any wait. The referee can reap it only if it adopts orphans, as it
        does with players; otherwise the machine's own init process reaps it.
        """
        self.kill()
        end_of_init = select.poll()
        end_of_init.register(init, select.POLLIN)
        if end_of_init.poll(_BURIAL):
            with suppress(ChildProcessError):
                os.waitid(os.P_PIDFD, init, os.WEXITED | os.WNOHANG)

    async def _listen(self) -> None:
        await trio.lowlevel.wait_readable(self._status_fd)
        self._hear()

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            self._status.feed(os.read(self._status_fd, 4096))

    async def _its_init(self) -> int | None:
        """Wait for the init process: its pid; None if there is none, because bubblewrap gives up."""
        while not self._status.has_init and not self._status.closed:
            await self._listen()
        return only_child(self.popen.pid)

    def _limit(self, child: int) -> bool:
        """Set the limits of the init. Returns whether it still lives."""
        try:
            self._init = os.pidfd_open(child)
            self._bounds.impose(child)
        except ProcessLookupError:
            return False
        _offer(child)
        return True

    def _release(self) -> None:
        with suppress(BrokenPipeError):  # bubblewrap has given up
            os.write(self._block, b"!")
        os.close(self._block)
        self._block = -1


def spawn_held(
    make: Callable[[subprocess.Popen[bytes], str, int, int, Bounds], Held],
    name: str,
    call: Callable[[Descriptors], list[str]],
    *,
    calls: seccomp.Listed | None,
    bounds: Bounds,
    wiring: Wiring = PIPES,
) -> Held:
    """Start bubblewrap, held until its cell is settled: see `Launch.spawn`.

    Args:
        make: the kind of cell. name: the bot's name in messages.
        call: a function that makes the arguments. They name all descriptors, so that bubblewrap closes them: the program would
            get any other.
        calls: whose list of system calls holds from the start; None for no list.
        bounds: the program's limits, and whose they are.
        wiring: which of its streams are sockets.
    """
    with ExitStack() as ours, ExitStack() as theirs:
        status, status_in = os.pipe()
        ours.callback(os.close, status)
        theirs.callback(os.close, status_in)
        block_out, block = held_pipe()
        ours.callback(os.close, block)
        theirs.callback(os.close, block_out)
        filters = []
        if calls is not None:
            filters = [seccomp.as_memfd(calls)]
            theirs.callback(os.close, *filters)
        descriptors = Descriptors(status_in, block_out, *filters)
        start = None if bounds.owner is None else bounds.owner.start
        with bounds.room():
            popen = spawn(call(descriptors), passed=[status_in, block_out, *filters], wiring=wiring, start=start)
        cell = make(popen, name, status, block, bounds)
        cell.resources.enter_context(children.spared(popen.pid))
        ours.pop_all()
        return cell


def _offer(pid: int) -> None:
    """Let the kernel end this process first when memory runs out: this protects other programs, and is not a limit."""
    with suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "wb", buffering=0) as file:
        file.write(b"1000")


def only_child(pid: int) -> int | None:
    """The child of a process that has one; None if it has none."""
    children = read_once(f"/proc/{pid}/task/{pid}/children").split()
    return int(children[0]) if children else None
