"""The coordinator: plans tours, hands their matches to workers, and writes the ledger.

1. A tour is planned when all matches of the earlier ones have ended, and written before its first match. So the schedule depends
   on results of earlier tours only, and a run that is broken off goes on where it was.
2. Workers are processes that live for the whole run (`worker.py`). The coordinator alone writes the ledger: one committed row a
   match. Matches begin in the order of the schedule; they may end in another.
3. A match that fails for a cause outside the bots is played again with the same seed. After `TRIES` it is void, and the ledger
   has the evidence of each try. A worker that dies is replaced. Matches that were broken off by the end of the run are no tries.
4. When the run is cancelled, workers get `END` seconds to end their players, and are killed then.
"""

from __future__ import annotations

import json
import platform
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from subprocess import PIPE
from typing import Any, Final, Protocol

import trio

from referee.errors import RefereeError
from referee.names import shorten
from referee.tournament.formats import Format
from referee.tournament.ledger import Ledger, Match
from referee.tournament.playing import Job, Opening, Seat
from referee.tournament.words import Entrant, Series, Shard, match_seed

TRIES: Final = 3
END: Final = 1.5
WORKER: Final = (sys.executable, "-m", "referee.tournament.worker")
"""The command line of a worker."""
_TAIL: Final = 2000
"""Bytes of a worker's stderr that are kept as evidence."""


class Stopped(RefereeError):
    """This machine cannot go on with the tournament. Nothing is lost."""


class Watcher(Protocol):
    """Sees what happens in a run."""

    def planned(self, tour: str, scheduled: int, played: int) -> None:
        """A tour was planned or taken up; the numbers of matches that are scheduled and played so far."""

    def began(self, series: Series, seating: int, names: Sequence[str]) -> None:
        """A match began."""

    def ended(self, series: Series, seating: int, row: Mapping[str, Any]) -> None:
        """A match was played and is in the ledger."""

    def failed(self, series: Series, seating: int, why: str, *, void: bool) -> None:
        """A try failed; whether the match is void now."""


@dataclass(frozen=True, slots=True)
class Run:
    """A tournament that can be run.

    Attributes:
        refresh: brings the ledger's field up to date; called after each tour.
        jobs: the number of workers. worker: the command line of a worker.
        only, shard: play only matches with this bot, or of this shard; then later tours have to wait.
    """

    ledger: Ledger
    format: Format
    opening: Opening
    rng_seed: int
    jobs: int
    watcher: Watcher
    refresh: Callable[[], Awaitable[None]]
    only: str | None = None
    shard: Shard | None = None
    worker: Sequence[str] = WORKER

    def omits(self, match: Match) -> bool:
        """Whether another shard plays it."""
        return self.shard is not None and Shard.of(match.number - 1, self.shard.total) != self.shard


async def run(run: Run) -> None:
    """Play a tournament to its end.

    Raises:
        UsageError: the format cannot be played with this field. Stopped: this machine cannot go on.
    """
    ledger = run.ledger
    coordinator = _Coordinator(run)
    async with trio.open_nursery() as nursery:
        for _ in range(run.jobs):
            nursery.start_soon(coordinator.work)
        await coordinator.play(ledger.unplayed())
        tours, results = ledger.tours(), ledger.results()
        scheduled, played, _ = ledger.counts()
        while scheduled == played:
            tour = run.format.next_tour(ledger.entrants(), tours, results)
            if tour is None:
                break
            first = ledger.add_tour(tour)
            scheduled += sum(len(one.seatings) for one in tour.series)
            run.watcher.planned(tour.key, scheduled, played)
            await coordinator.play(ledger.unplayed(first))
            played = scheduled - sum(1 for _ in ledger.unplayed(first))
            tours.append(tour)
            results |= ledger.results(first)  # only of this tour: a ladder has thousands
            await run.refresh()
        nursery.cancel_scope.cancel()


class _Coordinator:
    """Hands matches to workers, and their results to the ledger."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._entrants: dict[int, Entrant] = {}
        self._waiting: deque[Match] = deque()
        self._playing = 0
        self._changed = trio.Condition()

    async def play(self, matches: Iterable[Match]) -> None:
        """Play all these matches."""
        self._entrants = {one.number: one for one in self._run.ledger.entrants()}
        async with self._changed:
            for match in matches:
                if self._run.omits(match):
                    continue
                if self._run.only is not None and self._run.only not in self._names(match):
                    continue
                if all(self._entrants[number].present for number in match.series.numbers):
                    self._waiting.append(match)
                else:
                    self._give_up(match, "an entrant left the tournament")
            self._changed.notify_all()
            while self._waiting or self._playing:
                await self._changed.wait()

    def _names(self, match: Match) -> set[str]:
        return {self._entrants[number].name for number in match.series.numbers}

    async def work(self) -> None:
        """Keep one worker busy, and replace it when it dies."""
        deaths = 0
        while True:
            match = await self._next()
            async with _worker(self._run) as worker:
                while True:
                    job = self._job(match)
                    self._run.watcher.began(match.series, match.seating, [seat.name for seat in job.seats])
                    began = datetime.now(UTC)
                    answer = await worker.ask(job)
                    deaths = deaths + 1 if answer is None else 0
                    if deaths > 1:
                        raise Stopped(f"a worker ends without an answer: {worker.tail}")
                    await self._ended(match, answer or {"failed": f"its worker was lost: {worker.tail}"}, began)
                    if answer is None:
                        break
                    match = await self._next()

    async def _next(self) -> Match:
        async with self._changed:
            while not self._waiting:
                await self._changed.wait()
            self._playing += 1
            return self._waiting.popleft()

    async def _ended(self, match: Match, answer: Mapping[str, Any], began: datetime) -> None:
        run, (number, series, seating) = self._run, match
        async with self._changed:
            if (why := answer.get("stop")) is not None:
                raise Stopped(why)
            if (row := answer.get("row")) is not None:
                run.ledger.record(number, seating, row)
                run.watcher.ended(series, seating, row)
            else:
                why = str(answer["failed"])
                tries = run.ledger.fail(number, seating, why, started=_moment(began), machine=platform.node())
                run.watcher.failed(series, seating, why, void=tries >= TRIES)
                if tries >= TRIES:
                    self._make_void(match)
                else:
                    self._waiting.appendleft(match)
            self._playing -= 1
            self._changed.notify_all()

    def _give_up(self, match: Match, why: str) -> None:
        run = self._run
        run.ledger.fail(match.number, match.seating, why, started=_moment(), machine=platform.node())
        run.watcher.failed(match.series, match.seating, why, void=True)
        self._make_void(match)

    def _make_void(self, match: Match) -> None:
        number, series, seating = match
        seats = [self._entrants[one] for one in series.seatings[seating]]
        self._run.ledger.give_up(number, seating, seats, started=_moment(), machine=platform.node())

    def _job(self, match: Match) -> Job:
        number, series, seating = match
        seats = [self._entrants[one] for one in series.seatings[seating]]
        return Job(
            series=number,
            seating=seating,
            map=series.map,
            rng_seed=match_seed(self._run.rng_seed, series.key),
            seats=[Seat(number=one.number, name=one.name, content=one.content) for one in seats],
        )


class _Worker:
    """A worker's process.

    Attributes:
        tail: the end of what it wrote to stderr.
    """

    def __init__(self, process: trio.Process) -> None:
        self._process = process
        self._rest = b""
        self._stderr = b""

    @property
    def tail(self) -> str:
        """The end of what it wrote to stderr, in one line."""
        return shorten(" ".join(self._stderr.decode(errors="replace").split()), 300) or "it says nothing"

    async def tell(self, line: str) -> None:
        """Send one line. What a dead worker does not read is dropped."""
        assert self._process.stdin is not None
        with suppress(trio.BrokenResourceError):
            await self._process.stdin.send_all(line.encode() + b"\n")

    async def ask(self, job: Job) -> dict[str, Any] | None:
        """Let it play a match: its answer, or None if it has died."""
        assert self._process.stdout is not None
        await self.tell(job.model_dump_json())
        while b"\n" not in self._rest:
            chunk = await self._process.stdout.receive_some(1 << 16)
            if not chunk:
                with trio.move_on_after(END):
                    await self._process.wait()
                return None
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def listen(self) -> None:
        """Keep the end of its stderr."""
        assert self._process.stderr is not None
        async for chunk in self._process.stderr:
            self._stderr = (self._stderr + chunk)[-_TAIL:]

    async def end(self) -> None:
        """Let it end its players, or kill it (theory, point 4)."""
        assert self._process.stdin is not None
        with trio.CancelScope(shield=True):
            await self._process.stdin.aclose()
            with trio.move_on_after(END):
                await self._process.wait()
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def _worker(run: Run) -> AsyncIterator[_Worker]:
    process = await trio.lowlevel.open_process(run.worker, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True)
    worker = _Worker(process)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(worker.listen)
        try:
            await worker.tell(run.opening.model_dump_json())
            yield worker
        finally:
            await worker.end()
            nursery.cancel_scope.cancel()


def _moment(at: datetime | None = None) -> str:
    return f"{at or datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
