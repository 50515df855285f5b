"""Clusters: how many results the coordinator of a tournament takes from Dask's workers, and how many machines it can feed."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from benchmarks.rehearsals import WORKER, Rehearsal, prepared, rehearse
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, UnavailableError, WrongError
from benchmarks.workers import alone
from referee.cli.narrator import silent
from referee.sandbox.limits import MIB
from referee.tournament.jobs import Job, JobSeat
from referee.tournament.planning import planned
from referee.tournament.settings import settings_in
from referee.tournament.worker_process import WorkerProcess

ENTRANTS: Final = 40
SEATS: Final = 4
WORKERS: Final = 2
PROCESSORS: Final = 16
"""Of a machine of the table."""
_ADDRESS: Final = re.compile(r"Scheduler at:\s+(tcp://\S+)")


def measure(setting: Setting) -> Findings:
    """Both tables.

    Raises:
        UnavailableError: Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise UnavailableError("Dask is not installed: pip install 'referee[cluster]'")
    matches = setting.pick(100_000, 40)
    folder = prepared(setting.room("cluster"), f'kind = "round-robin"\neach = {matches // ENTRANTS}', ENTRANTS)
    with dask(WORKERS) as address:
        rehearsal = alone(partial(by_cluster, folder, matches, address))
    size = result_bytes(folder)
    shutil.rmtree(folder)
    if rehearsal.matches != matches:
        raise WrongError(f"{rehearsal.matches} of {matches} matches count")
    return Findings([sustained(rehearsal, matches, size), fed(rehearsal, matches)])


def by_cluster(folder: Path, matches: int, address: str) -> Rehearsal:
    """A rehearsal whose workers are Dask's. Use a fresh process."""
    from referee.tournament.cluster.crew import ClusterCrew

    crew = partial(ClusterCrew, where=address, id=f"bench{matches}", running=1, jobs=None, say=silent, command=WORKER)
    return rehearse(folder, matches, crew)


def sustained(rehearsal: Rehearsal, matches: int, size: int) -> Table:
    """What the coordinator did."""
    _, first, *_, last = rehearsal.marks
    rest = matches * 9 / 10  # the workers are admitted during the first tenth
    row: list[Cell] = [
        matches, rest / (last.wall - first.wall), (last.cpu - first.cpu) / rest * 1e3, rest / (last.cpu - first.cpu), size,
        first.memory / MIB, last.memory / MIB, rehearsal.ledger / MIB,
    ]  # fmt: skip
    head = (
        "matches", "results per second", "ms of the coordinator's CPU per result", "results per second of its CPU",
        "bytes per result", "RSS after a tenth, MiB", "at the end", "ledger, MiB",
    )  # fmt: skip
    return Table(head, [row], f"{WORKERS} workers that play nothing, a scheduler and the coordinator on this machine")


def fed(rehearsal: Rehearsal, matches: int) -> Table:
    """How many machines one coordinator keeps busy."""
    _, first, *_, last = rehearsal.marks
    rate = matches * 9 / 10 / (last.wall - first.wall)
    rows: list[list[Cell]] = []
    for seconds in (0.5, 5.0, 60.0):
        for running in (1, SEATS):
            machine = PROCESSORS // running / seconds
            rows.append([seconds, running, machine, int(rate / machine), 1e6 / rate / 60])
    head = (
        "seconds per match", "players that run at a time", f"matches per second of {PROCESSORS} processors", "machines",
        "minutes for 10⁶ matches",
    )  # fmt: skip
    return Table(head, rows, "Machines that this coordinator can feed")


def result_bytes(folder: Path) -> int:
    """The bytes of an answer on its way from a worker."""
    settings = settings_in(folder)
    from referee import games

    plan = planned(folder, settings, games.find(settings.game), 7, seats=None, field=ENTRANTS)
    seats = [JobSeat(number=number, name=f"bot{number:02}", content="0" * 32) for number in range(SEATS)]
    worker = WorkerProcess(plan.opening(), WORKER)
    try:
        job = Job(series=1, seating=0, map="crossroads", rng_seed=7, seats=seats)
        return len(pickle.dumps([worker.ask(job.model_dump_json())]))
    finally:
        worker.end()


@contextmanager
def dask(workers: int) -> Iterator[str]:
    """A scheduler of its own, and workers, as processes. Returns its address."""
    with ExitStack() as stack:
        scheduler = stack.enter_context(started("dask_scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard"))
        assert scheduler.stderr is not None
        address = next((match[1] for line in scheduler.stderr if (match := _ADDRESS.search(line))), None)
        if address is None:
            raise WrongError("the scheduler of Dask did not start")
        for _ in range(workers):
            stack.enter_context(started("dask_worker", address, "--nthreads=1", "--no-nanny", "--no-dashboard"))
        yield address


@contextmanager
def started(module: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A process of Dask, which ends with the context."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


SUBJECT = Subject(
    "cluster",
    "Clusters",
    "A tournament of 40 entrants whose matches are played by workers of Dask. The workers play nothing and answer at once. "
    "They share this machine with Dask's scheduler and the coordinator, so the rate is a lower bound: `results per second of "
    "its CPU` is what the coordinator would take with a processor of its own. The second table divides the measured rate by "
    "what a machine plays.",
    measure,
)
