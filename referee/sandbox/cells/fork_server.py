"""The fork server of a cell, from the referee's side: it starts one program after the other.

1. Making a cell takes bubblewrap 2.5 ms. So a cell is made once for a bot, and its first process is a small program, the fork
   server (`scripts/forkserver/fork_server.c`), which starts the bot for each match or turn in 0.4 ms.
2. The process is new each time, and so are its streams and the namespaces for processes, IPC and the host name, which end
   with it. The cell keeps what no program can change: mounts (all read-only), the user, limits, and an empty network, for which
   programs have no call.
3. The socket at the server's stdin carries starts, the one at its stdout reports. A start is a byte with three descriptors, the
   program's streams. A report is two numbers, its kind and a value; `fork_server.c` says which there are.
4. Where the server may not make namespaces, its cell serves for one program (`is_reusable`).
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
from pathlib import Path
from typing import IO, Final, NamedTuple

import trio
from typing_extensions import override

from referee.errors import BotError, IsolationError, out_of
from referee.sandbox import isolation_errors
from referee.sandbox.calls import seccomp
from referee.sandbox.cells.bubblewrap_cell import SETTLE, BubblewrapCell
from referee.sandbox.cells.limiting import Bounds

_REPORT: Final = struct.Struct("=ii")
_BEGUN, _FAILED, _ENDED = 1, 2, 3
_MOST_STARTS: Final = 100_000
"""A start costs the server 0.1 ms of CPU time, and it has the limit of players."""


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
        argv: the program. calls: whose list of system calls holds for it.
        is_reusable: whether nothing of a program is left in the cell after its end, and the cell may serve once more.
    """

    def __init__(self, popen: subprocess.Popen[bytes], name: str, status: int, block: int, bounds: Bounds) -> None:
        super().__init__(popen, name, status, block, bounds)
        self.key: tuple[object, ...] = ()
        self.argv: Sequence[str] = ()
        self.calls: seccomp.Listed = "players"
        self.is_reusable = True
        self._starts, self._reports = _socket(self.stdin), _socket(self.stdout)
        self._reports.setblocking(False)
        self._is_set_up = False
        self._left = _MOST_STARTS

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
        if kind == _ENDED:  # the first process of its namespace: nobody else could have ended it so early
            raise IsolationError(isolation_errors.SCARCE)
        if kind != _BEGUN:  # bubblewrap has ended without a server
            await trio.lowlevel.wait_readable(self.end)
            raise self.failure()
        self._left -= 1
        self.is_reusable = bool(value) and self._left > 0
        return Begun(*descriptors)

    def ended(self) -> int | None:
        """The status of wait(2) of the program that was started last; None while it runs.

        If the server itself has ended, it is that of a program that was killed.
        """
        report = self._receive()
        if report is None:
            return None
        kind, value, descriptors = report
        for descriptor in descriptors:  # its start was cancelled
            os.close(descriptor)
        return value if kind == _ENDED else signal.SIGKILL

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
            socket.send_fds(self._starts, [b"!"], descriptors)
        except ConnectionError:  # the server has ended: the end of the reports says so too
            pass
        except OSError as failed:
            if (
                failed.errno != errno.ETOOMANYREFS
            ):  # programs of this user have more descriptors under way than are allowed
                raise
            raise IsolationError(isolation_errors.SCARCE) from None

    def _receive(self) -> tuple[int, int, list[int]] | None:
        """The next report: its kind, its value, and its descriptors; the kind is 0 at the end. None if there is none yet.

        Raises:
            OSError: no descriptors left.
        """
        descriptors = array("i")
        room = socket.CMSG_LEN(len(Begun._fields) * descriptors.itemsize)
        try:  # `recv_fds` ignores its flags
            data, extras, flags, _ = self._reports.recvmsg(_REPORT.size, room, socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            return None
        except ConnectionError:
            return 0, 0, []
        for _, _, content in extras:
            descriptors.frombytes(content)
        if flags & socket.MSG_CTRUNC:
            for descriptor in descriptors:
                os.close(descriptor)
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return (*_REPORT.unpack(data), list(descriptors)) if len(data) == _REPORT.size else (0, 0, [])

    def _not_executed(self, number: int) -> BotError | IsolationError:
        if out_of(OSError(number, "")):  # this is not the bot's fault
            return IsolationError(isolation_errors.SCARCE)
        words = f"execvp {self.argv[0]}: {os.strerror(number)}"
        return isolation_errors.failure(self._name, words)


def _socket(stream: IO[bytes]) -> socket.socket:
    """Our end of a stream as a socket, which has the same descriptor: a second one may be more than are left."""
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=stream.fileno())
