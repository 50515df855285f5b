"""A fresh, read-only copy of a bot's folder, made before its first match.

1. A copy contains only regular files and folders. A link may lead out of the folder, two players can talk through a shared
   FIFO (even through a read-only mount), and a socket or a device leads to the machine. They are refused by name, never followed
   and never dropped silently: the author can replace a link by a copy of its file. Setuid and setgid files are refused too, and
   hard links to files of other owners, which the author may not be allowed to read.
2. The folder is a stranger's and may change during the copy. So a name is looked up once, relative to the descriptor of its
   folder, without following links, and the opened file is checked again. Opening never waits (O_NONBLOCK).
3. The limits count what is really copied: bytes (holes included), files and folders, depth, the length of names. An endless file
   ends at the limit.
4. `.git`, `.hg`, `.svn` and `__pycache__` are left out. The first three are not part of the program. A Python might run the
   content of the last instead of the source beside it, and would refuse most of it: the time stamps differ in the copy.
5. Modes in the copy are 0555 and 0444, so that any uid can read it: a root referee's players have uids of their own.
6. A copy serves many matches. So that a player cannot leave a message by what it reads, access times in the copy are in the
   future: the kernel does not change those (relatime, the usual mount option). At level full, it changes none at all, because
   mounts are read-only.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EMFILE, ENFILE, ENOMEM
from pathlib import Path, PurePosixPath
from typing import Final

from referee.errors import BotError, RefereeError
from referee.sandbox.limits import MIB, Limits
from referee.sandbox.program import Program
from referee.sandbox.tempdir import OPEN_FOLDER, date
from referee.text.words import shorten

DEPTH: Final = 40
"""Folders in folders: each holds two descriptors while it is copied."""
NAME: Final = 255
"""Bytes of one name: the limit of usual file systems."""
PATH: Final = 2048
"""Bytes of a path in the copy: half of the kernel's limit."""
LEFT_OUT: Final = frozenset({".git", ".hg", ".svn", "__pycache__"})
"""Theory, point 4."""

_SCARCE: Final = frozenset({EMFILE, ENFILE, ENOMEM})
"""Errors of a machine that has no resources left: not the bot's fault."""
_CHUNK: Final = 8 * MIB
_SETID_BITS: Final = stat.S_ISUID | stat.S_ISGID
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_ONLY: Final = "only regular files and folders may be there, remove it"
KINDS: Final = {
    stat.S_IFLNK: "a symbolic link: put a copy of the file in its place",
    stat.S_IFIFO: f"a FIFO: {_ONLY}",
    stat.S_IFSOCK: f"a socket: {_ONLY}",
    stat.S_IFCHR: f"a device: {_ONLY}",
    stat.S_IFBLK: f"a device: {_ONLY}",
}


def stage(program: Program, target: Path, limits: Limits, *, instead: str = "set TMPDIR") -> Mapping[Path, str]:
    """Copy a program's files to a new folder `target`, readable for every uid.

    After a failure, the caller removes the part that was copied.

    Args:
        instead: what moves `target` to a disk with more room, for messages.

    Returns:
        The name in `target` of each file and folder, by its resolved path on the host; `.` for all of `cwd`.

    Raises:
        BotError: the bot's folder contains something that is not allowed or cannot be read, or too much.
        RefereeError: `target` cannot be written.
    """
    copy = _Copy(program.name, target, limits, instead)
    if program.files is None:
        copy.whole(program.cwd)
    else:
        copy.single(program.files)
    return copy.names


class _Copy:
    """The copy of one bot's files, and what is left of its limits."""

    def __init__(self, bot: str, root: Path, limits: Limits, instead: str) -> None:
        self.names: dict[Path, str] = {}
        self._bot = shorten(bot, 60)
        self._root = root
        self._instead = instead
        self._limits = limits
        self._bytes = limits.folder
        self._files = limits.folder_files

    def whole(self, cwd: Path) -> None:
        """Copy all of a bot's folder."""
        with self._reading("its folder"):
            if stat.S_ISLNK(os.lstat(cwd).st_mode):
                raise self._wrong(f"its folder {shorten(str(cwd))} is a symbolic link: name the folder itself")
            source = os.open(cwd, OPEN_FOLDER)
            try:
                host = cwd.resolve()
                self.names[host] = "."
                with self._folder(None, str(self._root)) as target:
                    self._all(source, target, host, "", 1)
            finally:
                os.close(source)

    def single(self, files: Mapping[str, Path]) -> None:
        """Copy only these files, by their names in the copy."""
        for name in files:
            if not all(part not in {"", ".", ".."} and "\0" not in part for part in name.split("/")):
                raise self._wrong(
                    f"{shorten(repr(name))} is not the name of a file in its folder: write a relative path without '..'"
                )
            for folder in map(str, PurePosixPath(name).parents):
                if folder in files:
                    raise self._wrong(
                        f"{shorten(folder)} is there twice, as a file and as a folder: rename one of them"
                    )
        with self._folder(None, str(self._root)) as target:
            self._branch(files, target, "", 1)

    def _branch(self, files: Mapping[str, Path], target: int, name: str, depth: int) -> None:
        """Copy single files into one folder of the copy, whose name ends with a slash or is empty."""
        folders: dict[str, dict[str, Path]] = {}
        for inside, path in files.items():
            part, slash, rest = inside.partition("/")
            if slash:
                folders.setdefault(part, {})[rest] = path
                continue
            with self._reading(name + part):
                source = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    self._entry(source, path.name, target, part, path.parent.resolve() / path.name, name + part, depth)
                finally:
                    os.close(source)
        for part, inner in folders.items():
            self._count(name + part, part, depth)
            with self._folder(target, part) as folder:
                self._branch(inner, folder, f"{name}{part}/", depth + 1)

    def _all(self, source: int, target: int, host: Path, name: str, depth: int) -> None:
        """Copy the content of one of the bot's folders; `name` is that folder's, with a slash."""
        with self._reading(name or "its folder"), os.scandir(source) as entries:
            for entry in entries:
                there = entry.name
                if there not in LEFT_OUT:
                    self._entry(source, there, target, there, host / there, name + there, depth)

    def _entry(self, folder: int, there: str, target: int, here: str, host: Path, name: str, depth: int) -> None:
        """Copy one file or folder, called `there` in the bot's folder and `here` in the copy."""
        self._count(name, here, depth)
        with self._reading(name):
            self._check(os.stat(there, dir_fd=folder, follow_symlinks=False), folder, name)
            source = os.open(there, _READ, dir_fd=folder)
            try:
                status = os.fstat(source)
                self._check(status, folder, name)
                if stat.S_ISREG(status.st_mode):
                    self._file(source, status, target, here, name)
                else:
                    with self._folder(target, here) as inner:
                        self._all(source, inner, host, name + "/", depth + 1)
            finally:
                os.close(source)
        self.names[host] = name

    def _file(self, source: int, status: os.stat_result, target: int, here: str, name: str) -> None:
        if status.st_size > self._bytes:
            raise self._too_much(name)
        with self._writing():
            copy = os.open(here, _WRITE, 0o600, dir_fd=target)
        try:
            while data := os.read(source, min(_CHUNK, self._bytes + 1)):
                with self._writing():
                    view = memoryview(data)
                    while view:
                        view = view[os.write(copy, view) :]
                self._bytes -= len(data)
                if self._bytes < 0:
                    raise self._too_much(name)
            with self._writing():
                os.fchmod(copy, 0o555 if status.st_mode & 0o111 else 0o444)
                date(copy)
        finally:
            os.close(copy)

    @contextmanager
    def _folder(self, target: int | None, name: str) -> Iterator[int]:
        """A new folder of the copy, read-only in the end."""
        with self._writing():
            os.mkdir(name, 0o700, dir_fd=target)
            folder = os.open(name, OPEN_FOLDER, dir_fd=target)
        try:
            yield folder
            with self._writing():
                os.fchmod(folder, 0o555)
                date(folder)
        finally:
            os.close(folder)

    def _count(self, name: str, here: str, depth: int) -> None:
        self._files -= 1
        if self._files < 0:
            raise self._wrong(
                f"it has more than {self._limits.folder_files} files and folders: take out what it does not need to play"
            )
        if depth > DEPTH:
            raise self._wrong(f"{shorten(name)} is in more than {DEPTH} nested folders: move it up")
        if len(os.fsencode(here)) > NAME or len(os.fsencode(name)) > PATH:
            raise self._wrong(f"the name {shorten(name)} has more than {NAME} bytes, {PATH} with folders: shorten it")

    def _check(self, status: os.stat_result, folder: int, name: str) -> None:
        kind = KINDS.get(stat.S_IFMT(status.st_mode))
        if kind is not None:
            raise self._wrong(f"{shorten(name)} is {kind}")
        if stat.S_ISDIR(status.st_mode):
            return
        if status.st_mode & _SETID_BITS:
            raise self._wrong(f"{shorten(name)} has a setuid or setgid bit: run chmod ug-s on it")
        if status.st_nlink > 1 and status.st_uid != os.fstat(folder).st_uid:
            raise self._wrong(f"{shorten(name)} is a hard link to a file of another user: put a copy in its place")

    def _too_much(self, name: str) -> BotError:
        most = f"{self._limits.folder / MIB:g} MiB"
        return self._wrong(
            f"its files have more than {most} (at {shorten(name)}): take out what it does not need to play"
        )

    def _wrong(self, what: str) -> BotError:
        return BotError(f"bot {self._bot}: {what}")

    @contextmanager
    def _reading(self, name: str) -> Iterator[None]:
        """Errors in this context are the bot's."""
        try:
            yield
        except OSError as failed:
            if failed.errno in _SCARCE:
                raise
            why = failed.strerror or failed.__class__.__name__
            raise self._wrong(f"{shorten(name)} cannot be read ({why}): correct its mode, or take it out") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Errors in this context are ours."""
        try:
            yield
        except OSError as failed:
            if failed.errno in _SCARCE:
                raise
            raise RefereeError(
                f"bot {self._bot} cannot be copied to {self._root} ({failed.strerror}): free space there, or "
                f"{self._instead}"
            ) from failed
