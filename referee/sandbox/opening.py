"""Opens a level of isolation for a match, and closes it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Final, Protocol

import trio

from referee.errors import IsolationError
from referee.files import assets
from referee.sandbox import isolation_errors
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.cells.cell import Cell, Launch
from referee.sandbox.cells.full import FullSandbox
from referee.sandbox.cells.guard import guarded, guarded_cells
from referee.sandbox.cells.reduced import ReducedSandbox
from referee.sandbox.limits import Level, Limits
from referee.sandbox.orphans import adopt_orphans
from referee.sandbox.program import Program
from referee.sandbox.tempdir import tempdir

PREPARED: Final = 64
"""Bots that stay prepared between two matches: as many as a match may have seats."""


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
def opened(level: Level, limits: Limits | None = None, game: str | None = None) -> Iterator[Sandbox]:
    """Open a level. Everything made for its cells is removed at the end.

    Never falls back to another level.

    Args:
        game: the name of the game that is played, whose package players must not see.

    Raises:
        IsolationError: the machine cannot give that level; the message says what is missing and how to fix it.
    """
    if level is Level.NONE:
        with guarded() as family, ExitStack() as stack:
            yield BareSandbox(family, stack)
        return
    if sys.platform != "linux":
        raise IsolationError(isolation_errors.NOT_LINUX)
    isolation_errors.check_proc()
    adopt_orphans()
    with ExitStack() as stack:
        limits = limits or Limits()
        folder, hidden = stack.enter_context(tempdir()), assets.hidden(game)
        if level is Level.FULL:
            stack.enter_context(guarded_cells(folder))
            once = _Once(FullSandbox(limits, folder, stack, hidden))
        else:
            once = _Once(ReducedSandbox(limits, folder, stack, hidden))
        stack.callback(once.tidy, 0)
        yield once


class _Once:
    """A sandbox that prepares each program once, for all its seats and all matches of a worker."""

    def __init__(self, sandbox: FullSandbox | ReducedSandbox) -> None:
        self._sandbox = sandbox
        self.level = sandbox.level
        self.parts = sandbox.parts
        self._prepared: list[_Prepared] = []  # the one used last comes last

    async def prepare(self, program: Program) -> Launch:
        """Prepare it, or wait until it is prepared. Raises: as `Sandbox.prepare`."""
        preparation = next((entry for entry in self._prepared if entry.program == program), None) or _Prepared(program)
        self._prepared = [*(entry for entry in self._prepared if entry is not preparation), preparation]
        async with preparation.lock:
            if preparation.launch is None:
                with ExitStack() as resources:
                    preparation.launch = await self._sandbox.prepare(program, resources)
                    preparation.resources = resources.pop_all()
        return preparation.launch

    def tidy(self, keep: int = PREPARED) -> None:
        """Remove all but those used last; see `Sandbox.tidy`."""
        while len(self._prepared) > keep:
            self._prepared.pop(0).resources.close()


@dataclass
class _Prepared:
    """A program and its launch; None until it is prepared. `lock` is held meanwhile, `resources` undoes it."""

    program: Program
    lock: trio.Lock = field(default_factory=trio.Lock)
    launch: Launch | None = None
    resources: ExitStack = field(default_factory=ExitStack)


async def start(sandbox: Sandbox, program: Program) -> Cell:
    """Prepare, spawn and settle a program that is not a player. The caller discards its cell.

    Raises:
        BotError, IsolationError: see `Sandbox.prepare`, `Launch.spawn` and `Cell.settle`.
    """
    cell = (await sandbox.prepare(program)).spawn()
    try:
        await cell.settle()
    except BaseException:
        cell.discard()
        raise
    return cell
