"""A cell: one program that was started, with what holds it, however well that isolates.

1. A cell has an outer process, which is the referee's child and whose end is the end of all (with bubblewrap that is
   bubblewrap itself), and the program proper, whose number is `pid`. Without isolation the two are one.
2. A cell is spawned at once and in the main thread (a parent's death signals follow the thread that spawned), and then
   settled: limits are set while the program is still held, it is let go, and `settle` returns when it runs.
3. Signals go to descriptors of processes, never to numbers that may be somebody else's by then.
4. The owner of a cell waits for `pidfd`, reaps the outer process and closes the cell; the cell itself waits for nothing
   but its start.
"""

from __future__ import annotations

import os
import signal
import subprocess
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import IO, Final, Protocol
from uuid import uuid4

from typing_extensions import override

from referee.sandbox.cells.spawning import LOG_SOCKET, Wiring

TOKEN: Final = "REFEREE_PLAYER"
"""In the environment of programs that nothing isolates: by it their stray children are known."""


class Launch(Protocol):
    """A program made ready to be started, any number of times."""

    @property
    def name(self) -> str: ...

    def spawn(self, wiring: Wiring = LOG_SOCKET) -> Cell:
        """Start it, in the main thread; `wiring` says which of its streams are sockets.

        Raises:
            BotError: it cannot be started; one line that says what to do.
            OSError: the machine has no descriptor, process or memory left, which is no fault of the bot's.
        """


class Cell(ABC):
    """One started program. Its streams are the referee's ends. Their user closes the cell.

    Attributes:
        pidfd: the outer process; readable when it has ended.
        memory: bytes that the program may hold, None for as much as it likes.
        mark: the entry in its environment that its children have too, where they can be seen.
    """

    def __init__(self, popen: subprocess.Popen[bytes], mark: bytes = b"") -> None:
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self.popen = popen
        self.stdin: IO[bytes] = popen.stdin
        self.stdout: IO[bytes] = popen.stdout
        self.stderr: IO[bytes] = popen.stderr
        self.mark = mark or uuid4().bytes  # every environment contains an empty one
        self.pidfd = os.pidfd_open(popen.pid)
        self.memory: int | None = None

    @property
    def outer_pid(self) -> int:
        """The referee's child."""
        return self.popen.pid

    @property
    @abstractmethod
    def pid(self) -> int | None:
        """The program's own process id on the host; None if the process ended before it was found."""

    @abstractmethod
    async def settle(self) -> None:
        """Wait until the program runs. On failure or cancellation, the caller still ends the cell.

        Raises:
            BotError: the program cannot be started. IsolationError: its cell could not be set up.
        """

    @abstractmethod
    def kill(self) -> None:
        """End the program and all that it started, as far as the cell holds it."""

    def kill_outer(self) -> None:
        """End the outer process, when it outlives the program."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    @abstractmethod
    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program itself. Does nothing if it has ended."""

    def close(self) -> None:
        """Give the descriptors back; not the program's pipes."""
        os.close(self.pidfd)


class BareCell(Cell):
    """A program without isolation, in its own session and process group, with a token in its environment."""

    @override
    @property
    def pid(self) -> int:
        return self.popen.pid

    async def settle(self) -> None:
        """Do nothing: the program runs as soon as it is spawned."""

    def kill(self) -> None:
        """End the process group. The sweep ends processes that left the group."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    @override
    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)
