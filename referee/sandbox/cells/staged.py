"""What levels full and reduced have in common: each bot is prepared once, from a copy of its folder.

All cells of a bot show the same copy, read-only.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import trio

from referee.sandbox.calls import seccomp
from referee.sandbox.limits import Limits
from referee.sandbox.program import Program
from referee.sandbox.runtimes import Runtime, describe, without_packages
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import remove
from referee.sandbox.uid_pool import Uids


class StagingSandbox:
    """A sandbox that stages bots.

    Attributes:
        limits, uids: what its launches need.
        hidden: what players must not see: what `opened` names, and all bots that are prepared.
    """

    def __init__(self, limits: Limits, tempdir: Path, stack: ExitStack, hidden: Iterable[Path] = ()) -> None:
        """Nothing is staged yet.

        Raises:
            IsolationError: there is no list of system calls for this machine.
        """
        seccomp.bpf()  # fail here, before any bot is looked at
        self.limits = limits
        self.hidden = [path.resolve() for path in hidden]
        self.uids = Uids(stack)
        self._tempdir = tempdir
        self._python3 = without_packages(tempdir / "python")
        self._staged = 0

    async def staged(self, program: Program, resources: ExitStack, inside: str | None = None) -> tuple[Path, Runtime]:
        """The copy of a bot's folder, which exists until the stack closes, and what its runtime needs.

        Args:
            inside: where the cell shows the copy; None for its path on the host.

        Raises:
            BotError: the folder holds what may not be in one, or the program cannot run.
        """
        self._staged += 1
        folder = self._tempdir / f"bot{self._staged}"
        resources.callback(remove, folder)
        described = partial(self._described, program, folder, inside or str(folder))
        return folder, await trio.to_thread.run_sync(described)

    def _described(self, program: Program, folder: Path, inside: str) -> Runtime:
        # In one go: on a busy machine each way to a thread and back costs as much as the work for a small bot.
        placed = stage(program, folder, self.limits)
        return describe(program, inside, placed, memory=self.limits.memory, python3=self._python3)
