"""Which shared libraries a program needs in its cell, and where they must stand there to be found.

1. Whose word counts. A bot's own ELF file is a stranger's word: the names in it may make nothing of the host visible but
   libraries of the system, found by their bare name in /etc/ld.so.cache or a default folder. A name with a slash, a search
   path that leads out of the bot's folder, and a loader that is none of the well-known ones never lead to a bind. What is
   found must be an ELF file for the same machine. Programs of the machine itself (an interpreter on PATH) may search
   where they say.
2. In the cell a library stands where the loader finds it on the host. The cell has no /etc/ld.so.cache, though, and no
   /proc, without which the loader cannot tell the program's own `$ORIGIN`; so folders that were found by either of them
   are told in LD_LIBRARY_PATH. A library's own `$ORIGIN` is known to the loader from the library's path.
3. A loader searches by itself the folder that it lies in, and the same folder with or without /usr.
4. Some libraries are opened by name while the program runs: the C library opens libgcc_s when a thread ends, Free Pascal
   opens libpthread when the first begins. `COMPANIONS` come along wherever the C library does.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from referee.names import shorten
from referee.sandbox.binaries import elf
from referee.sandbox.binaries.elf import Elf
from referee.sandbox.binaries.system_libraries import cache_stamp, of_system

COMPANIONS: Final = ("libgcc_s.so.1", "libpthread.so.0", "libdl.so.2")
"""See point 4."""

_LOADER: Final = re.compile(
    r"(/usr)?/lib(32|64|x32)?(/[a-z0-9_]+-linux-[a-z0-9]+)?/(ld-(linux|musl)|ld64|ld)[\w.-]*\.so(\.\d)?"
)
_C_LIBRARY: Final = re.compile(r"libc\.so\.\d|libc\.musl-.*\.so\.\d|libc\.so")
_MOST: Final = 512
"""Libraries of one program: a browser has 150."""
_ORIGIN: Final = ("$ORIGIN", "${ORIGIN}")


class Own(Protocol):
    """A bot's own folder, as far as libraries are concerned; names are relative to it, without `..`."""

    def file(self, name: str) -> Path | None:
        """The host's file of that name, None where there is none."""

    def inside(self, folder: str) -> str:
        """Where a folder of that name is seen in the cell."""

    def name(self, folder: str) -> str | None:
        """The name of one of its folders, given by its path on the host; None for any other path."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a program needs.

    Attributes:
        binds: (file on the host, place in the cell) of each library and loader, none of them in the bot's folder.
        search: folders in the cell that the loader must be told of, in their order.
        missing: names that were not found.
    """

    binds: tuple[tuple[Path, str], ...] = ()
    search: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def of_bot(name: str, own: Own) -> Found:
    """What the bot's own program needs; `name` relative to its folder.

    Raises:
        ValueError: it is no ELF file, or asks for a loader that is none. OSError: it cannot be read.
    """
    path = own.file(name)
    if path is None:
        raise FileNotFoundError(name)
    program = elf.of(path, follow=False)
    search = _Search(program, own)
    if program.loader is not None:
        search.add_loader(program.loader)
    search.add(program, None, name)
    return search.found()


def of_machine(programs: Sequence[Path], *, also: Iterable[str] = ()) -> Found:
    """What programs and libraries of the machine need together, the main program first. Those that are no ELF are skipped.

    Args:
        also: names of libraries to add where the system has them.
    """
    search: _Search | None = None
    for path in programs:
        try:
            program = elf.of(path)
        except (OSError, ValueError):
            continue
        if search is None:
            search = _Search(program, None)
        if program.loader is not None:
            search.add_loader(program.loader)
        search.add(program, path, None)
    return search.found(also) if search is not None else Found()


@dataclass(frozen=True, slots=True)
class _Node:
    """A file whose needs are to be found: of the bot where `name` is given, else of the machine.

    `folders` is where it searches, `chain` the older kind of search path (DT_RPATH), which its libraries search too; of the
    machine as absolute paths, of the bot as names in its folder.
    """

    program: Elf
    name: str | None
    folders: tuple[str, ...]
    chain: tuple[str, ...]


class _Search:
    """One walk over a program's needs, breadth first as the loader does it."""

    def __init__(self, program: Elf, own: Own | None) -> None:
        self._program = program
        self._own = own
        self._default: tuple[str, ...] = ()
        self._binds: dict[str, Path] = {}
        self._search: dict[str, None] = {}
        self._missing: dict[str, None] = {}
        self._met: set[str] = set()
        self._by_origin: frozenset[str] = frozenset()
        self._todo: deque[_Node] = deque()

    def add_loader(self, loader: str) -> None:
        path = Path(loader)
        if self._own is not None and not _LOADER.fullmatch(loader):
            raise ValueError(f"it asks for the loader {shorten(repr(loader))}, which is none")
        if not os.path.isfile(path):
            raise ValueError(f"it asks for the loader {shorten(repr(loader))}, which this machine does not have")
        real = path.resolve()
        self._binds.setdefault(loader, real)
        self._met.add(path.name)
        self._default = default_folders(real)

    def add(self, program: Elf, path: Path | None, name: str | None) -> None:
        """Walk from a root: a file of the machine by its path, or of the bot by its name."""
        if program is self._program and path is not None:
            by_origin = [folder for folder in program.runpath or program.rpath if "$" in folder]
            self._by_origin = frozenset(filter(None, (_expanded(folder, path.parent) for folder in by_origin)))
        self._todo.append(self._node(program, path, name, ()))
        self._walk()

    def found(self, also: Iterable[str] = ()) -> Found:
        if any(map(_C_LIBRARY.fullmatch, self._met)):
            for name in (*also, *COMPANIONS):
                if name not in self._met:
                    self._met.add(name)
                    self._in_system(name)
            self._walk()
        binds = tuple((host, place) for place, host in self._binds.items())
        return Found(binds, tuple(self._search), tuple(self._missing))

    def _walk(self) -> None:
        while self._todo:
            node = self._todo.popleft()
            for needed in node.program.needed:
                if needed in self._met:
                    continue
                self._met.add(needed)
                if len(self._met) > _MOST:
                    raise ValueError(f"it needs more than {_MOST} libraries")
                near = self._in_machine if node.name is None else self._in_bot
                if not near(needed, node) and not self._in_system(needed):
                    self._missing.setdefault(needed)

    def _in_bot(self, needed: str, node: _Node) -> bool:
        """In the bot's own folder, by the search path of one of its own files."""
        assert self._own is not None
        if not _is_name(needed):
            return False
        for folder in node.folders:
            name = os.path.normpath(f"{folder}/{needed}")
            if (host := self._own.file(name)) is None:
                continue
            with suppress(OSError, ValueError):
                library = elf.of(host, follow=False)
                if self._fits(library):
                    self._search.setdefault(self._own.inside(folder))
                    self._todo.append(self._node(library, None, name, node.chain))
                    return True
        return False

    def _in_machine(self, needed: str, node: _Node) -> bool:
        """By the search path of a program or library of the machine."""
        for folder in node.folders:
            host = Path(folder, needed)
            with suppress(OSError, ValueError):
                library = elf.of(host)
                if self._fits(library):
                    self._binds.setdefault(str(host), host.resolve())
                    if folder in self._by_origin:
                        self._tell(folder)
                    self._todo.append(self._node(library, host, None, node.chain))
                    return True
        return False

    def _in_system(self, needed: str) -> bool:
        if not _is_name(needed):
            return False
        found = of_system(needed, self._program.bits, self._program.machine, cache_stamp())
        if found is None:
            return False
        path, real, library = found
        self._binds.setdefault(str(path), real)
        self._tell(str(path.parent))
        # What a bot's file says about its search path does not reach into the system's libraries.
        self._todo.append(self._node(library, path, None, ()))
        return True

    def _node(self, program: Elf, path: Path | None, name: str | None, inherited: tuple[str, ...]) -> _Node:
        written = program.runpath or program.rpath
        if name is not None:
            assert self._own is not None
            origin = str(PurePosixPath(name).parent)
            near = [_within(folder, origin, self._own) for folder in written]
        else:
            assert path is not None
            near = [_expanded(folder, path.parent) for folder in written]
        folders = tuple(folder for folder in near if folder is not None)
        if program.runpath:
            return _Node(program, name, folders, ())
        return _Node(program, name, (*folders, *inherited), (*folders, *inherited))

    def _tell(self, folder: str) -> None:
        if folder not in self._default:
            self._search.setdefault(folder)

    def _fits(self, library: Elf) -> bool:
        return (library.bits, library.machine) == (self._program.bits, self._program.machine)


def default_folders(loader: Path) -> tuple[str, ...]:
    """The folders that a loader searches by itself; `loader` is its real path (point 3)."""
    folder = str(loader.parent)
    return folder, folder.removeprefix("/usr") if folder.startswith("/usr/") else f"/usr{folder}"


def _is_name(needed: str) -> bool:
    return "/" not in needed and needed not in ("", ".", "..")


def _within(folder: str, origin: str, own: Own) -> str | None:
    """A search path of a bot's own file as a folder of the bot; None where it leads anywhere else."""
    for word in _ORIGIN:
        if folder == word or folder.startswith(f"{word}/"):
            folder = f"{origin}/{folder[len(word) :]}"
    if folder.startswith("/"):
        return own.name(os.path.normpath(folder))
    if "$" in folder or ";" in folder:
        return None
    where = os.path.normpath(folder)
    return None if where == ".." or where.startswith("../") else where


def _expanded(folder: str, origin: Path) -> str | None:
    """A search path of a file of the machine as a folder; None where it is none."""
    for word in _ORIGIN:
        folder = folder.replace(word, str(origin))
    return os.path.normpath(folder) if folder.startswith("/") and "$" not in folder else None
