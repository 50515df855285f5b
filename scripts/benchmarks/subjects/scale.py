"""Many matches at once, large boards, long matches: costs that should not grow."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import trio

from benchmarks.figures import compared, ratios, share, spread
from benchmarks.loops import C_LOOP, PYTHON_LOOP, loops
from benchmarks.maps import fair_map, standard_map
from benchmarks.plays import whole
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting, pinned
from benchmarks.subject import Subject
from benchmarks.subjects.memory import held
from benchmarks.work import SEATS, Work, of_rounds
from benchmarks.workers import alone
from referee import games
from referee.clock import TimeControl
from referee.game import Fault, Step
from referee.players.fairness import HostStalled

GAME: Final = "snakecore"
NAP: Final = 0.01
"""Seconds between two checks of the event loop's delay."""
PAUSE: Final = 2_000
"""Microseconds that players sleep before each answer, so that they do not compete for processors."""
USUAL: Final = TimeControl(first=15.0, answer=1.0, total=120.0)
SIZES: Final = (15, 41)
WHOLE: Final = "whole"


@dataclass(frozen=True)
class Crowd:
    """The result of several concurrent matches; times in seconds.

    Attributes:
        charged: what was charged for each answer.
        faults, stalled: the number of faults, and of matches aborted because this machine was too slow.
        lags: the delays of the event loop.
    """

    wall: float
    charged: list[float]
    faults: int
    stalled: int
    lags: list[float]


class Charged:
    """Observes a match: charged times and faults."""

    def __init__(self) -> None:
        self.charged: list[float] = []
        self.faults = 0

    def step(self, step: Step) -> None:
        """See `match.Observer`."""
        for answer in step.answers:
            self.faults += isinstance(answer.action, Fault)
            self.charged.append(answer.elapsed)

    def end(self, outcome: object, final: object) -> None:
        """See `match.Observer`."""


def at_once(work: Work, folder: Path, count: int, pause: int) -> Crowd:
    """`count` matches at once in this process."""
    return trio.run(_at_once, work, folder, count, pause)


async def _at_once(work: Work, folder: Path, count: int, pause: int) -> Crowd:
    observer = Charged()
    stalled = 0
    lags: list[float] = []

    async def one() -> None:
        nonlocal stalled
        try:
            await whole(work, folder, observers=[observer], pause=pause, time=USUAL)
        except HostStalled:
            stalled += 1

    async def watch() -> None:
        while True:
            set_at = perf_counter()
            await trio.sleep(NAP)
            lags.append(perf_counter() - set_at - NAP)

    began = perf_counter()
    async with trio.open_nursery() as around:
        around.start_soon(watch)
        async with trio.open_nursery() as nursery:
            for _ in range(count):
                nursery.start_soon(one)
        around.cancel_scope.cancel()
    return Crowd(perf_counter() - began, observer.charged, observer.faults, stalled, lags)


def crowds(setting: Setting, folder: Path) -> Table:
    """One match and many, in turn, with players that answer immediately and with players that pause."""
    game, rounds = games.find(GAME), {0: setting.pick(300, 3), PAUSE: setting.pick(60, 3)}
    works = {pause: of_rounds(setting, game, standard_map(game), rounds[pause]) for pause in (0, PAUSE)}
    found: dict[tuple[int, int], list[Crowd]] = {
        (pause, count): [] for pause in works for count in setting.pick((1, 8, 64), (1, 8))
    }
    runs = setting.pick(3, 1)
    for _ in range(runs):
        for (pause, count), taken in found.items():
            taken.append(alone(partial(at_once, works[pause], folder, count, pause)))
    rows: list[list[Cell]] = [
        [
            f"{pause / 1e3:g} ms" if pause else "at once", count,
            sum(crowd.faults for crowd in taken), sum(crowd.stalled for crowd in taken),
            *in_millis([crowd.charged for crowd in taken]), *in_millis([crowd.lags for crowd in taken]),
            spread([len(crowd.charged) / crowd.wall for crowd in taken]),
        ]
        for (pause, count), taken in found.items()
    ]  # fmt: skip
    head = (
        "players answer", "matches", "faults", "aborted", "charged: median, ms", "99 %", "most", "event-loop delay: median, ms",
        "99 %", "most", "requests per second",
    )  # fmt: skip
    of_all = f"; {runs} runs; faults and *most* cover all of them" if runs > 1 else ""
    return Table(head, rows, f"Matches at once in one process, with the usual limits (1 s an answer){of_all}")


def in_millis(runs: Sequence[Sequence[float]]) -> list[Cell]:
    """Seconds of several runs as milliseconds: the medians and the 99 % of the runs, and the maximum of all."""
    some = [[second * 1e3 for second in seconds] for seconds in runs if seconds]
    if not some:
        return [None, None, None]
    return [
        spread([median(run) for run in some]), spread([share(run, 0.99) for run in some]), max(map(max, some)),
    ]  # fmt: skip


def boards(setting: Setting, folder: Path) -> Table:
    """Small and large boards, in turn, each with the loops for its messages."""
    works = {}
    for size in SIZES:
        document = fair_map(games.find(GAME), size, SEATS)
        works[size] = of_rounds(setting, games.find(GAME), document, setting.pick(300, 20))
    rows: list[list[Cell]] = []
    for place, cpus in setting.places.items():
        measures: dict[tuple[int, str], Callable[[], float]] = {}
        for size, work in works.items():
            measures |= {(size, name): loop for name, loop in loops(setting, work).items()}
            measures[size, WHOLE] = partial(_one, work, folder)
        with pinned(cpus):
            taken = setting.rounds(15, measures)
        micros = {key: [second / works[key[0]].asked * 1e6 for second in seconds] for key, seconds in taken.items()}
        base = micros[SIZES[0], WHOLE]
        for size, work in works.items():
            c, python, ours = micros.get((size, C_LOOP)), micros[size, PYTHON_LOOP], micros[size, WHOLE]
            rows.append(
                [
                    place, f"{size}x{size}", work.size, None if c is None else spread(c), spread(python), spread(ours),
                    compared(ours, c), compared(ours, python), compared(ours, base),
                ]
            )  # fmt: skip
    head = (
        "place", "board", "bytes", "C loop, µs", "Python loop, µs", "whole, µs", "÷ C", "÷ Python",
        f"÷ {SIZES[0]}x{SIZES[0]}",
    )  # fmt: skip
    return Table(head, rows, "Boards")


def _one(work: Work, folder: Path) -> float:
    run = trio.run(partial(whole, work, folder))
    run.saved.unlink()
    return run.steps


@dataclass(frozen=True)
class Long:
    """A long match: seconds per request in each tenth of it, and the memory in bytes at the end of each."""

    tenths: list[float]
    held: list[int]


def long_match(work: Work, folder: Path) -> Long:
    """Play it, and measure time and memory after each tenth."""
    return trio.run(_long_match, work, folder)


async def _long_match(work: Work, folder: Path) -> Long:
    marks = [work.asked * k // 10 for k in range(1, 11)]
    looks: list[tuple[float, float, int]] = []
    gc.collect()

    async def pace(step: Step) -> None:
        if step.number == 1 or step.number in marks:
            arrived = perf_counter()
            size = held()[0]
            looks.append((arrived, perf_counter(), size))

    run = await whole(work, folder, pace=pace)
    run.saved.unlink()
    steps = [1, *marks]
    times = [(looks[k][0] - looks[k - 1][1]) / (steps[k] - steps[k - 1]) for k in range(1, len(steps))]
    return Long(times, [size for _, _, size in looks])


def long(setting: Setting, folder: Path) -> tuple[Table, str]:
    """A match of many rounds on one core: its first and its last tenth, and the growth of memory in between."""
    rounds = setting.pick(3_000, 100)
    game = games.find(GAME)
    work = of_rounds(setting, game, standard_map(game), rounds)
    firsts, lasts, growths = [], [], []
    with pinned(setting.places["same core"]):
        for _ in range(setting.pick(5, 1)):
            found = alone(partial(long_match, work, folder))
            firsts.append(found.tenths[0] * 1e6)
            lasts.append(found.tenths[-1] * 1e6)
            growths.append((found.held[-1] - found.held[1]) / 1024)  # the first tenth fills caches
    row = [spread(firsts), spread(lasts), spread(ratios(lasts, firsts)), spread(growths)]
    head = ("first tenth, µs per request", "last tenth", "last ÷ first", "memory growth after the first tenth, KiB")
    return Table(head, [row], f"A match of {rounds:,} rounds, same core"), f"It has {work.asked:,} requests."


def measure(setting: Setting) -> Findings:
    """Many matches, boards, and a long match."""
    folder = setting.room("saved")
    table, note = long(setting, folder)
    return Findings([crowds(setting, folder), boards(setting, folder), table], [note])


SUBJECT = Subject(
    "scale",
    "Scale",
    "Many matches at once in one process: they must not cause any faults. The charged times and the delay of the event loop "
    "show how accurate the clocks are (the start of all players is included). Then larger boards beside small ones, each "
    "also beside the bare loops with its messages, and a long match from beginning to end.",
    measure,
)
