"""Reads an untrusted file: follows no link, waits for nothing, and stops at a cap."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def head(path: Path, most: int) -> bytes | None:
    """The first `most` bytes of a regular file; None for a FIFO, a device or a folder.

    Raises:
        OSError: it is not there, is a link, or may not be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as failed:
        if failed.errno == errno.ELOOP:
            raise OSError(
                failed.errno, "it is a symbolic link: put a copy of the file in its place", str(path)
            ) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        return file.read(most)
