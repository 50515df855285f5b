"""Tournaments whose workers play nothing: everything that remains is the coordinator's work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import trio
from benchmarks.setting import PROGRAMS

from referee.cli.narrator import silent
from referee.cli.tournament.progress import RunProgress
from referee.tournament.crew import LocalCrew
from referee.tournament.jobs import Opening
from referee.tournament.runner import Crew, Run, run
from referee.tournament.running import RunningTournament
from referee.tournament.settings import format_of

WORKER: Final = (sys.executable, "-I", "-S", str(PROGRAMS / "instant_worker.py"))
JOBS: Final = 2
SETTINGS: Final = """\
name = "Rehearsal"
bots = ["bots/*"]

[format]
{format}

[match]
seats = 4
maps = ["crossroads"]
isolation = "none"

[run]
rng_seed = 7
"""


@dataclass
class Watched(RunProgress):
    """Counts what a run shows, and calls `after` with the number of matches after each of them."""

    after: Callable[[int], None] = field(kw_only=True)

    def ended(self, *match_details: Any) -> None:
        super().ended(*match_details)
        self.after(self.played)


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
    ledger = tournament.ledger

    async def refresh() -> None:
        await trio.lowlevel.checkpoint()

    format_ = format_of(tournament.settings, plan.rules, ledger.entrants())
    watcher = Watched(tournament.settings.name, 0, 0, after=after)
    opening = plan.opening()
    workers = crew(opening) if crew else LocalCrew(opening, JOBS, WORKER)
    await run(Run(ledger, format_, workers, plan.rules.rng_seed, watcher, refresh))
