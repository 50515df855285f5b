"""A process in bubblewrap: how it is limited, and how it ends.

1. The outer process is bubblewrap, the referee's child. Its child is the init process of the cell. When the init ends, everything
   in the cell ends.
2. bubblewrap executes a fork server, which starts nothing before it is told to. Until then its limits are set from outside, and
   all that it starts inherits them. It also becomes the kernel's first choice when memory runs out.
3. Until the init is known, the process group is killed, which is bubblewrap's own. The init is in it even if bubblewrap has
   been killed by somebody else. And bubblewrap makes none later: the kernel adds no process to a group that it is killing.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final

import trio
from typing_extensions import override

from referee.errors import BotError, IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.cells import children
from referee.sandbox.cells.cell import ChildCell
from referee.sandbox.cells.limiting import Bounds
from referee.sandbox.cells.spawning import ALL_SOCKETS, spawn
from referee.sandbox.meter import read_once

SETTLE: Final = 20.0
"""Seconds that a cell may take to be set up: some milliseconds on an idle machine, much more on one that swaps."""
_BURIAL: Final = 1000
"""Milliseconds that all processes of a killed cell have to end; a few are usual."""
_WORDS_CAP: Final = 8192


def spawned(call: Sequence[str], bounds: Bounds, *, passed: Collection[int] = ()) -> subprocess.Popen[bytes]:
    """Start bubblewrap under the ids of the bounds, which are not imposed yet. All its streams are sockets."""
    start = None if bounds.owner is None else bounds.owner.start
    with bounds.room():
        return spawn(call, passed=passed, wiring=ALL_SOCKETS, start=start)


class BubblewrapCell(ChildCell):
    """A process in bubblewrap; `end` and `pid` are bubblewrap's own."""

    def __init__(self, popen: subprocess.Popen[bytes], name: str, bounds: Bounds) -> None:
        """Args: name: the bot's name in messages. bounds: the limits, and whose they are.

        Raises:
            OSError: no descriptors left; bubblewrap is ended.
        """
        super().__init__(popen)
        self._name = name
        self._bounds = bounds
        self._init: int | None = None
        self.resources.enter_context(children.spared(popen.pid))

    @staticmethod
    @override
    def abort(popen: subprocess.Popen[bytes]) -> None:
        """End bubblewrap and its init, which does not end with it yet."""
        with popen:
            os.killpg(popen.pid, signal.SIGKILL)
        with suppress(ChildProcessError):  # it has none yet, or the referee has not adopted it
            os.waitid(os.P_PGID, popen.pid, os.WEXITED)

    def failure(self) -> BotError | IsolationError:
        """Why bubblewrap has ended: its own words."""
        return isolation_errors.failure(self._name, self.words(_WORDS_CAP).decode(errors="replace"))

    def started(self) -> int | None:
        """The number of what bubblewrap has executed in the cell, usually as its init; None if that has ended."""
        return only_child(self.popen.pid)

    def limit(self) -> bool:
        """Find the init, and set the limits of what bubblewrap has executed. Returns whether it is there.

        Raises:
            IsolationError: see `Bounds.impose`.
        """
        init, started = only_child(self.popen.pid), self.started()
        if init is None or started is None:
            return False
        try:
            self._init = os.pidfd_open(init)
            self._bounds.impose(started)
        except ProcessLookupError:
            return False
        _offer(started)
        return True

    @override
    def kill(self) -> None:
        """End the init process of the cell; all others end with it."""
        with suppress(ProcessLookupError):
            if self._init is not None:
                signal.pidfd_send_signal(self._init, signal.SIGKILL)
            else:  # it may not end with bubblewrap yet (theory, point 3)
                os.killpg(self.popen.pid, signal.SIGKILL)

    async def all_gone(self) -> None:
        """Kill everything in the cell and wait until it is dead, so that `discard` does not block. Must not be cancelled."""
        self.kill()
        with trio.move_on_after(_BURIAL / 1000):
            await trio.lowlevel.wait_readable(self.end if self._init is None else self._init)

    @override
    def close(self) -> None:
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


def only_child(pid: int) -> int | None:
    """The child of a process that has one; None if it has none."""
    pids = read_once(f"/proc/{pid}/task/{pid}/children").split()
    return int(pids[0]) if pids else None


def _offer(pid: int) -> None:
    """Let the kernel end this process first when memory runs out: this protects other programs, and is not a limit."""
    with suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "wb", buffering=0) as file:
        file.write(b"1000")
