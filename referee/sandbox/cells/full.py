"""Level full: bubblewrap's namespaces, the list of allowed system calls, resource limits.

1. If /usr or a virtual environment contains a bot of this match, or the sample bots, something empty covers it.
2. A root referee gives each cell its own uid, because root is exempt from some limits (`id_thread.py`). It can set the limits
   even in a container that forbids this for other uids (`limiting.py`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from typing_extensions import override

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.cells.bubblewrap import Descriptors, player
from referee.sandbox.cells.full_cell import FullCell, spawn_held
from referee.sandbox.cells.id_thread import IdThread, Owner
from referee.sandbox.cells.limiting import Bounds
from referee.sandbox.cells.mounts import Mounts
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring
from referee.sandbox.cells.staged import StagingSandbox
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import FOLDER, Program
from referee.sandbox.runtimes import Runtime, system
from referee.sandbox.runtimes.bot_files import hide
from referee.sandbox.uid_pool import UIDS

_NOTHING: Final = Path("/dev/null")


def bwrap_path() -> str:
    """The path of bubblewrap. Raises: IsolationError."""
    path = shutil.which("bwrap")
    if path is None:
        raise IsolationError(isolation_errors.NO_BUBBLEWRAP)
    return str(Path(path).resolve())


class FullSandbox(StagingSandbox):
    """Starts programs in cells. Made by `opening.opened`, which also ends what is on `stack`.

    Attributes:
        bwrap, empty, thread, own_network: what its launches need.
    """

    level: Final = Level.FULL

    def __init__(self, limits: Limits, tempdir: Path, stack: ExitStack, hidden: Iterable[Path] = ()) -> None:
        self.bwrap = bwrap_path()
        super().__init__(limits, tempdir, stack, hidden, {"namespaces": "bubblewrap"})
        self.empty = tempdir / "empty"
        self.empty.mkdir()
        self.thread = IdThread(stack) if os.getuid() == 0 else None
        self.own_network = self.thread is None or not self.thread.leave_network()

    @override
    async def _launch(self, program: Program, resources: ExitStack) -> FullLaunch:
        folder, runtime = await self.staged(program, resources, FOLDER)
        mounts = Mounts(self._tempdir, resources, None if self.thread is None else UIDS[0])
        binds = [(mounts.reachable(host), inside) for host, inside in runtime.binds]
        mounts.show()
        hide(program, runtime.kind, self.hidden, resources)
        return FullLaunch(program.name, runtime, folder, binds, mounts, self)


@dataclass
class FullLaunch:
    """Starts a program in a full cell, from a folder that was staged once. `name` is how messages call the bot."""

    name: str
    _runtime: Runtime
    _folder: Path
    _binds: Sequence[tuple[Path, str]]
    _mounts: Mounts
    _sandbox: FullSandbox
    _hidden: Sequence[Path] = ()
    _covers: Sequence[tuple[Path, str]] = ()

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> FullCell:
        """Start the program."""
        with ExitStack() as resources:
            uid, thread = resources.enter_context(self._sandbox.uids.lent()), self._sandbox.thread
            owner = None if uid is None or thread is None else Owner(thread, uid, self._mounts.namespace)
            cell = spawn_held(
                FullCell,
                self.name,
                self._call,
                calls=self._runtime.calls,
                bounds=Bounds(self._runtime.room(self._sandbox.limits), owner),
                wiring=wiring,
            )
            cell.memory = self._sandbox.limits.memory
            cell.resources = resources.pop_all()
            return cell

    def _call(self, fds: Descriptors) -> list[str]:
        return player(
            self._sandbox.bwrap,
            self._runtime,
            folder=self._folder,
            binds=self._binds,
            over=self._over(),
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
