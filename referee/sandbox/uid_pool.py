"""A root referee's players: a pooled uid for each, and what these uids can reach.

1. The kernel exempts uid 0 from RLIMIT_NPROC. So a root referee's player takes on a uid of its own before bubblewrap starts
   (`cells/id_thread.py`).
2. Each player has its own uid: processes with the same uid may signal and trace each other, and until bubblewrap has made a
   namespace the kernel counts processes by uid.
3. The uids are 60706 to 61183: no known program hands them out. systemd leaves this gap between its greeters and its
   dynamic users, login.defs ends below it, and the numbers that Debian has assigned from 60000 to 64999 lie elsewhere. It is
   below 65536, so an ordinary container has it. Numbers in `passwd` or `group` are not used.
4. A uid belongs to the process that locks a file named after it, in a folder that only root can enter. The kernel frees it
   when that process ends. The files stay: removing one would allow two locks on the same name.
5. A zombie counts as a process of its uid until it is reaped: a subreaper that starts players has to reap them. A uid
   that still has processes is passed over.
6. All pooled uids can reach the same files, because they own none. A cell at rest keeps its uid, but only one of the first half
   of them (`cells/full.py`).
"""

from __future__ import annotations

import fcntl
import grp
import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from referee.errors import IsolationError

UIDS: Final = range(60706, 61184)
"""Theory, point 3."""
LOCKS: Final = Path("/run/referee-uids")


@contextmanager
def borrow_uid() -> Iterator[int | None]:
    """A uid, and a gid of the same number, that no user and no other player has while the context lasts; None without root.

    Raises:
        IsolationError: all are in use, or their locks have no place.
    """
    if os.getuid() != 0:
        yield None
        return
    folder = _lock_folder()
    try:
        uid, lock = _lock_uid(folder)
    finally:
        os.close(folder)
    try:
        yield uid
    finally:
        os.close(lock)


def _lock_uid(folder: int) -> tuple[int, int]:
    """The first free uid, and the descriptor that holds its lock."""
    for uid in UIDS:
        if _is_known(uid):
            continue
        lock = os.open(str(uid), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_vacant(uid):
                return uid, lock
        os.close(lock)
    raise IsolationError(
        f"all {len(UIDS)} pooled user ids of this machine are in use: play fewer matches at a time, or not as root"
    )


def can_reach(path: Path, uid: int, *, to_read: bool = True) -> bool:
    """Whether this uid, with a group of the same number, may reach and read a path, by the modes of all folders on the way.

    Without `to_read`, it only has to reach the path, and to enter it if it is a folder.
    """
    try:
        real = folder = os.path.realpath(path, strict=True)
        while folder != "/":
            folder = os.path.dirname(folder)
            if not _may(os.stat(folder), uid, os.X_OK):
                return False
        status = os.stat(real)
    except OSError:  # nothing there, a loop of links
        return False
    return _may(status, uid, (os.R_OK if to_read else 0) | (os.X_OK if stat.S_ISDIR(status.st_mode) else 0))


def _is_vacant(uid: int) -> bool:
    """Whether no process has this real uid: a killed referee may have left some, living or dead.

    The kernel answers from its own list. A look at each process below /proc would take 0.3 to 1 ms, and would show a process
    that forbids it (bubblewrap, at its start) as root's.
    """
    try:
        os.getpriority(os.PRIO_USER, uid)
    except ProcessLookupError:
        return True
    return False


def _may(status: os.stat_result, uid: int, mode: int) -> bool:
    shift = 6 if status.st_uid == uid else 3 if status.st_gid == uid else 0
    return (status.st_mode >> shift) & mode == mode


def _lock_folder() -> int:
    """A descriptor of the folder of locks, which is made if it is missing."""
    with suppress(OSError):
        with suppress(FileExistsError):
            LOCKS.mkdir(0o700)
        folder = os.open(LOCKS, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        status = os.fstat(folder)
        is_writable = os.access(".", os.W_OK, dir_fd=folder, effective_ids=True)
        if status.st_uid == os.geteuid() and not status.st_mode & 0o077 and is_writable:
            return folder
        os.close(folder)
    raise IsolationError(f"a root referee needs {LOCKS} as a folder of its own (mode 0700): make it writable")


@cache
def _is_known(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        try:
            grp.getgrgid(uid)
        except KeyError:
            return False
    return True
