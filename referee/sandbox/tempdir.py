"""The referee's own temporary folders: for a match, a build, or the targets of the canary.

1. A descriptor holds the lock on a folder, so the kernel frees it when the referee ends, however that happens. A folder
   that can be locked is abandoned, and a later referee of the same uid removes it. Another referee may do so between the
   creation of a folder and its locking: so after locking, a referee checks that the folder still exists.
2. A folder to remove may contain anything, such as folders without permissions or deeper than any recursion. So permissions
   are set first, and inner folders are moved up to the top and emptied there.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from referee.errors import RefereeError, out_of
from referee.sandbox.uid_pool import can_reach

_PREFIX: Final = "referee-match-"
_OURS: Final = re.compile(_PREFIX + "[a-z0-9_]{8}")
_NOBODY: Final = 65534
_ACCESS_TIME: Final = 4_102_444_800_000_000_000
"""The access time of what players see, in nanoseconds: the year 2100. File systems with smaller times take their latest."""
OPEN_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""Flags of open(2) for a folder that a stranger may have replaced by a link."""


@contextmanager
def tempdir() -> Iterator[Path]:
    """A new temporary folder, `referee-match-…`, removed at the end with whatever is in it.

    The players of a root referee can pass through it. The first tempdir of a process removes what killed referees of the same
    uid left behind.

    Raises:
        RefereeError: no folder can be made. OSError: no descriptor or memory is left.
    """
    try:
        base = tempdir_base()
        if os.statvfs(base).f_flag & os.ST_NOEXEC:
            raise RefereeError(
                f"{base} is mounted noexec, so no bot can be started from there: set TMPDIR to another folder"
            )
        _sweep_once(base, os.getpid())
        path, lock = _new(base)
    except OSError as failed:
        if out_of(failed):
            raise
        raise RefereeError(f"no temporary folder can be made ({failed}): free space there, or set TMPDIR") from failed
    try:
        yield path
    finally:
        try:
            _remove(path, lock)
        finally:
            os.close(lock)


def hold(folder: Path) -> int | None:
    """Lock a folder, which shows that its holder lives (theory, point 1). Raises: OSError: it cannot be opened or locked.

    Returns:
        The descriptor that holds the lock until it is closed; None if another process holds it, or the folder is gone.
    """
    descriptor = os.open(folder, OPEN_FOLDER)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(folder, follow_symlinks=False)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def date(file: int | Path) -> None:
    """Set the access time of what players see, a descriptor or a path, so that none leaves a message by what it reads.

    The kernel does not change a time in the future (relatime, the usual mount option). A link itself is set.
    """
    status = os.stat(file) if isinstance(file, int) else file.lstat()
    os.utime(file, ns=(_ACCESS_TIME, status.st_mtime_ns), follow_symlinks=isinstance(file, int))


def sweep(base: Path) -> None:
    """Remove the folders in `base` that referees of our uid left behind when they were killed."""
    with os.scandir(base) as entries:
        names = [entry.name for entry in entries if _OURS.fullmatch(entry.name)]
    for name in names:
        path = base / name
        with suppress(OSError):
            lock = hold(path)
            if lock is not None:
                try:
                    if os.fstat(lock).st_uid == os.geteuid():
                        _remove(path, lock)
                finally:
                    os.close(lock)


def tempdir_base() -> Path:
    """Where temporary folders are made; for a root referee, whose players have other uids, a place that those can reach.

    Raises: FileNotFoundError: no folder can be written to.
    """
    base = Path(tempfile.gettempdir())
    if os.geteuid() == 0 and not can_reach(base, _NOBODY, to_read=False):
        return Path("/tmp")
    return base


@cache
def _sweep_once(base: Path, _pid: int) -> None:
    sweep(base)


def _new(base: Path) -> tuple[Path, int]:
    """A folder of ours, and the descriptor that holds its lock (theory, point 1)."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        with suppress(FileNotFoundError):
            lock = hold(path)
            if lock is not None:
                os.fchmod(lock, 0o711 if os.geteuid() == 0 else 0o700)
                return path, lock


def remove(path: Path) -> None:
    """Remove a folder of ours, in which nobody else can change anything. A folder that is not there is removed already."""
    with suppress(OSError):
        folder = _enter(str(path), None)
        try:
            _remove(path, folder)
        finally:
            os.close(folder)


def _remove(path: Path, folder: int) -> None:
    """Remove a folder whose lock we hold. Later referees try again if this fails."""
    with suppress(OSError):
        _empty(folder)
        path.rmdir()


def _empty(top: int) -> None:
    """Remove all that is in a folder of ours (theory, point 2)."""
    token = secrets.token_hex(8)  # no name in the folder can be the same
    fresh = (f"{token}-{number}" for number in itertools.count())
    before: set[str] | None = None
    while (names := set(os.listdir(top))) != before:
        for name in names:
            with suppress(OSError):
                if not _unlink(name, top):
                    _unpack(name, top, fresh)
        before = names


def _unpack(name: str, top: int, fresh: Iterator[str]) -> None:
    """Remove one folder in `top`; the folders in it move up."""
    folder = _enter(name, top)
    try:
        for inner in os.listdir(folder):
            with suppress(OSError):
                if not _unlink(inner, folder):
                    os.close(_enter(inner, folder))  # to move a folder, we need write permission for it
                    os.rename(inner, next(fresh), src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _unlink(name: str, folder: int) -> bool:
    """Remove a file; False if it is a folder."""
    try:
        os.unlink(name, dir_fd=folder)
    except IsADirectoryError:
        return False
    return True


def _enter(name: str, folder: int | None) -> int:
    """A descriptor of a folder of ours, with a mode that allows us to remove what is in it."""
    try:
        descriptor = os.open(name, OPEN_FOLDER, dir_fd=folder)
    except PermissionError:
        path = os.open(name, os.O_PATH | OPEN_FOLDER, dir_fd=folder)
        try:
            os.chmod(f"/proc/self/fd/{path}", 0o700)
        finally:
            os.close(path)
        descriptor = os.open(name, OPEN_FOLDER, dir_fd=folder)
    os.fchmod(descriptor, 0o700)
    return descriptor
