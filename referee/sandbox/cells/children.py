"""Finds and ends the processes that a player, or a build, without a namespace of its own leaves behind.

1. The referee is a subreaper: it inherits the children of every process that dies below it. So a sweep lists the referee's
   own children, kills and reaps those that it claims, and repeats this until it claims none.
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

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from referee.sandbox.orphans import adopt_orphans, end_children, environment, own_children

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
        await end_children(claimed)
    leave(pid)  # nothing is awaited since the look (theory, point 6)


def _is_left_behind(pid: int, player: int, mark: bytes, sessions: set[int]) -> bool:
    """Whether this child of the referee is left behind (theory, points 2 to 5). The session of a marked one joins `sessions`."""
    if pid in _players or pid in _spared:
        return False
    try:
        if (session := os.getsid(pid)) == os.getsid(0):
            return False
        if mark in environment(pid):
            sessions.add(session)
        if session in sessions:
            return True
        began = _began(pid)
        if player not in _players or (pid, began) in _before:
            return False
        others = [other for other_player, other in _players.items() if other_player != player]
        return all(began < other for other in others) or _is_dead(pid)
    except OSError:
        return False


def _is_dead(pid: int) -> bool:
    """Whether a child has ended and is not reaped yet."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _began(pid: int) -> int:
    with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
        # The name is in parentheses, and may itself contain parentheses.
        return int(file.read(4096).rpartition(b")")[2].split()[_STARTTIME])
