"""A stranger's file read with care: no link is followed, nothing is waited for, and an endless one ends at a cap."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def head(path: Path, most: int) -> bytes | None:
    """The first bytes of a regular file, `most` at the most; None for what is none: a FIFO, a device, a folder.

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
