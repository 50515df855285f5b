"""Work that has a process of its own: a match, a check, a comparison, the page of a match.

1. A job's process is `work`. It gets its request as one line of JSON on stdin, and more lines later (the answers of a person). It
   writes lines of JSON: `{"event": KIND, …}` while it works, and at its end `{"result": …}` or `{"error": …}`.
2. It ends when its stdin closes, so nothing is left when the studio is killed.
3. As many matches run at a time as there are pairs of processors, beside one check, comparison or question and one page; others
   wait. A match with people does not count: a person may think for an hour.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Literal, TypeAlias

import anyio
from anyio.abc import ByteReceiveStream, Process, TaskGroup

from referee.text.documents import Malformed, json_of
from referee.text.words import harmless, shorten
from referee.web.answers import Refusal

WAITING: Final = 100
"""The most jobs that wait."""
KEPT: Final = 300
"""Jobs that are remembered after their ends."""
LINE: Final = 32 * 1024 * 1024
"""The most bytes of a line of a job: the report of a match with thousands of faults."""
LOG: Final = 4000
"""Bytes of a job's stderr that are kept."""
END: Final = 3.0
"""Seconds that a job has to end its players."""
WORK: Final = (sys.executable, "-P", "-m", "referee.studio.work")
"""The command line of a job. `-P`: a module of the studio's folder must not be imported."""

State: TypeAlias = Literal["queued", "playing", "done", "failed"]
Follow: TypeAlias = Callable[["Job", str, dict[str, Any]], None]
"""Gets a job, the kind of what happened, and what it says. The kind is `state` if the job's state has changed."""


@dataclass(eq=False)
class Job:
    """A job and how it goes.

    Attributes:
        kind: a function of `tasks`. request: what it is to do.
        people: whether people take part in it. output: a file for its process to write; the request has the descriptor.
        result: what it brought; error: why it failed, in one line. news: its last event of each kind.
    """

    id: str
    kind: str
    request: dict[str, Any]
    follow: Follow
    people: bool = False
    output: IO[bytes] | None = None
    state: State = "queued"
    result: Any = None
    error: str | None = None
    news: dict[str, dict[str, Any]] = field(default_factory=dict)
    ended: anyio.Event = field(default_factory=anyio.Event)
    _process: Process | None = None
    _scope: anyio.CancelScope | None = None
    _telling: anyio.Lock = field(default_factory=anyio.Lock)

    async def tell(self, document: dict[str, Any]) -> None:
        """Send its process a line, after those that are being sent; nothing if it has ended."""
        async with self._telling:
            if self._process is not None and self._process.stdin is not None:
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await self._process.stdin.send(json.dumps(document).encode() + b"\n")

    def cancel(self) -> None:
        """End it."""
        if self._scope is not None:
            self._scope.cancel()

    def move(self, state: State) -> None:
        """Change its state, and say so."""
        self.state = state
        if state in ("done", "failed"):
            self.ended.set()
        self.follow(self, "state", {})


class Jobs:
    """The jobs of a studio."""

    def __init__(self, folder: Path, tasks: TaskGroup) -> None:
        """Begin without jobs; `folder` is where they work."""
        self._folder, self._tasks = folder, tasks
        self._jobs: dict[str, Job] = {}
        long = anyio.Semaphore(1)
        self._slots = {
            "match": anyio.Semaphore(max(1, len(os.sched_getaffinity(0)) // 2)),
            "ask": long,
            "check": long,
            "compare": long,
            "page": anyio.Semaphore(1),
        }

    def start(self, job: Job) -> Job:
        """Start a job, or let it wait for its turn.

        Raises:
            Refusal: too many jobs wait.
        """
        if sum(other.state == "queued" for other in self._jobs.values()) >= WAITING:
            raise Refusal("too_many", "too many jobs wait: wait until some have ended")
        finished = [other.id for other in self._jobs.values() if other.state in ("done", "failed")]
        for old in finished[: max(0, len(finished) - KEPT)]:
            del self._jobs[old]
        self._jobs[job.id] = job
        self._tasks.start_soon(self._run, job)
        return job

    def get(self, job_id: str, *kinds: str) -> Job | None:
        """The job with an id, if it is of one of these kinds."""
        job = self._jobs.get(job_id)
        return job if job is not None and job.kind in kinds else None

    def of(self, *kinds: str) -> list[Job]:
        """The jobs of these kinds, the oldest first."""
        return [job for job in self._jobs.values() if job.kind in kinds]

    async def _run(self, job: Job) -> None:
        if job.people:
            await self._work(job)
        else:
            async with self._slots[job.kind]:
                await self._work(job)

    async def _work(self, job: Job) -> None:
        log = deque[bytes](maxlen=8)
        try:
            with anyio.CancelScope() as job._scope:
                process = await anyio.open_process(
                    [*WORK, job.kind],
                    stdin=subprocess.PIPE,
                    cwd=self._folder,
                    start_new_session=True,
                    pass_fds=[] if job.output is None else [job.output.fileno()],
                )
                job._process = process
                job.move("playing")
                try:
                    async with anyio.create_task_group() as tasks:
                        tasks.start_soon(_keep, process.stderr, log)
                        output = {} if job.output is None else {"output": job.output.fileno()}
                        await job.tell({**job.request, **output})
                        assert process.stdout is not None
                        async for line in _lines(process.stdout):
                            _note(job, line)
                finally:
                    await _end(process)
        except OSError as failed:
            job.error = f"no process can be started: {failed.strerror}"
        if job.error is None and job.result is None:
            stopped = job._scope is not None and job._scope.cancel_called
            last = b"".join(log).decode(errors="replace").strip().rpartition("\n")[2]
            why = f"its process ended: {shorten(harmless(last), 300) or 'it says nothing'}"
            job.error = "it was stopped" if stopped else why
        job.move("failed" if job.error is not None else "done")


def _note(job: Job, line: bytes) -> None:
    """Take what a job's process says. A process that breaks the protocol is ended."""
    try:
        document = json_of(line.decode(errors="replace"))
    except Malformed:
        document = None
    match document:
        case {"event": str(kind)}:
            fields = {key: value for key, value in document.items() if key != "event"}
            job.news[kind] = fields
            job.follow(job, kind, fields)
        case {"result": result}:
            job.result = result
        case {"error": str(why)}:
            job.error = harmless(why)
        case _:
            job.error = "its process says what nobody understands"
            job.cancel()


async def _lines(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    """The lines of a process; the beginning of a line that is too long counts as one."""
    rest = bytearray()
    async for part in stream:
        rest += part
        *whole, rest = rest.split(b"\n")
        for line in whole:
            yield bytes(line)
        if len(rest) > LINE:
            yield bytes(rest)
            rest.clear()


async def _keep(stream: ByteReceiveStream | None, log: deque[bytes]) -> None:
    assert stream is not None
    async for part in stream:
        log.append(part[-LOG:])


async def _end(process: Process) -> None:
    """Let a process end its players, or kill it."""
    with anyio.CancelScope(shield=True):
        assert process.stdin is not None
        await process.stdin.aclose()
        with anyio.move_on_after(END):
            await process.wait()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        await process.aclose()
