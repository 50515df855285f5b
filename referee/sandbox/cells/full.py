"""Level full: bubblewrap's namespaces, the list of allowed system calls, resource limits.

If /usr or a virtual environment contains a bot of this match, or the sample bots, something empty covers it. A root referee gives
each cell its own uid (`uid_pool.py`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from typing_extensions import override

from referee.errors import IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.cells import bubblewrap, fork_server
from referee.sandbox.cells.bubblewrap import Bounds
from referee.sandbox.cells.fork_server import ForkServer, FullCell
from referee.sandbox.cells.id_thread import IdThread, Owner
from referee.sandbox.cells.mounts import Mounts
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring
from referee.sandbox.cells.staged import StagingSandbox
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import FOLDER, Program
from referee.sandbox.runtimes import Runtime, system
from referee.sandbox.runtimes.bot_files import hide
from referee.sandbox.uid_pool import UIDS, borrow_uid

_NOTHING: Final = Path("/dev/null")
AT_REST: Final = 32
"""The most fork servers that wait for their next program."""
_OF_REST: Final = UIDS[: len(UIDS) // 2]
"""The uids of servers at rest, on the whole machine: the others are left for players, however many sandboxes there are."""


def bwrap_path() -> str:
    """The path of bubblewrap. Raises: IsolationError."""
    path = shutil.which("bwrap")
    if path is None:
        raise IsolationError(isolation_errors.NO_BUBBLEWRAP)
    return str(Path(path).resolve())


class FullSandbox(StagingSandbox):
    """Starts programs in cells. Made by `opening.open_sandbox`, which also ends what is on `stack`.

    Its other attributes are for its launches.
    """

    level: Final = Level.FULL

    def __init__(self, limits: Limits, tempdir: Path, stack: ExitStack, hidden: Iterable[Path] = ()) -> None:
        self.bwrap = bwrap_path()
        self.thread = IdThread(stack) if os.getuid() == 0 else None  # ends after the cells that it starts
        super().__init__(limits, tempdir, stack, hidden, {"namespaces": "bubblewrap"})
        self.empty = tempdir / "empty"
        self.empty.mkdir()
        self.server = fork_server.copy_server(tempdir)
        self._at_rest: list[ForkServer] = []  # the one used last comes last

    @override
    async def _launch(self, program: Program, resources: ExitStack) -> FullLaunch:
        folder, runtime = await self.stage_folder(program, resources, FOLDER)
        mounts = Mounts(self._tempdir, resources, None if self.thread is None else UIDS[0])
        binds = [(mounts.reachable(host), inside) for host, inside in runtime.binds]
        mounts.show()
        hide(program, self.hidden, resources)
        launch = FullLaunch(program.name, runtime, folder, binds, mounts, self)
        resources.callback(self._end, launch)
        return launch

    def at_rest(self, key: object) -> ForkServer | None:
        """A server that rests, for a cell with this key."""
        for server in reversed(self._at_rest):
            if server.key == key:
                self._at_rest.remove(server)
                if not server.is_gone():
                    return server
                server.discard()
        return None

    def rest(self, server: ForkServer) -> None:
        """Keep a server for the next program, or end it."""
        if server.uid is None or server.uid in _OF_REST:
            self._at_rest.append(server)
            while len(self._at_rest) > AT_REST:
                self.give_way()
        else:
            server.discard()

    def give_way(self) -> bool:
        """End the server that has rested longest. Returns whether there was one."""
        if self._at_rest:
            self._at_rest.pop(0).discard()
            return True
        return False

    def _end(self, launch: FullLaunch) -> None:
        launch.is_prepared = False
        servers = [server for server in self._at_rest if server.key[0] is launch]
        for server in servers:
            server.kill()
        for server in servers:
            self._at_rest.remove(server)
            server.discard()


@dataclass(eq=False)
class FullLaunch:
    """Starts a program in a full cell, from a folder that was staged once.

    Attributes:
        name: how messages call the bot. is_prepared: whether the folder is still there.
    """

    name: str
    _runtime: Runtime
    _folder: Path
    _binds: Sequence[tuple[Path, str]]
    _mounts: Mounts
    _sandbox: FullSandbox
    is_prepared: bool = True

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> FullCell:
        """Start the program."""
        key = (self, self._over())
        while (server := self._sandbox.at_rest(key)) is None:
            try:
                server = self._server(key)
                break
            except (IsolationError, OSError):
                if not self._sandbox.give_way():  # servers at rest have no uid or descriptor that could be used
                    raise
        try:
            cell = FullCell(server, wiring, self._give_back)
        except BaseException:  # no descriptors left
            server.discard()
            raise
        cell.memory = self._sandbox.limits.memory
        return cell

    def _server(self, key: tuple[FullLaunch, tuple[tuple[Path, str], ...]]) -> ForkServer:
        with ExitStack() as resources:
            uid, thread = resources.enter_context(borrow_uid()), self._sandbox.thread
            owner = None if uid is None or thread is None else Owner(thread, uid, self._mounts.namespace)
            limits = self._runtime.room(self._sandbox.limits)
            limits = replace(limits, threads=limits.threads + 1)  # the server itself
            bounds = Bounds(limits, owner)
            call = bubblewrap.player(
                self._sandbox.bwrap, self._runtime, self._folder, self._binds, key[1], self._sandbox.server
            )
            popen = bubblewrap.spawn_bubblewrap(call, bounds)
            server = ForkServer(popen, self.name, bounds, key=key, argv=self._runtime.argv, calls=self._runtime.calls)
            server.resources.push(resources.pop_all())
            return server

    def _give_back(self, server: ForkServer) -> None:
        if self.is_prepared:
            self._sandbox.rest(server)
        else:
            server.discard()

    def _over(self) -> tuple[tuple[Path, str], ...]:
        """An empty mount for each path that the binds show and that is hidden."""
        return tuple(
            (self._sandbox.empty if path.is_dir() else _NOTHING, inside)
            for path, inside in system.hidden_places(self._runtime.binds, self._sandbox.hidden)
        )
