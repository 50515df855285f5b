"""Orphans: the referee, not the machine's init process, adopts the processes that its children leave behind.

The init process of a container may never reap zombies, which count against the limit of their uid. So the referee reaps them:
`cells/children.py` for programs without a namespace, a cell for its own first process.
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


def environment(pid: int) -> list[bytes]:
    """The initial environment of a process; empty if it is dead or dying, or if we may not read it."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


async def end_children(pids: Iterable[int]) -> None:
    """Kill these children and reap them."""
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
