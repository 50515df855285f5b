"""Tournaments whose workers play nothing (`programs/instant_worker.py`): everything that remains is the coordinator's work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
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
        """A match was played."""
        super().ended(*match_details)
        self.after(self.played)


@dataclass(frozen=True)
class Mark:
    """A moment of a run: CPU time and wall time in seconds, and the memory in bytes."""

    cpu: float
    wall: float
    memory: int


@dataclass(frozen=True)
class Rehearsal:
    """A tournament that was rehearsed.

    Attributes:
        marks: at its start, and after each tenth of its matches. table: when its table was made.
        peak: the most memory in bytes. ledger: its size in bytes.
    """

    entrants: int
    matches: int
    tours: int
    marks: list[Mark]
    table: Mark
    peak: int
    ledger: int


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


def rehearse(folder: Path, matches: int, crew: Callable[[Opening], Crew] | None = None) -> Rehearsal:
    """Play a tournament of so many matches, and make its table. Use a fresh process: the memory is that of the process."""
    marks = [marked()]
    steps = {matches * tenth // 10 for tenth in range(1, 11)}

    def after(played: int) -> None:
        if played in steps:
            marks.append(marked())

    with RunningTournament(folder) as tournament:
        trio.run(rehearsed, tournament, after, crew)
        document = tournament.table()
        tours = tournament.ledger.schedule.planned()[0]
    size = (folder / "ledger.sqlite").stat().st_size
    return Rehearsal(len(document["table"]), document["matches"], tours, marks, marked(), memory("VmHWM"), size)


def marked() -> Mark:
    """This moment."""
    return Mark(process_time(), perf_counter(), memory("VmRSS"))


def memory(kind: str) -> int:
    """A figure of this process in bytes: `VmRSS` is what is resident now, `VmHWM` the most that ever was."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1]) * 1024
    raise ValueError(kind)
