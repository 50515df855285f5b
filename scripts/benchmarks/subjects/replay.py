"""Replay: the rules are played again and every line is compared; and seeks to any position."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.figures import spread
from benchmarks.records import saved
from benchmarks.report import Cell, Findings, Table
from benchmarks.seeking import seeks
from benchmarks.setting import Setting
from benchmarks.subject import Subject
from benchmarks.work import standard
from referee import games
from referee.record import Record, load
from referee.replay import Replay


def replayed(record: Record) -> float:
    """Verify a record that has been loaded: seconds."""
    began = perf_counter()
    Replay(record, own_chance=True).verify()
    return perf_counter() - began


def measure(setting: Setting) -> Findings:
    """A saved game of each game, in turn."""
    folder = setting.room("saved")
    paths: dict[str, Path] = {}
    for game in games.every():
        paths[game.title] = saved(standard(setting, game, setting.pick(1_200, 60)), folder)
    records = {title: load(path) for title, path in paths.items()}
    taken = setting.rounds(10, {title: partial(replayed, record) for title, record in records.items()})
    rows: list[list[Cell]] = []
    for title, seconds in taken.items():
        steps = len(records[title].steps)
        found = seeks(paths[title], setting.pick(60, 6))
        rows.append(
            [
                title, steps, spread([second * 1e3 for second in seconds]),
                spread([second / steps * 1e6 for second in seconds]),
                found.fresh.median * 1e3, found.fresh.greatest * 1e3, found.kept.median * 1e3, found.kept.greatest * 1e3,
            ]
        )  # fmt: skip
    head = (
        "game", "steps", "verified, ms", "µs per step", "seek when just opened: median, ms", "worst, ms",
        "seek when walked through: median, ms", "worst, ms",
    )  # fmt: skip
    return Findings([Table(head, rows)])


SUBJECT = Subject(
    "replay",
    "Replay and seek",
    "To verify a saved game, the rules are played again with the recorded answers, and every line is compared. A seek goes "
    "to one of many positions all over the match, in a replay that was just opened and in one that has been played through.",
    measure,
)
