"""The job of a comparison: two bots are compared as `referee compare` does, and the test is reported as it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from referee.bots import find, name_in
from referee.cli.compare import name_of
from referee.errors import BotError
from referee.sandbox.tempdir import tempdir
from referee.studio.work import Channel
from referee.text.words import harmless
from referee.tournament.crew import LocalCrew
from referee.tournament.drafting import keep
from referee.tournament.locking import only_writer
from referee.tournament.planning import jobs_for
from referee.tournament.running import RunningTournament
from referee.tournament.schedule_tables import ScheduledMatch


async def work(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Compare two bots; the result is that of `compare --json`.

    Args:
        request: the words for the `new` bot and the `old` one, and the `game`.
    """
    bots = [request["new"], request["old"]]
    for word in bots:
        find(word, request["game"])  # so that an error names the word, and not the tournament's file
    with ExitStack() as stack:
        folder = stack.enter_context(tempdir())
        document = {
            "name": name_of(bots),
            "game": request["game"],
            "format": {"kind": "compare"},
            "match": {},
            "run": {"rng_seed": None},
        }
        keep(folder, document, map(name_in, bots), made_by="referee studio")
        stack.enter_context(only_writer(folder))
        tournament = stack.enter_context(RunningTournament(folder))

        def say(line: str) -> None:
            channel.tell("line", text=harmless(line))

        plan, unready = await tournament.enter(say)
        if unready:
            raise BotError(f"{unready[0].name} cannot play: {unready[0].why.splitlines()[0]}")
        await tournament.run(plan, partial(LocalCrew, jobs=jobs_for(plan)), _Watcher(tournament, channel), say)
        comparison = tournament.comparison()
    return dict(comparison.document)


class _Watcher:
    """Reports the comparison after each match."""

    def __init__(self, tournament: RunningTournament, channel: Channel) -> None:
        self._tournament, self._channel = tournament, channel

    def planned(self, tour: str, scheduled: int, played: int) -> None:
        """A tour begins."""

    def began(self, match: ScheduledMatch, names: Sequence[str]) -> None:
        """A match begins."""

    def ended(self, match: ScheduledMatch, row: Mapping[str, Any]) -> None:
        """A match was played."""
        self._channel.tell("compare", **self._tournament.comparison().document)

    def failed(self, match: ScheduledMatch, why: str, *, void: bool) -> None:
        """A try failed."""
