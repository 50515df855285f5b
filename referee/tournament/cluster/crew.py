"""The coordinator's side of a cluster: admits workers, hands them batches of matches, and notices when one is lost.

1. Every `LOOK` seconds the coordinator asks which workers are there. A new one is admitted (`admission.py`), and gets a
   *lane* for each match that it may play at a time (`booking.py`). A lane plays one batch after the other.
2. The matches of a batch come back together. They are written at once, in one transaction.
3. A worker that is gone has lost its batches, and they are played elsewhere. A worker that cannot play any more (its disk is
   full, for instance) is refused, and its matches go back too.
4. A worker may be unable to play and not know it: a share that it no longer sees, no memory. It fails fast, so it would use up
   the tries of all matches. Therefore a worker on which `FAILED` different matches fail one after the other is refused.
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
from referee.tournament.cluster.booking import Pace, Place, shares
from referee.tournament.cluster.client import LOCAL, Dask, LostError, UnfitError, connected
from referee.tournament.cluster.doubles import Double, Doubles
from referee.tournament.cluster.member import leave, mark
from referee.tournament.jobs import Opening
from referee.tournament.runner import Coordinator, Stopped
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.worker_process import WORKER

Result = TypeVar("Result")
LOOK: Final = 1.0
PATIENCE: Final = 10
"""Looks after which the user is told that nobody plays."""
FAILED: Final = 3
_LEAVE: Final = 5.0
"""Seconds that workers have to end what they play."""
OPEN: Final = (
    "the cluster has no TLS: whoever reaches a port of its scheduler or workers can run programs there as their user "
    "(`referee help tournaments`)"
)


@dataclass(eq=False)
class _Station:
    """A worker of the cluster.

    Attributes:
        threads: tasks that Dask gives it at a time.
        machine, place, games: its name, where it is, and its folder of saved games, known when it is admitted.
        bots: the contents of those it has. lanes: how many it has.
        waiting: what waits for it. failed: matches that failed since one ended.
        out: why it gets nothing more; empty while it may.
    """

    address: str
    threads: int
    machine: str = "a worker"
    games: str = ""
    place: Place | None = None
    bots: set[str] = field(default_factory=set)
    pace: Pace = field(default_factory=Pace)
    lanes: int = 0
    waiting: set[trio.CancelScope] = field(default_factory=set)
    failed: set[tuple[int, int]] = field(default_factory=set)
    out: Literal["", "lost", "refused"] = ""
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
                if not self.out:
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
        async with connected(self.where) as dask:
            if not self.where.startswith("tls://"):
                self.say(OPEN)
            try:
                async with trio.open_nursery() as nursery:
                    await _Workers(self, coordinator, dask, nursery).watch()
            finally:
                with trio.move_on_after(_LEAVE, shield=True):
                    await dask.call_all(leave, self.id, self.run, None)


class _Workers:
    """The workers that are there, and what they play."""

    def __init__(self, crew: ClusterCrew, coordinator: Coordinator, dask: Dask, nursery: trio.Nursery) -> None:
        self._crew = crew
        self._coordinator = coordinator
        self._dask = dask
        self._nursery = nursery
        self._admission = Admission(crew.opening, crew.id, crew.run, crew.command, dask)
        self._stations: dict[str, _Station] = {}
        self._admitted: list[_Station] = []
        self._doubles = Doubles()

    async def watch(self) -> None:
        """Notice workers that come and go (theory, point 1)."""
        idle, local, any_came = 0, LOCAL.fullmatch(self._crew.where), False
        while True:
            there = await self._dask.workers()
            for address in self._stations.keys() - there:
                station = self._stations.pop(address)
                if not station.out:
                    self._crew.say(f"{station} is lost; its matches are played elsewhere")
                    self._dismiss(station, "lost")
            for address in there.keys() - self._stations:
                self._stations[address] = station = _Station(address, there[address])
                self._nursery.start_soon(self._admit, station)
            any_came = any_came or bool(there)
            idle = idle + 1 if all(station.out for station in self._stations.values()) else 0
            if idle and any_came and local:
                raise Stopped("no worker on this machine can play; the lines above say why")
            if idle == PATIENCE:
                self._crew.say(f"no worker can play: `dask worker {self._crew.where}` starts one")
            await trio.sleep(LOOK)

    async def _admit(self, station: _Station) -> None:
        """Make a worker a member, and give it lanes."""
        try:
            passport, games = await station.during(partial(self._admission.admit, station.address))
            station.machine = passport.machine
            station.place = Place(passport.kernel, frozenset(passport.processors), station.threads)
            await station.during(partial(self._prepare, station))
        except LostError:
            self._stations.pop(station.address, None)  # if it is there after all, it is a new one
            return
        except UnfitError as why:
            await self._refuse(station, str(why))
            return
        station.games = games
        self._admitted.append(station)
        self._deal()
        if station.lanes == 0:
            self._crew.say(f"{station} waits: other workers have the processors of its machine")

    async def _prepare(self, station: _Station) -> None:
        """Bring the bots there that it does not have."""
        async with station.preparing:
            seats = [seat for seat in self._coordinator.field() if seat.content not in station.bots]
            if seats:
                await self._admission.prepare(station.address, seats)
                station.bots |= {seat.content for seat in seats}

    def _deal(self) -> None:
        """Start lanes."""
        places = [station.place for station in self._admitted if station.place is not None]
        lanes = shares(places, running=self._crew.running, jobs=self._crew.jobs)
        for station, share in zip(self._admitted, lanes, strict=True):
            if share > station.lanes:
                for _ in range(share - station.lanes):
                    self._nursery.start_soon(self._play, station)
                station.lanes = share
                where = "" if self._crew.opening.keep == "none" else f"; saved games in {station.games}"
                self._crew.say(f"{station}: {counted(share, 'match', 'matches')} at a time{where}")

    def _dismiss(self, station: _Station, why: Literal["lost", "refused"]) -> None:
        """It gets nothing more, and what waits for it is lost."""
        station.out = why
        for scope in station.waiting:
            scope.cancel()
        if station in self._admitted:
            self._admitted.remove(station)
            self._deal()

    async def _refuse(self, station: _Station, why: str) -> None:
        if station.out:
            return
        self._crew.say(f"{station} gets no matches until it is started anew: {why}")
        self._dismiss(station, "refused")
        with suppress(LostError, UnfitError):
            await self._dask.call(leave, self._crew.id, self._crew.run, why, worker=station.address)

    async def _play(self, station: _Station) -> None:
        """A lane: play batches as long as the worker is there."""
        while True:
            try:
                share = partial(station.pace.size, lanes=sum(member.lanes for member in self._admitted))
                matches = await station.during(partial(self._coordinator.take, share))
            except LostError:
                return
            began = datetime.now(UTC)
            try:
                answers = await self._answers(station, matches)
            except LostError:
                if station.out == "refused":
                    await self._coordinator.give_back(matches)
                else:
                    why = f"its worker was lost: {station}"
                    await self._coordinator.lost(matches, why, began=began, machine=station.machine)
            except UnfitError as why:
                await self._coordinator.give_back(matches)
                await self._refuse(station, str(why))
            else:
                await self._report(station, matches, answers, began)

    async def _answers(self, station: _Station, matches: Sequence[ScheduledMatch]) -> list[Answer]:
        """Play a batch, and a double if one is due.

        Raises:
            LostError: the worker is gone. UnfitError: it cannot play.
        """
        await station.during(partial(self._prepare, station))
        double = self._doubles.due(station.address, len(matches), partial(self._fits, station))
        jobs = [self._coordinator.job(match) for match in matches]
        if double:
            jobs.insert(0, self._coordinator.job(double.match).model_copy(update={"kept": False}))
        since = monotonic()
        answers = await station.during(partial(self._admission.play, station.address, jobs))
        station.pace.learn(monotonic() - since, len(answers))
        if double:
            self._judge(station, double, answers.pop(0))
        return answers

    def _fits(self, station: _Station, match: ScheduledMatch) -> bool:
        return all(seat.content in station.bots for seat in self._coordinator.job(match).seats)

    def _judge(self, station: _Station, double: Double, answer: Answer) -> None:
        """Compare a match that was played twice, and name workers that deviate.

        Raises:
            UnfitError: it could not be played.
        """
        if "stop" in answer:
            raise UnfitError(answer["stop"])
        if "row" not in answer or answer["row"]["faults"]:  # a fault may be a timeout of a busy machine
            return
        if self._doubles.deviates(station.address, double, answer["row"]["digest"]):
            suspect, other = (self._stations.get(address, address) for address in (double.other, double.worker))
            self._crew.say(
                f"{suspect} deviates from {other}: {double.match.id} ended differently; "
                f"{other} played it twice, with the same end"
            )

    async def _report(
        self, station: _Station, matches: Sequence[ScheduledMatch], answers: Sequence[Answer], began: datetime
    ) -> None:
        """Report how a batch went. What was not played goes back; the last answer may say why nothing more can be played."""
        outcomes = [(match, answer) for match, answer in zip(matches, answers, strict=False) if "stop" not in answer]
        why = next((answer["stop"] for answer in answers if "stop" in answer), None)
        for match, answer in outcomes:
            if "row" not in answer:
                station.failed.add(match.key)
                continue
            station.failed.clear()
            if not answer["row"]["faults"]:
                self._doubles.played(station.address, match, answer["row"]["digest"])
        if len(station.failed) >= FAILED and outcomes and "row" not in outcomes[-1][1]:
            why = why or f"{FAILED} matches failed there one after the other; the last: {outcomes[-1][1]['failed']}"
            while outcomes and "row" not in outcomes[-1][1]:
                outcomes.pop()  # not their fault
        await self._coordinator.ended(outcomes, began=began, machine=station.machine)
        await self._coordinator.give_back(matches[len(outcomes) :])
        if why is not None:
            await self._refuse(station, why)
