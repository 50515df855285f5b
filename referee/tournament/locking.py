"""One writer for each tournament: it holds a lock on `running`, beside the ledger. The kernel releases it when the process ends.

Locks do not work on all network file systems, so a ledger is refused there.
"""

from __future__ import annotations

import fcntl
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from referee.errors import UsageError

_LOCK: Final = "running"
_REMOTE: Final = re.compile(
    r"nfs\d?|cifs|smb\d?|smbfs|9p|afs|ceph|glusterfs|lustre|fuse\.(?:sshfs|s3fs|rclone|gvfsd-fuse)"
)


@contextmanager
def only_writer(folder: Path, what: str = "this tournament") -> Iterator[None]:
    """Keep other runners out of this tournament while the context lasts.

    Raises:
        UsageError: another process runs it; the message says which.
    """
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except OSError as failed:
        raise UsageError(f"{folder} cannot be written ({failed.strerror}): choose another folder") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 200, 0).decode(errors="replace").strip() or "another process"
            raise UsageError(f"{folder}: {holder} runs {what} already: wait for it, or stop it") from None
        try:
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"process {os.getpid()} on {platform.node()}\n".encode(), 0)
        except OSError as failed:
            raise UsageError(f"{folder / _LOCK} cannot be written ({failed.strerror}): free space there") from None
        yield
        os.ftruncate(lock, 0)
    finally:
        os.close(lock)


def remote(folder: Path) -> str | None:
    """The kind of the network file system that a folder is on; None on a local one."""
    device = os.stat(folder).st_dev
    with suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            before, _, after = line.partition(" - ")
            kind = after.split()[0]
            if before.split()[2] == f"{os.major(device)}:{os.minor(device)}" and _REMOTE.fullmatch(kind):
                return kind
    return None
