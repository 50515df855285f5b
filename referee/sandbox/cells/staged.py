"""What levels full and reduced have in common: each bot is prepared once. All its cells show the same read-only copy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import trio

from referee.sandbox.calls import seccomp
from referee.sandbox.cells.cell import Launch
from referee.sandbox.limits import Limits
from referee.sandbox.program import Program
from referee.sandbox.runtimes import Runtime, describe, without_packages
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import remove

PREPARED: Final = 64
"""Bots that stay prepared between two matches: as many as a match may have seats."""


@dataclass
class _Prepared:
    """A program and its launch; None until it is prepared. `lock` is held meanwhile, `resources` undoes it."""

    program: Program
    lock: trio.Lock = field(default_factory=trio.Lock)
    launch: Launch | None = None
    resources: ExitStack = field(default_factory=ExitStack)


class StagingSandbox(ABC):
    """A sandbox that stages bots, each once, for all its seats and all matches of a worker.

    Attributes:
        parts: what enforces the isolation, for records. limits: what its launches need.
        hidden: what players must not see: what `open_sandbox` names, and all bots that are prepared.
    """

    def __init__(
        self, limits: Limits, tempdir: Path, stack: ExitStack, hidden: Iterable[Path], files_by: Mapping[str, str]
    ) -> None:
        """Create a sandbox without staged bots. `files_by` names what isolates files, for records. Raises: as `seccomp.bpf`."""
        self.parts = {**files_by, "calls": f"seccomp {seccomp.digest()}", "memory": "rlimit"}
        self.limits = limits
        self.hidden = [path.resolve() for path in hidden]
        self._tempdir = tempdir
        self._python3 = without_packages(tempdir / "python")
        self._copies = 0
        self._prepared: list[_Prepared] = []  # the one used last comes last
        stack.callback(self.tidy, 0)

    async def prepare(self, program: Program) -> Launch:
        """Prepare it, or wait until it is prepared. Raises: as `opening.Sandbox.prepare`."""
        preparation = next((entry for entry in self._prepared if entry.program == program), None) or _Prepared(program)
        self._prepared = [*(entry for entry in self._prepared if entry is not preparation), preparation]
        async with preparation.lock:
            if preparation.launch is None:
                with ExitStack() as resources:
                    preparation.launch = await self._launch(program, resources)
                    preparation.resources = resources.pop_all()
        return preparation.launch

    def tidy(self, keep: int = PREPARED) -> None:
        """Remove all but those used last; see `opening.Sandbox.tidy`."""
        while len(self._prepared) > keep:
            self._prepared.pop(0).resources.close()

    @abstractmethod
    async def _launch(self, program: Program, resources: ExitStack) -> Launch:
        """Stage the bot's folder and find out what its runtime needs, until the stack closes."""

    async def stage_folder(
        self, program: Program, resources: ExitStack, inside: str | None = None
    ) -> tuple[Path, Runtime]:
        """The copy of a bot's folder, which exists until the stack closes, and what its runtime needs.

        The cell shows the copy at `inside`, by default at its path on the host.

        Raises:
            BotError: the folder holds what may not be in one, or the program cannot run.
        """
        self._copies += 1
        folder = self._tempdir / f"bot{self._copies}"
        resources.callback(remove, folder)
        described = partial(self._describe, program, folder, inside or str(folder))
        return folder, await trio.to_thread.run_sync(described)

    def _describe(self, program: Program, folder: Path, inside: str) -> Runtime:
        # In one go: on a busy machine each way to a thread and back costs as much as the work for a small bot.
        placed = stage(program, folder, self.limits)
        return describe(program, inside, placed, memory=self.limits.memory, python3=self._python3)
