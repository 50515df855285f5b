"""The part that plays the ladder of the season, as `referee tournament run` does, and the final.

1. A ladder waits while it has fewer owners than seats. It also waits when all its bots rest.
2. Between two waves, the ladder ends if the arena has closed, if the next season has begun, or if too few bots remain. A final
   has one wave: it ends immediately when the arena is opened or closed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio
from typing_extensions import override

from referee.arena import finals, season
from referee.arena.part import main, say, unless
from referee.arena.settings import ArenaFiles
from referee.arena.state import read_state
from referee.errors import UsageError, ungrouped
from referee.files.reading import at_home
from referee.tournament.crew import LocalCrew
from referee.tournament.field import Unready
from referee.tournament.locking import only_writer
from referee.tournament.planning import Plan, jobs_for
from referee.tournament.runner import Watcher
from referee.tournament.running import RunningTournament
from referee.tournament.settings import FILE

POLL: Final = 0.5
"""Seconds between two checks of what is due."""


class Paused(Exception):
    """A tournament was stopped before its end."""


class PausingTournament(RunningTournament):
    """A tournament that stops between two waves if it is not due any more."""

    def __init__(self, folder: Path, is_due: Callable[[], bool]) -> None:
        super().__init__(folder)
        self._is_due = is_due

    @override
    async def enter(self, say: Callable[[str], None], *, wait: bool = True) -> tuple[Plan, list[Unready]]:
        if not self._is_due():
            raise Paused
        return await super().enter(say, wait=wait)


async def work(files: ArenaFiles, options: Mapping[str, Any]) -> None:
    """Play the tournament that is due, for ever."""
    seats = season.plan_of(files).rules.seats
    jobs = options.get("jobs") or files.settings.jobs

    def due() -> Path | None:
        state = read_state(files)
        if state.state == "final" and state.final is not None:
            return files.seasons / state.final
        folder = files.season(state.season)
        return folder if state.state == "open" and season.owners(folder) >= seats else None

    last = None
    while True:
        await trio.sleep(POLL)
        if (folder := due()) is None:
            last = None
            continue
        version = _version(files, folder)
        if version == last:
            continue
        last = version
        try:
            await _play(folder, due, jobs)
        except Paused:
            last = None  # it may be due again already
        except UsageError as wrong:
            say(str(wrong))


def _version(files: ArenaFiles, folder: Path) -> tuple[Path, int, bool]:
    """A folder, the time of its tournament's file, and whether the interpreter of its bots is there.

    A tournament that could not be played is tried again when one of them changes.
    """
    python = files.settings.match.python
    return folder, os.stat(folder / FILE).st_mtime_ns, python is None or (files.root / at_home(python)).exists()


async def _play(folder: Path, due: Callable[[], Path | None], jobs: int | None) -> None:
    """Play a tournament until it is over.

    Raises:
        Paused: another one is due, or none. RefereeError: it cannot be played, or not to its end.
    """
    is_final = finals.number(folder.name) > 0
    with only_writer(folder), PausingTournament(folder, lambda: due() == folder) as tournament:
        if is_final and tournament.over:  # a ladder is over when all its bots rest, but new bots may come
            return
        plan, _ = await tournament.enter(say)
        run = tournament.run(plan, partial(LocalCrew, jobs=jobs or jobs_for(plan)), Watcher(), say)
        with ungrouped():
            if not is_final:
                await run
                return
            say("the final is being played")
            ended = await unless(lambda: due() != folder, run)
        say(finals.progress(tournament, lambda: tournament.table()["table"], goes_on=False))
        if ended and not tournament.over:
            raise UsageError(f"the final cannot end: {' '.join(tournament.waiting_notes())}")
        if not tournament.over:
            raise Paused


if __name__ == "__main__":
    main(work, background=False)
