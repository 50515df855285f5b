"""The crew of one machine: processes that live for the whole run, and play one match after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import trio

from referee.tournament.playing import Opening
from referee.tournament.runner import Coordinator, Stopped
from referee.tournament.worker_process import WORKER, WorkerProcess


@dataclass(frozen=True, slots=True)
class LocalCrew:
    """Workers on this machine. One that dies is replaced.

    Attributes:
        jobs: how many there are. command: the command line of each.
    """

    opening: Opening
    jobs: int
    command: Sequence[str] = WORKER

    async def work(self, coordinator: Coordinator) -> None:
        """Play matches until it is cancelled.

        Raises:
            Stopped: nothing can be played on this machine.
        """
        threads = trio.CapacityLimiter(self.jobs)
        async with trio.open_nursery() as nursery:
            for _ in range(self.jobs):
                nursery.start_soon(self._keep_busy, coordinator, threads)

    async def _keep_busy(self, coordinator: Coordinator, threads: trio.CapacityLimiter) -> None:
        deaths = 0
        while True:
            [match] = await coordinator.take()
            async with started(self.opening, self.command) as worker:
                while True:
                    began = datetime.now(UTC)
                    job = coordinator.job(match).model_dump_json()
                    answer = await trio.to_thread.run_sync(worker.ask, job, abandon_on_cancel=True, limiter=threads)
                    deaths = deaths + 1 if answer is None else 0
                    if deaths > 1:
                        raise Stopped(f"a worker ends without an answer: {worker.tail}")
                    if answer is not None and "stop" in answer:
                        raise Stopped(answer["stop"])
                    failed = {"failed": f"its worker was lost: {worker.tail}"} if answer is None else answer
                    await coordinator.ended([(match, failed)], began=began)
                    if answer is None:
                        break
                    [match] = await coordinator.take()


@asynccontextmanager
async def started(opening: Opening, command: Sequence[str] = WORKER) -> AsyncIterator[WorkerProcess]:
    """A worker's process, which ends with the context."""
    worker = await trio.to_thread.run_sync(WorkerProcess, opening, command)
    try:
        yield worker
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(worker.end)
