"""Matches a second: a process a job, and several matches in one process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

import trio

from benchmarks.figures import ratios, spread
from benchmarks.maps import standard_map
from benchmarks.plays import whole
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting, pinned
from benchmarks.subject import Subject
from benchmarks.work import Work, of_rounds
from benchmarks.workers import side_by_side
from referee import games
from referee.errors import RefereeError
from referee.sandbox.limits import Level
from referee.sandbox.opening import opened

BESIDE = (1, 2, 4, 8)
"""Matches at once in one process."""


async def many(work: Work, folder: Path, level: Level, beside: int, seconds: float) -> float:
    """Play matches, so many at once, until the time is up: matches a second."""
    count = 0
    began = perf_counter()
    ends = began + seconds

    async def one_after_another() -> None:
        nonlocal count
        with opened(level) as sandbox:
            while perf_counter() < ends:
                run = await whole(work, folder, sandbox=sandbox)
                run.saved.unlink()
                count += 1

    async with trio.open_nursery() as nursery:
        for _ in range(beside):
            nursery.start_soon(one_after_another)
    return count / (perf_counter() - began)


def worker(
    work: Work, folder: Path, level: Level, beside: int, seconds: float, cpus: frozenset[int], ready: Callable[[], None]
) -> float:
    """The same in a process of its own, when all others are ready too; a match beforehand to warm up."""
    with pinned(cpus):
        trio.run(many, work, folder, level, 1, 0.001)
        ready()
        return trio.run(many, work, folder, level, beside, seconds)


def measure(setting: Setting) -> Findings:
    """From one job to one a processor, pinned and free; then one process with more and more matches at once."""
    game = games.find()
    rounds = setting.pick(300, 10)
    work = of_rounds(setting, game, standard_map(game), rounds)
    folder = setting.room("saved")
    cpus = sorted(setting.cpus)
    measures: dict[str, Callable[[], float]] = {}
    for level, name in ((Level.NONE, ""), (Level.FULL, ", full cells")):
        try:
            with opened(level):
                pass
        except RefereeError:
            continue
        for jobs in sorted({1, len(cpus)}) if level is Level.FULL or setting.quick else range(1, len(cpus) + 1):
            for kind in ("free",) if setting.quick else ("pinned", "free"):
                places = [frozenset({cpu}) if kind == "pinned" else setting.cpus for cpu in cpus[:jobs]]
                measures[f"{jobs} process{'es'[: 2 * (jobs > 1)]}, {kind}{name}"] = partial(
                    rate, [partial(worker, work, folder, level, 1, setting.pick(2.0, 0.1), place) for place in places]
                )
    for beside in setting.pick(BESIDE[1:], BESIDE[1:2]):
        task = partial(worker, work, folder, Level.NONE, beside, setting.pick(2.0, 0.1), setting.cpus)
        measures[f"1 process, {beside} matches at once"] = partial(rate, [task])
    taken = setting.rounds(3, measures, quick=1, warm=False)  # each process warms up by itself
    base = taken["1 process, free"]
    rows: list[list[Cell]] = [
        [name, spread(some), spread([rate_ * work.asked for rate_ in some]),
         spread(ratios(some, base))]
        for name, some in taken.items()
    ]  # fmt: skip
    head = ("how", "matches a second", "requests a second", "÷ 1 process, free")
    return Findings(
        [Table(head, rows, f"{work.seats} instant players, {rounds} rounds, {work.asked:,} requests")],
        ["A match has its players' start and end in it."],
    )


def rate(tasks: list[Callable[[Callable[[], None]], float]]) -> float:
    """Matches a second of all processes together."""
    return sum(side_by_side(tasks))


SUBJECT = Subject(
    "jobs",
    "Matches a second",
    "One process a job, each with one match at a time, from one to as many as there are processors; pinned, each with its "
    "players to a processor of its own, or free. And one process with several matches at once.",
    measure,
)
