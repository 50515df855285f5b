"""Finds and ends the processes that a player, or a build, without a namespace of its own leaves behind.

1. The referee, not the machine's init process, adopts the children of every process that dies below it (a subreaper). The init of
   a container may never reap zombies, which count against the limit of their uid. So a sweep lists the referee's own children,
   kills and reaps those that it claims, and repeats this until it claims none. A cell reaps its own first process.
2. It claims those in its player's session, and those with its player's mark in their environment with all in their sessions.
   The referee's own session has no player's processes, because no process can enter a session.
3. A daemon that removes its mark survives. Only level none has daemons, and its programs are trusted.
4. Dead processes have no environment. A sweep reaps them, but spares those in the referee's session or in one that they began
   themselves: the referee, or a program that embeds it, may have started these, and waits for their status. So a daemon that
   began a session and ended before the sweep stays as a zombie until the referee ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import trio


async def sweep(pid: int, mark: bytes) -> None:
    """Kill and reap what a dead player left behind. The player itself must not be reaped yet, so that its number is not reused.

    Args:
        pid: the player's process, group and session.
        mark: the entry in its environment.
    """
    sessions = {pid}
    while claimed := [child for child in own_children() if child != pid and _is_left_behind(child, mark, sessions)]:
        await _end_children(claimed)


def _is_left_behind(pid: int, mark: bytes, sessions: set[int]) -> bool:
    """Whether this child of the referee is left behind (theory, points 2 to 4). The session of a marked one joins `sessions`."""
    try:
        if (session := os.getsid(pid)) == os.getsid(0):
            return False
        if mark in _environment(pid):
            sessions.add(session)
        if session in sessions:
            return True
        return session != pid and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except OSError:
        return False


_PR_SET_CHILD_SUBREAPER: Final = 36


def adopt_orphans() -> None:
    """Make this process the parent of its descendants' orphans. Once is enough."""
    _adopt(os.getpid())


@cache
def _adopt(_pid: int) -> None:
    """The argument makes a fork of this process ask for itself."""
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # inherited: the kernel would discard every exit status
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def own_children() -> list[int]:
    """This process's own children, whichever thread started them."""
    pids: list[int] = []
    for task in os.listdir("/proc/self/task"):
        # Unbuffered, because this runs twice for each player that ends.
        with suppress(OSError), open(f"/proc/self/task/{task}/children", "rb", buffering=0) as file:
            pids += map(int, file.readall().split())
    return pids


def _environment(pid: int) -> list[bytes]:
    """The initial environment of a process; empty if it is dead or dying, or if we may not read it."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


async def _end_children(pids: Iterable[int]) -> None:
    # By descriptor from here on: other code may reap one of them, and its pid may be reused.
    left = [os.pidfd_open(pid) for pid in pids]
    for pidfd in left:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    for pidfd in left:
        await trio.lowlevel.wait_readable(pidfd)
        _reap(pidfd)


def _reap(pidfd: int) -> None:
    with suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOHANG)
    os.close(pidfd)
