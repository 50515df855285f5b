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
from typing import Any, Final

import trio

from referee.game import FaultKind
from referee.names import harmless, shorten
from referee.tournament.cluster.client import Dask, UnfitError
from referee.tournament.cluster.member import join, passport, play, receive
from referee.tournament.cluster.shipping import pack
from referee.tournament.crew import started
from referee.tournament.playing import Job, Opening, Seat

_IN_COMMON: Final = ("referee", "Python", "code")


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
    _own: dict[str, Any] = field(default_factory=passport)
    _fails: dict[str, bool] = field(default_factory=dict)

    async def admit(self, address: str) -> dict[str, Any]:
        """Make a worker a member. Returns its passport, and as `games` the folder of its saved games.

        Raises:
            UnfitError: it is refused. LostError: it is gone.
        """
        try:
            found: dict[str, Any] = await self.dask.call(passport, worker=address)
        except UnfitError as wrong:
            raise UnfitError(f"it has no referee, or an older one ({wrong})") from None
        for key in _IN_COMMON:
            if found[key] != self._own[key]:
                raise UnfitError(
                    "its referee has the same version and other code or rules: install the same there"
                    if key == "code"
                    else f"it has {key} {found[key]}, not {self._own[key]}: install the same there"
                )
        games = await self.dask.call(join, self.id, self.run, self.opening, list(self.command), worker=address)
        return {**found, "games": games}

    async def prepare(self, address: str, seats: Sequence[Seat]) -> None:
        """Bring bots to a member, and try them there.

        Raises:
            UnfitError: it is refused. LostError: it is gone.
        """
        for seat in seats:
            files = await trio.to_thread.run_sync(pack, Path(self.opening.folder), seat.content)
            await self.dask.call(receive, self.id, seat.content, files, worker=address)
        trials = list(_trials(self.opening, seats))
        while trials:
            jobs = [trial.model_dump_json() for trial in trials]
            for answer in await self.dask.task(play, self.id, self.run, jobs, worker=address):
                trial = trials.pop(0)
                if any(fault["kind"] == FaultKind.TIMEOUT for fault in answer.get("row", {}).get("faults", ())):
                    # The machine may have been busy.
                    [answer] = await self.dask.task(play, self.id, self.run, [trial.model_dump_json()], worker=address)
                await self._judge(trial, answer)

    async def _judge(self, trial: Job, answer: dict[str, Any]) -> None:
        if "row" not in answer:
            raise UnfitError(str(answer.get("stop") or answer["failed"]))
        for fault in answer["row"]["faults"]:
            seat = trial.seats[fault["seat"]]
            if not await self._fails_here(trial, seat):
                said = " · ".join(fault["stderr"][-1:])
                raise UnfitError(
                    f"{shorten(harmless(seat.name))} runs on this machine and not there: {fault['kind']} at "
                    f"{fault['request']}: {fault['detail']}{f': {shorten(said, 200)}' if said else ''}"
                )

    async def _fails_here(self, trial: Job, seat: Seat) -> bool:
        """Whether a bot fails in its trial on this machine too."""
        if seat.content not in self._fails:
            async with started(self.opening, self.command) as worker:
                answer = (
                    await trio.to_thread.run_sync(worker.ask, trial.model_dump_json(), abandon_on_cancel=True) or {}
                )
            faults = answer["row"]["faults"] if "row" in answer else None
            for number, one in enumerate(trial.seats):
                # If nothing can be played here, nobody knows better than the worker.
                self._fails[one.content] = faults is None or any(fault["seat"] == number for fault in faults)
        return self._fails[seat.content]


def _trials(opening: Opening, seats: Sequence[Seat]) -> Iterator[Job]:
    """Matches of one round in which each of these takes part."""
    for number in range(0, len(seats), opening.seats):
        playing = list(islice(cycle(seats), number, number + opening.seats))
        yield Job(
            series=0, seating=number, map=next(iter(opening.maps)), rng_seed=0, seats=playing, rounds=1, kept=False
        )
