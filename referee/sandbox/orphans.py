"""Orphans: the referee adopts processes that its children leave behind, instead of the machine's init process.

The init process of a container may never reap, and dead processes count against the limit of their uid until they are reaped.
So the referee reaps: `players/children.py` for players, a cell for its own first process, `end_left_behind` for builds.
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

_PR_SET_CHILD_SUBREAPER: Final = 36


def adopt_orphans() -> None:
    """Make this process the one that its descendants' orphans come to; once is enough."""
    _adopt(os.getpid())


@cache
def _adopt(_pid: int) -> None:
    """A fork of this process adopts none until it says so itself, hence the argument."""
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # inherited: the kernel would throw every status away
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


async def end_left_behind(pid: int, mark: bytes) -> None:
    """Kill and reap what a dead child left behind, before the child itself is reaped. Must not be cancelled.

    Its children have become ours, or will when their own parents end, and so on until none is left. Dead processes show no
    mark, but the session that they were started in.

    Args:
        pid: the child and its session.
        mark: the entry in its environment.
    """
    sessions = {pid}
    while left := [child for child in own_children() if child != pid and _is_of(child, sessions, mark)]:
        await end_children(left)


def own_children() -> list[int]:
    """This process's own children, whichever thread started them."""
    found: list[int] = []
    for task in os.listdir("/proc/self/task"):
        # Unbuffered bytes: it is looked at twice for each player that ends, once for each thread.
        with suppress(OSError), open(f"/proc/self/task/{task}/children", "rb", buffering=0) as file:
            found += map(int, file.readall().split())
    return found


def environment(pid: int) -> list[bytes]:
    """A process's environment as it was at its start; empty for a process that is dead or dying, or that we may not read."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


async def end_children(pids: Iterable[int]) -> None:
    """Kill these children and bury them."""
    # By descriptor from here on: somebody else may bury one of them too, and its number go to another.
    left = [os.pidfd_open(pid) for pid in pids]
    for pidfd in left:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    for pidfd in left:
        await trio.lowlevel.wait_readable(pidfd)
        _bury(pidfd)


def _is_of(child: int, sessions: set[int], mark: bytes) -> bool:
    """Whether it is of one of these sessions, or bears the mark; its session is one of them then."""
    try:
        session = os.getsid(child)
    except ProcessLookupError:
        return False
    if mark in environment(child):
        sessions.add(session)
    return session in sessions


def _bury(pidfd: int) -> None:
    with suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOHANG)
    os.close(pidfd)
