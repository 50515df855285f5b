"""From the start of a program to its first answer, for each language, bare and in a full cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

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


async def first_answer(game: Game[Any, Any], bot: Bot, request: Request[Any], level: Level, times: int) -> float:
    """Start a program so often, ask it once, end it: the seconds of a start to a first answer, in the median.

    Preparing a launch, which is done once a match, is not timed; nor is the end.
    """
    took = []
    with opened(level) as sandbox:
        launch = await sandbox.prepare(bot)
        for _ in range(times):
            players: list[Player] = []
            async with trio.open_nursery() as nursery, ending(players):
                began = perf_counter()
                player = await _begun(launch, game, bot, players, nursery)
                if bot.lifetime == "turn":
                    began = perf_counter()
                answer = await player.ask(request, Clock(PATIENT))
                took.append(perf_counter() - began)
                if isinstance(answer.action, Fault):
                    raise WrongError(f"{bot.name}: {answer.action.detail}; {player.last_words(3)}")
    return median(took)


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
    measures: dict[str, Callable[[], float]] = {}
    shut: set[Level] = set()
    for kit in kits:
        request = first_request(kit.game, kit.bot)
        for level in (Level.NONE, Level.FULL):
            if level in shut:
                continue
            measure_it = partial(trio.run, first_answer, kit.game, kit.bot, request, level, setting.pick(3, 1))
            try:
                measure_it()
            except RefereeError as failed:
                notes.append(f"{kit.title}, isolation {level.value}: {failed}")
                if kit is kits[0]:
                    shut.add(level)
            else:
                measures[f"{kit.title} {level.value}"] = measure_it
    taken = setting.rounds(10, measures, quick=1)
    rows = [row(kit, taken) for kit in kits]
    head = ("language", "first bot for", "bare, ms", "full cell, ms", "more, ms")
    return Findings([Table(head, rows)], notes)


def row(kit: Built, taken: Mapping[str, Sequence[float]]) -> list[Cell]:
    """A language's line."""
    bare, full = ([second * 1e3 for second in taken.get(f"{kit.title} {level}", [])] for level in ("none", "full"))
    more = [one - other for one, other in zip(full, bare, strict=False)]
    return [kit.title, kit.game.title, *(spread(figures) if figures else None for figures in (bare, full, more))]


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
    "process, the full cell is what `referee play` uses.",
    measure,
)
