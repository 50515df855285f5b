"""A root referee's players: a pooled uid for each, and what that uid can reach.

1. The kernel exempts uid 0 from RLIMIT_NPROC. So a root referee's player takes on a uid of its own before bubblewrap starts
   (`cells/wrapper.py`).
2. One uid for each player: processes with the same uid may signal and trace each other, and until bubblewrap has made a namespace
   processes are counted by uid.
3. The uids are 60706 to 61183: no known program hands them out. systemd leaves this gap between its greeters and its
   dynamic users, login.defs ends below it, and the numbers that Debian has assigned from 60000 to 64999 lie elsewhere. It is
   below 65536, so an ordinary container has it. Numbers in `passwd`, `group`, `/etc/subuid`, or outside the map of the user
   namespace are not used.
4. A uid belongs to the process that locks a file named after it, in a folder that only root can enter. The kernel frees it
   when that process ends. The files stay: removing one would allow two locks on the same name.
5. A zombie counts as a process of its uid until it is reaped: a subreaper that starts players has to reap them. A uid
   that still has processes is passed over.
"""

from __future__ import annotations

import fcntl
import grp
import os
import pwd
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from referee.errors import IsolationError

UIDS: Final = range(60706, 61184)
"""Theory, point 3."""
_LOCKS: Final = (Path("/run/referee-uids"), Path("/tmp/referee-uids"))
_SUBIDS: Final = (Path("/etc/subuid"), Path("/etc/subgid"))
_MAPS: Final = (Path("/proc/self/uid_map"), Path("/proc/self/gid_map"))


@contextmanager
def pooled_uid() -> Iterator[int]:
    """A uid, and a gid of the same number, that no user and no other player has while the context lasts.

    Raises:
        IsolationError: there is none: all are in use, or a container does not map them.
    """
    folder = _lock_folder(_LOCKS)
    mapped = mapped_uids()
    try:
        for uid in mapped:
            if _is_known(uid):
                continue
            lock = os.open(str(uid), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
            else:
                if _is_vacant(uid):
                    break
                os.close(lock)
        else:
            raise IsolationError(
                f"all {len(mapped)} pooled user ids of this machine are in use: play fewer matches at a time, or not as root"
                if mapped
                else f"a root referee needs pooled user ids from {UIDS[0]} to {UIDS[-1]}, and here is none: run it as an "
                "ordinary user, or start the container with 65536 user ids"
            )
    finally:
        os.close(folder)
    try:
        yield uid
    finally:
        os.close(lock)


@cache
def mapped_uids() -> Sequence[int]:
    """The uids of point 3 that exist in this user namespace and are not handed out for others."""
    taken = [span for path in _SUBIDS for span in _spans(path, ":", 1)]
    maps = [list(_spans(path, None, 0)) for path in _MAPS]
    return [
        uid
        for uid in UIDS
        if all(any(uid in span for span in spans) for spans in maps) and not any(uid in span for span in taken)
    ]


def can_reach(path: Path, uid: int, *, to_read: bool = True) -> bool:
    """Whether this uid, with a group of the same number, gets to a path and may read it, by the modes of all on the way.

    Args:
        to_read: else it is enough to get there, and into it where it is a folder.
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
    """Whether no process has this uid for its real one: a killed referee may have left some, living or dead.

    The kernel answers from its own list. To look at each process below /proc took 0.3 to 1 ms a player, and a process that
    may not be looked into (bubblewrap, at its start) is root's there.
    """
    try:
        os.getpriority(os.PRIO_USER, uid)
    except ProcessLookupError:
        return True
    return False


def _may(status: os.stat_result, uid: int, mode: int) -> bool:
    if uid == 0:
        return True
    shift = 6 if status.st_uid == uid else 3 if status.st_gid == uid else 0
    return (status.st_mode >> shift) & mode == mode


def _lock_folder(folders: Sequence[Path]) -> int:
    """A descriptor of the first of these folders that is root's alone, made where it is missing."""
    for folder in folders:
        with suppress(OSError):
            with suppress(FileExistsError):
                folder.mkdir(0o700)
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            status = os.fstat(descriptor)
            if status.st_uid == os.geteuid() and not status.st_mode & 0o077 and _is_writable(descriptor):
                return descriptor
            os.close(descriptor)
    names = " or ".join(map(str, folders))
    raise IsolationError(f"a root referee needs {names} as a folder of its own (mode 0700): make one of them writable")


def _is_writable(folder: int) -> bool:
    return os.access(".", os.W_OK, dir_fd=folder, effective_ids=True)


def _spans(path: Path, separator: str | None, first: int) -> Iterator[range]:
    """The numbers that a table gives out by lines of first number and count, in this column and the last."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        with suppress(ValueError, IndexError):
            fields = line.split(separator)
            yield range(int(fields[first]), int(fields[first]) + int(fields[-1]))


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
