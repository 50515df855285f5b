"""The coordinator: plans tours, hands their matches to a crew, and writes the ledger.

1. A tour is planned when all matches of the earlier ones have ended, and written before its first match. So the schedule depends
   on results of earlier tours only, and a run that is broken off goes on where it was.
2. A *crew* plays the matches: processes of this machine (`crew.py`), or machines of a cluster (`cluster/`). The coordinator alone
   writes the ledger: one row a match, committed as soon as the crew reports it. Matches begin in the order of the schedule; they
   may end in another.
3. A match that fails for a cause outside the bots, such as a lost worker, is played again with the same seed, and alone, so that
   it cannot take others with it. After `TRIES` it is void, and the ledger has the evidence of each try. Matches that were broken
   off by the end of the run are no tries. A mistake of a game that another package brings makes a match void at once, and stops
   the run when it happens for the third time.
"""

from __future__ import annotations

import platform
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import trio

from referee.errors import MISTAKE, RefereeError
from referee.tournament.answers import TRIES, Answer, match_defect, void_row
from referee.tournament.formats import Format
from referee.tournament.jobs import Job, JobSeat, moved_message
from referee.tournament.ledger import Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.model import GAMES, Competitor, match_seed, saved_name
from referee.tournament.processes import kill_all
from referee.tournament.schedule_tables import ScheduledMatch


class Stopped(RefereeError):
    """The tournament cannot go on here. Nothing is lost."""


class Watcher:
    """Sees what happens in a run. The methods here do nothing."""

    def planned(self, tour: str, scheduled: int, played: int) -> None:
        """A tour was planned or taken up; the numbers of matches that are scheduled and played so far."""

    def began(self, match: ScheduledMatch, names: Sequence[str]) -> None:
        """A match began."""

    def ended(self, match: ScheduledMatch, row: Mapping[str, Any]) -> None:
        """A match was played and is in the ledger."""

    def failed(self, match: ScheduledMatch, why: str, *, void: bool) -> None:
        """A try failed; whether the match is void now."""


class Crew(Protocol):
    """Those who play the matches of a run."""

    async def work(self, coordinator: Coordinator) -> None:
        """Take matches and report how they ended, until it is cancelled.

        Raises:
            Stopped: nothing can be played any more.
        """


@dataclass(eq=False, slots=True)
class Coordinator:
    """Plays a tournament: plans its tours, hands their matches to a crew, and writes the results to the ledger.

    Attributes:
        refresh: brings the ledger's field up to date; called after each tour.
        games: the folder of the saved games.
        keep: how many saved games of each entrant are kept, besides those with faults; None for all that workers report.
        plays: whether a match is to be played. If some are left out, later tours have to wait.
        waits: whether a match is left out. Later tours do not wait for it.
    """

    ledger: Ledger
    format: Format
    rng_seed: int
    watcher: Watcher
    refresh: Callable[[], Awaitable[None]]
    games: Path = Path(GAMES)
    keep: int | None = None
    plays: Callable[[ScheduledMatch], bool] = lambda _match: True
    waits: Callable[[ScheduledMatch], bool] = lambda _match: False
    _entrants: Sequence[Competitor] = field(init=False, default=())
    _waiting: deque[ScheduledMatch] = field(init=False, default_factory=deque)
    _mistakes: Counter[str] = field(init=False, default_factory=Counter)
    # The keys of matches that have failed:
    _retried: set[tuple[int, int]] = field(init=False, default_factory=set)
    _playing: int = field(init=False, default=0)
    _changed: trio.Condition = field(init=False, default_factory=trio.Condition)

    async def run(self, crew: Crew) -> None:
        """Play the tournament to its end.

        Raises:
            UsageError: the format cannot be played with this field. Stopped: this machine cannot go on.
        """
        ledger = self.ledger
        async with trio.open_nursery() as nursery:
            nursery.start_soon(crew.work, self)
            await self._play(ledger.unplayed())
            past = LedgerPast(ledger)
            scheduled, played, _ = ledger.counts()
            while scheduled == played or all(map(self.waits, ledger.unplayed())):
                if self.format.asks_widths(past):
                    await self._find_widths(past)
                if (tour := self.format.next_tour(ledger.entrants(), past)) is None:
                    break
                first = ledger.add_tour(tour)
                scheduled += tour.matches
                self.watcher.planned(tour.key, scheduled, played)
                await self._play(ledger.unplayed(first))
                played += tour.matches - sum(1 for _ in ledger.unplayed(first))
                past.add(tour, first)
                await self.refresh()
            nursery.cancel_scope.cancel()

    async def _find_widths(self, past: LedgerPast) -> None:
        """Look at intervals while the loop goes on. A run that is broken off does not wait for them."""
        try:
            await trio.to_thread.run_sync(past.find_widths, self.format.rules, abandon_on_cancel=True)
        except trio.Cancelled:
            kill_all()
            raise

    async def _play(self, matches: Iterable[ScheduledMatch]) -> None:
        """Play all these matches."""
        self._entrants = self.ledger.entrants()
        async with self._changed:
            for match in filter(self.plays, matches):
                if self.waits(match):
                    continue
                if all(self._entrants[number].present for number in match.series.numbers):
                    self._waiting.append(match)
                else:
                    why = "an entrant left the tournament"
                    self._failed(match, why, datetime.now(UTC), platform.node(), give_up=True)
            self._changed.notify_all()
            while self._waiting or self._playing:
                await self._changed.wait()

    async def take(self, share: Callable[[int], int] = lambda _waiting: 1) -> list[ScheduledMatch]:
        """Wait for matches, and take some, at least one. The caller reports each by `ended` or `give_back`.

        Args:
            share: how many to take if so many wait.
        """
        waiting = self._waiting
        async with self._changed:
            while not waiting:
                await self._changed.wait()
            most = share(len(waiting))
            batch = [waiting.popleft()]
            while waiting and len(batch) < most and self._retried.isdisjoint((batch[-1].key, waiting[0].key)):
                batch.append(waiting.popleft())
            self._playing += len(batch)
        for match in batch:
            self.watcher.began(match, [self._entrants[number].name for number in match.entrants])
        return batch

    def entrants(self) -> list[JobSeat]:
        """All entrants that take part, as seats of a match have them."""
        return [_seat(entrant) for entrant in self._entrants if entrant.present]

    def job(self, match: ScheduledMatch) -> Job:
        """What a worker needs to know to play a match."""
        return Job(
            series=match.number,
            seating=match.seating,
            map=match.series.map,
            rng_seed=match_seed(self.rng_seed, match.series.key),
            seats=[_seat(self._entrants[number]) for number in match.entrants],
        )

    async def ended(
        self, answers: Sequence[tuple[ScheduledMatch, Answer]], *, began: datetime, machine: str | None = None
    ) -> None:
        """Matches have ended: each answer has the `row` of a match, or says why it `failed`. A row of another match has failed.

        Args:
            began: when the worker got them. machine: the name of its machine; None for this one.

        Raises:
            Stopped: the ledger was moved or deleted.
        """
        if not self.ledger.in_place:
            raise Stopped(moved_message(self.ledger.path.parent))
        answers = [(match, self._check_answer(match, answer)) for match, answer in answers]
        async with self._changed:
            outdated = []
            with self.ledger.transaction():
                for match, answer in answers:
                    if (row := answer.get("row")) is not None:
                        self.ledger.record(*match.key, row)
                        if self.keep is not None:
                            outdated += self.ledger.matches.keep_newest(*match.key, row, self.keep)
                self.ledger.add_up(self.rng_seed)
            for saved in outdated:
                (self.games / Path(saved).name).unlink(missing_ok=True)
            for match, answer in answers:
                if (row := answer.get("row")) is not None:
                    self.watcher.ended(match, row)
                else:
                    self._failed(match, str(answer["failed"]), began, machine or platform.node())
            self._playing -= len(answers)
            self._changed.notify_all()

    def _check_answer(self, match: ScheduledMatch, answer: Answer) -> Answer:
        """An answer; a failure instead of a row that is not of this match."""
        if (row := answer.get("row")) is None:
            return answer
        contents = [self._entrants[number].content for number in match.entrants]
        why = match_defect(row, *match.key, match.entrants, contents)
        return answer if why is None else {"failed": f"its worker answered something else: {why}"}

    async def give_back(self, matches: Sequence[ScheduledMatch]) -> None:
        """These matches were not played; they are the next to be taken."""
        async with self._changed:
            self._waiting.extendleft(reversed(matches))
            self._playing -= len(matches)
            self._changed.notify_all()

    def _failed(self, match: ScheduledMatch, why: str, began: datetime, machine: str, *, give_up: bool = False) -> None:
        """A try has failed. A match that is given up is void at once."""
        started = f"{began:%Y-%m-%dT%H:%M:%S.%fZ}"
        with self.ledger.transaction():
            tries = self.ledger.fail(*match.key, why, started=started, machine=machine)
            void = give_up or tries >= TRIES or why.startswith(MISTAKE)
            if void:
                # A run that was killed may have left its saved game.
                (self.games / Path(saved_name(*match.key)).name).unlink(missing_ok=True)
                seats = [self._entrants[number] for number in match.entrants]
                self.ledger.record(*match.key, void_row(seats, started=started, machine=platform.node()))
                self.ledger.add_up(self.rng_seed)
            else:
                self._retried.add(match.key)
                self._waiting.appendleft(match)
        self.watcher.failed(match, why, void=void)
        if why.startswith(MISTAKE):
            kind = why.partition(": ")[2].partition("; ")[0]
            self._mistakes[kind] += 1
            if self._mistakes[kind] == TRIES:
                third = "this is the third match that is void for it"
                raise Stopped(f"{why}: {third}; mend the game, then begin a new tournament")


def _seat(entrant: Competitor) -> JobSeat:
    return JobSeat(number=entrant.number, name=entrant.name, content=entrant.content)
