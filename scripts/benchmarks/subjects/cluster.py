"""Clusters: how many results the coordinator of a tournament takes from Dask's workers."""

from __future__ import annotations

import shutil
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


def measure(setting: Setting) -> Findings:
    """A tournament on a cluster.

    Raises:
        UnavailableError: Dask is not installed.
    """
    if find_spec("distributed") is None:
        raise UnavailableError("Dask is not installed: pip install 'referee[cluster]'")
    matches = setting.pick(100_000, 40)
    folder = prepared(setting.room("cluster"), f'kind = "round-robin"\neach = {matches // ENTRANTS}', ENTRANTS)
    from distributed import LocalCluster

    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        rehearsal = alone(partial(by_cluster, folder, matches, cluster.scheduler_address))
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


SUBJECT = Subject(
    "cluster",
    "Clusters",
    "A tournament of 40 entrants whose matches are played by workers of Dask. The workers play nothing and answer at once. "
    "They share this machine with Dask's scheduler and the coordinator, so the rate is a lower bound: `results per second of "
    "its CPU` is what the coordinator would take with a processor of its own.",
    measure,
)
