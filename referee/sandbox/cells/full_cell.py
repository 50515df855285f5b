"""A program at level full: how a fork server starts it, and how it ends.

1. A fork server in a cell of bubblewrap starts the program (`fork_server.py`). The program begins when the cell is settled, not
   when it is spawned: a player never runs before its match.
2. Two processes are known by descriptors: the program, which is paused and resumed, and the first process of its namespace, which
   is killed. When that one has ended, everything in the namespace has, and the server reports it.
3. A cell that is closed after the end of its program gives its server back. In all other cases the server and everything in its
   cell is ended, also if a start was cancelled.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

import trio
from typing_extensions import override

from referee.sandbox.cells.cell import Cell
from referee.sandbox.cells.fork_server import Child, ForkServer
from referee.sandbox.cells.spawning import Wiring, made_streams

_SIGNALLED: Final = 128


class FullCell(Cell):
    """A program that a fork server starts."""

    keeps_its_number = False

    def __init__(self, server: ForkServer, wiring: Wiring, give_back: Callable[[ForkServer], None]) -> None:
        """Nothing runs yet. `give_back` gets the server when the program has ended and nothing of it is left.

        Raises:
            OSError: no descriptors left.
        """
        super().__init__()
        self._server, self._give_back = server, give_back
        with ExitStack() as ours, ExitStack() as theirs:
            (self.stdin, stdin), (self.stdout, stdout), (self.stderr, stderr) = made_streams(wiring, ours, theirs)
            self._far = (stdin, stdout, stderr)
            self._theirs = theirs.pop_all()
            ours.pop_all()
        self.end = server.reports
        self._descriptors = ExitStack()
        self._has_begun = False
        self._first: Child | None = None
        self._program: Child | None = None
        self._status: int | None = None

    @override
    @property
    def pid(self) -> int | None:
        return None if self._program is None else self._program.pid

    @override
    async def settle(self) -> None:
        with self._theirs:
            self._first, self._program = await self._server.start(self._far, self._descriptors)
        self._has_begun = True

    @override
    def signal(self, number: signal.Signals) -> None:
        _send(self._program, number)

    @override
    def kill(self) -> None:
        if self._has_begun and self._server.is_reusable:
            _send(self._first, signal.SIGKILL)
        else:
            self._server.kill()

    @override
    def status(self) -> int | None:
        if self._status is None and (waited := self._server.ended()) is not None:
            code = os.waitstatus_to_exitcode(waited)
            self._status = code if code >= 0 else _SIGNALLED - code
        return self._status

    @override
    async def sweep(self) -> None:
        """Wait for the end of everything in the cell."""
        while self.status() is None:
            await trio.lowlevel.wait_readable(self.end)

    @override
    def close(self) -> None:
        self._theirs.close()
        self._descriptors.close()
        if self._has_begun and self._server.is_free():
            self._give_back(self._server)
        else:
            self._server.discard()

    @override
    def discard(self) -> None:
        if self._has_begun:
            self.kill()
            ended = select.poll()
            ended.register(self.end, select.POLLIN)
            while self.status() is None:
                ended.poll()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        self.close()


def _send(child: Child | None, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        if child is not None:
            signal.pidfd_send_signal(child.pidfd, number)
