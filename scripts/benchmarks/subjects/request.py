"""The whole request of every game, compared with the same messages through a bare loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import trio

from benchmarks.figures import compared, spread
from benchmarks.loops import bare_loop
from benchmarks.plays import whole
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, WrongError, levels, pinned
from benchmarks.work import ALL, Work, entry, of_rounds, standard, standard_map
from referee import bots, games
from referee.contract.game import Game
from referee.players.table import Contender
from referee.sandbox.limits import Level
from referee.saved.record import load


def measure(setting: Setting) -> Findings:
    """Every game."""
    rows: list[list[Cell]] = []
    inside: list[list[Cell]] = []
    turns: list[list[Cell]] = []
    notes: list[str] = []
    for game in games.every():
        work = standard(setting, game, setting.pick(1_200, 60))
        rows += by_processes(setting, work)
        if game.programs is not None:
            inside.append(by_programs(setting, work))
        if "turn" in game.lifetimes:
            turns += by_turns(setting, game, notes)
    head = ("game", "place", "bytes", "Python loop, µs", "whole, µs", "own part, µs", "÷ Python")
    by_turn = ("game", "isolation", "ms per request", "ms per step")
    tables = [
        Table(head, rows),
        Table(("game", "µs per request"), inside, "Programs in the game's own language, in the referee"),
        Table(by_turn, turns, "One process per turn, all seats at once"),
    ]
    return Findings(tables, notes)


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


def by_programs(setting: Setting, work: Work) -> list[Cell]:
    """A row: sample bots in the game's own language, which decide inside the referee's process."""
    policies = [policy for name in bots.samples(work.game_name) if (policy := bots.find(name).policy) is not None]
    players = [Contender(policy) for policy in policies[: work.seats]]

    def decided() -> float:
        """Seconds per request."""
        run = trio.run(partial(whole, work, others=players))
        return run.steps / run.answers

    return [work.game.title, spread(setting.rounds(15, {"inside": decided})["inside"], 1e6)]


def by_turns(setting: Setting, game: Game[Any, Any], notes: list[str]) -> list[list[Cell]]:
    """A row for each level of isolation: a fresh process for each turn."""
    work = of_rounds(setting, game, standard_map(game), setting.pick(20, 2))
    seat_0 = next(message for message in work.messages if message.seat == 0 and message.ask != "getName")
    (work.folder / "script.turn").write_bytes(entry(ALL, seat_0.answer))
    program = replace(work.bot(0), argv=[work.player, "script.turn"])
    players = [Contender(bot, "turn") for bot in [*[program] * work.seats, *work.contenders()[work.seats :]]]

    def step_of(level: Level) -> float:
        """Seconds per step."""
        run = trio.run(partial(whole, work, level, others=players, lifetime="turn"))
        steps = load(run.saved).steps
        if any(answer.fault for step in steps for answer in step.answers):
            raise WrongError("a turn failed")
        return run.steps / len(steps)

    measures = {level.value: partial(step_of, level) for level in levels(notes)}
    return [
        [game.title, level, spread(seconds, 1e3 / work.seats), spread(seconds, 1e3)]
        for level, seconds in setting.rounds(6, measures).items()
    ]


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
