"""How much a running build has written and what the machine has left: a walk through an untrusted folder, with bounds.

1. The build may change the folder during the walk: a name may vanish or become a link. So each folder is opened by descriptor
   from the folder above it, never through a link. Vanished entries are not counted.
2. The walk ends at the first limit that is exceeded, so its cost is bounded by the limits: entries, bytes, depth.
3. The size of a file is its length or its blocks, whichever is larger: a sparse file is cheap only until it is copied.
4. A folder that its owner may not read would hide its contents. No compiler creates one, so it counts as too much.
5. A file that was removed while open has no name. It shows only in the free space of the disk.
6. Memory can be held without being part of any process: in socket buffers, page tables, or a shared mapping whose pages are
   not mapped at the moment. It shows only in the memory that the machine has available.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from referee.sandbox.limits import MIB
from referee.sandbox.staging import DEPTH
from referee.sandbox.tempdir import OPEN_FOLDER

_BLOCK: Final = 512


def outgrown(folder: Path, most_bytes: int, most_files: int) -> str | None:
    """The limit that a folder exceeds, in words that follow "the build"; None if it exceeds none."""
    size = files = 0
    try:
        with closing(_entries(str(folder), None, 1)) as entries:
            for status, depth in entries:
                if depth > DEPTH:
                    return f"nested folders more than {DEPTH} levels deep"
                files += 1
                size += max(status.st_size, status.st_blocks * _BLOCK)
                if files > most_files:
                    return f"made more than {most_files} files"
                if size > most_bytes:
                    return f"wrote more than {most_bytes / MIB:g} MiB"
    except PermissionError:
        return "made a folder that cannot be read"
    return None


def free(folder: Path) -> int:
    """Free bytes of the folder's file system; `sys.maxsize` if it counts none, as a tmpfs without a limit."""
    left = os.statvfs(folder)
    return left.f_bavail * left.f_frsize if left.f_blocks else sys.maxsize


def available() -> int:
    """Bytes of memory that programs of this machine can still get."""
    with open("/proc/meminfo", "rb") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(b"MemAvailable:"))  # in KiB


def _entries(folder: str, above: int | None, depth: int) -> Generator[tuple[os.stat_result, int], None, None]:
    """Everything in a folder, and how deep it is; the folder is looked up in an open one, `above`. Raises: PermissionError."""
    descriptor = os.open(folder, OPEN_FOLDER, dir_fd=above)
    try:
        inner = []
        with os.scandir(descriptor) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        inner.append(entry.name)
                    yield status, depth
        for name in inner:
            # It may be removed since, or not a folder any more: a link does not count as one.
            with suppress(FileNotFoundError, NotADirectoryError):
                yield from _entries(name, descriptor, depth + 1)
    finally:
        os.close(descriptor)
