"""Memory of the referee with more and more matches at once."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import trio

from benchmarks.figures import spread
from benchmarks.maps import standard_map
from benchmarks.plays import whole
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting
from benchmarks.subject import Subject
from benchmarks.work import Work, of_rounds
from benchmarks.workers import alone
from referee import games
from referee.game import Step

MIB = 2**20


def held() -> tuple[int, int]:
    """The memory of this process in bytes: resident, and proportional (shared pages count in part)."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
    return sizes["Rss"], sizes["Pss"]


def in_the_middle(work: Work, folder: Path, count: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The memory of a referee before the first match, and with `count` matches halfway through."""
    return trio.run(_in_the_middle, work, folder, count)


async def _in_the_middle(work: Work, folder: Path, count: int) -> tuple[tuple[int, int], tuple[int, int]]:
    gc.collect()
    before = held()
    waiting = 0
    all_there = trio.Event()
    middle = work.asked // 2
    then = before

    async def pace(step: Step) -> None:
        nonlocal waiting, then
        if step.number == middle:
            waiting += 1
            if waiting == count:
                then = held()
                all_there.set()
            await all_there.wait()

    async with trio.open_nursery() as nursery:
        for _ in range(count):
            nursery.start_soon(partial(whole, work, folder, pace=pace))
    return before, then


def measure(setting: Setting) -> Findings:
    """Fresh processes for each number of matches, in turn."""
    game = games.find()
    work = of_rounds(setting, game, standard_map(game), setting.pick(60, 6))
    folder = setting.room("saved")
    counts = setting.pick((1, 8, 64), (1, 4))
    looks: dict[int, list[Sequence[float]]] = {count: [] for count in counts}
    for _ in range(setting.pick(3, 1)):
        for count in counts:
            (resident, share), (then, share_then) = alone(partial(in_the_middle, work, folder, count))
            more = (then - resident) / count / 1024
            looks[count].append((resident / MIB, then / MIB, share / MIB, share_then / MIB, more))
    rows: list[list[Cell]] = [[count, *map(spread, zip(*taken, strict=True))] for count, taken in looks.items()]
    head = (
        "matches", "RSS before, MiB", "RSS with them, MiB", "PSS before, MiB", "PSS with them, MiB", "growth per match, KiB",
    )  # fmt: skip
    return Findings([Table(head, rows, f"{work.seats} players each; their own memory is not counted")])


SUBJECT = Subject(
    "memory",
    "Memory of the referee",
    "The memory of the referee's process before the first match, and when all matches are halfway through: resident (RSS), "
    "and with pages shared with other processes counted in part (PSS).",
    measure,
)
