"""The whole request of every game, compared with the same messages through a bare loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import trio

from benchmarks.figures import compared, spread
from benchmarks.loops import bare_loop
from benchmarks.plays import whole
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, pinned
from benchmarks.work import Work, standard
from referee import games


def measure(setting: Setting) -> Findings:
    """Every game."""
    amount = setting.pick(1_200, 60)
    rows = [row for game in games.every() for row in by_processes(setting, standard(setting, game, amount))]
    head = ("game", "place", "bytes", "Python loop, µs", "whole, µs", "own part, µs", "÷ Python")
    return Findings([Table(head, rows)])


def by_processes(setting: Setting, work: Work) -> list[list[Cell]]:
    """A row for each choice of cores: the loop and the referee, with one process per player for the whole match."""
    micros = 1e6 / len(work.messages)
    rows: list[list[Cell]] = []
    for cores, cpus in setting.places.items():
        measures: dict[str, Callable[[], Any]] = {
            "loop": partial(bare_loop, work),
            "runs": partial(trio.run, whole, work),
        }
        with pinned(cpus):
            figures = setting.rounds(15, measures)
        bare, runs = figures["loop"], figures["runs"]
        steps = [run.steps for run in runs]
        own = spread([run.steps - run.charged for run in runs], micros) if not work.game.together else None
        times = spread(bare, micros), spread(steps, micros)
        rows.append([work.game.title, cores, work.size, *times, own, compared(steps, bare)])
    return rows


SUBJECT = Subject(
    "request",
    "The whole request",
    "The board is encoded, the player asked, the answer checked against every clock and cap, the rules applied, the step "
    "recorded and written. *Own part* excludes the time charged to the players, which is the pipe and the player. If "
    "players answer concurrently, they are charged for the same time, so there is no such figure. *÷ Python* compares the "
    "whole with the bare loop for the same messages; the loop asks one player after another. The whole includes the "
    "decisions of players of the house.",
    measure,
)
