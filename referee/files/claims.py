"""Files that users name, written so that nothing is lost.

1. A file that takes long to write is claimed first. A `Claim` creates `NAME.part` exclusively, locks it, and keeps the lock
   until the file has its own name. The kernel releases the lock when the process ends, so a `.part` that can be locked was left
   behind by a process that was killed. It is moved aside, or removed if it is empty.
2. Between creating and locking its `.part`, a process can lose it to another that takes it for a leftover. So it checks
   afterwards that the file it has locked is still there under that name, and starts again if not.
3. Some file systems have no locks. There, exclusive creation alone keeps others out. A leftover cannot be told from a file that
   is being written, so the user has to remove it.
4. Nothing is overwritten. An existing file is renamed to `NAME.1.jsonl`, `NAME.2.jsonl`, …: a higher number is newer, and the
   suffix stays, so that other programs still know what it is.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.errors import UsageError

PART: Final = ".part"
"""The suffix of a file that is being written."""
_SUFFIX: Final = re.compile(r"(\.[A-Za-z]\w*)?(\.gz)?(\.part)?(\.gz)?\Z", re.ASCII)
_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_LEFT: Final = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def write_whole(path: Path, text: str) -> None:
    """Replace a whole file: readers see the old or the new content, even if this process is killed. One process writes at a time.

    Raises:
        OSError: it cannot be written.
    """
    target = Path(os.path.realpath(path))  # a link stays one
    part = target.with_name(f".{target.name}{PART}")
    try:
        part.unlink(missing_ok=True)  # a process that was killed left it, or it is a stranger's link
        with part.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


class Claim:
    """The exclusive right to write a file, from before its first byte until it has its name (theory, points 1 to 3).

    Attributes:
        path: the name that the file gets at the end.
        part: the name of the file until then.
        sync: brings what was written to a descriptor to the disk.
        moved: the files that stood in the way, as (old name, new name).
    """

    def __init__(self, path: Path, *, synced: bool = True) -> None:
        """Create and lock `part`. `synced` files survive a power failure.

        Raises:
            UsageError: another process is writing this file, something is in the way, or the folder cannot be written to.
        """
        self.path = path
        self.sync: Callable[[int], None] = os.fsync if synced else lambda fd: None
        self.part = path.with_name(path.name + PART)
        self.moved: list[tuple[Path, Path]] = []
        try:
            while (descriptor := _create(self.part)) is None:
                self._clear_leftover()
        except OSError as failed:
            raise UsageError(f"{path} cannot be written ({failed.strerror}): choose another name or folder") from None
        self._fd: int | None = descriptor

    @property
    def fd(self) -> int:
        """The descriptor of `part`, open for appending and reading. Raises: OSError: the claim is closed."""
        if self._fd is None:
            raise OSError(errno.EBADF, "it is no longer being written", str(self.part))
        return self._fd

    def create(self, path: Path) -> int:
        """Create another file that only the holder of this claim writes. An existing file is moved aside.

        Returns:
            A descriptor for writing; the caller closes it.
        """
        self._set_aside(path)
        return os.open(path, _NEW, 0o644)

    def publish(self, written: Path | None = None) -> None:
        """Give the finished file its name, and end the claim. An existing file of that name is moved aside.

        Args:
            written: the finished file if it is not `part`, which is then removed.

        Raises:
            OSError: this failed. The finished file is where it was.
        """
        if not _is_at(self.part, self.fd):
            raise OSError(errno.ESTALE, "somebody has moved or removed it", str(self.part))
        self._set_aside(self.path)
        os.replace(self.part if written is None else written, self.path)
        if written is not None:
            self.part.unlink()
        self._release()

    def close(self) -> None:
        """End the claim. `part` stays, unless it is empty."""
        if self._fd is None:
            return
        try:
            if os.fstat(self._fd).st_size:
                self.sync(self._fd)
            elif _is_at(self.part, self._fd):
                self.part.unlink()
        finally:
            self._release()

    def _release(self) -> None:
        descriptor, self._fd = self.fd, None
        os.close(descriptor)

    def _set_aside(self, path: Path) -> None:
        if (aside := set_aside(path)) is not None:
            self.moved.append((path, aside))

    def _clear_leftover(self) -> None:
        """Make way for a new `part`, unless a process is writing the one that is there."""
        with suppress(FileNotFoundError):  # it has its own name now, or its writer gave up
            descriptor = os.open(self.part, _LEFT)
            try:
                locked = _locked(descriptor)
                if locked is None:
                    raise UsageError(
                        f"{self.part} exists, and this file system cannot tell whether a match is being written to it: "
                        "remove it if none is, or choose another name"
                    )
                if not locked:
                    raise UsageError(f"another match is being saved as {self.path} right now: choose another name")
                if not _is_at(self.part, descriptor):
                    return
                if os.fstat(descriptor).st_size:
                    self._set_aside(self.part)
                else:
                    self.part.unlink()
            finally:
                os.close(descriptor)


def check_place(path: Path) -> None:
    """Check that a file can be written there. It may exist already.

    Raises:
        UsageError: the path is a folder or a device, or its folder does not exist or is not writable.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is not a regular file: choose another name")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}: create it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"the folder {path.parent} is not writable: choose another")


def set_aside(path: Path) -> Path | None:
    """Rename what is at `path` (theory, point 4).

    Returns:
        Its new name; None if there is nothing at `path`.

    Raises:
        OSError: the file cannot be renamed.
    """
    if not os.path.lexists(path):
        return None
    stem = path.name[: _SUFFIX.search(path.name, 1).start()]  # type: ignore[union-attr]  # it also matches nothing
    suffix = path.name[len(stem) :]
    earlier = re.compile(rf"{re.escape(stem)}\.([1-9]\d{{0,8}}){re.escape(suffix)}")
    numbers = [int(match[1]) for name in os.listdir(path.parent) if (match := earlier.fullmatch(name))]
    aside = path.with_name(f"{stem}.{max(numbers, default=0) + 1}{suffix}")
    os.rename(path, aside)
    return aside


def _create(path: Path) -> int | None:
    """A descriptor of a new file that we hold; None if there is one already, or another process took ours (theory, point 2)."""
    try:
        descriptor = os.open(path, _NEW, 0o644)
    except FileExistsError:
        return None
    if _locked(descriptor) is not False and _is_at(path, descriptor):
        return descriptor
    os.close(descriptor)
    return None


def _locked(descriptor: int) -> bool | None:
    """Whether we have the lock now; False if another process has it, None if this file system has no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_at(path: Path, descriptor: int) -> bool:
    """Whether `path` names the file that is open here."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False


def write_new(path: Path, content: str | bytes) -> list[tuple[Path, Path]]:
    """Write a new file; text in UTF-8. An existing file is moved aside.

    Returns:
        The file that was moved, as (old name, new name).

    Raises:
        UsageError: it cannot be written.
    """
    check_place(path)
    try:
        aside = set_aside(path)
        with path.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as failed:
        raise UsageError(f"{path}: {failed.strerror}") from None
    return [] if aside is None else [(path, aside)]
