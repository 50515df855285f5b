"""A cell: one started program, at any level of isolation.

1. A cell has an outer process, which is the referee's child and ends last (at level full, bubblewrap), and the program itself,
   with the process id `pid`. At other levels, both are the same.
2. A cell is spawned by a call in the main thread, because parent-death signals follow the spawning thread, and then settled:
   limits are set while the program is held, it is released, and `settle` returns when it runs.
3. Signals go to process descriptors, never to process ids, which may be reused.
4. The owner of a cell waits for `pidfd`, reaps the outer process and closes the cell; the cell itself waits for nothing
   but its start.
"""

from __future__ import annotations

import os
import signal
import subprocess
from abc import ABC, abstractmethod
from contextlib import ExitStack, suppress
from typing import IO, Final, Protocol
from uuid import uuid4

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
    """One started program. Its streams are the referee's ends. Their user closes the cell.

    Attributes:
        pidfd: the outer process; readable when it has ended.
        memory: the program's limit in bytes; None for none.
        mark: an entry in its environment, which its children inherit.
        resources: what the program needs for as long as it runs; ends when the cell is closed.
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
        self.memory: int | None = None
        self.resources = ExitStack()
        try:
            self.pidfd = os.pidfd_open(popen.pid)
        except BaseException:  # no descriptors left
            popen.kill()
            with popen:
                pass
            raise

    @property
    def outer_pid(self) -> int:
        """The referee's child."""
        return self.popen.pid

    @property
    def pid(self) -> int | None:
        """The program's own process id on the host; None if the process ended before it was found."""
        return self.popen.pid

    @abstractmethod
    async def settle(self) -> None:
        """Wait until the program runs. On failure or cancellation, the caller still ends the cell.

        Raises:
            BotError: the program cannot be started. IsolationError: its cell could not be set up.
        """

    @abstractmethod
    def kill(self) -> None:
        """End the program and all that it started, as far as the cell holds it."""

    async def emptied(self) -> bool:
        """After the outer process has ended: wait until everything in the cell has; False if the cell does not hold it all."""
        return False

    def kill_outer(self) -> None:
        """End the outer process, when it outlives the program."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program itself. Does nothing if it has ended."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)

    def words(self, most: int) -> bytes:
        """What has been written to stderr by now."""
        os.set_blocking(self.stderr.fileno(), False)
        with suppress(BlockingIOError):
            return os.read(self.stderr.fileno(), most)
        return b""

    def close(self) -> None:
        """Close the descriptors, except the program's pipes, and let go of `resources`."""
        os.close(self.pidfd)
        self.resources.close()

    def discard(self) -> None:
        """End the program at once, reap the outer process and close everything."""
        self.kill()
        self.kill_outer()
        with self.popen:  # closes the pipes and waits
            pass
        self.close()


class BareCell(Cell):
    """A program without isolation, in its own session and process group, with a token in its environment."""

    async def settle(self) -> None:
        """Do nothing: the program runs as soon as it is spawned."""

    def kill(self) -> None:
        """End the process group. The sweep ends processes that left the group."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
