"""Level none: an ordinary process of the user, in its own session."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from errno import ENOEXEC
from pathlib import Path
from typing import Final

from referee.errors import BotError, out_of
from referee.sandbox.cells.cell import TOKEN, BareCell
from referee.sandbox.cells.children import adopt_orphans
from referee.sandbox.cells.guard import token
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring, spawn
from referee.sandbox.limits import Level
from referee.sandbox.program import Program
from referee.sandbox.runtimes import is_base, without_packages
from referee.sandbox.tempdir import tempdir


class BareSandbox:
    """Starts programs without isolation."""

    level: Final = Level.NONE
    parts: Final[Mapping[str, str]] = {}

    def __init__(self, family: str = "", stack: ExitStack | None = None) -> None:
        """The programs get the mark of a family (`guard_family`); an empty family has no guard.

        The stack removes the virtual environment of bots in Python. Without it, they get the packages of the referee's Python.
        """
        self._family = family
        self._stack = stack
        self._python3: Path | None = None

    async def prepare(self, program: Program) -> BareLaunch:
        """Only `python3` is prepared."""
        start, *arguments = program.argv
        if self._stack is not None and is_base(Path(start)):
            if self._python3 is None:
                self._python3 = without_packages(self._stack.enter_context(tempdir()) / "python")
            program = replace(program, argv=[str(self._python3), *arguments])
        return BareLaunch(program, self._family)

    def tidy(self) -> None:
        """Nothing was made."""


@dataclass(frozen=True, slots=True)
class BareLaunch:
    """Starts a program without isolation, with the mark of a family."""

    _program: Program
    _family: str = ""

    @property
    def name(self) -> str:
        """How messages call the bot."""
        return self._program.name

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> BareCell:
        """Start the program."""
        program, mark = self._program, token(self._family)
        adopt_orphans()
        try:
            popen = spawn(program.argv, cwd=program.cwd, env={**program.env, TOKEN: mark}, wiring=wiring)
        except OSError as failed:
            if out_of(failed):  # this is not the bot's fault
                raise
            raise BotError(_cannot_start(program, failed)) from None
        return BareCell(popen, f"{TOKEN}={mark}".encode())


def _cannot_start(bot: Program, failed: OSError) -> str:
    program = bot.argv[0]
    match failed:
        case FileNotFoundError() | NotADirectoryError() if not bot.cwd.is_dir():
            reason = f"there is no folder {str(bot.cwd)!r} to start it in"
        case FileNotFoundError() if "/" in program and (bot.cwd / program).exists():
            reason = f"the interpreter in the first line of {program!r} is not here: install it, or correct the line"
        case FileNotFoundError():
            reason = f"there is no program {program!r}: install it, or correct `run` in its bot.toml"
        case PermissionError():
            reason = f"{program!r} may not be executed: run chmod +x on it, or name its interpreter in front"
        case _ if failed.errno == ENOEXEC:
            reason = f"{program!r} is not a program for this machine: build it here, or begin a script with a line #!…"
        case _:
            reason = f"{program!r}: {failed.strerror}"
    return f"bot {bot.name} cannot be started: {reason}"
