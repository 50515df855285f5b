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
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.sandbox.limits import MIB

DEPTH: Final = 40
"""Folders in folders: as deep as a bot's folder may be that is staged afterwards."""
_BLOCK: Final = 512
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def outgrown(folder: Path, most_bytes: int, most_files: int) -> str | None:
    """The limit that a folder exceeds, in words that follow "the build"; None if it exceeds none."""
    size = _Size(most_bytes, most_files)
    try:
        top = os.open(folder, _FOLDER)
        try:
            size.look(top, 1)
        finally:
            os.close(top)
    except _TooMuchError as much:
        return str(much)
    return None


def free(folder: Path) -> int:
    """Free bytes of the folder's file system."""
    left = os.statvfs(folder)
    return left.f_bavail * left.f_frsize


def available() -> int:
    """Bytes of memory that programs of this machine can still get; 0 if the kernel does not say."""
    with open("/proc/meminfo", "rb") as lines:
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(b"MemAvailable:")), 0)  # in KiB


class _TooMuchError(Exception):
    """A limit is exceeded."""


class _Size:
    def __init__(self, most_bytes: int, most_files: int) -> None:
        self._most_bytes, self._bytes = most_bytes, 0
        self._most_files, self._files = most_files, 0

    def look(self, folder: int, depth: int) -> None:
        inner = []
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    self._count(status, depth)
                    if stat.S_ISDIR(status.st_mode):
                        inner.append(entry.name)
        for name in inner:
            try:
                descriptor = os.open(name, _FOLDER, dir_fd=folder)
            except (
                FileNotFoundError,
                NotADirectoryError,
            ):  # removed since, or not a folder any more (a link does not count as one)
                continue
            except PermissionError:
                raise _TooMuchError("made a folder that cannot be read") from None
            try:
                self.look(descriptor, depth + 1)
            finally:
                os.close(descriptor)

    def _count(self, status: os.stat_result, depth: int) -> None:
        if depth > DEPTH:
            raise _TooMuchError(f"nested folders more than {DEPTH} levels deep")
        self._files += 1
        self._bytes += max(status.st_size, status.st_blocks * _BLOCK)
        if self._files > self._most_files:
            raise _TooMuchError(f"made more than {self._most_files} files")
        if self._bytes > self._most_bytes:
            raise _TooMuchError(f"wrote more than {self._most_bytes / MIB:g} MiB")
