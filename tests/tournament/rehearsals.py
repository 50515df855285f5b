"""Tournaments without players: everything that remains is the coordinator's work."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

sys.path.append(str(Path(__file__).parents[2] / "scripts"))  # the package `benchmarks` is there

from benchmarks.setting import PROGRAMS
from tournament.conftest import row_of

from referee.cli.narrator import silent
from referee.tournament.crew import LocalCrew
from referee.tournament.jobs import Opening
from referee.tournament.runner import Coordinator, Crew, Watcher
from referee.tournament.running import RunningTournament
from referee.tournament.schedule_tables import ScheduledMatch

WORKER: Final = (sys.executable, "-I", "-S", str(PROGRAMS / "instant_worker.py"))
JOBS: Final = 2
SETTINGS: Final = """\
name = "Rehearsal"
bots = ["bots/*"]
match = {{ seats = 4, maps = ["crossroads"], isolation = "none" }}
run = {{ rng_seed = 7 }}

[format]
{format}
"""


def even(coordinator: Coordinator, match: ScheduledMatch) -> dict[str, Any]:
    """A match in which all are equal."""
    seats = coordinator.job(match).seats
    equal = {"place": 1, "score": (len(seats) - 1) / 2, "points": 0}
    return row_of(*({"number": seat.number, "entrant": seat.content, "name": seat.name, **equal} for seat in seats))


@dataclass
class Season(Watcher):
    """A run, which is its own crew and watcher. All matches are even.

    Attributes:
        before: called with the key of a tour before its first match. said: what the run says.
        matches: how many are played before it is cancelled; None for all. only: the bot whose matches are played.
    """

    folder: Path
    before: Callable[[str], object] = lambda _tour: None
    said: list[str] = field(default_factory=list)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    matches: int | None = None
    only: str | None = None

    async def played(self) -> None:
        """Play until it is over or cancelled."""
        with RunningTournament(self.folder) as tournament, self.scope:
            plan, _ = await tournament.enter(self.said.append)
            await tournament.run(plan, lambda _: self, self, self.said.append, only=self.only)

    async def work(self, coordinator: Coordinator) -> None:
        """Play one match after the other."""
        played = 0
        while played != self.matches:
            [match] = await coordinator.take()
            await coordinator.ended([(match, {"row": even(coordinator, match)})], began=datetime.now(UTC))
            played += 1
        self.scope.cancel()

    def planned(self, tour: str, scheduled: int, played: int) -> None:
        """A tour begins."""
        self.before(tour)


class Watched(Watcher):
    """Calls `after` with the number of matches after each of them."""

    def __init__(self, after: Callable[[int], None]) -> None:
        self._after, self._played = after, 0

    def ended(self, *_: Any) -> None:
        self._played += 1
        self._after(self._played)


def prepared(folder: Path, format_: str, entrants: int) -> Path:
    """The folder of a tournament between bots that never start.

    Args:
        format_: the lines of `[format]`.
    """
    (folder / "bots").mkdir()
    for number in range(entrants):
        (folder / "bots" / f"bot{number:02}.py").write_text(f"pass  # {number}\n")
    (folder / "tournament.toml").write_text(SETTINGS.format(format=format_))
    return folder


async def rehearsed(
    tournament: RunningTournament, after: Callable[[int], None], crew: Callable[[Opening], Crew] | None = None
) -> None:
    """Play a tournament with instant workers.

    Args:
        after: gets the number of matches after each of them.
        crew: makes a crew; by default, the workers are processes on this machine.
    """
    plan, _ = await tournament.enter(silent)
    local_crew = partial(LocalCrew, jobs=JOBS, command=WORKER)
    await tournament.run(plan, crew or local_crew, Watched(after), silent)
