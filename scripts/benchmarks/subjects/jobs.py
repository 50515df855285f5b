"""Matches per second: one process per job, and several matches in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

import trio

from benchmarks.figures import compared, spread
from benchmarks.loops import python_loop_with
from benchmarks.maps import standard_map
from benchmarks.plays import whole
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting, pinned
from benchmarks.subject import Subject
from benchmarks.work import Work, of_rounds, unpacked
from benchmarks.workers import side_by_side
from referee import games
from referee.errors import RefereeError
from referee.sandbox.limits import Level
from referee.sandbox.opening import opened

BESIDE: Final = (2, 4, 8)
"""Numbers of concurrent matches in one process."""
SECONDS: Final = 1.5
"""Seconds per way and round: about thirty matches."""


async def many(work: Work, folder: Path, level: Level, beside: int, seconds: float) -> float:
    """Play matches, `beside` at once, until the time is up: matches per second."""
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
    """The same in its own process, after a warm-up match and when all other processes are ready."""
    with pinned(cpus):
        trio.run(many, work, folder, level, 1, 0.001)
        ready()
        return trio.run(many, work, folder, level, beside, seconds)


def loop_worker(work: Work, seconds: float, cpus: frozenset[int], ready: Callable[[], None]) -> float:
    """The same for a bare Python loop: it starts the players, exchanges a match's messages and ends them, repeatedly."""
    messages = unpacked((work.folder / "messages").read_bytes())
    once = partial(python_loop_with, messages, work.folder, work.player, work.seats)
    with pinned(cpus):
        once()
        ready()
        count = 0
        began = perf_counter()
        ends = began + seconds
        while perf_counter() < ends:
            once()
            count += 1
        return count / (perf_counter() - began)


@dataclass(frozen=True)
class Way:
    """A way to use the machine, and the name of the loops that it is compared with: as many processes in the same places."""

    name: str
    loops: str
    tasks: Sequence[Callable[[Callable[[], None]], float]]


def measure(setting: Setting) -> Findings:
    """From one job to one per processor, pinned and free; then one process with more and more matches at once."""
    game = games.find()
    rounds = setting.pick(300, 10)
    work = of_rounds(setting, game, standard_map(game), rounds)
    ways = [*of_loops(setting, work), *of_matches(setting, work)]
    beside = sorted(ways, key=lambda way: way.loops)  # compared ways are measured one after the other
    measures = {way.name: partial(rate, way.tasks) for way in beside}
    taken = setting.rounds(3, measures, quick=1, warm=False)  # each process warms up by itself
    base = taken[processes(1, "free")]
    rows: list[list[Cell]] = []
    for way in ways:
        some = taken[way.name]
        requests = spread([rate_ * work.asked for rate_ in some])
        rows.append([way.name, spread(some), requests, compared(some, base), compared(some, taken.get(way.loops))])
    head = ("how", "matches per second", "requests per second", "÷ 1 process, free", "÷ Python loops")
    return Findings(
        [Table(head, rows, f"{work.seats} instant players, {rounds} rounds, {work.asked:,} requests")],
        ["All matches, also those of the loops, include the start and the end of the players."],
    )


def of_loops(setting: Setting, work: Work) -> list[Way]:
    """One bare loop, and one per processor."""
    seconds = setting.pick(SECONDS, 0.1)
    ways = []
    for count in sorted({1, len(setting.cpus)}):
        for kind, places in placed(setting, count):
            name = of_python(count, kind)
            ways.append(Way(name, name, [partial(loop_worker, work, seconds, place) for place in places]))
    return ways


def of_matches(setting: Setting, work: Work) -> list[Way]:
    """The referee with different numbers of processes, and of matches at once."""
    folder = setting.room("saved")
    seconds = setting.pick(SECONDS, 0.1)
    ways = []
    cpus = len(setting.cpus)
    for level, more in ((Level.NONE, ""), (Level.FULL, ", full cells")):
        try:
            with opened(level):
                pass
        except RefereeError:
            continue
        for jobs in sorted({1, cpus}) if level is Level.FULL or setting.quick else range(1, cpus + 1):
            for kind, places in placed(setting, jobs):
                tasks = [partial(worker, work, folder, level, 1, seconds, place) for place in places]
                ways.append(Way(f"{processes(jobs, kind)}{more}", of_python(jobs, kind), tasks))
    for beside in setting.pick(BESIDE, BESIDE[:1]):
        task = partial(worker, work, folder, Level.NONE, beside, seconds, setting.cpus)
        ways.append(Way(f"1 process, {beside} matches at once", of_python(1, "free"), [task]))
    return ways


def placed(setting: Setting, count: int) -> list[tuple[str, list[frozenset[int]]]]:
    """The ways to place `count` processes: each on its own processor, or placed by the kernel."""
    free = ("free", [setting.cpus] * count)
    pins = ("pinned", [frozenset({cpu}) for cpu in sorted(setting.cpus)[:count]])
    return [free] if setting.quick else [pins, free]


def processes(count: int, kind: str) -> str:
    """The name of `count` processes in the report."""
    return f"{count} process{'es' if count > 1 else ''}, {kind}"


def of_python(count: int, kind: str) -> str:
    """The name of `count` bare loops in the report."""
    return f"{count} Python loop{'s' if count > 1 else ''}, {kind}"


def rate(tasks: Sequence[Callable[[Callable[[], None]], float]]) -> float:
    """Matches per second of all processes together."""
    return sum(side_by_side(tasks))


SUBJECT = Subject(
    "jobs",
    "Matches per second",
    "One process per job, each with one match at a time, from one process to one per processor. *Pinned* processes have a "
    "processor of their own, together with their players. Then one process with several matches at once. The Python loops "
    "only start the players, exchange the messages of a match, blocking, and end the players. *÷ Python loops* is the rate "
    "with a referee, divided by the rate of as many loops in the same places.",
    measure,
)
