"""Stops players of a match that run while it is not their turn.

1. By default players may run at any time. With `--no-pondering` each is stopped (SIGSTOP) when its answer has been read, and
   resumed (SIGCONT) once its next request is written. `Dialogue` does that, because the clock must cover it.
2. Players that ponder can take the processors from the one that is due. So when one limit has been stolen from an answer
   (`clock.Stopwatch.starved`), all players that are not due are stopped until that answer arrives. A program of one turn that
   has answered is ended (`oneshot.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from referee.players.process import Process


class Pondering:
    """The programs of one match that live for the whole match.

    Attributes:
        allowed: whether players run while it is not their turn.
        is_stopping: whether an answer is due that others have taken too much time from.
    """

    def __init__(self, *, allowed: bool = True) -> None:
        self.allowed = allowed
        self._programs: set[Process] = set()
        self._due: set[Process] = set()
        self._stopped: set[Process] = set()
        self.is_stopping = False

    def join(self, program: Process) -> None:
        """Add a running process."""
        self._programs.add(program)

    def leave(self, program: Process) -> None:
        """Remove a process that is about to end."""
        self._programs.discard(program)
        self._stopped.discard(program)

    @contextmanager
    def due(self, program: Process) -> Iterator[None]:
        """The referee waits for an answer of this process, until the block ends."""
        self._due.add(program)
        try:
            yield
        finally:
            self._due.discard(program)
            if self.is_stopping:
                if self._due:
                    self.stop()
                else:
                    self._resume()

    def stop(self) -> bool:
        """Stop processes that are not due until none is due. Returns whether there are any."""
        self.is_stopping = True
        if not self.allowed:
            return False
        for program in self._programs - self._due - self._stopped:
            program.pause()
            self._stopped.add(program)
        return bool(self._stopped)

    def _resume(self) -> None:
        self.is_stopping = False
        for program in self._stopped:
            program.resume()
        self._stopped.clear()
