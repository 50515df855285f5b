"""The bot under test, prepared once and started any number of times; and the memory that its processes hold."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from referee.sandbox.cells.cell import Cell, Launch
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring
from referee.sandbox.limits import Level
from referee.sandbox.opening import Sandbox
from referee.sandbox.program import Program

LOOK: Final = 0.1
"""Seconds between two readings of a process's peak memory, which the kernel keeps."""
LOOK_AT_TURNS: Final = 0.004
"""The same for processes that live for one turn: their peak is lost when they end."""


class PreparedBot:
    """A sandbox in which the bot under test is prepared already. It is a `Launch` of that bot too.

    Attributes:
        launch: starts the bot; None for a policy, which needs no process.
        cell: the bot's latest process.
    """

    def __init__(self, sandbox: Sandbox, bot: Program, launch: Launch | None) -> None:
        self._sandbox, self._bot, self.launch = sandbox, bot, launch
        self.name = bot.name
        self.level: Level = sandbox.level
        self.parts = sandbox.parts
        self.cell: Cell | None = None

    async def prepare(self, program: Program) -> Launch:
        """A launch of any program; of the bot under test always the same."""
        return self if program is self._bot else await self._sandbox.prepare(program)

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> Cell:
        """Start the bot."""
        assert self.launch is not None
        self.cell = self.launch.spawn(wiring)
        return self.cell


class MemoryPeak:
    """The most memory that the bot's processes have held, in `bytes`; None before it was measured."""

    def __init__(self, prepared: PreparedBot) -> None:
        self._prepared = prepared
        self.bytes: int | None = None

    async def watch(self, often: bool) -> None:
        """Measure until cancelled; `often` for processes that live for one turn."""
        try:
            while True:
                self._look()
                await trio.sleep(LOOK_AT_TURNS if often else LOOK)
        finally:
            self._look()

    def _look(self) -> None:
        cell = self._prepared.cell
        if cell is None:
            return
        with suppress(OSError):
            for line in Path(f"/proc/{cell.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):  # in KiB
                    self.bytes = max(self.bytes or 0, int(line.split()[1]) * 1024)
