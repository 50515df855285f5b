"""A cell: one started program, at any level of isolation.

1. A cell is spawned by a call in the main thread, because parent-death signals follow the spawning thread, and then settled:
   `settle` returns when the program runs, with its limits.
2. At levels none and reduced, the program is the referee's own child (`ChildCell`). At level full, a fork server in a cell of
   bubblewrap starts it (`fork_server.py`).
3. Signals go to process descriptors, never to process ids, which may be reused.
4. The owner of a cell waits for `end`, sweeps and closes it; the cell itself waits for nothing but its start.
"""

from __future__ import annotations

import os
import signal
import subprocess
from abc import ABC, abstractmethod
from contextlib import ExitStack, suppress
from typing import IO, ClassVar, Final, Protocol

from typing_extensions import override

from referee.sandbox.cells import children
from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring

TOKEN: Final = "REFEREE_PLAYER"
"""A variable in the environment of programs without isolation, which marks their children."""


class Launch(Protocol):
    """A prepared program, which can be started any number of times."""

    @property
    def name(self) -> str: ...

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> Cell:
        """Start the program, in the main thread; `wiring` says which of its streams are sockets.

        Raises:
            BotError: it cannot be started; one line that says what to do.
            OSError: the machine has no descriptor, process or memory left. This is not the bot's fault.
        """


class Cell(ABC):
    """One started program. Its user closes the cell, but not its streams.

    Attributes:
        stdin, stdout, stderr: the referee's ends.
        end: a descriptor; readable when the program has ended, or could not be started.
        memory: the program's limit in bytes; None for none.
        keeps_its_number: whether no other process gets `pid` before the cell is swept.
    """

    keeps_its_number: ClassVar[bool] = True
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]
    end: int

    def __init__(self) -> None:
        self.memory: int | None = None

    @property
    @abstractmethod
    def pid(self) -> int | None:
        """The program's process id on the host; None if the process ended before it was found."""

    @abstractmethod
    async def settle(self) -> None:
        """Wait until the program runs. On failure or cancellation, the caller still ends the cell.

        Raises:
            BotError: the program cannot be started. IsolationError: its cell could not be set up.
            OSError: the machine has no descriptor, process or memory left.
        """

    @abstractmethod
    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program itself. Does nothing if it has ended."""

    @abstractmethod
    def kill(self) -> None:
        """End the program and all that it started, as far as the cell holds it."""

    @abstractmethod
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while the program runs."""

    @abstractmethod
    async def sweep(self) -> None:
        """After the end: end what the program left behind. Must not be cancelled."""

    @abstractmethod
    def close(self) -> None:
        """Close the descriptors, except the program's streams. After that, nothing that was made for the cell is in use."""

    @abstractmethod
    def discard(self) -> None:
        """End the program at once and close everything."""

    def words(self, most: int) -> bytes:
        """What has been written to stderr by now."""
        os.set_blocking(self.stderr.fileno(), False)
        with suppress(BlockingIOError):
            return os.read(self.stderr.fileno(), most)
        return b""


class ChildCell(Cell):
    """A program in a child of the referee.

    Attributes:
        popen: the child.
        resources: what it needs for as long as it runs; ends when the cell is closed.
    """

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        super().__init__()
        self.resources = ExitStack()
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self.popen = popen
        self.stdin, self.stdout, self.stderr = popen.stdin, popen.stdout, popen.stderr
        try:
            self.end = os.pidfd_open(popen.pid)
        except BaseException:  # no descriptors left
            self.abort(popen)
            raise

    @staticmethod
    def abort(popen: subprocess.Popen[bytes]) -> None:
        """End a child that has no cell yet."""
        with popen:
            popen.kill()

    @override
    @property
    def pid(self) -> int | None:
        return self.popen.pid

    @override
    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.end, number)

    @override
    def kill(self) -> None:
        self.signal(signal.SIGKILL)

    @override
    def status(self) -> int | None:
        if (status := self.popen.returncode) is not None:
            return status
        info = os.waitid(os.P_PIDFD, self.end, os.WEXITED | os.WNOHANG | os.WNOWAIT)  # does not reap
        if info is None:
            return None
        return info.si_status if info.si_code == os.CLD_EXITED else -info.si_status

    @override
    async def sweep(self) -> None:
        self.popen.poll()

    @override
    def close(self) -> None:
        os.close(self.end)
        self.resources.close()

    @override
    def discard(self) -> None:
        self.kill()
        self.signal(signal.SIGKILL)
        with self.popen:  # closes the pipes and waits
            pass
        self.close()


class BareCell(ChildCell):
    """A program without isolation, in its own session and process group. Its children inherit an entry of its environment."""

    def __init__(self, popen: subprocess.Popen[bytes], mark: bytes) -> None:
        """`mark` is the entry. Raises: OSError: no descriptors left; the program is ended."""
        super().__init__(popen)
        self._mark = mark

    @override
    async def settle(self) -> None:
        """Do nothing: the program runs as soon as it is spawned."""

    @override
    def kill(self) -> None:
        """End the process group. The sweep ends processes that left the group."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    @override
    async def sweep(self) -> None:
        await children.sweep(self.popen.pid, self._mark)
        await super().sweep()
