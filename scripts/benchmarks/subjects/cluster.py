"""Clusters: how many results the coordinator of a tournament takes from Dask's workers.

The workers play nothing (`programs/instant_worker.py`): everything that remains is the coordinator's work.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

import trio
from typing_extensions import override

from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import PROGRAMS, Setting, UnavailableError, WrongError, memory
from benchmarks.workers import alone
from referee.cli.narrator import silent
from referee.sandbox.limits import MIB
from referee.tournament.runner import Watcher
from referee.tournament.running import RunningTournament
from referee.tournament.schedule_tables import ScheduledMatch

ENTRANTS: Final = 40
WORKERS: Final = 2
WORKER: Final = (sys.executable, "-I", "-S", str(PROGRAMS / "instant_worker.py"))
SETTINGS: Final = """\
name = "Cluster"
bots = ["bots/*"]

[format]
kind = "round-robin"
each = {each}

[match]
seats = 4
maps = ["crossroads"]
isolation = "none"

[run]
rng_seed = 7
"""


class Mark(NamedTuple):
    """A moment of a run: CPU time and wall time in seconds, and the memory in bytes."""

    cpu: float
    wall: float
    memory: int


class Marks(Watcher):
    """Notes the moments at which some numbers of matches have been played."""

    def __init__(self, *counts: int) -> None:
        self.marks: list[Mark] = []
        self._counts, self._played = counts, 0

    @override
    def ended(self, match: ScheduledMatch, row: Mapping[str, Any]) -> None:
        self._played += 1
        if self._played in self._counts:
            self.marks.append(Mark(process_time(), perf_counter(), memory()))


def measure(setting: Setting) -> Findings:
    """A tournament on a cluster, between bots that never start.

    Raises:
        UnavailableError: Dask is not installed. WrongError: not all matches count.
    """
    if find_spec("distributed") is None:
        raise UnavailableError("Dask is not installed: pip install 'referee[cluster]'")
    from distributed import LocalCluster

    matches = setting.pick(100_000, 40)
    folder = setting.room("cluster")
    (folder / "bots").mkdir()
    for number in range(ENTRANTS):
        (folder / "bots" / f"bot{number:02}.py").write_text(f"pass  # {number}\n")
    (folder / "tournament.toml").write_text(SETTINGS.format(each=matches // ENTRANTS))
    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        count, first, last = alone(partial(coordinated, folder, matches, cluster.scheduler_address))
    if count != matches:
        raise WrongError(f"{count} of {matches} matches count")
    ledger = (folder / "ledger.sqlite").stat().st_size
    shutil.rmtree(folder)
    rest = matches * 9 / 10
    row: list[Cell] = [
        matches, rest / (last.wall - first.wall), (last.cpu - first.cpu) / rest * 1e3, rest / (last.cpu - first.cpu),
        first.memory / MIB, last.memory / MIB, ledger / MIB,
    ]  # fmt: skip
    head = (
        "matches", "results per second", "ms of the coordinator's CPU per result", "results per second of its CPU",
        "RSS after a tenth, MiB", "at the end", "ledger, MiB",
    )  # fmt: skip
    title = f"{WORKERS} workers that play nothing, a scheduler and the coordinator on this machine"
    return Findings([Table(head, [row], title)])


def coordinated(folder: Path, matches: int, address: str) -> tuple[int, Mark, Mark]:
    """Be the coordinator of so many matches. Use a fresh process: the memory is that of the process.

    Returns:
        How many matches count; the moments after a tenth of them, when all workers have been admitted, and at the end.
    """
    with RunningTournament(folder) as tournament:
        watcher = Marks(matches // 10, matches)
        trio.run(play, tournament, address, watcher)
        first, last = watcher.marks
        return tournament.table()["matches"], first, last


async def play(tournament: RunningTournament, address: str, watcher: Watcher) -> None:
    """Play a tournament on a cluster."""
    from referee.tournament.cluster.crew import ClusterCrew

    plan, _ = await tournament.enter(silent)
    crew = partial(ClusterCrew, where=address, id="bench", running=1, jobs=None, say=silent, command=WORKER)
    await tournament.run(plan, crew, watcher, silent)


SUBJECT = Subject(
    "cluster",
    "Clusters",
    "A tournament of 40 entrants whose matches are played by workers of Dask. The workers play nothing and answer at once. "
    "They share this machine with Dask's scheduler and the coordinator, so the rate is a lower bound: `results per second of "
    "its CPU` is what the coordinator would take with a processor of its own.",
    measure,
)
