"""Clusters: how many results the coordinator of a tournament takes from Dask's workers."""

from __future__ import annotations

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

ENTRANTS: Final = 40
WORKERS: Final = 2
_ADDRESS: Final = re.compile(r"Scheduler at:\s+(tcp://\S+)")


def measure(setting: Setting) -> Findings:
    """A tournament on a cluster.

    Raises:
        UnavailableError: Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise UnavailableError("Dask is not installed: pip install 'referee[cluster]'")
    matches = setting.pick(100_000, 40)
    folder = prepared(setting.room("cluster"), f'kind = "round-robin"\neach = {matches // ENTRANTS}', ENTRANTS)
    with dask(WORKERS) as address:
        rehearsal = alone(partial(by_cluster, folder, matches, address))
    shutil.rmtree(folder)
    if rehearsal.matches != matches:
        raise WrongError(f"{rehearsal.matches} of {matches} matches count")
    return Findings([sustained(rehearsal, matches)])


def by_cluster(folder: Path, matches: int, address: str) -> Rehearsal:
    """A rehearsal whose workers are Dask's. Use a fresh process."""
    from referee.tournament.cluster.crew import ClusterCrew

    crew = partial(ClusterCrew, where=address, id=f"bench{matches}", running=1, jobs=None, say=silent, command=WORKER)
    return rehearse(folder, matches, crew)


def sustained(rehearsal: Rehearsal, matches: int) -> Table:
    """What the coordinator did."""
    _, first, *_, last = rehearsal.marks
    rest = matches * 9 / 10  # the workers are admitted during the first tenth
    row: list[Cell] = [
        matches, rest / (last.wall - first.wall), (last.cpu - first.cpu) / rest * 1e3, rest / (last.cpu - first.cpu),
        first.memory / MIB, last.memory / MIB, rehearsal.ledger / MIB,
    ]  # fmt: skip
    head = (
        "matches", "results per second", "ms of the coordinator's CPU per result", "results per second of its CPU",
        "RSS after a tenth, MiB", "at the end", "ledger, MiB",
    )  # fmt: skip
    return Table(head, [row], f"{WORKERS} workers that play nothing, a scheduler and the coordinator on this machine")


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
    "its CPU` is what the coordinator would take with a processor of its own.",
    measure,
)
