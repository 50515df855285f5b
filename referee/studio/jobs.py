"""Work that has a process of its own: a match, a check, a comparison, the page of a match.

1. A job's process is `work` (`web/processes.py`). After its request, it gets the answers of a person. It writes lines of JSON:
   `{"event": KIND, …}` while it works, and at its end `{"result": …}` or `{"error": …}`.
2. As many matches run at a time as there are pairs of processors, beside one check, comparison or question and one page; others
   wait. A match with people does not count: a person may think for an hour.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, Literal, TypeAlias

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, TaskGroup
from anyio.streams.buffered import BufferedByteReceiveStream

from referee.text.documents import Malformed, json_of
from referee.text.words import harmless, shorten
from referee.web.answers import Refusal
from referee.web.events import Events
from referee.web.processes import end

MOST_WAITING: Final = 100
"""The most jobs that wait."""
KEPT_JOBS: Final = 300
"""Jobs that are remembered after their ends."""
LINE_BYTES: Final = 32 * 1024 * 1024
"""The most bytes of a line of a job: the report of a match with thousands of faults."""
LOG_BYTES: Final = 4000
"""Bytes of a job's stderr that are kept."""
END_TIME: Final = 3.0
"""Seconds that a job has to end its players."""
WORK: Final = (sys.executable, "-P", "-m", "referee.studio.work")
"""The command line of a job. `-P`: a module of the studio's folder must not be imported."""

State: TypeAlias = Literal["queued", "playing", "done", "failed"]


@dataclass(eq=False)
class Job:
    """A job and how it goes.

    Attributes:
        kind: a function of `work`. request: what it is to do.
        describe: what events say when its state changes; None for a job without events.
        people: whether people take part in it. output: a file for its process to write; the request has the descriptor.
        result: what it brought; error: why it failed, in one line. news: its last event of each kind.
        created: when it was asked for, as saved games have it.
        scope: stops it when it is cancelled, also while it waits.
    """

    id: str
    kind: str
    request: dict[str, Any]
    describe: Callable[[Job], dict[str, Any]] | None = None
    people: bool = False
    output: IO[bytes] | None = None
    state: State = "queued"
    result: Any = None
    error: str | None = None
    news: dict[str, dict[str, Any]] = field(default_factory=dict)
    created: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
    ended: anyio.Event = field(default_factory=anyio.Event)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    _stdin: ByteSendStream | None = None
    _telling: anyio.Lock = field(default_factory=anyio.Lock)

    async def tell(self, document: dict[str, Any]) -> None:
        """Send its process a line, after those that are being sent; nothing if it has ended."""
        async with self._telling:
            if self._stdin is not None:
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await self._stdin.send(json.dumps(document).encode() + b"\n")


class Jobs:
    """The jobs of a studio.

    Attributes:
        tasks: where jobs run, set before the first one starts.
    """

    tasks: TaskGroup

    def __init__(self, folder: Path, events: Events) -> None:
        """Begin without jobs; `folder` is where they work."""
        self._folder, self._events = folder, events
        self._jobs: dict[str, Job] = {}
        self._slots = {
            "match": anyio.Semaphore(max(1, len(os.sched_getaffinity(0)) // 2)),
            "page": anyio.Semaphore(1),
            **dict.fromkeys(("ask", "check", "compare"), anyio.Semaphore(1)),
        }

    def start(self, job: Job) -> Job:
        """Start a job, or let it wait for its turn.

        Raises:
            Refusal: too many jobs wait.
        """
        if sum(other.state == "queued" for other in self._jobs.values()) >= MOST_WAITING:
            raise Refusal("too_many", "too many jobs wait: wait until some have ended")
        finished = [other.id for other in self._jobs.values() if other.state in ("done", "failed")]
        for old in finished[:-KEPT_JOBS]:
            del self._jobs[old]
        self._jobs[job.id] = job
        self.tasks.start_soon(self._run, job)
        return job

    def get(self, job_id: str, kind: str) -> Job | None:
        """The job with an id, if it is of this kind."""
        job = self._jobs.get(job_id)
        return job if job is not None and job.kind == kind else None

    def of(self, kind: str) -> list[Job]:
        """The jobs of this kind, the oldest first."""
        return [job for job in self._jobs.values() if job.kind == kind]

    async def _run(self, job: Job) -> None:
        log = bytearray()
        with job.scope:
            async with nullcontext() if job.people else self._slots[job.kind]:
                try:
                    await self._work(job, log)
                except OSError as failed:
                    job.error = f"no process can be started: {failed.strerror}"
        if job.error is None and job.result is None:
            last = log.decode(errors="replace").strip().rpartition("\n")[2]
            ended = f"its process ended: {shorten(harmless(last), 300) or 'it says nothing'}"
            job.error = "it was stopped" if job.scope.cancel_called else ended
        self._move(job, "done" if job.error is None else "failed")
        job.ended.set()

    async def _work(self, job: Job, log: bytearray) -> None:
        """Run the process of a job; `log` gets the end of its stderr."""
        output = {} if job.output is None else {"output": job.output.fileno()}
        process = await anyio.open_process(
            [*WORK, job.kind], cwd=self._folder, start_new_session=True, pass_fds=[*output.values()]
        )
        job._stdin = process.stdin
        self._move(job, "playing")
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_collect, process.stderr, log)
                await job.tell({**job.request, **output})
                await self._hear(job, process.stdout)
                if job.error is not None:
                    tasks.cancel_scope.cancel()
        finally:
            await end(process, END_TIME)

    async def _hear(self, job: Job, stream: ByteReceiveStream | None) -> None:
        """Take what a job's process says, until it ends or breaks the protocol."""
        assert stream is not None
        lines = BufferedByteReceiveStream(stream)
        while job.error is None:
            try:
                document = json_of((await lines.receive_until(b"\n", LINE_BYTES)).decode(errors="replace"))
            except anyio.IncompleteRead:
                return
            except (anyio.DelimiterNotFound, Malformed):
                document = None
            match document:
                case {"event": str(kind)}:
                    del document["event"]
                    job.news[kind] = document
                    self._events.publish(kind, {"id": job.id, **document})
                case {"result": result}:
                    job.result = result
                case {"error": str(why)}:
                    job.error = harmless(why)
                case _:
                    job.error = "its process says what nobody understands"

    def _move(self, job: Job, state: State) -> None:
        job.state = state
        if job.describe is not None:
            self._events.publish(job.kind, job.describe(job))


async def _collect(stream: ByteReceiveStream | None, log: bytearray) -> None:
    assert stream is not None
    async for part in stream:
        log[:] = (log + part)[-LOG_BYTES:]
