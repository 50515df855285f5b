"""A whole match: its time, the size of its record, and the time to reach any position in it."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import trio

from benchmarks.figures import compared, spread
from benchmarks.loops import bare_loop
from benchmarks.plays import whole
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, levels, pinned
from benchmarks.work import SEATS, Work, of_rounds, standard_map
from referee import bots, games
from referee.match.config import Seat
from referee.saved.record import load
from referee.saved.replay import Replay


def measure(setting: Setting) -> Findings:
    """Instant players, bare and in full cells, on one core and free; and the record of a match between sample bots."""
    game = games.find()
    rounds = setting.pick(300, 10)
    work = of_rounds(setting, game, standard_map(game), rounds)
    rows, notes, instant = played_in(setting, work)
    head = (
        "place", "isolation", "Python loop, ms", "steps, ms", "÷ Python", "the record's end, ms",
        "with start and end of the players, ms",
    )  # fmt: skip
    title = f"{work.seats} instant players, {rounds} rounds, {len(work.messages):,} requests of {work.size:,} bytes"
    samples = between_samples(work)
    weights = [weight("instant players", instant, setting), weight("the strongest sample bots", samples, setting)]
    columns = (
        "players", "steps", "plain, kB", "compressed, kB", "read and opened, ms", "median position, ms", "worst, ms",
    )  # fmt: skip
    record = Table(columns, weights, f"The record of a match of {rounds} rounds, and any position of it")
    return Findings([Table(head, rows, title), record], notes)


def played_in(setting: Setting, work: Work) -> tuple[list[list[Cell]], list[str], Path]:
    """A row for each choice of cores and level of isolation, beside the loop; notes on missing rows; one of the saved games."""
    rows: list[list[Cell]] = []
    notes: list[str] = []
    usable = levels(notes)
    for cores, cpus in setting.places.items():
        measures: dict[str, Callable[[], Any]] = {"loop": partial(bare_loop, work)}
        measures |= {level.value: partial(trio.run, whole, work, level) for level in usable}
        with pinned(cpus):
            figures = setting.rounds(10, measures)
        bare = figures["loop"]
        for level in usable:
            runs = figures[level.value]
            steps, ends, wholes = ([getattr(run, name) for run in runs] for name in ("steps", "ended", "whole"))
            times = spread(bare, 1e3), spread(steps, 1e3), compared(steps, bare)
            rows.append([cores, level.value, *times, spread(ends, 1e3), spread(wholes, 1e3)])
    return rows, notes, runs[0].saved


def weight(players: str, path: Path, setting: Setting) -> list[Cell]:
    """The size of a record, and the time in which a newly opened replay reaches each of some evenly spread positions."""
    began = perf_counter()
    record = load(path)
    steps = len(Replay(record).steps)
    opened = perf_counter() - began
    count = setting.pick(60, 6)
    seeks = [seek(Replay(record), round(k * steps / count)) * 1e3 for k in range(1, count + 1)]
    plain, packed = len(gzip.decompress(path.read_bytes())) / 1e3, path.stat().st_size / 1e3
    return [players, steps, plain, packed, opened * 1e3, median(seeks), max(seeks)]


def seek(replay: Replay, step: int) -> float:
    """Go to a position: seconds."""
    began = perf_counter()
    replay.state_at(step)
    return perf_counter() - began


def between_samples(work: Work) -> Path:
    """A match between the strongest sample bots that need no compiler, saved."""
    names = bots.samples(work.game_name, own_runtime=True)[:SEATS]
    line_up = [Seat(bots.enter(bot, work.game)).contender() for bot in bots.find_all(names)]
    return trio.run(partial(whole, work, others=line_up)).saved


SUBJECT = Subject(
    "match",
    "A match",
    "Wall time of a match: its steps, beside the same messages through the bare loop (*÷ Python*); the end of its "
    "record (a digest, compression, a sync to disk); and the whole match, including the start and the end of the players. "
    "*Any position* is the time that a newly opened replay needs to get there.",
    measure,
)
