"""Level full: bubblewrap's namespaces, the list of allowed system calls, resource limits.

1. What a bot needs is made ready once: a copy of its folder, what its runtime has to see, and where from.
2. A root referee gives every seat a uid of its own, because what belongs to root is free of some limits. It may not be
   allowed to set limits of other uids (a container's root), so a shell in front of bubblewrap sets them (`spare.py`). What
   that uid cannot reach is shown to it in the workshop first.
3. What is passed on to bubblewrap are three descriptors, which it closes by itself: whatever else it got, the program would get.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import trio

from referee.errors import IsolationError
from referee.sandbox import diagnosis
from referee.sandbox.calls import seccomp
from referee.sandbox.cells.bubblewrap import Descriptors, player
from referee.sandbox.cells.cell import discard
from referee.sandbox.cells.full_cell import FullCell, held_pipe
from referee.sandbox.cgroups import Cgroups
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import FOLDER, Program
from referee.sandbox.runtimes import Runtime, describe
from referee.sandbox.spare import can_reach, can_unhide, root_line, spare_uid
from referee.sandbox.staging import stage


def bwrap_path() -> str:
    """Where bubblewrap is. Raises: IsolationError."""
    found = shutil.which("bwrap")
    if found is None:
        raise IsolationError(diagnosis.NO_BUBBLEWRAP)
    return str(Path(found).resolve())


class FullSandbox:
    """Starts programs in cells. Made by `opening.opened`, which also ends what is on `stack`."""

    level: Final = Level.FULL

    def __init__(self, limits: Limits, workshop: Path, cgroups: Cgroups | None, stack: ExitStack) -> None:
        self._limits = limits
        self._workshop = workshop
        self._cgroups = cgroups
        self._stack = stack
        self._bwrap = bwrap_path()
        self._launches = 0
        seccomp.bpf()  # whoever lacks what it needs should hear so before a bot is looked at

    @property
    def parts(self) -> Mapping[str, str]:
        """What is in force, for records."""
        return {
            "namespaces": "bubblewrap",
            "calls": f"seccomp {seccomp.digest()}",
            "memory": "cgroup" if self._cgroups is not None else "rlimit",
        }

    async def prepare(self, program: Program) -> FullLaunch:
        """Stage the bot's folder and find out what its runtime needs.

        Raises:
            BotError: its folder holds what may not be in one, or its program cannot run. IsolationError: see `opened`.
        """
        self._launches += 1
        number = self._launches  # others may be made ready meanwhile
        place = self._workshop / f"bot{number}"
        placed = await trio.to_thread.run_sync(stage, program, place, self._limits)
        runtime = await trio.to_thread.run_sync(partial(describe, program, FOLDER, placed, memory=self._limits.memory))
        uid = self._stack.enter_context(spare_uid()) if os.getuid() == 0 else None
        binds, hidden = self._reachable(runtime, uid, number)
        return FullLaunch(program, runtime, place, binds, hidden, uid, self._limits, self._cgroups, self._bwrap)

    def _reachable(
        self, runtime: Runtime, uid: int | None, launch: int
    ) -> tuple[list[tuple[Path, str]], list[tuple[Path, Path]]]:
        """What to bind from where: what a spare uid cannot reach is shown to it in the workshop first."""
        binds: list[tuple[Path, str]] = []
        hidden: list[tuple[Path, Path]] = []
        for bind, (host, inside) in enumerate(runtime.binds):
            if uid is None or can_reach(host, uid):
                binds.append((host, inside))
                continue
            if not can_unhide():
                raise IsolationError(diagnosis.hidden(host))
            shown = self._workshop / f"shown{launch}-{bind}"
            if host.is_dir():
                shown.mkdir()
            else:
                shown.touch()
            hidden.append((host, shown))
            binds.append((shown, inside))
        return binds, hidden


class FullLaunch:
    """See `Launch`: the staged folder and the runtime stay, so that it can be spawned again."""

    def __init__(
        self,
        program: Program,
        runtime: Runtime,
        folder: Path,
        binds: list[tuple[Path, str]],
        hidden: list[tuple[Path, Path]],
        uid: int | None,
        limits: Limits,
        cgroups: Cgroups | None,
        bwrap: str,
    ) -> None:
        self._program = program
        self._runtime = runtime
        self._folder = folder
        self._binds = binds
        self._before = [] if uid is None else root_line(uid, limits, hidden)
        self._limits = limits
        self._own_limits = None if uid is not None else limits  # those that are not set beforehand
        self._cgroups = cgroups
        self._bwrap = bwrap

    @property
    def name(self) -> str:
        """How messages call the bot."""
        return self._program.name

    def spawn(self) -> FullCell:
        """See `Launch`."""
        with ExitStack() as ours, ExitStack() as theirs:
            status, status_in = os.pipe()
            ours.callback(os.close, status)
            theirs.callback(os.close, status_in)
            block_out, block = held_pipe()
            ours.callback(os.close, block)
            theirs.callback(os.close, block_out)
            filter_fd = seccomp.as_memfd()
            theirs.callback(os.close, filter_fd)
            group = self._cgroups.cell(self._limits) if self._cgroups is not None else None
            if group is not None:
                ours.callback(group.remove)
            fds = Descriptors(status_in, block_out, filter_fd)
            call = player(
                self._bwrap,
                self._runtime.argv,
                folder=self._folder,
                binds=self._binds,
                links=self._runtime.links,
                env=self._runtime.env,
                fds=fds,
            )
            popen = subprocess.Popen(
                [*self._before, *call],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd="/",
                env={},
                start_new_session=True,
                pass_fds=(fds.status, fds.block, filter_fd),
            )
            try:
                cell = FullCell(popen, self.name, status, block, self._own_limits, group)
                cell.memory = self._limits.memory
            except BaseException:
                discard(popen)
                raise
            ours.pop_all()
            return cell
