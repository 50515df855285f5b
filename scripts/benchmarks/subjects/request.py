"""The whole request of every game, compared with the same messages through the bare loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import trio

from benchmarks.figures import compared, spread
from benchmarks.loops import C_LOOP, PYTHON_LOOP, loops
from benchmarks.plays import Run, patient, whole
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, WrongError, pinned
from benchmarks.work import Work, entry, standard
from referee import bots, games
from referee.bots import Bot
from referee.contract.game import Fault, Game, Policy, Step
from referee.errors import RefereeError
from referee.match import loop
from referee.players.table import Contender, seated
from referee.sandbox.limits import Level
from referee.sandbox.opening import opened


def measure(setting: Setting) -> Findings:
    """Every game."""
    rows: list[list[Cell]] = []
    inside: list[list[Cell]] = []
    turns: list[list[Cell]] = []
    notes = []
    for game in games.every():
        work = standard(setting, game, setting.pick(1_200, 60))
        rows += by_processes(setting, work)
        if game.programs is not None:
            inside += by_programs(setting, work)
        if "turn" in game.lifetimes:
            game_turns, game_notes = by_turns(setting, work)
            turns += game_turns
            notes += game_notes
    head = ("game", "place", "bytes", "C loop, µs", "Python loop, µs", "whole, µs", "own part, µs", "÷ C", "÷ Python")
    tables = [Table(head, rows)]
    if inside:
        tables.append(Table(("game", "µs per request"), inside, "Programs in the game's own language, in the referee"))
    if turns:
        tables.append(
            Table(
                ("game", "isolation", "ms per request", "ms per step"), turns, "One process per turn, all seats at once"
            )
        )
    return Findings(tables, notes)


def by_processes(setting: Setting, work: Work) -> list[list[Cell]]:
    """A row for each choice of cores: loops and the referee, with one process per player for the whole match."""
    folder = setting.room("saved")
    micros = 1e6 / work.requests
    rows: list[list[Cell]] = []
    for cores, cpus in setting.places.items():
        runs: list[Run] = []
        measures = loops(setting, work)
        measures["whole"] = partial(_match, work, folder, runs)
        with pinned(cpus):
            figures = setting.rounds(15, measures)
        whole_, python, c = figures["whole"], figures[PYTHON_LOOP], figures[C_LOOP]
        own = spread([run.steps - run.charged for run in runs[1:]], micros) if work.abreast == 1 else None
        rows.append(
            [
                work.game.title, cores, work.size, spread(c, micros), spread(python, micros), spread(whole_, micros), own,
                compared(whole_, c), compared(whole_, python),
            ]
        )  # fmt: skip
    return rows


def _match(work: Work, folder: Path, runs: list[Run]) -> float:
    runs.append(trio.run(whole, work, folder))
    return runs[-1].steps


def by_programs(setting: Setting, work: Work) -> list[list[Cell]]:
    """A row: sample bots in the game's own language, which decide inside the referee's process."""
    policies = programs_of(work.game)[: work.seats]
    if len(policies) < work.seats:
        return []
    folder = setting.room("saved")
    match = partial(whole, work, folder, others=list(map(Contender, policies)))

    def decided() -> float:
        """Seconds per request."""
        run = trio.run(match)
        return run.steps / run.answers

    return [[work.game.title, spread(setting.rounds(15, {"inside": decided})["inside"], 1e6)]]


def programs_of(game: Game[Any, Any]) -> list[Policy[Any, Any]]:
    """The sample bots that are programs in the game's own language."""
    policies = (bots.find(name).policy for name in bots.samples(game.name))
    return [policy for policy in policies if policy is not None]


def by_turns(setting: Setting, work: Work) -> tuple[list[list[Cell]], list[str]]:
    """A row for each level of isolation: a fresh process for each turn."""
    seat_0 = next(message for message in work.messages() if message.seat == 0 and message.ask != "getName")
    (work.folder / "script.turn").write_bytes(entry(2**32 - 1, seat_0.answer))
    program = Bot("instant", [work.player, "script.turn"], work.folder, work.bot(0).env)
    steps = setting.pick(20, 2)
    notes = []
    measures: dict[str, Callable[[], float]] = {}
    for level in (Level.NONE, Level.FULL):
        turn = partial(trio.run, turns_in, work, program, level, steps)
        try:
            turn()
        except RefereeError as failed:
            notes.append(f"{work.game.title}, isolation {level.value}: {failed}")
        else:
            measures[level.value] = turn
    rows: list[list[Cell]] = []
    for level_name, seconds in setting.rounds(6, measures).items():
        rows.append([work.game.title, level_name, spread(seconds, 1e3 / work.seats), spread(seconds, 1e3)])
    return rows, notes


async def turns_in(work: Work, program: Bot, level: Level, steps: int) -> float:
    """The first steps of a match with a process per turn: seconds per step."""
    state = work.start("turn")
    clocks = loop.clocks_for(patient(work.game.time), state.seats)
    contenders: list[Bot | Policy[Any, Any]] = [program] * work.seats
    contenders += work.contenders()[work.seats :]
    count = 0
    began = ended = 0.0

    async def pace(step: Step) -> None:
        nonlocal count, began, ended
        for answer in step.answers:
            if isinstance(answer.action, Fault):
                raise WrongError(f"a turn failed: {answer.action.detail}")
        count += 1
        if began == 0.0 and state.round > 0:
            began, count = perf_counter(), 0
        ended = perf_counter()
        if count == steps and began:
            scope.cancel()

    with trio.CancelScope() as scope, opened(level) as sandbox:
        async with seated(sandbox, work.game, [Contender(bot, "turn") for bot in contenders]) as players:
            await loop.play(state, players, clocks, pace=pace)
    return (ended - began) / max(1, count)


SUBJECT = Subject(
    "request",
    "The whole request",
    "The board is encoded, the player asked, the answer checked against every clock and cap, the rules applied, the step "
    "recorded and written. *Own part* excludes the time charged to the players, which is the pipe and the player. If "
    "players answer concurrently, they are charged for the same time, so there is no such figure. *÷ C* and *÷ Python* "
    "compare the whole with the bare loops for the same messages; the loops ask one player after another. The whole "
    "includes the decisions of players of the house.",
    measure,
)
