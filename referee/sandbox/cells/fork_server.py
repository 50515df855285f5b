"""Level full: the fork server of a cell, from the referee's side, and the programs that it starts one after the other.

1. Making a cell takes bubblewrap 2.5 ms. So a cell is made once for a bot, and its first process is a small program, the fork
   server (`scripts/forkserver/fork_server.c`), which starts the bot for each match or turn in 0.4 ms.
2. The process is new each time, and so are its streams and the namespaces for processes, IPC and the host name, which end
   with it. The cell keeps what no program can change: mounts (all read-only), the user, limits, and an empty network, for which
   programs have no call.
3. The server is harmless without limits, and runs before they are set. It ends with its sockets, and so with the referee.
4. The socket at the server's stdin carries starts, the one at its stdout reports. A start is a byte with three descriptors, the
   program's streams. A report is two numbers, its kind and a value; `fork_server.c` says which there are.
5. The server's child is the first process of the program's namespace, and its child is the program. Where the server may not make
   namespaces, as for a build, the program is its own child, and its cell serves for one program (`is_reusable`).
6. A `FullCell` is a program that the server starts. It begins when the cell is settled, not when it is spawned: a player never
   runs before its match. The program is paused and resumed, and the first process of its namespace is killed. When that one has
   ended, everything in the namespace has, and the server reports it.
7. A cell that is closed after the end of its program gives its server back. In all other cases the server and everything in its
   cell is ended, also if a start was cancelled.
"""

from __future__ import annotations

import errno
import os
import platform
import select
import signal
import socket
import struct
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

import trio
from typing_extensions import override

from referee.errors import IsolationError, out_of
from referee.sandbox import isolation_errors
from referee.sandbox.calls import seccomp
from referee.sandbox.cells.bubblewrap import SETTLE, Bounds, BubblewrapCell, only_child
from referee.sandbox.cells.cell import Cell
from referee.sandbox.cells.spawning import Wiring, make_streams
from referee.sandbox.limits import Calls

_REPORT: Final = struct.Struct("=ii")
_READY, _BEGUN, _FAILED, _ENDED = 1, 2, 3, 4
_SIGNALLED: Final = 128
STARTS: Final = 100_000
"""Programs that a server starts. Each costs it 0.1 ms of CPU time, and it has the limit of CPU time of a program."""


def file_of(machine: str) -> Path:
    """The path of the fork server for a kind of machine."""
    return Path(__file__).with_name(f"fork-server-{machine}")


def copy_server(folder: Path) -> Path:
    """A copy of the fork server for this machine, which every user may execute."""
    copy = folder / "fork-server"
    copy.write_bytes(file_of(platform.machine()).read_bytes())
    copy.chmod(0o755)
    return copy


class Child(NamedTuple):
    """A process: its number on the host, and a descriptor of it."""

    pid: int
    pidfd: int


class ForkServer(BubblewrapCell):
    """A fork server in its cell.

    Attributes:
        key: what its cell was made for: another cell with this key would be the same.
        uid: the pooled uid of its cell; None for the referee's own.
        is_reusable: whether another program may follow the one that runs, because nothing of it will be left in the cell.
    """

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        name: str,
        bounds: Bounds,
        *,
        argv: Sequence[str],
        calls: Calls,
        key: tuple[object, ...] = (),
    ) -> None:
        """`argv` is the program, and `calls` says whose list of system calls holds for it."""
        super().__init__(popen, name, bounds)
        self.key, self.uid = key, None if bounds.owner is None else bounds.owner.uid
        self.is_reusable = True
        self._argv, self._calls = argv, calls
        self._starts, self._reports = _socket(self.stdin), _socket(self.stdout)
        self._reports.setblocking(False)
        self._is_set_up = False
        self._left = STARTS

    @property
    def reports(self) -> int:
        """A descriptor; readable when there is a report, or the server has ended."""
        return self._reports.fileno()

    @override
    async def settle(self) -> None:
        """Wait until the server runs, and set the limits and the filter of its programs."""
        kind, _ = await self._report()
        if kind != _READY or not self.limit():
            raise self.failure()
        filter_fd = seccomp.as_memfd(self._calls)
        try:
            self._send([filter_fd])
        finally:
            os.close(filter_fd)
        self._is_set_up = True

    async def start(self, streams: Sequence[int], descriptors: ExitStack) -> tuple[Child | None, Child | None]:
        """Start the program with these streams, and wait until it is executed. `descriptors` closes those of the processes.

        Returns:
            The process whose end ends the program and all that it started, and the program; None for one that has ended.

        Raises:
            BotError: it cannot be executed. IsolationError: the cell could not be set up. OSError: no descriptors left.
        """
        try:
            with trio.fail_after(SETTLE):
                if not self._is_set_up:
                    await self.settle()
                self._send(streams)
                kind, value = await self._report()
        except trio.TooSlowError:
            raise IsolationError(isolation_errors.slow(self._name, SETTLE)) from None
        if kind == _FAILED and not out_of(OSError(value, "")):
            raise isolation_errors.failure(self._name, f"execvp {self._argv[0]}: {os.strerror(value)}")
        if kind in {_FAILED, _ENDED}:  # nothing is left to execute it, or the kernel has ended the first process
            raise IsolationError(isolation_errors.SCARCE)
        if kind != _BEGUN:  # bubblewrap has ended without a server
            raise self.failure()
        self._left -= 1
        self.is_reusable = bool(value) and self._left > 0
        server = self.started()
        first = _child(server, descriptors) if value else None
        return first, _child(server if first is None else first.pid, descriptors)

    def ended(self) -> int | None:
        """The status of wait(2) of the program that was started last; None while it runs. `reports` stays readable.

        If the server itself has ended, or a build has changed it and it reports nonsense, the program was killed.
        """
        report = self._receive(socket.MSG_PEEK)
        if report is None:
            return None
        kind, value = report
        return value if kind == _ENDED and (os.WIFEXITED(value) or os.WIFSIGNALED(value)) else signal.SIGKILL

    def is_free(self) -> bool:
        """After the end of a program: whether the server can start another one. Ask once."""
        return self.is_reusable and (self._receive() or (0,))[0] == _ENDED

    def is_gone(self) -> bool:
        """Whether a server at rest has ended by itself."""
        return self._receive() is not None

    @override
    def close(self) -> None:
        for view in (self._starts, self._reports):
            view.detach()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        super().close()

    def _send(self, descriptors: Sequence[int]) -> None:
        try:
            with suppress(ConnectionError):  # the server has ended: the end of the reports says so too
                socket.send_fds(self._starts, [b"!"], descriptors)
        except OSError as failed:
            if failed.errno == errno.ETOOMANYREFS:  # this user's programs have more of them under way than are allowed
                raise IsolationError(isolation_errors.SCARCE) from None
            raise

    async def _report(self) -> tuple[int, int]:
        while (report := self._receive()) is None:
            await trio.lowlevel.wait_readable(self.reports)
        return report

    def _receive(self, flags: int = 0) -> tuple[int, int] | None:
        """The next report: its kind and its value; the kind is 0 at the end. None if there is none yet."""
        try:
            data = self._reports.recv(_REPORT.size, flags)
        except BlockingIOError:
            return None
        except ConnectionError:
            data = b""
        kind, value = _REPORT.unpack(data) if len(data) == _REPORT.size else (0, 0)
        return kind, value


def _child(parent: int | None, stack: ExitStack) -> Child | None:
    """The child of a process that has one; `stack` closes its descriptor. Raises: OSError: no descriptors left."""
    if (pid := only_child(parent)) is None:
        return None
    try:
        child = Child(pid, os.pidfd_open(pid))
    except ProcessLookupError:
        return None
    stack.callback(os.close, child.pidfd)
    return child if only_child(parent) == pid else None  # not another process that has the number by now


def _socket(stream: IO[bytes]) -> socket.socket:
    """Our end of a stream as a socket, which has the same descriptor: a second one may be more than are left."""
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=stream.fileno())


class FullCell(Cell):
    """A program that a fork server starts."""

    keeps_its_number = False

    def __init__(self, server: ForkServer, wiring: Wiring, give_back: Callable[[ForkServer], None]) -> None:
        """Nothing runs yet. `give_back` gets the server when nothing of the program is left. Raises: OSError."""
        super().__init__()
        self._server, self._give_back = server, give_back
        with ExitStack() as ours, ExitStack() as theirs:
            (self.stdin, stdin), (self.stdout, stdout), (self.stderr, stderr) = make_streams(wiring, ours, theirs)
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
