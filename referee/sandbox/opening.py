"""Opens a level of isolation for a match, and closes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Protocol

from referee.errors import IsolationError
from referee.files import assets
from referee.sandbox import isolation_errors
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.cells.cell import Cell, Launch
from referee.sandbox.cells.children import adopt_orphans
from referee.sandbox.cells.full import FullSandbox
from referee.sandbox.cells.guard import guard_cells, guard_family
from referee.sandbox.cells.reduced import ReducedSandbox
from referee.sandbox.cells.staged import PREPARED
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import Program
from referee.sandbox.tempdir import tempdir

__all__ = ["PREPARED", "Sandbox", "open_sandbox", "start"]


class Sandbox(Protocol):
    """Prepares bots at one level; `parts` names what enforces it, for records."""

    @property
    def level(self) -> Level: ...
    @property
    def parts(self) -> Mapping[str, str]: ...
    async def prepare(self, program: Program) -> Launch:
        """Prepare a bot: stage its folder, and find out what its runtime needs. Each bot is prepared once.

        Raises:
            BotError: its folder holds what may not be in one, or its program cannot run.
            IsolationError: the machine cannot show the program what it needs.
        """
        ...

    def tidy(self) -> None:
        """Remove all but the `PREPARED` bots that were used last. Call this between matches: no launch may be in use."""
        ...


@contextmanager
def open_sandbox(level: Level, limits: Limits | None = None, game: str | None = None) -> Iterator[Sandbox]:
    """Open a level, never another one. Everything made for its cells is removed at the end.

    Args:
        game: the name of the game that is played, whose package players must not see.

    Raises:
        IsolationError: the machine cannot give that level; the message says what is missing and how to fix it.
    """
    isolation_errors.check_proc()
    if level is Level.NONE:
        with guard_family() as family, ExitStack() as stack:
            yield BareSandbox(family, stack)
        return
    if sys.platform != "linux":
        raise IsolationError(isolation_errors.NOT_LINUX)
    adopt_orphans()
    with ExitStack() as stack:
        limits = limits or Limits()
        folder, hidden = stack.enter_context(tempdir()), assets.hidden_paths(game)
        if level is Level.FULL:
            stack.enter_context(guard_cells(folder))
            yield FullSandbox(limits, folder, stack, hidden)
        else:
            yield ReducedSandbox(limits, folder, stack, hidden)


async def start(sandbox: Sandbox, program: Program) -> Cell:
    """Prepare, spawn and settle a program that is not a player. The caller discards its cell. Raises: as these do."""
    cell = (await sandbox.prepare(program)).spawn()
    try:
        await cell.settle()
    except BaseException:
        cell.discard()
        raise
    return cell
