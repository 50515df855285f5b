"""The bots of a match: found, entered and built. A bot that cannot be is refused, or forfeits (`--forfeit`).

1. Only bots that exist can forfeit: a word that leads nowhere is a slip of the user, and so is a command line (`cmd:`) without
   a program.
2. A bot that forfeits keeps its seat, and its player answers the first request with a fault of kind `exit`. It counts as a bot
   that lives for the match, if the game allows it: so the fault costs the match, and not a turn.
3. Whether a bot can be started shows only when all are. Then none has got a request, so the match begins anew without it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from referee import bots as bot_room
from referee.bots import Bot
from referee.errors import BotError, UsageError
from referee.game import Fault, FaultKind, Game
from referee.names import harmless, shorten

if TYPE_CHECKING:
    from referee.sandbox.limits import Level

DETAIL: Final = 300
"""Characters of a message in a fault."""


@dataclass(frozen=True, slots=True)
class LineUp:
    """The bots of a match, one for each seat.

    Attributes:
        game: that they play.
        written: before they were built. ready: to be started, or with the fault of a bot that forfeits.
        said: what the compilers of those that forfeit said, by seat.
    """

    game: Game[Any, Any]
    written: Sequence[Bot]
    ready: Sequence[Bot]
    said: Mapping[int, Sequence[str]]

    def without(self, seat: int, wrong: BotError, say: Callable[[str], None]) -> LineUp:
        """The same bots, but the one in this seat forfeits because of this error.

        Raises:
            BotError: the error, if no bot would be left.
        """
        ready = list(self.ready)
        ready[seat] = _forfeiting(ready[seat], wrong, self.game)
        if all(bot.house or bot.fault is not None for bot in ready):
            raise wrong
        say(f"{ready[seat].name} forfeits: {wrong}")
        return replace(self, ready=ready, said={**self.said, seat: getattr(wrong, "excerpt", ())})


def lined_up(
    words: Sequence[str],
    game: Game[Any, Any],
    rng_seed: int,
    *,
    seats: int,
    level: Level,
    forfeit: bool,
    say: Callable[[str], None],
) -> LineUp:
    """The bots that the user named, also those of the house, built if necessary; equal names get numbers.

    Args:
        seats: those that are left are for the house, if the game has one.
        forfeit: whether a bot that cannot be found fit or built forfeits.
        say: gets a line when a bot is built, and for a bot that forfeits.

    Raises:
        BotError: a bot cannot play, and does not forfeit; or none can. UsageError: no bot is named, or bots cannot be built here.
    """
    line_up, failed = list[Bot](), dict[int, BotError]()
    for seat, word in enumerate(words):
        try:
            bot = bot_room.a_person(game, bot_room.name_in(word)[0]) if names_a_person(word) else None
            line_up += bot_room.entered([bot or bot_room.named(word, game, seat, rng_seed)], game)
        except BotError as wrong:
            wrong.seat = seat
            if not (forfeit and _exists(word)):
                raise
            name, rest = bot_room.name_in(word)
            line_up.append(Bot(harmless(name or Path(rest).stem), (), Path(), given=name is not None))
            failed[seat] = wrong
    if all(bot.house for bot in line_up):
        raise UsageError("the house is not ranked: name at least one bot")
    written = bot_room.filled(bot_room.told_apart(line_up), game, seats, rng_seed)
    ready = list(written)
    if any(bot.unbuilt is not None for bot in written):
        from referee import building  # and trio, only if something is built
        from referee.cli.running import run

        if forfeit:
            for seat, result in enumerate(run(lambda: building.each(written, level=level, say=say))):
                if isinstance(result, BotError):
                    failed[seat] = result
                else:
                    ready[seat] = result.bot
        else:
            ready = run(lambda: building.ready(written, level=level, say=say))
    found = LineUp(game, written, ready, {})
    for seat, why in failed.items():
        found = found.without(seat, why, say)
    return found


def played(line_up: LineUp, play: Callable[[LineUp], None], *, forfeit: bool, say: Callable[[str], None]) -> None:
    """Play a match with these bots. Those that cannot be started forfeit (theory, point 3).

    Raises:
        BotError: a bot cannot be started, and does not forfeit; or none can. The errors of `play`.
    """
    while True:
        try:
            play(line_up)
        except BotError as wrong:
            if not forfeit or wrong.seat is None:
                raise
            line_up = line_up.without(wrong.seat, wrong, say)
        else:
            return


@contextmanager
def advice(words: Sequence[str], game: Game[Any, Any], *, forfeit: bool) -> Iterator[None]:
    """Errors about a bot also say that --forfeit lets the others play, if those are several."""
    try:
        yield
    except BotError as wrong:
        word = None if wrong.seat is None or forfeit else words[wrong.seat]
        others = [other for other in words if other != word and not bot_room.asks_for_the_house(other, game)[0]]
        if word is not None and _exists(word) and len(others) > 1:
            wrong.args = (f"{wrong}; --forfeit lets the others play",)
        raise


def names_a_person(word: str) -> bool:
    """Whether a user's word for a player of a single match means a person at the keyboard."""
    try:
        return bot_room.name_in(word)[1] == bot_room.HUMAN
    except OSError:  # a name that is too long, for example
        return False


def _exists(word: str) -> bool:
    """Whether a word leads to a bot, though perhaps to one that cannot play."""
    try:
        _, rest = bot_room.name_in(word)
    except OSError:  # a name that is too long, for example
        return False
    return rest != bot_room.HUMAN and (os.path.exists(os.path.expanduser(rest)) or rest in bot_room.samples())


def _forfeiting(bot: Bot, wrong: BotError, game: Game[Any, Any]) -> Bot:
    text = str(wrong)
    if (log := getattr(wrong, "log", None)) is not None:  # a saved game is for others, who do not have this file
        text = re.sub(rf"; [^;]* is in {re.escape(str(log))}", "", text)
    fault = Fault(FaultKind.EXIT, f"did not start: {shorten(text, DETAIL)}")
    lifetime = "game" if "game" in game.lifetimes else game.lifetimes[0]
    return replace(bot, lifetime=lifetime, unbuilt=None, policy=None, fault=fault)


def seats_in_words(seats: range) -> str:
    """The numbers of seats: `7`, or `5 to 7`."""
    return f"{seats.start + 1} to {seats.stop}" if len(seats) > 1 else f"{seats.start + 1}"
