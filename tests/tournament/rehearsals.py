"""Tournaments whose workers play nothing: everything that remains is the coordinator's work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import trio
from benchmarks.setting import PROGRAMS

from referee.cli.narrator import silent
from referee.tournament.crew import LocalCrew
from referee.tournament.jobs import Opening
from referee.tournament.runner import Crew, Run, Watcher, run
from referee.tournament.running import RunningTournament
from referee.tournament.settings import format_of

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
    ledger, opening = tournament.ledger, plan.opening()
    format_ = format_of(tournament.settings, plan.rules, ledger.entrants())
    workers = crew(opening) if crew else LocalCrew(opening, JOBS, WORKER)
    await run(Run(ledger, format_, workers, plan.rules.rng_seed, Watched(after), trio.lowlevel.checkpoint))
