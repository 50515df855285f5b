"""The crew of one machine: processes that live for the whole run, and play one match after the other.

1. A worker that dies is replaced, and its match is played again like any that failed. If workers die and none answers, the
   machine is the cause and no match: then the run stops before its matches become void.
2. If there are as many workers as processors, and the game asks one player at a time, each worker has a processor of its own,
   which its players inherit. A player that is woken up on another processor answers later, and a cell that starts on two takes
   more CPU time: on two processors, four instant players in full cells play 35 matches a second instead of 24. A match whose
   players ponder takes nothing from the others. With fewer workers, the kernel chooses: a bot's threads may use what is left.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

import trio

from referee import games
from referee.tournament.answers import TRIES
from referee.tournament.jobs import Opening
from referee.tournament.runner import Coordinator, Stopped
from referee.tournament.worker_process import WORKER, WorkerProcess

HOPELESS: Final = 10 * TRIES
"""Workers that may die in a row, in a run in which some have answered."""


class LocalCrew:
    """Workers on this machine. One that dies is replaced."""

    def __init__(self, opening: Opening, jobs: int, command: Sequence[str] = WORKER) -> None:
        """`jobs` is the number of workers, `command` the command line of each."""
        self._opening = opening
        self._jobs = jobs
        self._command = command
        self._deaths = 0  # in a row, since the last answer
        self._most_deaths = TRIES  # the run stops at so many

    async def work(self, coordinator: Coordinator) -> None:
        """Play matches until it is cancelled.

        Raises:
            Stopped: nothing can be played on this machine.
        """
        threads = trio.CapacityLimiter(self._jobs)
        async with trio.open_nursery() as nursery:
            for processor in self.processors():
                nursery.start_soon(self._keep_busy, coordinator, threads, processor)

    def processors(self) -> Sequence[int | None]:
        """The processor of each worker; None if the kernel chooses (theory, point 2)."""
        present = sorted(os.sched_getaffinity(0))
        each = len(present) == self._jobs and not games.find(self._opening.game).together
        return present if each else [None] * self._jobs

    async def _keep_busy(self, coordinator: Coordinator, threads: trio.CapacityLimiter, processor: int | None) -> None:
        while True:
            [match] = await coordinator.take()
            async with start_worker(self._opening, self._command, processor) as worker:
                while True:
                    began = datetime.now(UTC)
                    job = coordinator.job(match).model_dump_json()
                    answer = await trio.to_thread.run_sync(worker.ask, job, abandon_on_cancel=True, limiter=threads)
                    if answer is None:
                        why = worker.death
                        self._deaths += 1
                        if self._deaths >= self._most_deaths:
                            died = f"{self._deaths} workers in a row ended without an answer"
                            raise Stopped(f"{died}; of the last match, {why}")
                        await coordinator.ended([(match, {"failed": why})], began=began)
                        break
                    if "stop" in answer:
                        raise Stopped(answer["stop"])
                    self._deaths = 0
                    self._most_deaths = HOPELESS
                    await coordinator.ended([(match, answer)], began=began)
                    [match] = await coordinator.take()


@asynccontextmanager
async def start_worker(
    opening: Opening, command: Sequence[str] = WORKER, processor: int | None = None
) -> AsyncIterator[WorkerProcess]:
    """A worker's process, which ends with the context."""
    worker = await trio.to_thread.run_sync(WorkerProcess, opening, command, processor)
    try:
        yield worker
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(worker.end)
