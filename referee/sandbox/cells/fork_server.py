"""The fork server of a cell, from the referee's side: it starts one program after the other.

1. Making a cell takes bubblewrap 2.5 ms. So a cell is made once for a bot, and its first process is a small program, the fork
   server (`scripts/forkserver/fork_server.c`), which starts the bot for each match or turn in 0.4 ms.
2. The process is new each time, and so are its streams and the namespaces for processes, IPC and the host name, which end
   with it. The cell keeps what no program can change: mounts (all read-only), the user, limits, and an empty network, for which
   programs have no call.
3. The socket at the server's stdin carries starts, the one at its stdout reports. A start is a byte with three descriptors, the
   program's streams. A report is two numbers, its kind and a value; `fork_server.c` says which there are.
4. Where the server may not make namespaces, its cell serves for one program; otherwise for `STARTS` (`is_reusable`).
5. A report is taken from the socket when it has been dealt with: that of an end when the cell is closed. So `reports` stays
   readable until then, and an end can be asked for any number of times.
"""

from __future__ import annotations

import errno
import os
import platform
import signal
import socket
import struct
import subprocess
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

import trio
from typing_extensions import override

from referee.errors import BotError, IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.calls import seccomp
from referee.sandbox.cells.bubblewrap_cell import SETTLE, BubblewrapCell
from referee.sandbox.cells.limiting import Bounds

_REPORT: Final = struct.Struct("=ii")
_BEGUN, _FAILED, _ENDED = 1, 2, 3
_SCARCE: Final = frozenset({errno.EAGAIN, errno.ENOMEM, errno.ENOSPC, errno.EUSERS})
"""What the kernel says if it cannot make another process or namespace; executing a program fails otherwise."""
STARTS: Final = 10_000
"""Programs that a server starts. Each costs it 0.1 ms of CPU time, and it has the limit of CPU time of a program."""


def file_of(machine: str) -> Path:
    """The path of the fork server for a kind of machine."""
    return Path(__file__).with_name(f"fork-server-{machine}")


def copied(folder: Path) -> Path:
    """A copy of the fork server for this machine, which every user may execute."""
    copy = folder / "fork-server"
    copy.write_bytes(file_of(platform.machine()).read_bytes())
    copy.chmod(0o755)
    return copy


class Begun(NamedTuple):
    """A program that runs: descriptors of its namespace's first process and of its own."""

    watcher: int
    program: int


class ForkServer(BubblewrapCell):
    """A fork server in its cell.

    Attributes:
        key: what its cell was made for: another cell with this key would be the same.
        uid: the pooled uid of its cell; None for the referee's own.
        argv: the program. calls: whose list of system calls holds for it.
        is_reusable: whether another program may follow the one that runs, because nothing of it will be left in the cell.
    """

    def __init__(self, popen: subprocess.Popen[bytes], name: str, status: int, block: int, bounds: Bounds) -> None:
        super().__init__(popen, name, status, block, bounds)
        self.key: tuple[object, ...] = ()
        self.uid: int | None = None
        self.argv: Sequence[str] = ()
        self.calls: seccomp.Listed = "players"
        self.is_reusable = True
        try:
            self._starts, self._reports = _socket(self.stdin), _socket(self.stdout)
        except BaseException:  # no descriptors left
            self.abort(popen)
            os.close(self.end)
            raise
        self._reports.setblocking(False)
        self._is_set_up = False
        self._left = STARTS

    @property
    def reports(self) -> int:
        """A descriptor; readable when there is a report, or the server has ended."""
        return self._reports.fileno()

    async def start(self, streams: Sequence[int]) -> Begun:
        """Start the program with these streams, and wait until it is executed.

        Raises:
            BotError: it cannot be executed. IsolationError: the cell could not be set up. OSError: no descriptors left.
        """
        try:
            with trio.fail_after(SETTLE):
                if not self._is_set_up:
                    await self.settle()
                    filter_fd = seccomp.as_memfd(self.calls)
                    try:
                        self._send([filter_fd])
                    finally:
                        os.close(filter_fd)
                    self._is_set_up = True
                self._send(streams)
                while (report := self._receive()) is None:
                    await trio.lowlevel.wait_readable(self.reports)
        except trio.TooSlowError:
            raise IsolationError(isolation_errors.slow(self._name, SETTLE)) from None
        kind, value, descriptors = report
        if kind == _FAILED:
            raise self._not_executed(value)
        if kind != _BEGUN:  # bubblewrap has ended without a server
            raise self.failure()
        self._left -= 1
        self.is_reusable = bool(value) and self._left > 0
        return Begun(*descriptors)

    def ended(self) -> int | None:
        """The status of wait(2) of the program that was started last; None while it runs. `reports` stays readable.

        If the server itself has ended, it is that of a program that was killed.
        """
        try:
            report = self._reports.recv(_REPORT.size, socket.MSG_PEEK)
        except BlockingIOError:
            return None
        kind, value = _REPORT.unpack(report) if len(report) == _REPORT.size else (0, 0)
        return value if kind == _ENDED else signal.SIGKILL

    def is_free(self) -> bool:
        """After the end of a program: whether the server can start another one. Ask once."""
        report = self._receive()
        return self.is_reusable and report is not None and report[0] == _ENDED

    def is_gone(self) -> bool:
        """Whether a server at rest has ended by itself."""
        return self._receive() is not None

    @override
    def close(self) -> None:
        self._starts.close()
        self._reports.close()
        super().close()

    def _send(self, descriptors: Sequence[int]) -> None:
        with suppress(ConnectionError):  # the end of the reports says so too
            socket.send_fds(self._starts, [b"!"], descriptors)

    def _receive(self) -> tuple[int, int, Sequence[int]] | None:
        """The next report: its kind, its value, and its descriptors; the kind is 0 at the end. None if there is none yet.

        Raises:
            OSError: no descriptors left.
        """
        descriptors = array("i")
        room = socket.CMSG_LEN(len(Begun._fields) * descriptors.itemsize)
        try:  # socket.recv_fds would let other programs inherit the descriptors
            data, passed, flags, _ = self._reports.recvmsg(_REPORT.size, room, socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            return None
        for _, _, numbers in passed:
            descriptors.frombytes(numbers)
        if flags & socket.MSG_CTRUNC:
            for descriptor in descriptors:
                os.close(descriptor)
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return (*_REPORT.unpack(data), descriptors) if len(data) == _REPORT.size else (0, 0, ())

    def _not_executed(self, number: int) -> BotError | IsolationError:
        what = "Creating new namespace failed" if number in _SCARCE else f"execvp {self.argv[0]}"
        return isolation_errors.failure(self._name, f"{what}: {os.strerror(number)}")


def _socket(stream: IO[bytes]) -> socket.socket:
    """Our end of a stream as a socket."""
    with stream:
        return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=os.dup(stream.fileno()))
