"""Files that users name, read with care: an endless one ends at a cap, and nothing is waited for that nobody writes.

1. A file is a regular one, reached through a link or not, or a pipe: `<(…)` of a shell is one, and standard input, by
   `/dev/stdin` or `-`, may be. What else has a name (a folder, a device, a socket) is refused before anything is read.
2. Opening a named pipe would wait for somebody who writes to it, perhaps for ever. It is opened without waiting, and is empty
   when nobody does.

What lies in a stranger's folder is read by `bots`, which follows no link.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO, Final

from referee.documents import Malformed, json_of, text_of, toml_of
from referee.errors import UsageError
from referee.names import shorten

STDIN: Final = "-"
MOST_JSON: Final = 32 * 2**20
"""Bytes of a position: on the largest fields it has half as many, with a thing a line."""
MOST_TOML: Final = 4 * 2**20
"""Bytes of a map: the largest field has a million cells, a letter each."""


def opened(path: Path) -> BinaryIO:
    """A file to be read.

    Raises:
        OSError: it is not there, may not be read, or is neither a regular file nor a pipe.
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


def read(path: Path, most: int) -> bytes:
    """All that a file holds.

    Args:
        most: the cap, in bytes.

    Raises:
        UsageError: it cannot be read, or is longer; one line with the file's name.
    """
    try:
        with opened(path) as file:
            data = file.read(most + 1)
    except OSError as failed:
        raise UsageError(f"{_named(path)}: {failed.strerror or failed}") from None
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >= 2**20 else f"{most >> 10} KiB"
        raise UsageError(f"{_named(path)} is longer than {size}, more than is read of such a file")
    return data


def read_json(path: Path) -> Any:
    """The value that a JSON file holds.

    Raises:
        UsageError: it cannot be read; one line with the file, and where it can be named the line and column.
    """
    data = read(path, MOST_JSON)
    if not data.strip():
        raise UsageError(f"{_named(path)} is empty")
    try:
        return json_of(text_of(data))
    except Malformed as wrong:
        raise UsageError(f"{_named(path)}{wrong.where()}: no JSON: {wrong}") from None


def read_toml(path: Path) -> dict[str, Any]:
    """The table that a TOML file holds.

    Raises:
        UsageError: as for `read_json`.
    """
    try:
        return toml_of(text_of(read(path, MOST_TOML)))
    except Malformed as wrong:
        raise UsageError(f"{_named(path)}{wrong.where()}: no TOML: {wrong}") from None


def _named(path: Path) -> str:
    return "standard input" if str(path) == STDIN else shorten(str(path))
