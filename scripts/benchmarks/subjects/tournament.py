"""Tournaments: matches per second."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.figures import compared, spread
from benchmarks.loops import bare_loop
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import INSTANT, Setting, WrongError, levels
from benchmarks.work import SEATS, SEED, Work, of_rounds, usual_map
from benchmarks.workers import ready, side_by_side
from referee import games
from referee.sandbox.limits import Level

COMMAND: Final = (sys.executable, "-m", "referee")
GAME: Final = games.find("snakecore")
JOBS: Final = 2
LOOPS: Final = f"{JOBS} Python loops"
SETTINGS: Final = """\
name = "Bench"
bots = {bots}

[match]
seats = {seats}
rounds = {rounds}
isolation = "{level}"
repeat = {repeat}

[run]
rng_seed = {seed}
jobs = {jobs}
"""


def measure(setting: Setting) -> Findings:
    """Bare loops and the command, in turn."""
    player = setting.compiled(INSTANT)
    rounds = setting.pick(300, 10)
    work = of_rounds(setting, GAME, usual_map(GAME), rounds)
    seconds = setting.pick(1.5, 0.1)
    measures: dict[str, Callable[[], float]] = {
        LOOPS: lambda: sum(side_by_side(partial(loop_worker, work, seconds), JOBS))
    }
    notes: list[str] = []
    for level in setting.pick(levels(notes), [Level.NONE]):
        measures[f"`referee tournament run`, {level.value}"] = partial(by_run, setting, player, level, rounds)
    figures = setting.rounds(3, measures)
    rows: list[list[Cell]] = []
    for name, rates in figures.items():
        requests = spread([rate * len(work.messages) for rate in rates])
        rows.append([name, spread(rates), requests, compared(rates, figures[LOOPS])])
    head = ("how", "matches per second", "requests per second", "÷ Python loops")
    title = f"{SEATS} instant players, {rounds} rounds, {len(work.messages):,} requests, {JOBS} matches at a time"
    return Findings([Table(head, rows, title)], notes)


def by_run(setting: Setting, player: Path, level: Level, rounds: int) -> float:
    """`referee tournament run`: matches per second, from the end of each worker's first match to the last end.

    Raises:
        WrongError: it failed.
    """
    folder = setting.room("run")
    text = SETTINGS.format(
        bots=[str(player)] * SEATS, seats=SEATS, rounds=rounds, level=level.value, repeat=setting.pick(30, 2), seed=SEED,
        jobs=JOBS,
    )  # fmt: skip
    (folder / "tournament.toml").write_text(text)
    command = [*COMMAND, "tournament", "run", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = [(perf_counter(), line) for line in process.stderr]
    ends = [at for at, line in lines if line.startswith("Finished game ")]
    if process.returncode or len(ends) <= JOBS:
        raise WrongError(f"{shlex.join(command)} failed: {lines[-1:]}")
    shutil.rmtree(folder)
    return (len(ends) - JOBS) / (ends[-1] - ends[JOBS - 1])


def loop_worker(work: Work, seconds: float) -> float:
    """A bare Python loop in its own process: it starts the players, exchanges a match's messages and ends them, repeatedly.

    Returns:
        Matches per second, after a warm-up match and when all other processes are ready.
    """
    bare_loop(work)
    ready()
    count = 0
    began = perf_counter()
    ends = began + seconds
    while perf_counter() < ends:
        bare_loop(work)
        count += 1
    return count / (perf_counter() - began)


SUBJECT = Subject(
    "tournament",
    "Tournaments",
    "Matches per second of as many bare Python loops as matches at a time, which only start the players, exchange the messages "
    "of a match, blocking, and end the players; and of `referee tournament run`, from the first end of a match on.",
    measure,
)
