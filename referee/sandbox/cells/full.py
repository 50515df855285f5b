"""Level full: bubblewrap's namespaces, the list of allowed system calls, resource limits.

1. Each bot is prepared once: a copy of its folder, and the files that its runtime needs. Its cells show the same copy, read-only.
2. If /usr or a virtual environment contains a bot of this match, or the sample bots, something empty covers it.
3. A root referee gives each cell its own uid, because root is exempt from some limits (`id_thread.py`). It can set the limits
   even in a container that forbids this for other uids (`limiting.py`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import trio

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.calls import seccomp
from referee.sandbox.cells.bubblewrap import Descriptors, player
from referee.sandbox.cells.full_cell import FullCell, spawn_held
from referee.sandbox.cells.id_thread import IdThread, Owner
from referee.sandbox.cells.limiting import Bounds
from referee.sandbox.cells.mounts import Mounts
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import FOLDER, Program
from referee.sandbox.runtimes import Runtime, describe, system, without_packages
from referee.sandbox.runtimes.bot_files import hide
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import remove
from referee.sandbox.uid_pool import UIDS, Uids

_NOTHING: Final = Path("/dev/null")


def bwrap_path() -> str:
    """The path of bubblewrap. Raises: IsolationError."""
    path = shutil.which("bwrap")
    if path is None:
        raise IsolationError(isolation_errors.NO_BUBBLEWRAP)
    return str(Path(path).resolve())


class FullSandbox:
    """Starts programs in cells. Made by `opening.opened`, which also ends what is on `stack`.

    Attributes:
        limits, bwrap, empty, uids, thread, own_network: what its launches need.
        hidden: what is covered in the cells: what `opened` names, and all bots that are prepared.
    """

    level: Final = Level.FULL

    def __init__(self, limits: Limits, tempdir: Path, stack: ExitStack, hidden: Iterable[Path] = ()) -> None:
        self.limits = limits
        self._tempdir = tempdir
        self.bwrap = bwrap_path()
        self._launches = 0
        self.hidden = [path.resolve() for path in hidden]
        self.empty = tempdir / "empty"
        self.empty.mkdir()
        self._python3 = without_packages(tempdir / "python")
        self.uids = Uids(stack)
        self.thread = IdThread(stack) if os.getuid() == 0 else None
        self.own_network = self.thread is None or not self.thread.leave_network()
        seccomp.bpf()  # fail here if the kernel cannot filter, before any bot is looked at

    @property
    def parts(self) -> Mapping[str, str]:
        """What enforces the isolation, for records."""
        return {
            "namespaces": "bubblewrap",
            "calls": f"seccomp {seccomp.digest()}",
            "memory": "rlimit",
        }

    async def prepare(self, program: Program, resources: ExitStack) -> FullLaunch:
        """Stage the bot's folder and find out what its runtime needs, until the stack closes.

        Raises:
            BotError: its folder holds what may not be in one, or its program cannot run. IsolationError: see `opened`.
        """
        self._launches += 1
        number = self._launches  # others may be made ready meanwhile
        folder = self._tempdir / f"bot{number}"
        resources.callback(remove, folder)
        runtime = await trio.to_thread.run_sync(self._runtime_of, program, folder)
        mounts = Mounts(self._tempdir, resources, None if self.thread is None else UIDS[0])
        binds = [(mounts.reachable(host), inside) for host, inside in runtime.binds]
        mounts.show()
        hide(program, runtime.kind, self.hidden, resources)
        return FullLaunch(program, runtime, folder, binds, mounts, self)

    def _runtime_of(self, program: Program, folder: Path) -> Runtime:
        # In one go: on a busy machine each way to a thread and back costs as much as the work for a small bot.
        placed = stage(program, folder, self.limits)
        return describe(program, FOLDER, placed, memory=self.limits.memory, python3=self._python3)


class FullLaunch:
    """Starts a program in a full cell, from a folder that was staged once."""

    def __init__(
        self,
        program: Program,
        runtime: Runtime,
        folder: Path,
        binds: list[tuple[Path, str]],
        mounts: Mounts,
        sandbox: FullSandbox,
    ) -> None:
        self._program = program
        self._runtime = runtime
        self._folder = folder
        self._binds = binds
        self._mounts = mounts
        self._limits = runtime.room(sandbox.limits)
        self._sandbox = sandbox
        self._hidden: Sequence[Path] = ()
        self._covers: Sequence[tuple[Path, str]] = ()

    @property
    def name(self) -> str:
        """How messages call the bot."""
        return self._program.name

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> FullCell:
        """Start the program."""
        with ExitStack() as resources:
            uid, thread = resources.enter_context(self._sandbox.uids.lent()), self._sandbox.thread
            owner = None if uid is None or thread is None else Owner(thread, uid, self._mounts.namespace)
            cell = spawn_held(
                FullCell,
                self.name,
                self._call,
                filtered=partial(seccomp.as_memfd, self._runtime.calls),
                bounds=Bounds(self._limits, owner),
                wiring=wiring,
            )
            cell.memory = self._sandbox.limits.memory
            cell.resources = resources.pop_all()
            return cell

    def _call(self, fds: Descriptors) -> list[str]:
        return player(
            self._sandbox.bwrap,
            self._runtime.argv,
            folder=self._folder,
            binds=self._binds,
            links=self._runtime.links,
            over=self._over(),
            env=self._runtime.env,
            fds=fds,
            own_network=self._sandbox.own_network,
        )

    def _over(self) -> Sequence[tuple[Path, str]]:
        """An empty mount for each place where the binds show something hidden; computed again when others are hidden."""
        hidden = tuple(self._sandbox.hidden)
        if hidden != self._hidden:
            self._hidden = hidden
            covers = system.hidden_places(self._runtime.binds, hidden)
            self._covers = [(self._sandbox.empty if path.is_dir() else _NOTHING, inside) for path, inside in covers]
        return self._covers
