"""Whether a worker may play: what it must have in common with the coordinator, and whether the bots run there.

1. A worker with another referee, other rules or another Python could judge otherwise. It is refused before it gets anything.
2. Each bot plays a *trial* on each worker: one round, whose result counts nowhere. So a worker that cannot isolate players, or
   lacks what a bot needs, is found before its first match.
3. A bot that fails in its trial is tried on the coordinator's machine too. If it fails here as well, the bot is to blame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import trio
from pydantic import ValidationError

from referee.text.words import harmless, shorten
from referee.tournament.answers import Answer, answers_of, match_defect
from referee.tournament.cluster.client import Dask, UnfitError
from referee.tournament.cluster.member import Passport, join, passport, play, receive
from referee.tournament.copies import pack
from referee.tournament.crew import start_worker
from referee.tournament.jobs import Job, JobSeat, Opening

_IN_COMMON: Final = {"referee": "referee", "python": "Python", "code": "referee code"}
"""The attributes of a passport that must be the same, with their names for people."""


@dataclass(slots=True)
class Admission:
    """Admits the workers of a cluster to a tournament.

    Attributes:
        opening: its folders are the coordinator's. id: the tournament's; run: a word that no other run has.
        command: the command line of a worker process.
    """

    opening: Opening
    id: str
    run: str
    command: Sequence[str]
    dask: Dask
    _own: Passport = field(default_factory=lambda: Passport.model_validate_json(passport()))
    _fails: dict[str, bool] = field(default_factory=dict)

    async def admit(self, address: str) -> tuple[Passport, str]:
        """Make a worker a member. Returns its passport and the folder of its saved games.

        Raises:
            UnfitError: it is refused. LostError: it is gone.
        """
        try:
            worker_passport = Passport.model_validate_json(await self.dask.call(passport, worker=address))
        except (UnfitError, ValidationError) as wrong:
            why = shorten(str(wrong), 300)
            raise UnfitError(f"it has no referee, or another one ({why}): install the same there") from None
        for key, name in _IN_COMMON.items():
            theirs, ours = getattr(worker_passport, key), getattr(self._own, key)
            if theirs != ours:
                raise UnfitError(f"it has {name} {shorten(theirs, 40)}, not {ours}: install the same there")
        games = await self.dask.call(join, self.id, self.run, self.opening, list(self.command), worker=address)
        return worker_passport, str(games)

    async def play(self, address: str, jobs: Sequence[Job]) -> list[Answer]:
        """Let a member play matches. It may answer fewer, but at least one.

        Raises:
            UnfitError: it answers something else. LostError: it is gone.
        """
        sent = [job.model_dump_json() for job in jobs]
        reply = await self.dask.task(play, self.id, self.run, sent, worker=address)
        try:
            answers = answers_of(reply)
        except (ValueError, TypeError) as wrong:
            raise UnfitError(f"it answers something else than matches ({wrong})") from None
        if not 1 <= len(answers) <= len(jobs):
            raise UnfitError(f"it answers {len(answers)} of {len(jobs)} matches")
        return answers

    async def prepare(self, address: str, seats: Sequence[JobSeat]) -> None:
        """Bring bots to a member, and try them there.

        Raises:
            UnfitError: it is refused. LostError: it is gone.
        """
        for seat in seats:
            files = await trio.to_thread.run_sync(pack, Path(self.opening.folder), seat.content)
            await self.dask.call(receive, self.id, seat.content, files, worker=address)
        trials = list(_trials(self.opening, seats))
        while trials:
            for answer in await self.play(address, trials):
                trial = trials.pop(0)
                if "row" in answer and any(fault["kind"] == "timeout" for fault in answer["row"]["faults"]):
                    [answer] = await self.play(address, [trial])  # the machine may have been busy
                await self._judge(trial, answer)

    async def _judge(self, trial: Job, answer: Answer) -> None:
        if "row" not in answer:
            raise UnfitError(str(answer.get("stop") or answer["failed"]))
        numbers = [seat.number for seat in trial.seats]
        if (wrong := match_defect(answer["row"], trial.series, trial.seating, numbers)) is not None:
            raise UnfitError(f"it answers something else than a match ({wrong})")
        for fault in answer["row"]["faults"]:
            seat = trial.seats[fault["seat"]]
            if not await self._fails_here(trial, seat):
                last_words = " · ".join(fault["stderr"][-1:])
                raise UnfitError(
                    f"{shorten(harmless(seat.name))} runs on this machine and not there: {fault['kind']} at "
                    f"{fault['request']}: {fault['detail']}{f': {shorten(last_words, 200)}' if last_words else ''}"
                )

    async def _fails_here(self, trial: Job, seat: JobSeat) -> bool:
        """Whether a bot fails in its trial on this machine too."""
        if seat.content not in self._fails:
            async with start_worker(self.opening, self.command) as worker:
                answer = await trio.to_thread.run_sync(worker.ask, trial.model_dump_json(), abandon_on_cancel=True)
            faults = answer["row"]["faults"] if answer is not None and "row" in answer else None
            for number, trial_seat in enumerate(trial.seats):
                # If nothing can be played here, nobody knows better than the worker.
                self._fails[trial_seat.content] = faults is None or any(fault["seat"] == number for fault in faults)
        return self._fails[seat.content]


def _trials(opening: Opening, seats: Sequence[JobSeat]) -> Iterator[Job]:
    """Matches of one round, so that each of these bots takes part in one."""
    for at in range(0, len(seats), opening.seats):
        playing = list(islice(cycle(seats), at, at + opening.seats))
        yield Job(series=0, seating=at, map=next(iter(opening.maps)), rng_seed=0, seats=playing, rounds=1, kept=False)
