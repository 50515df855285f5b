"""A whole match: what it takes, what its record weighs, and how soon any moment of it is there again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import trio

from benchmarks.figures import spread
from benchmarks.maps import standard_map
from benchmarks.plays import Run, Timed, header, patient, whole
from benchmarks.records import plain_size
from benchmarks.report import Cell, Findings, Table
from benchmarks.seeking import Seeks, seeks
from benchmarks.setting import Setting, pinned
from benchmarks.subject import Subject
from benchmarks.work import SEATS, SEED, Work, of_rounds
from referee import bots, games, match
from referee.errors import RefereeError
from referee.players.table import seated
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.limits import Level
from referee.sandbox.opening import opened


async def in_a_level(work: Work, folder: Path, level: Level) -> Run:
    """A match with its cells; opening the level is part of no figure."""
    with opened(level) as sandbox:
        return await whole(work, folder, sandbox=sandbox, suffix=".jsonl.gz")


def measure(setting: Setting) -> Findings:
    """Instant players, bare and in full cells, on one core and free; and the record of a match between sample bots."""
    game = games.find()
    rounds = setting.pick(300, 10)
    work = of_rounds(setting, game, standard_map(game), rounds)
    folder = setting.room("saved")
    runs: dict[str, list[Run]] = {}
    measures: dict[str, Callable[[], float]] = {}
    notes = []
    for level in (Level.NONE, Level.FULL):
        for place, cpus in setting.places.items():
            taken = runs[f"{place}, {level.value}"] = []
            measure_it = partial(one, work, folder, level, cpus, taken)
            try:
                measure_it()
            except RefereeError as failed:
                notes.append(f"isolation {level.value}: {failed}")
                break
            measures[f"{place}, {level.value}"] = measure_it
    setting.rounds(10, measures, quick=1)
    rows: list[list[Cell]] = []
    for name in measures:
        figures = [[1e3 * part for part in (run.steps, run.ended, run.whole)] for run in runs[name][2:]]
        rows.append([*name.split(", "), *map(spread, zip(*figures, strict=True))])
    tables = [
        Table(
            ("place", "isolation", "steps, ms", "the record's end, ms", "with start and end of the players, ms"),
            rows,
            f"{work.seats} instant players, {rounds} rounds, {work.asked:,} requests of {work.size:,} bytes",
        )
    ]
    instant = runs["same core, none"][0].saved
    samples = trio.run(partial(between_samples, setting, work, folder))
    weights = [weight("instant players", instant, setting), weight("the strongest sample bots", samples, setting)]
    head = ("who", "steps", "plain, kB", "compressed, kB", "read and opened, ms", "median position, ms", "worst, ms")
    tables.append(Table(head, weights, f"The record of a match of {rounds} rounds, and any position of it"))
    return Findings(tables, notes)


def one(work: Work, folder: Path, level: Level, cpus: frozenset[int], runs: list[Run]) -> float:
    """One more match."""
    with pinned(cpus):
        runs.append(trio.run(in_a_level, work, folder, level))
    return runs[-1].steps


def weight(who: str, path: Path, setting: Setting) -> list[Cell]:
    """A record's size, and how soon its positions are there."""
    found: Seeks = seeks(path, setting.pick(60, 6))
    plain, packed = plain_size(path) / 1e3, path.stat().st_size / 1e3
    return [who, found.steps, plain, packed, found.opened * 1e3, found.fresh.median * 1e3, found.fresh.greatest * 1e3]


async def between_samples(setting: Setting, work: Work, folder: Path) -> Path:
    """A match between the strongest sample bots that need no compiler, saved."""
    game = work.game
    names = bots.samples(game.name, own_runtime=True)[:SEATS]
    line_up = bots.entered(bots.find_all(names), game)
    state = game.start(work.setup, SEED, bots.entrants(line_up))
    recorder = Timed(folder / "samples.jsonl.gz", header(work, game.time))
    async with seated(BareSandbox(), [bot.policy or bot for bot in line_up], game) as players:
        await match.play(state, players, match.clocks_for(patient(game.time), state.seats), observers=[recorder])
    return recorder.path


SUBJECT = Subject(
    "match",
    "A match",
    "Wall time of a match: its steps, what its record takes at the end (a digest, compressing, a sync to the disk), and all of "
    "it with the start and the end of the players. *Any position* is what a replay that was just opened takes to get there.",
    measure,
)
