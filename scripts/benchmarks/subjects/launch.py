"""From the start of a program to its first answer, for each language, bare and in a full cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

import trio

from benchmarks.figures import spread
from benchmarks.plays import PATIENT
from benchmarks.report import Cell, Findings, Subject, Table
from benchmarks.setting import Setting, WrongError, levels
from benchmarks.work import begun, seats_of, usual_map
from referee import bots, building, games
from referee.bots import Bot, starter
from referee.contract.clock import Clock
from referee.contract.game import Fault, Game, Request
from referee.errors import BotError
from referee.players.base import Player
from referee.players.fairness import OwnTime, own_time
from referee.players.oneshot import OneShotPlayer
from referee.players.pondering import Pondering
from referee.players.process_player import ProcessPlayer
from referee.players.table import end_players
from referee.sandbox.cells.cell import Launch
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox


@dataclass(frozen=True)
class Built:
    """A bot that can be started, its language and its game."""

    title: str
    game: Game[Any, Any]
    bot: Bot

    def first_request(self) -> Request[Any]:
        """For its name or, if it lives for a turn, for its first action."""
        document = usual_map(self.game)
        seats = seats_of(self.game, document)
        setup = self.game.maps.setup(document, seats=seats, rng_seed=1, rounds=1)
        return begun(self.game, setup, seats, self.bot.lifetime or "game").requests()[0]


CHEAP: Final = ("c", "python")
"""The languages of a quick run: a compiled one and an interpreted one, which are ready quickly even with an empty cache."""
ROUNDS: Final = 10
STARTS: Final = 5
"""Starts per level in a round: single starts of a runtime differ by more than the cost of a cell."""


class Starts(NamedTuple):
    """Seconds from starts of a program to its first answers: the first start at a level, and the median of later ones."""

    first: float
    later: float


async def first_answers(kit: Built, usable: Sequence[Level], times: int) -> dict[Level, Starts]:
    """Start a program once and then `times` times in each level, in turn.

    Preparing a launch, which happens once for a bot, and ending the program are not included.
    """
    took: dict[Level, list[float]] = {level: [] for level in usable}
    request = kit.first_request()
    with ExitStack() as stack:
        own = stack.enter_context(own_time())
        launches = {level: await stack.enter_context(open_sandbox(level)).prepare(kit.bot) for level in usable}
        for _ in range(1 + times):
            for level, launch in launches.items():
                took[level].append(await first_answer(launch, kit, request, own))
    return {level: Starts(first, median(later)) for level, (first, *later) in took.items()}


async def first_answer(launch: Launch, kit: Built, request: Request[Any], own: OwnTime) -> float:
    """Start a program, ask it once, end it: seconds from its start to its answer."""
    players: list[Player] = []
    pondering = Pondering()
    async with trio.open_nursery() as nursery, end_players(players):
        began = perf_counter()
        if kit.bot.lifetime == "turn":  # its program starts when it is asked
            places = trio.CapacityLimiter(1)
            players.append(OneShotPlayer(launch, kit.game, 0, places=places, pondering=pondering, own=own))
        else:
            players.append(ProcessPlayer(launch, kit.game, 0, pondering=pondering, own=own))
        [player] = players
        await player.settle(nursery)
        if kit.bot.lifetime == "turn":
            began = perf_counter()
        answer = await player.ask(request, Clock(PATIENT))
        took = perf_counter() - began
        if isinstance(answer.action, Fault):
            raise WrongError(f"{kit.bot.name}: {answer.action.detail}; {player.last_words(3)}")
    return took


def measure(setting: Setting) -> Findings:
    """Every language with a starter kit and a compiler, in turn."""
    kits, notes = built_kits(setting)
    usable = levels(notes)
    measures: dict[str, Callable[[], dict[Level, Starts]]] = {
        kit.title: partial(trio.run, first_answers, kit, usable, setting.pick(STARTS, 1)) for kit in kits
    }
    figures = setting.rounds(ROUNDS, measures)
    rows = [row(kit, figures[kit.title]) for kit in kits]
    head = ("language", "first bot for", "bare, ms", "full cell, ms", "cell - bare, ms", "new cell - bare, ms")
    return Findings([Table(head, rows)], notes)


def row(kit: Built, rounds: Sequence[Mapping[Level, Starts]]) -> list[Cell]:
    """The row of a language: both levels, then the extra time of a cell within a round, and of one that is made first."""
    bare, cell = ([starts[level] for starts in rounds if level in starts] for level in (Level.NONE, Level.FULL))
    more = [in_cell.later - alone.later for alone, in_cell in zip(bare, cell, strict=False)]
    new = [in_cell.first - alone.first for alone, in_cell in zip(bare, cell, strict=False)]
    columns = ([starts.later for starts in bare], [starts.later for starts in cell], more, new)
    return [kit.title, kit.game.title, *(spread(seconds, 1e3) if seconds else None for seconds in columns)]


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
                bot = bots.enter(bots.find(str(folder)), game)
            except BotError as failed:
                notes.append(f"{starter.title(language)}: {failed}")
                continue
            if bot.policy is None:
                kits[language] = Built(starter.title(language), game, bot)
    ready = []
    for _, kit in sorted(kits.items()):
        try:
            [bot] = trio.run(partial(building.ready, [kit.bot], level=Level.REDUCED))
            ready.append(replace(kit, bot=bot))
        except BotError as failed:
            notes.append(f"{kit.title}: {failed}")
    return ready, notes


SUBJECT = Subject(
    "launch",
    "Launches",
    "From the start of a process to its first answer, without building the bot or preparing its folder. The bots of the "
    "starter kits answer with their names; bots that live for one turn play a whole turn. *Bare* is an ordinary process, "
    "and the full cell is what `referee play` uses. Both are started in turn, and the figure of a round is the median of "
    f"{STARTS} starts. *Cell - bare* is the difference within a round. A bot's cell is made at its first start in a run: "
    "*new cell - bare* is the difference of first starts. If a runtime's own start varies by more, some rounds are below 0.",
    measure,
)
