"""Finds and ends the processes that a player, or a build, without a namespace of its own leaves behind.

1. The referee, not the machine's init process, adopts the children of every process that dies below it (a subreaper). The init of
   a container may never reap zombies, which count against the limit of their uid. So a sweep lists the referee's own children,
   kills and reaps those that it claims, and repeats this until it claims none. A cell reaps its own first process.
2. A sweep never claims players, which are ended separately; processes in the referee's own session, which no player can
   enter; processes that ran before the first player started; and `spared` ones, such as builds and cells with namespaces.
3. Of all others it claims those in its player's session, those with its player's mark in their environment with all in
   their sessions, and those that are older than every other living player, because no other player can have started them. So
   the last player claims everything that is left. Until then, a process that hides its mark survives if an older player lives.
   (During exec a process has no readable environment for a moment, and looks like one that hides its mark.)
4. Dead processes have no environment. They are harmless, and the first sweep of a player reaps them.
5. A build is not on the list of players, because what runs beside it, such as the workers of a tournament, may be younger. So its
   sweep claims nothing for its age.
6. A sweep removes its player from the list right after the look that claims nothing. So if several players end concurrently,
   exactly one of them is the last.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

import trio

_STARTTIME: Final = 22 - 3
"""Index of the start time of a process in /proc/PID/stat, in clock ticks since boot, counted after the name (proc(5))."""
_players: Final[dict[int, int]] = {}
"""The players' own processes with their start times, from their start to their sweep."""
_spared: Final[set[int]] = set()
_before: Final[set[tuple[int, int]]] = set()
"""Processes from before the first player, with their start times, because process ids are reused."""


@contextmanager
def spared(pid: int) -> Iterator[None]:
    """Spare a child of the referee that has its own session and leaves nothing behind, such as a build.

    Enter this right after the start, before anything is awaited and in the thread that plays; leave it after waiting for the
    child. Processes that were started before any player, or without `start_new_session`, do not need it.
    """
    _spared.add(pid)
    try:
        yield
    finally:
        _spared.discard(pid)


def expect() -> None:
    """Call this before a player is started."""
    adopt_orphans()
    if not _players:
        _before.clear()
        for pid in own_children():
            with suppress(OSError):
                _before.add((pid, _began(pid)))


def enter(pid: int) -> None:
    """Add a player's process."""
    _players[pid] = _began(pid)


def leave(pid: int) -> None:
    """Remove a player's process, if it is there. `sweep` does this too."""
    _players.pop(pid, None)


async def sweep(pid: int, mark: bytes) -> None:
    """Kill and reap what a dead player left behind. The player itself must not be reaped yet, so that its number is not reused.

    Args:
        pid: the player's process, group and session.
        mark: the entry in its environment.
    """
    sessions = {pid}
    while claimed := [child for child in own_children() if _is_left_behind(child, pid, mark, sessions)]:
        await _end_children(claimed)
    leave(pid)  # nothing is awaited since the look (theory, point 6)


def _is_left_behind(pid: int, player: int, mark: bytes, sessions: set[int]) -> bool:
    """Whether this child of the referee is left behind (theory, points 2 to 5). The session of a marked one joins `sessions`."""
    if pid in _players or pid in _spared:
        return False
    try:
        if (session := os.getsid(pid)) == os.getsid(0):
            return False
        if mark in _environment(pid):
            sessions.add(session)
        if session in sessions:
            return True
        began = _began(pid)
        if player not in _players or (pid, began) in _before:
            return False
        others = [other for other_player, other in _players.items() if other_player != player]
        if all(began < other for other in others):
            return True
        # Or it is dead and not reaped yet.
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except OSError:
        return False


def _began(pid: int) -> int:
    with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
        # The name is in parentheses, and may itself contain parentheses.
        return int(file.read(4096).rpartition(b")")[2].split()[_STARTTIME])


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
