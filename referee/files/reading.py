"""Files that users name and files of strangers, read with a cap and without waiting for a writer.

1. A file to read is a regular file, possibly behind a link, or a pipe: a shell's `<(…)`, or standard input (`/dev/stdin` or
   `-`). Folders, devices and sockets are refused before anything is read.
2. Opening a named pipe could wait for a writer forever. So it is opened without waiting; without a writer it is empty.
3. Files in an untrusted folder, such as a bot's, are read by `head`, which follows no link.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO, Final

from referee.errors import UsageError
from referee.text.documents import Malformed, text_of, toml_of
from referee.text.words import shorten

STDIN: Final = "-"
MOST_JSON: Final = 32 * 2**20
"""Bytes of a position. The largest fields need half as many."""
MOST_TOML: Final = 4 * 2**20
"""Bytes of a map. The largest field has a million cells, with one letter each."""


def at_home(word: str | Path) -> Path:
    """A path as users write it: `~` and `~NAME` are homes. That of no user of this machine stays as it is."""
    return Path(os.path.expanduser(word))


def open_file(path: Path) -> BinaryIO:
    """Open a file for reading.

    Raises:
        OSError: the file does not exist, cannot be read, or is neither a regular file nor a pipe.
    """
    if str(path) == STDIN:
        return open(os.dup(0), "rb")
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "a folder, where a file is expected", str(path))
        if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
            raise OSError(errno.EINVAL, "neither a file nor a pipe", str(path))
        os.set_blocking(descriptor, True)
    except OSError:
        os.close(descriptor)
        raise
    return open(descriptor, "rb")


def head(path: Path, most: int) -> bytes | None:
    """The first `most` bytes of a stranger's regular file; None for a FIFO, a device or a folder.

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


def read(path: Path, most: int) -> bytes:
    """The whole content of a file.

    Args:
        most: the cap, in bytes.

    Raises:
        UsageError: it cannot be read, or is longer. The message names the file.
    """
    try:
        with open_file(path) as file:
            data = file.read(most + 1)
    except OSError as failed:
        raise UsageError(f"{_named(path)}: {failed.strerror or failed}") from None
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >= 2**20 else f"{most >> 10} KiB"
        raise UsageError(f"{_named(path)} is longer than {size}, the most that is allowed")
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a TOML file.

    Raises:
        UsageError: it cannot be read. The message names the file and, if known, the line and column.
    """
    try:
        return toml_of(text_of(read(path, MOST_TOML)))
    except Malformed as wrong:
        raise UsageError(f"{_named(path)}{wrong.where()}: not TOML: {wrong}") from None


def _named(path: Path) -> str:
    return "standard input" if str(path) == STDIN else shorten(str(path))
