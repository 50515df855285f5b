"""Tournaments: matches per second by whole commands, and the coordinator's own work per match."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.figures import compared, spread
from benchmarks.loops import bare_loop
from benchmarks.rehearsals import Mark, Rehearsal, prepared, rehearse
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import INSTANT, Setting, WrongError, levels
from benchmarks.work import SEATS, SEED, Work, of_rounds, usual_map
from benchmarks.workers import alone, ready, side_by_side
from referee import games
from referee.sandbox.limits import MIB, Level

COMMAND: Final = (sys.executable, "-m", "referee")
GAME: Final = games.find("snakecore")
JOBS: Final = 2
ENTRANTS: Final = 40
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
    """Both tables."""
    speed, notes = speed_of(setting)
    return Findings([speed, costs_of(setting)], notes)


def speed_of(setting: Setting) -> tuple[Table, list[str]]:
    """Whole commands and bare loops, in turn."""
    player = setting.compiled(INSTANT)
    rounds = setting.pick(300, 10)
    work = of_rounds(setting, GAME, usual_map(GAME), rounds)
    seconds = setting.pick(1.5, 0.1)
    measures: dict[str, Callable[[], float]] = {
        LOOPS: lambda: sum(side_by_side(partial(loop_worker, work, seconds), JOBS))
    }
    notes: list[str] = []
    for level in setting.pick(levels(notes), [Level.NONE]):
        measures[f"`referee play`, {level.value}"] = partial(by_play, setting, player, level, rounds)
        measures[f"`referee tournament run`, {level.value}"] = partial(by_run, setting, player, level, rounds)
    figures = setting.rounds(3, measures, warm=not setting.quick)
    rows: list[list[Cell]] = []
    for name, rates in figures.items():
        play = figures.get(f"`referee play`, {name.rpartition(' ')[2]}")
        requests = spread([rate * len(work.messages) for rate in rates])
        rows.append([name, spread(rates), requests, compared(rates, figures[LOOPS]), compared(rates, play)])
    head = ("how", "matches per second", "requests per second", "÷ Python loops", "÷ `referee play`")
    title = f"{SEATS} instant players, {rounds} rounds, {len(work.messages):,} requests, {JOBS} matches at a time"
    return Table(head, rows, title), notes


def by_play(setting: Setting, player: Path, level: Level, rounds: int) -> float:
    """`referee play` again and again, as many at a time as there are jobs: matches per second."""
    folder = setting.room("play")
    count = setting.pick(12, JOBS)
    usual = [f"--rounds={rounds}", f"--seed={SEED}", f"--isolation={level.value}", "--quiet", "--no-watch"]

    def play(number: int) -> None:
        command = [*COMMAND, "play", *[str(player)] * SEATS, *usual, f"-o={folder / f'{number}.jsonl.gz'}"]
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)

    began = perf_counter()
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(play, range(count)))
    return count / (perf_counter() - began)


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


def costs_of(setting: Setting) -> Table:
    """Rehearsals of three formats, each in a fresh process."""
    formats: Sequence[tuple[str, str, int, int]] = (
        ("round-robin", 'kind = "round-robin"\neach = {each}', ENTRANTS, setting.pick(100_000, 40)),
        ("ladder", 'kind = "ladder"\nseries = {series}', ENTRANTS, setting.pick(10_000, 40)),
        ("compare", 'kind = "compare"\nelo1 = 0.1\nmost = {series}', 2, setting.pick(8_000, 40)),
    )
    rows: list[list[Cell]] = []
    for name, text, entrants, matches in formats:
        series = matches // SEATS
        folder = prepared(setting.room("rehearsal"), text.format(each=matches // entrants, series=series), entrants)
        rows.append([name, *row(alone(partial(rehearse, folder, matches)), matches)])
        shutil.rmtree(folder)
    head = (
        "format", "entrants", "matches", "tours", "first tenth, ms of CPU per match", "last tenth", "table", "in all",
        "in all, ms of wall time", "RSS after a tenth, MiB", "at the end", "most, with the table", "ledger",
    )  # fmt: skip
    return Table(head, rows, f"Instant workers, {SEATS} seats, {JOBS} jobs")


def row(rehearsal: Rehearsal, matches: int) -> list[Cell]:
    """The figures of a rehearsal.

    Raises:
        WrongError: not all matches count.
    """
    if rehearsal.matches != matches or len(rehearsal.marks) != 11:
        raise WrongError(f"{rehearsal.matches} of {matches} matches count")
    start, first, *_, ninth, last = rehearsal.marks

    def cpu(since: Mark, until: Mark, count: float) -> float:
        return (until.cpu - since.cpu) / count * 1e3

    tenth = matches / 10
    return [
        rehearsal.entrants, matches, rehearsal.tours, cpu(start, first, tenth), cpu(ninth, last, tenth),
        cpu(last, rehearsal.table, matches), cpu(start, rehearsal.table, matches),
        (rehearsal.table.wall - start.wall) / matches * 1e3, first.memory / MIB, last.memory / MIB, rehearsal.peak / MIB,
        rehearsal.ledger / MIB,
    ]  # fmt: skip


SUBJECT = Subject(
    "tournament",
    "Tournaments",
    "First, matches per second: as many bare Python loops as matches at a time, which only start the players, exchange the "
    "messages of a match, blocking, and end the players; `referee play`, a command for each match; and `referee tournament "
    "run`, from the first end of a match on. Then what a match costs the coordinator of a tournament: its workers play "
    "nothing and answer at once. That is its scheduling, the ledger, and the table at the end. A format of many tours keeps "
    "the results of all, so its memory grows; in a tour it does not.",
    measure,
)
