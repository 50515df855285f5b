"""The bot under trial, made ready once and started any number of times; and how much memory its processes have meanwhile."""

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
"""Seconds between two looks at a program's memory, of which the kernel keeps the peak."""
OFTEN: Final = 0.004
"""The same for programs that live for a turn, which take their peak along."""


class Ready:
    """A sandbox in which the bot under trial has been made ready once, for any number of starts; others as usual.

    Attributes:
        launch: the bot's; None for a policy, which is not started.
        cell: its last one.
    """

    def __init__(self, sandbox: Sandbox, bot: Program, launch: Launch | None) -> None:
        self._sandbox, self._bot, self.launch = sandbox, bot, launch
        self.level: Level = sandbox.level
        self.parts = sandbox.parts
        self.cell: Cell | None = None

    async def prepare(self, program: Program) -> Launch:
        """See `Sandbox.prepare`."""
        return self if program is self._bot else await self._sandbox.prepare(program)

    @property
    def name(self) -> str:
        """See `Launch`."""
        return self._bot.name

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> Cell:
        """See `Launch`."""
        assert self.launch is not None
        self.cell = self.launch.spawn(wiring)
        return self.cell

    def pid(self) -> int | None:
        """Of the bot's last process."""
        return None if self.cell is None else self.cell.pid


class Peaks:
    """Sees how much memory the bot has at the most."""

    def __init__(self, ready: Ready) -> None:
        self._ready = ready
        self.most: int | None = None

    async def watch(self, often: bool) -> None:
        """Look now and then, and once more at the end; `often`: its processes are soon gone."""
        try:
            while True:
                self._look()
                await trio.sleep(OFTEN if often else LOOK)
        finally:
            self._look()

    def _look(self) -> None:
        with suppress(OSError):
            for line in Path(f"/proc/{self._ready.pid()}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):  # the most that it has had in memory until now, in KiB
                    self.most = max(self.most or 0, int(line.split()[1]) * 1024)
