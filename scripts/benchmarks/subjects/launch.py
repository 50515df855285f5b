"""From the start of a program to its first answer, for each language, bare and in a full cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Final

import trio

from benchmarks.figures import spread
from benchmarks.kits import Built, built_kits
from benchmarks.loops import WrongError
from benchmarks.maps import usual_map
from benchmarks.plays import PATIENT
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting
from benchmarks.subject import Subject
from benchmarks.work import SEATS, begun, made
from referee import games
from referee.bots import Bot
from referee.clock import Clock
from referee.errors import RefereeError
from referee.game import Fault, Game, Request
from referee.players.base import Player
from referee.players.oneshot import OneShotPlayer
from referee.players.process_player import ProcessPlayer
from referee.players.room import Room
from referee.players.table import ending
from referee.sandbox.cells.cell import Launch
from referee.sandbox.limits import Level
from referee.sandbox.opening import opened

BARE: Final = Level.NONE
CELL: Final = Level.FULL
ROUNDS: Final = 10
STARTS: Final = 5
"""Starts at each level in a round: single ones of a runtime differ by more than a cell takes."""


def started(kit: Built, request: Request[Any], levels: Sequence[Level], times: int) -> dict[Level, float]:
    """See `first_answers`."""
    return trio.run(first_answers, kit.game, kit.bot, request, levels, times)


async def first_answers(
    game: Game[Any, Any], bot: Bot, request: Request[Any], levels: Sequence[Level], times: int
) -> dict[Level, float]:
    """Start a program so often at each level, in turn: the seconds from its start to its first answer, in the median.

    Preparing a launch, which is done once a match, is not timed; nor is the end.
    """
    took: dict[Level, list[float]] = {level: [] for level in levels}
    with ExitStack() as stack:
        launches = {level: await stack.enter_context(opened(level)).prepare(bot) for level in levels}
        for _ in range(times):
            for level, launch in launches.items():
                took[level].append(await first_answer(launch, game, bot, request))
    return {level: median(seconds) for level, seconds in took.items()}


async def first_answer(launch: Launch, game: Game[Any, Any], bot: Bot, request: Request[Any]) -> float:
    """Start a program, ask it once, end it: seconds from its start to its answer."""
    players: list[Player] = []
    async with trio.open_nursery() as nursery, ending(players):
        began = perf_counter()
        player = await _begun(launch, game, bot, players, nursery)
        if bot.lifetime == "turn":
            began = perf_counter()
        answer = await player.ask(request, Clock(PATIENT))
        took = perf_counter() - began
        if isinstance(answer.action, Fault):
            raise WrongError(f"{bot.name}: {answer.action.detail}; {player.last_words(3)}")
    return took


async def _begun(
    launch: Launch, game: Game[Any, Any], bot: Bot, players: list[Player], nursery: trio.Nursery
) -> Player:
    """A player that can be asked. One that lives for a turn starts its program only then."""
    turns = bot.lifetime == "turn"
    player = OneShotPlayer(launch, game, 0, room=Room()) if turns else ProcessPlayer.start(launch, game, 0)
    players.append(player)
    await player.settle(nursery)
    return player


def measure(setting: Setting) -> Findings:
    """Every language that there is a starter kit in and a compiler for, in turn."""
    kits, notes = built_kits(setting)
    kits = [instant(setting), *kits]
    measures: dict[str, Callable[[], dict[Level, float]]] = {}
    shut: set[Level] = set()
    for kit in kits:
        request = first_request(kit.game, kit.bot)
        answers = partial(started, kit, request)
        levels = []
        for level in (BARE, CELL):
            if level in shut:
                continue
            try:
                answers([level], 1)
            except RefereeError as failed:
                notes.append(f"{kit.title}, isolation {level.value}: {failed}")
                if kit is kits[0]:
                    shut.add(level)
            else:
                levels.append(level)
        measures[kit.title] = partial(answers, levels, setting.pick(STARTS, 1))
    taken = setting.rounds(ROUNDS, measures, quick=1, warm=False)  # each was started above
    rows = [row(kit, taken[kit.title]) for kit in kits]
    head = ("language", "first bot for", "bare, ms", "full cell, ms", "more, ms")
    return Findings([Table(head, rows)], notes)


def row(kit: Built, rounds: Sequence[Mapping[Level, float]]) -> list[Cell]:
    """A language's line: bare, in a cell, and what the cell takes more, which is the difference within a round."""
    bare, cell = ([found[level] * 1e3 for found in rounds if level in found] for level in (BARE, CELL))
    more = [full - other for other, full in zip(bare, cell, strict=True)] if bare and cell else []
    return [kit.title, kit.game.title, *(spread(figures) if figures else None for figures in (bare, cell, more))]


def instant(setting: Setting) -> Built:
    """The instant player: what is left when no runtime has to start."""
    game = games.find()
    document = usual_map(game)
    setup = game.maps.setup(document, seats=SEATS, rng_seed=1, rounds=1)
    work = made(setting, game, setup, SEATS)
    return Built("C, instant" if setting.compiler else "Python, instant", game, work.bot(0))


def first_request(game: Game[Any, Any], bot: Bot) -> Request[Any]:
    """What a bot is asked first: its name, or if it lives for a turn its first action."""
    document = usual_map(game)
    seats = min(SEATS, len(game.maps.facts(document).starts))
    setup = game.maps.setup(document, seats=seats, rng_seed=1, rounds=1)
    due = begun(game, setup, seats, bot.lifetime or "game").requests()
    return due[0]


SUBJECT = Subject(
    "launch",
    "Launches",
    "From the start of a process to its first answer, without building it and without preparing its folder: the bots of the "
    "starter kits, which answer with their names, or where a process lives for a turn with a whole turn. Bare is an ordinary "
    "process, the full cell is what `referee play` uses. Both are started in turn, and a round's figure is the median of "
    f"{STARTS} starts; *more* is what the cell takes more than the bare process of the same round, and where a runtime's own "
    "start wanders more than that, some rounds are below 0.",
    measure,
)
