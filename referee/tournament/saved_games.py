"""The saved games that a tournament or a part keeps.

They may be a stranger's, so lengths have a cap, and in a part no link is followed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from referee.errors import FULL, UsageError
from referee.files.claims import set_aside
from referee.saved.record import MAX_FILE

_STAGED: Final = ".merging"
"""A folder in that of the saved games: copies of those of a part, until all of them are there."""
_CHUNK: Final = 2**20
_ONLY: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def digest_of(path: Path, copy: BinaryIO | None = None, *, folder: int | None = None) -> str:
    """The SHA-256 of a saved game.

    Args:
        copy: gets what is read.
        folder: a descriptor of the folder that it is in, if the folder is a stranger's. Then it must not be a link.

    Raises:
        OSError: it cannot be read, is no regular file, or is longer than any saved game.
    """
    name, flags = (path, _ONLY) if folder is None else (path.name, _ONLY | os.O_NOFOLLOW)
    with open(os.open(name, flags, dir_fd=folder), "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        digest, left = hashlib.sha256(), MAX_FILE
        while chunk := file.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise OSError(errno.EFBIG, "longer than any saved game", str(path))
            digest.update(chunk)
            if copy is not None:
                copy.write(chunk)
    return digest.hexdigest()


@contextmanager
def copy_games(part: Path, theirs: Path, ours: Path) -> Iterator[Callable[[str, str | None], None]]:
    """Gives a function that copies a saved game from the folder `theirs`: it gets its path and the hash that it must have.

    All copies get their names in the folder `ours` if the context ends without an error. A saved game that is there already
    stays: an earlier merge was killed, or its ledger could not be written. Any other file of that name is moved aside: a run
    that was killed left it there.

    Raises:
        UsageError: a saved game is missing, is another, or cannot be copied. The message names `part`.
    """
    staged = ours / _STAGED

    def take(saved: str, sha256: str | None) -> None:
        path = theirs / Path(saved).name
        if _is_there(ours / path.name, sha256):
            return
        try:
            staged.mkdir(parents=True, exist_ok=True)
            with _open_folder(theirs) as folder, (staged / path.name).open("wb") as copy:
                digest = digest_of(path, copy, folder=folder)
        except OSError as failed:
            advice = f"{theirs.parent.name} must be beside the part, without links; merge earlier parts first"
            if failed.errno in FULL:
                advice = "free space there, and merge again"
            raise UsageError(f"{part}: {path} cannot be copied to {ours} ({failed.strerror}): {advice}") from None
        if digest != sha256:
            raise UsageError(f"{part}: {path} is not the saved game of its match: copy it again")

    shutil.rmtree(staged, ignore_errors=True)
    try:
        yield take
        for copy in sorted(staged.iterdir()) if staged.exists() else ():
            set_aside(ours / copy.name)
            copy.rename(ours / copy.name)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _is_there(path: Path, sha256: str | None) -> bool:
    try:
        return digest_of(path) == sha256
    except OSError:
        return False


@contextmanager
def _open_folder(folder: Path) -> Iterator[int]:
    """A descriptor of a stranger's folder, in a folder of the stranger's. Neither must be a link."""
    flags = _ONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    outer = os.open(folder.parent, flags)
    try:
        inner = os.open(folder.name, flags, dir_fd=outer)
    finally:
        os.close(outer)
    try:
        yield inner
    finally:
        os.close(inner)
