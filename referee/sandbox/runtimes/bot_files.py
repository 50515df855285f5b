"""A bot as its cell sees it: which files belong to it, their names there, and which other programs it may start."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.errors import BotError
from referee.files.reading import head
from referee.sandbox.program import FOLDER, Program
from referee.sandbox.runtimes.ask import on_path
from referee.text.words import shorten

_HEAD: Final = 4096
ELF: Final = b"\x7fELF"
"""How programs for Linux begin."""


@dataclass(frozen=True, slots=True)
class BotFiles:
    """One bot. Names are relative to its folder, and `.` is the folder itself.

    Attributes:
        folder: the path of the folder in the cell.
        placed: the names in the cell of (resolved) host files that the command line names.
        memory: the bytes that the program may hold.
        python3: the interpreter of a virtual environment that `python.without_packages` made for the bots; None to let them
            have what is installed for the referee's base interpreter.
    """

    program: Program
    folder: str
    placed: Mapping[Path, str]
    memory: int
    python3: Path | None = None

    def name(self, path: str | Path) -> str | None:
        """The name of a path of the host, links followed; None when it is none of the bot's."""
        try:
            real = Path(path).resolve()
            if real in self.placed:
                return self.placed[real]
            cwd = self.program.cwd.resolve()
        except (OSError, RuntimeError, ValueError):  # a loop of links, a NUL
            return None
        if self.program.files is None and real.is_relative_to(cwd):
            return str(real.relative_to(cwd))
        return "." if real == cwd else None

    def file(self, name: str) -> Path | None:
        """The regular file of that name; links are refused when the bot is staged, so they are not followed here."""
        if self.program.files is not None:
            path = self.program.files.get(name)
        else:
            path = None if name.startswith(("/", "../")) or name == ".." else self.program.cwd / name
        try:
            return path if path is not None and stat.S_ISREG(path.lstat().st_mode) else None
        except (OSError, ValueError):
            return None

    def inside(self, name: str) -> str:
        """Where a name of the bot's is seen in the cell."""
        return self.folder if name == "." else f"{self.folder}/{name}"

    def head(self, name: str) -> bytes:
        """How a file of the bot's begins; empty when it cannot be read."""
        path = self.file(name)
        return b"" if path is None else head_of(path)

    def argument(self, text: str) -> str:
        """An argument with the bot's files as they are called in the cell; also in lists with colons, like class paths."""
        whole = self._part(text) if self.program.files is not None else text
        return whole if whole != text else ":".join(map(self._part, text.split(":")))

    def _part(self, text: str) -> str:
        if text.startswith("/"):
            name = self.name(text)
            return text if name is None else self.inside(name)
        if not text or self.program.files is None:  # as the bot wrote it: the cell begins in the same folder
            return text
        with suppress(OSError, RuntimeError, ValueError):
            return self.placed.get((self.program.cwd / text).resolve(), text)
        return text

    def sdk_binds(self, variable: str, path: str) -> tuple[list[tuple[Path, str]], dict[str, str]]:
        """The folders of an SDK in a variable of the program, such as PYTHONPATH: as binds, and the variable's value in the cell.

        In a cell of level full, the first folder is at `path`, and the others are numbered from 2. Otherwise they stay in place.
        """
        binds: list[tuple[Path, str]] = []
        for text in filter(None, self.program.env.get(variable, "").split(os.pathsep)):
            inside = text if self.folder != FOLDER else path if not binds else f"{path}{len(binds) + 1}"
            if (folder := Path(text)).is_absolute() and os.path.exists(folder):
                binds.append((folder.resolve(), inside))
        return binds, {variable: os.pathsep.join(inside for _, inside in binds)} if binds else {}

    def refuse(self, why: str) -> BotError:
        """The error that this bot cannot run, with the reason."""
        return BotError(f"bot {shorten(self.program.name, 80)}: {why}")


def hide(program: Program, hidden: list[Path], until: ExitStack) -> None:
    """Hide the bot's own files on the host from other players: its folder, or its files without programs of the machine.

    Their paths are in `hidden` until the stack closes.
    """
    if program.files is None:
        own = [program.cwd.resolve()]
    else:
        own = [path.resolve() for path in program.files.values() if not on_path(path)]
    for path in own:
        hidden.append(path)
        until.callback(hidden.remove, path)


def head_of(path: Path) -> bytes:
    """The first bytes of a regular file, also behind a link; empty for other or unreadable files. No wait for a FIFO."""
    with suppress(OSError):
        return head(Path(os.path.realpath(path)), _HEAD) or b""
    return b""


def is_elf(path: Path) -> bool:
    """Whether a file is a Linux program or library, judged by its first bytes."""
    return head_of(path).startswith(ELF)
