"""From the start of a program to its first answer, for each language, bare and in a full cell.

Two things make a start in a cell slower or faster: the cell itself, and the options that keep runtimes within the memory
limit. So there is a third measurement: an ordinary process with the command line and the environment of the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Final

import trio

from benchmarks.figures import spread
from benchmarks.plays import PATIENT
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, WrongError
from benchmarks.work import begun, of_rounds, seats_of, usual_map
from referee import bots, building, games
from referee.bots import Bot, starter
from referee.building import BuildResult
from referee.contract.clock import Clock
from referee.contract.game import Fault, Game, Request
from referee.errors import BotError, RefereeError
from referee.players.base import Player
from referee.players.oneshot import OneShotPlayer
from referee.players.process_player import ProcessPlayer
from referee.players.table import ending
from referee.sandbox.cells.cell import Launch
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import opened
from referee.sandbox.runtimes import describe


class Way(StrEnum):
    """How a program is started."""

    BARE = "bare"
    OPTIONS = "bare, with the cell's options"
    CELL = "in a full cell"

    @property
    def level(self) -> Level:
        """Its isolation."""
        return Level.FULL if self is Way.CELL else Level.NONE


@dataclass(frozen=True)
class Built:
    """A bot that can be started, its language and its game."""

    title: str
    game: Game[Any, Any]
    bot: Bot


CHEAP: Final = ("c", "python")
"""The languages of a quick run: a compiled one and an interpreted one, which are ready quickly even with an empty cache."""
ROUNDS: Final = 10
STARTS: Final = 5
"""Starts per way in a round: single starts of a runtime differ by more than the cost of a cell."""


def started(kit: Built, request: Request[Any], ways: Sequence[Way], times: int) -> dict[Way, float]:
    """The median seconds to the first answer, each way (`first_answers`)."""
    return trio.run(first_answers, kit.game, kit.bot, request, ways, times)


async def first_answers(
    game: Game[Any, Any], bot: Bot, request: Request[Any], ways: Sequence[Way], times: int
) -> dict[Way, float]:
    """Start a program `times` times each way, in turn: the median seconds from its start to its first answer.

    Preparing a launch, which happens once per match, and ending the program are not included.
    """
    took: dict[Way, list[float]] = {way: [] for way in ways}
    with ExitStack() as stack:
        launches = {}
        for way in ways:
            program = with_options(bot) if way is Way.OPTIONS else bot
            launches[way] = await stack.enter_context(opened(way.level)).prepare(program)
        for _ in range(times):
            for way, launch in launches.items():
                took[way].append(await first_answer(launch, game, bot, request))
    return {way: median(seconds) for way, seconds in took.items()}


def with_options(bot: Bot) -> Bot:
    """The bot with the command line and the environment of a cell, for a process without a cell."""
    runtime = describe(bot, str(bot.cwd), {}, memory=Limits().memory)
    return replace(bot, argv=runtime.argv, env={**bot.env, **runtime.env})


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
    """A player that is ready. A player that lives for a turn starts its program only when it is asked."""
    turns = bot.lifetime == "turn"
    player = OneShotPlayer(launch, game, 0, places=trio.CapacityLimiter(1)) if turns else ProcessPlayer(launch, game, 0)
    players.append(player)
    await player.settle(nursery)
    return player


def measure(setting: Setting) -> Findings:
    """Every language with a starter kit and a compiler, in turn."""
    kits, notes = built_kits(setting)
    kits = [instant(setting), *kits]
    measures: dict[str, Callable[[], dict[Way, float]]] = {}
    shut: set[Level] = set()
    for kit in kits:
        request = first_request(kit.game, kit.bot)
        answers = partial(started, kit, request)
        ways = []
        for way in Way:
            if way.level in shut:
                continue
            try:
                answers([way], 1)
            except RefereeError as failed:
                notes.append(f"{kit.title}, {way.value}: {failed}")
                if kit is kits[0]:
                    shut.add(way.level)
            else:
                ways.append(way)
        measures[kit.title] = partial(answers, ways, setting.pick(STARTS, 1))
    figures = setting.rounds(ROUNDS, measures, quick=1, warm=False)  # each was started above
    rows = [row(kit, figures[kit.title]) for kit in kits]
    head = (
        "language", "first bot for", "bare, ms", "with options, ms", "full cell, ms", "cell - options, ms", "cell - bare, ms",
    )  # fmt: skip
    return Findings([Table(head, rows)], notes)


def row(kit: Built, rounds: Sequence[Mapping[Way, float]]) -> list[Cell]:
    """The row of a language: each way, then the extra time of a cell, compared with the options and with bare, within a round."""
    figures = [[seconds[way] for seconds in rounds if way in seconds] for way in Way]
    for way in (Way.OPTIONS, Way.BARE):
        pairs = [(seconds[way], seconds[Way.CELL]) for seconds in rounds if way in seconds and Way.CELL in seconds]
        figures.append([cell - other for other, cell in pairs])
    return [kit.title, kit.game.title, *(spread(seconds, 1e3) if seconds else None for seconds in figures)]


def instant(setting: Setting) -> Built:
    """The instant player, which has no runtime to start."""
    game = games.find()
    return Built("C, instant", game, of_rounds(setting, game, usual_map(game), 1).bot(0))


def first_request(game: Game[Any, Any], bot: Bot) -> Request[Any]:
    """The first request of a bot: its name or, if it lives for a turn, its first action."""
    document = usual_map(game)
    seats = seats_of(game, document)
    setup = game.maps.setup(document, seats=seats, rng_seed=1, rounds=1)
    return begun(game, setup, seats, bot.lifetime or "game").requests()[0]


def built_kits(setting: Setting) -> tuple[list[Built], list[str]]:
    """A bot in each language, from the first starter kit in it; and notes on the missing ones.

    Programs in a game's own language do not count, since they need no process.
    """
    kits: dict[str, Built] = {}
    notes: list[str] = []
    for game in games.every():
        for language in starter.languages_for(game.name):
            if language in kits or (setting.quick and language not in CHEAP):
                continue
            folder = setting.room(language) / "bot"
            starter.write(starter.kit(language, game.name), folder, "Bench")
            folder.chmod(0o755)
            try:
                (bot,) = bots.entered([bots.find(str(folder))], game)
            except BotError as failed:
                notes.append(f"{starter.title(language)}: {failed}")
                continue
            if bot.policy is None:
                kits[language] = Built(starter.title(language), game, bot)
    ready = []
    sorted_kits = [kits[language] for language in sorted(kits)]
    for kit, outcome in zip(sorted_kits, built([kit.bot for kit in sorted_kits]), strict=True):
        if isinstance(outcome, BuildResult):
            ready.append(replace(kit, bot=outcome.bot))
        else:
            notes.append(f"{kit.title}: {outcome}")
    return ready, notes


def built(unbuilt: list[Bot]) -> list[BuildResult | BotError]:
    """Build bots concurrently, in a jail if possible; builds in the user's cache are reused."""

    async def each(level: Level) -> list[BuildResult | BotError]:
        return await building.each(unbuilt, level=level)

    try:
        return trio.run(each, Level.FULL)
    except RefereeError:
        return trio.run(each, Level.NONE)


SUBJECT = Subject(
    "launch",
    "Launches",
    "From the start of a process to its first answer, without building the bot or preparing its folder. The bots are those "
    "of the starter kits. They answer with their names; bots that live for one turn play a whole turn. *Bare* is an "
    "ordinary process, and the full cell is what `referee play` uses. *With options* is an ordinary process with the "
    "command line and the environment of the cell, which keep runtimes within the memory limit. All are started in turn, "
    f"and the figure of a round is the median of {STARTS} starts. *Cell - options* is the extra time of the cell compared "
    "with a process with the same options in the same round, *cell - bare* compared with the bare process. If a runtime's "
    "own start varies by more than that, some rounds are below 0.",
    measure,
)
