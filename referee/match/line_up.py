"""From what a user says to a match that can be played: its first position, its seats and its limits.

1. `make_config` makes the config: it chooses the map, finds the bots, numbers equal names, and lets the house take the seats that
   are left. `build_bots` builds those that need it. `play` on the command line and in the library do both.
2. A bot that is not fit to play, or cannot be built or started, is a `BotError`. With `MatchConfig.forfeit` it forfeits
   instead, and the others play. Only bots that exist can forfeit: a word that names no bot is a slip of the user, and so is a
   command line (`cmd:`) without a program.
3. A bot that forfeits keeps its seat, and its player answers the first request with a fault of kind `exit`. It counts as a bot
   that lives for the match, if the game allows it, so the fault costs the match and not a turn.
4. A bot that cannot start is noticed only when all are started. No bot has had a request yet, so the match starts again
   without it (`with_forfeits`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from referee import bots
from referee.bots import Bot
from referee.contract.clock import DEBUGGING, Kind, TimeControl
from referee.contract.game import Fault, FaultKind, Game
from referee.contract.positions import Position
from referee.errors import BotError, UsageError
from referee.files import mapfiles
from referee.match.config import MatchConfig, Seat
from referee.sandbox.limits import Level, check_memory
from referee.text.amounts import Total
from referee.text.words import harmless, shorten

DETAIL: Final = 300
"""Characters of a message in a fault."""

Named: TypeAlias = str | Bot
"""A user's word for a bot, or a bot that a caller has made of its own policy."""
Say: TypeAlias = Callable[[str], None]
"""Gets a line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a match begins.

    Attributes:
        map: a map's name or file; None for the game's own, or the smallest that fits if it has too few starting places.
        rounds: the number of rounds; None for the map's.
        rotate: how many starting places each seat moves on.
        setup: a position to start from instead of a map.
        seed: the seed of all chance.
    """

    seed: int
    map: str | None = None
    rounds: int | None = None
    rotate: int = 0
    setup: Position | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a user may say about a match besides its bots and its start.

    Attributes:
        first, answer, total: the limits in seconds; None for the game's.
        clock: the time that `total` limits.
        no_timeouts: whether every answer may take so long that its author can use a debugger.
        pondering: whether bots may compute during the turns of others; None: unless a person plays.
        memory: the most bytes of a player; None for the default.
        people: whether a person may play.
        forfeit: see `MatchConfig`.
    """

    first: float | None = None
    answer: float | None = None
    total: Total | None = None
    clock: Kind = "wall"
    no_timeouts: bool = False
    pondering: bool | None = None
    isolation: Level = Level.FULL
    memory: int | None = None
    people: bool = False
    forfeit: bool = False

    def __post_init__(self) -> None:
        """Check the memory limit. Raises: UsageError: this level of isolation cannot enforce one."""
        check_memory(self.memory, self.isolation)

    def time(self, game: Game[Any, Any]) -> TimeControl:
        """The time limits in this game.

        Raises:
            UsageError: a limit is not above 0 or not finite, or there is one although there are no timeouts.
        """
        if not self.no_timeouts:
            try:
                return game.time.changed(self.first, self.answer, self.total, self.clock)
            except ValueError as wrong:
                raise UsageError(str(wrong)) from None
            except TypeError:  # from callers in Python
                raise UsageError('first, answer and total must be numbers of seconds; total may be "none"') from None
        if (self.first, self.answer, self.total) != (None, None, None):
            raise UsageError("no timeouts and a time limit contradict each other: leave one of them out")
        return replace(DEBUGGING, kind=self.clock)


def make_config(
    game: Game[Any, Any], start: Start, players: Sequence[Named], options: Options, say: Say
) -> MatchConfig:
    """The match that a user wants. Its bots are not built yet.

    Args:
        players: who plays in each seat. Remaining seats are for the house, if the game has one. Empty for sample bots.
        say: a function that gets a line if the map is not the usual one, and for each bot that forfeits.

    Raises:
        UsageError: the match cannot be played like this. SetupError: the position or the map breaks a rule of the game.
        BotError: a bot cannot play and does not forfeit, or no bot can play.
    """
    time = options.time(game)
    seed = start.seed
    if start.setup is None:
        map_name, setup, players = on_map(game, start, players, say)
    else:
        check_start(start.setup, start.map, start.rounds, start.rotate)
        map_name, setup = None, start.setup
        players = players or _samples(game, game.start(setup, seed).seats)
    seats, failed = list[Seat](), dict[int, BotError]()
    for number, player in enumerate(players):
        try:
            seats.append(_seat(player, game, number, seed, people=options.people))
        except BotError as wrong:
            wrong.seat = number
            if not (options.forfeit and isinstance(player, str) and bots.names_a_bot(player)):
                raise
            name, rest = bots.name_in(player)
            seats.append(Seat(Bot(harmless(name or Path(rest).stem), (), Path(), given=name is not None), player))
            failed[number] = wrong
    if all(seat.bot.house for seat in seats):
        raise UsageError("the house is not ranked: name at least one bot")
    size = game.start(setup, seed).seats if game.house is not None else len(seats)
    everybody = bots.with_house([seat.bot for seat in seats], game, size, seed)
    named = [replace(seat, bot=bot) for seat, bot in zip(seats, everybody, strict=False)]
    people = any(bot.human for bot in everybody)
    config = MatchConfig(
        game=game,
        setup=setup,
        map=map_name,
        seed=seed,
        seats=[*named, *map(Seat, everybody[len(named) :])],
        time=time,
        memory=options.memory,
        limited=people and options.answer is not None,
        pondering=not people if options.pondering is None else options.pondering,
        isolation=options.isolation,
        forfeit=options.forfeit,
    )
    for number, why in failed.items():
        config = without(config, number, why, say)
    return config


def check_start(setup: object, map_name: str | None, rounds: int | None, rotate: int) -> None:
    """Check that a match starts either from a position or on a map. Raises: UsageError: it would start from both."""
    if setup is not None and (map_name is not None or rounds is not None or rotate):
        raise UsageError("setup has its own map, rounds and places: leave out map, rounds and rotate, or edit it")


def on_map(
    game: Game[Any, Any], start: Start, players: Sequence[Named], say: Say
) -> tuple[str, Position, Sequence[Named]]:
    """The map, the first position on it, and the players. Raises: UsageError, SetupError: as `make_config`."""
    if start.rounds is not None and start.rounds < 1:
        raise UsageError("rounds must be at least 1")
    name, document = mapfiles.choose_map(game, start.map, seats=len(players))
    if start.map is None and name != game.maps.default:
        say(f"playing on {name}, because {game.maps.default} has too few starting places; --map chooses another map")
    with mapfiles.about(name):
        players = players or _samples(game, mapfiles.usual_players(game, document))
        setup = mapfiles.setup(
            game, document, seats=len(players), rng_seed=start.seed, rounds=start.rounds, rotate=start.rotate
        )
    return name, setup, players


def _samples(game: Game[Any, Any], most: int) -> Sequence[Named]:
    """Sample bots for a match. Raises: UsageError: the game has none."""
    if not (samples := bots.samples(game.name, own_runtime=True)[:most]) and game.house is None:
        raise UsageError(f"{game.title} has no sample bots: name a bot for each seat")
    return samples


def _seat(player: Named, game: Game[Any, Any], number: int, seed: int, *, people: bool) -> Seat:
    """The seat of a player. Its bot has a lifetime.

    Raises:
        BotError: there is no such bot, or it cannot play this game. UsageError: a file that the word names cannot be used.
    """
    if isinstance(player, Bot):
        bot, word = player, ""
    elif people and bots.names_a_person(player):
        bot, word = bots.a_person(game, bots.name_in(player)[0]), player
    else:
        bot, word = bots.bot_of_word(player, game, number, seed), player
    return Seat(bots.enter(bot, game), word)


async def build_bots(config: MatchConfig, say: Say) -> MatchConfig:
    """The match, with its bots built. Call this from the main thread.

    Args:
        say: a function that gets a line when a bot is built, and for each bot that forfeits.

    Raises:
        BotError: a bot cannot be built and does not forfeit, or all forfeit. IsolationError: this machine cannot isolate builds.
        UsageError: the products of builds cannot be kept.
    """
    if all(bot.unbuilt is None for bot in config.bots):
        return config
    from referee import building  # and trio's tools, only if something is built

    results = await building.build_each(config.bots, level=config.isolation, say=say, to_the_end=config.forfeit)
    seats = [
        seat if isinstance(result, BotError) else replace(seat, bot=result.bot, source=seat.bot)
        for seat, result in zip(config.seats, results, strict=True)
    ]
    config = replace(config, seats=seats)
    for number, result in enumerate(results):
        if isinstance(result, BotError):
            config = without(config, number, result, say)
    return config


def with_forfeits(config: MatchConfig, play: Callable[[MatchConfig], None], say: Say) -> None:
    """Play a match. A bot that cannot be started forfeits, and the match starts again without it (theory, point 4).

    Raises:
        BotError: a bot cannot be started and does not forfeit, or all forfeit. The errors of `play`.
    """
    while True:
        try:
            play(config)
        except BotError as wrong:
            if not config.forfeit or wrong.seat is None:
                raise
            config = without(config, wrong.seat, wrong, say)
        else:
            return


def without(config: MatchConfig, number: int, wrong: BotError, say: Say) -> MatchConfig:
    """The same match, in which the bot of a seat forfeits because of this error.

    Raises:
        BotError: the error, if no bot would be left.
    """
    seats, seat, game = list(config.seats), config.seats[number], config.game
    text = str(wrong)
    if (log := getattr(wrong, "log", None)) is not None:  # a saved game is for others, who do not have this file
        text = re.sub(rf"; [^;]* is in {re.escape(str(log))}", "", text)
    fault = Fault(FaultKind.EXIT, f"did not start: {shorten(text, DETAIL)}")
    lifetime = "game" if "game" in game.lifetimes else game.lifetimes[0]
    bot = replace(seat.bot, lifetime=lifetime, unbuilt=None, policy=None, fault=fault)
    seats[number] = replace(seat, bot=bot, source=seat.written, output=getattr(wrong, "excerpt", ()))
    if all(other.bot.house or other.bot.fault is not None for other in seats):
        raise wrong
    say(f"{bot.name} forfeits: {wrong}")
    return replace(config, seats=seats)
