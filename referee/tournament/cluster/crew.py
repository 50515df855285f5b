"""The coordinator's side of a cluster: admits workers, hands them batches of matches, and notices when one is lost.

1. Every `LOOK_INTERVAL` seconds the coordinator asks which workers are there. A new one is admitted (`admission.py`), and gets a
   *lane* for each match that it may play at a time (`booking.py`). A lane plays one batch after the other.
2. The matches of a batch come back together. They are written at once, in one transaction.
3. A worker that is gone has lost its batches, and they are played elsewhere. A worker that cannot play any more (its disk is
   full, for instance) is refused, and its matches go back too.
4. A worker may be unable to play without noticing it: it lost a network share, or lacks memory. It fails fast, so it would use up
   the tries of all matches. Therefore a worker on which `MOST_FAILURES` different matches fail one after the other is refused.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final, Literal, TypeVar

import trio

from referee.text.words import counted
from referee.tournament.answers import Answer
from referee.tournament.cluster.admission import Admission
from referee.tournament.cluster.booking import Host, Pace, shares
from referee.tournament.cluster.client import LOCAL, Dask, LostError, UnfitError, connect
from referee.tournament.cluster.member import leave, mark
from referee.tournament.jobs import Opening
from referee.tournament.runner import Coordinator, Stopped
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.worker_process import WORKER

Result = TypeVar("Result")
LOOK_INTERVAL: Final = 1.0
"""Seconds between two checks for workers."""
PATIENCE: Final = 10
"""Looks after which the user is told that nobody plays."""
MOST_FAILURES: Final = 3
"""A worker is refused when so many different matches have failed on it one after the other."""
_LEAVE_TIMEOUT: Final = 5.0
"""Seconds that workers have to end what they play."""
NO_TLS: Final = (
    "the cluster has no TLS: whoever reaches a port of its scheduler or workers can run programs there as their user "
    "(`referee help tournaments`)"
)


@dataclass(eq=False)
class _Worker:
    """A worker of the cluster.

    Attributes:
        threads: tasks that Dask gives it at a time.
        machine, host, games: the machine's name and processors, and its folder of saved games, known when it is admitted.
        bots: the contents of its bots. lanes: the number of its lanes.
        waiting: the tasks that wait for it. failed: matches that failed since one ended.
        exit_reason: why it gets nothing more; empty while it may play.
    """

    address: str
    threads: int
    machine: str = "a worker"
    games: str = ""
    host: Host | None = None
    bots: set[str] = field(default_factory=set)
    pace: Pace = field(default_factory=Pace)
    lanes: int = 0
    waiting: set[trio.CancelScope] = field(default_factory=set)
    failed: set[tuple[int, int]] = field(default_factory=set)
    exit_reason: Literal["", "lost", "refused"] = ""
    preparing: trio.Lock = field(default_factory=trio.Lock)

    def __str__(self) -> str:
        return f"{self.machine} ({self.address})"

    async def during(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Wait for something that this worker does.

        Raises:
            LostError: it is gone. The errors of `work`.
        """
        with trio.CancelScope() as scope:
            self.waiting.add(scope)
            try:
                if not self.exit_reason:
                    return await work()
            finally:
                self.waiting.discard(scope)
        raise LostError("it is gone")


@dataclass(frozen=True, slots=True)
class ClusterCrew:
    """The workers of a cluster.

    Attributes:
        opening: its folders are the coordinator's.
        where: the address of Dask's scheduler, or `local:N`. id: the tournament's.
        running: players of a match that may run at the same moment. jobs: the most matches on one machine; None for no limit.
        say: tells the user. command: the command line of a worker process. run: a word that no other run has.
    """

    opening: Opening
    where: str
    id: str
    running: int
    jobs: int | None
    say: Callable[[str], None]
    command: Sequence[str] = WORKER
    run: str = field(default_factory=partial(secrets.token_hex, 6))

    async def work(self, coordinator: Coordinator) -> None:
        """Play matches until it is cancelled.

        Raises:
            UsageError: there is no cluster. Stopped: its scheduler is gone, or no worker of `local:N` is left.
        """
        mark(Path(self.opening.games), self.id)
        async with connect(self.where) as dask:
            if not self.where.startswith("tls://"):
                self.say(NO_TLS)
            try:
                async with trio.open_nursery() as nursery:
                    await _Workers(self, coordinator, dask, nursery).watch()
            finally:
                with trio.move_on_after(_LEAVE_TIMEOUT, shield=True):
                    await dask.call_all(leave, self.id, self.run, None)


class _Workers:
    """The workers of the cluster, and what they play."""

    def __init__(self, crew: ClusterCrew, coordinator: Coordinator, dask: Dask, nursery: trio.Nursery) -> None:
        self._crew = crew
        self._coordinator = coordinator
        self._dask = dask
        self._nursery = nursery
        self._admission = Admission(crew.opening, crew.id, crew.run, crew.command, dask)
        self._known: dict[str, _Worker] = {}
        self._admitted: list[_Worker] = []

    async def watch(self) -> None:
        """Notice workers that come and go (theory, point 1)."""
        idle, local, any_came = 0, LOCAL.fullmatch(self._crew.where), False
        while True:
            there = await self._dask.workers()
            for address in self._known.keys() - there:
                worker = self._known.pop(address)
                if not worker.exit_reason:
                    self._crew.say(f"{worker} is lost; its matches are played elsewhere")
                    self._drop(worker, "lost")
            for address in there.keys() - self._known:
                self._known[address] = worker = _Worker(address, there[address])
                self._nursery.start_soon(self._admit, worker)
            any_came = any_came or bool(there)
            idle = idle + 1 if all(worker.exit_reason for worker in self._known.values()) else 0
            if idle and any_came and local:
                raise Stopped("no worker on this machine can play; the lines above say why")
            if idle == PATIENCE:
                self._crew.say(f"no worker can play: `dask worker {self._crew.where}` starts one")
            await trio.sleep(LOOK_INTERVAL)

    async def _admit(self, worker: _Worker) -> None:
        """Make a worker a member, and start its lanes."""
        try:
            passport, games = await worker.during(partial(self._admission.admit, worker.address))
            worker.machine = passport.machine
            worker.host = Host(passport.kernel, frozenset(passport.processors), worker.threads)
            await worker.during(partial(self._prepare, worker))
        except LostError:
            self._known.pop(worker.address, None)  # if it is there after all, it is a new one
            return
        except UnfitError as why:
            await self._refuse(worker, str(why))
            return
        worker.games = games
        self._admitted.append(worker)
        self._start_lanes()
        if worker.lanes == 0:
            self._crew.say(f"{worker} waits: other workers have the processors of its machine")

    async def _prepare(self, worker: _Worker) -> None:
        """Send a worker the bots that it lacks."""
        async with worker.preparing:
            seats = [seat for seat in self._coordinator.entrants() if seat.content not in worker.bots]
            if seats:
                await self._admission.prepare(worker.address, seats)
                worker.bots |= {seat.content for seat in seats}

    def _start_lanes(self) -> None:
        """Start the lanes that workers may have and do not have yet."""
        hosts = [worker.host for worker in self._admitted if worker.host is not None]
        lanes = shares(hosts, running=self._crew.running, jobs=self._crew.jobs)
        for worker, share in zip(self._admitted, lanes, strict=True):
            if share > worker.lanes:
                for _ in range(share - worker.lanes):
                    self._nursery.start_soon(self._play, worker)
                worker.lanes = share
                where = "" if self._crew.opening.keep == "none" else f"; saved games in {worker.games}"
                self._crew.say(f"{worker}: {counted(share, 'match', 'matches')} at a time{where}")

    def _drop(self, worker: _Worker, why: Literal["lost", "refused"]) -> None:
        """Give a worker nothing more. What waits for it is lost."""
        worker.exit_reason = why
        for scope in worker.waiting:
            scope.cancel()
        if worker in self._admitted:
            self._admitted.remove(worker)
            self._start_lanes()

    async def _refuse(self, worker: _Worker, why: str) -> None:
        if worker.exit_reason:
            return
        self._crew.say(f"{worker} gets no matches until it is started anew: {why}")
        self._drop(worker, "refused")
        with suppress(LostError, UnfitError):
            await self._dask.call(leave, self._crew.id, self._crew.run, why, worker=worker.address)

    async def _play(self, worker: _Worker) -> None:
        """A lane: play batches as long as the worker is there."""
        while True:
            try:
                share = partial(worker.pace.size, lanes=sum(member.lanes for member in self._admitted))
                matches = await worker.during(partial(self._coordinator.take, share))
            except LostError:
                return
            began = datetime.now(UTC)
            try:
                await worker.during(partial(self._prepare, worker))
                jobs = [self._coordinator.job(match) for match in matches]
                since = monotonic()
                answers = await worker.during(partial(self._admission.play, worker.address, jobs))
                worker.pace.learn(monotonic() - since, len(answers))
            except LostError:
                if worker.exit_reason == "refused":
                    await self._coordinator.give_back(matches)
                else:
                    lost: Answer = {"failed": f"its worker was lost: {worker}"}
                    await self._coordinator.ended(
                        [(match, lost) for match in matches], began=began, machine=worker.machine
                    )
            except UnfitError as why:
                await self._coordinator.give_back(matches)
                await self._refuse(worker, str(why))
            else:
                await self._report(worker, matches, answers, began)

    async def _report(
        self, worker: _Worker, matches: Sequence[ScheduledMatch], answers: Sequence[Answer], began: datetime
    ) -> None:
        """Report how a batch went. What was not played goes back; the last answer may say why nothing more can be played."""
        outcomes = [(match, answer) for match, answer in zip(matches, answers, strict=False) if "stop" not in answer]
        why = next((answer["stop"] for answer in answers if "stop" in answer), None)
        for match, answer in outcomes:
            if "row" in answer:
                worker.failed.clear()
            else:
                worker.failed.add(match.key)
        if len(worker.failed) >= MOST_FAILURES and outcomes and "row" not in (last := outcomes[-1][1]):
            why = why or f"{MOST_FAILURES} matches failed there one after the other; the last: {last['failed']}"
            while outcomes and "row" not in outcomes[-1][1]:
                outcomes.pop()  # not their fault
        await self._coordinator.ended(outcomes, began=began, machine=worker.machine)
        await self._coordinator.give_back(matches[len(outcomes) :])
        if why is not None:
            await self._refuse(worker, why)
