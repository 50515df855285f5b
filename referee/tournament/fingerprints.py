"""Whether files are unchanged, told from their names, modes, sizes, times and inodes: nothing is read.

A file system stamps a file with the time of its clock, which ticks. A file that changes twice within a tick may have the same
stamp after both. So a fingerprint proves something only if all stamps in it were older than `PROOF` when it was taken: whatever
changes later gets a later stamp. Git calls younger ones racy.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.sandbox.limits import Limits
from referee.sandbox.staging import LEFT_OUT

PROOF: Final = 2_000_000_000
"""Nanoseconds: the longest tick of a file system in use, FAT."""


class Fingerprint(NamedTuple):
    """The fingerprint of a file, or of all files in a folder.

    Attributes:
        files: equal as long as nothing has changed.
        proven: whether they differ as soon as something changes.
    """

    files: tuple[Any, ...]
    proven: bool


def fingerprint(path: Path) -> Fingerprint:
    """The fingerprint of a file or folder; a link is followed, but none inside. What is never staged does not count.

    It proves nothing of what cannot be looked at, or has more files than a bot may have.
    """
    now, most = time.time_ns(), Limits().folder_files
    files: list[tuple[Any, ...]] = []
    names, proven = [""], True
    try:
        while names:
            name = names.pop()
            status = os.stat(f"{path}{name}", follow_symlinks=not name)
            if stat.S_ISDIR(status.st_mode):
                files.append((name, status.st_mode))
                names += [f"{name}/{inner}" for inner in os.listdir(f"{path}{name}") if inner not in LEFT_OUT]
            else:
                times = status.st_mtime_ns, status.st_ctime_ns
                files.append((name, status.st_mode, status.st_size, *times, status.st_ino, status.st_dev))
                # Anybody can date the content of a file into the future. The kernel alone dates its status.
                proven = proven and abs(status.st_mtime_ns - now) > PROOF and status.st_ctime_ns < now - PROOF
            if len(files) + len(names) > most:
                return Fingerprint((), proven=False)
    except OSError:
        return Fingerprint((), proven=False)
    return Fingerprint(tuple(sorted(files)), proven)
