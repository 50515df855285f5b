"""A worker's process, as the one that hands it matches sees it. `worker.py` is what runs in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from typing import Final

from referee.errors import RefereeError, out_of
from referee.text.words import shorten
from referee.tournament.answers import Answer, answers_of
from referee.tournament.jobs import Opening

END: Final = 1.5
"""Seconds that a worker has to end its players."""
WORKER: Final = (sys.executable, "-m", "referee.tournament.worker")
"""The command line of a worker."""
_TAIL: Final = 2000
"""Bytes of a worker's stderr that are kept as evidence."""


class WorkerProcess:
    """A worker's process. Its methods block, and may be called from different threads."""

    def __init__(self, opening: Opening, command: Sequence[str] = WORKER, processor: int | None = None) -> None:
        """Start it, in a session of its own; on one `processor`, with its players, if one is given.

        Raises:
            RefereeError: there is no place for its stderr, a temporary file.
        """
        self._out_of_memory = _out_of_memory()
        try:
            self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        except OSError as failed:
            if out_of(failed):
                raise
            raise RefereeError(f"no temporary file can be made ({failed}): free space, or set TMPDIR") from failed
        self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=self._stderr, start_new_session=True)
        if processor is not None:
            with suppress(OSError):  # the processor is gone: any other will do
                os.sched_setaffinity(self._process.pid, {processor})
        self._tell(opening.model_dump_json())

    def _tell(self, line: str) -> None:
        """Send one line. What a dead worker does not read is dropped."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def ask(self, job: str) -> Answer | None:
        """Let it play a match, a `Job` as JSON: its answer, or None if it has died."""
        assert self._process.stdout is not None
        self._tell(job)
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END)
            return None
        try:
            [answer] = answers_of(b"[%b]" % line)  # an empty line, or two answers in one, are a ValueError too
        except ValueError as wrong:
            return {"failed": f"its worker answered something else: {wrong}"}
        return answer

    @property
    def death(self) -> str:
        """Why it gave no answer, in one line: the signal or exit code that ended it, and the end of what it wrote to stderr."""
        self._stderr.seek(0, 2)
        self._stderr.seek(max(0, self._stderr.tell() - _TAIL))
        last_words = shorten(" ".join(self._stderr.read().decode(errors="replace").split()), 300) or "it says nothing"
        code = self._process.poll()
        if code is None:
            end = "answered nothing"
        elif code >= 0:
            end = f"ended with exit code {code}"
        else:
            lack = -code == signal.SIGKILL and _out_of_memory() > self._out_of_memory
            end = f"was killed by {_signal(-code)}{' when this machine was out of memory' if lack else ''}"
        return f"its worker {end}: {last_words}"

    def end(self) -> None:
        """Let it end its players, or kill it. A call of `ask` in another thread returns None."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END)
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._stderr.close()


def _signal(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _out_of_memory() -> int:
    """How many processes the kernel has killed for lack of memory, in all cgroups; 0 if it does not say."""
    with suppress(OSError):
        for line in Path("/proc/vmstat").read_text(encoding="ascii").splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0
