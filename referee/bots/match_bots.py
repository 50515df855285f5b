"""The bots of one match: whether they can play the game, how long their processes live, and who fills the other seats."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from referee import games
from referee.bots.bot import Bot
from referee.bots.manifest import MANIFEST
from referee.bots.starting import with_sdks
from referee.contract.game import Entrant, Game, Lifetime
from referee.errors import BotError, UsageError
from referee.files import assets
from referee.text.words import harmless, numbered, shorten

HOUSE: Final = "house"
"""The word that names a player of the house."""
HUMAN: Final = "human"
"""The word that names a person at the keyboard."""
_RENAMED: Final = re.compile(r"([^=/\\:]{1,60})=(.+)", re.DOTALL)


def enter(bot: Bot, game: Game[Any, Any]) -> Bot:
    """The bot with its lifetime in this game, and with the game's own SDKs.

    Raises:
        BotError: it plays other games only, is a program for another game, or needs a lifetime that the game does not allow.
    """
    if bot.games and game.name not in bot.games:
        raise BotError(_strange(bot, game))
    if bot.lifetime not in (None, *game.lifetimes):
        raise BotError(
            f'bot {bot.name}: its manifest says lifetime = "{bot.lifetime}", but {game.name} has only '
            f'"{game.lifetimes[0]}": remove that line'
        )
    return with_game_sdk(replace(bot, lifetime=bot.lifetime or game.lifetimes[0]), game.name)


def with_game_sdk(bot: Bot, game: str) -> Bot:
    """The bot, which finds the files that the package of a game has for its language when it is built and when it plays."""
    unbuilt = bot.unbuilt
    if unbuilt is not None and bot.language is not None:
        unbuilt = replace(unbuilt, game_sdk=assets.sdk(game, bot.language.name))
    return replace(bot, env=with_sdks(bot.env, game), unbuilt=unbuilt)


def _strange(bot: Bot, game: Game[Any, Any]) -> str:
    """The error for a bot that plays other games: how to choose those, or how to let it play this one."""
    flags = " or ".join(f"--game={name}" for name in bot.games if name in games.names())
    others = shorten(", ".join(bot.games), 80) + (f" ({flags})" if flags else "")
    if bot.policy is not None:
        return f"bot {bot.name} is a program for {others}, and this is {game.name}: name a bot that plays it"
    return (
        f"bot {bot.name} plays {others} by its {MANIFEST}, and this is {game.name}: name a bot that plays it, or add "
        f'"{game.name}" to games there'
    )


def with_distinct_names(bots: Iterable[Bot]) -> list[Bot]:
    """The bots; repeated names get a number."""
    by_name: dict[str, Bot] = {}
    for bot in bots:
        name = numbered(bot.name, by_name)
        by_name[name] = replace(bot, name=name)
    return list(by_name.values())


def of_the_house(game: Game[Any, Any], seat: int, rng_seed: int, name: str | None = None) -> Bot:
    """The player of the house for a seat of the match with this seed.

    Args:
        name: the user's name for it; None for its own name.

    Raises:
        BotError: the game has no house.
    """
    if game.house is None:
        raise BotError(f"{game.name} has no players of the house: name a bot for each seat")
    policy = game.house(seat, rng_seed)
    return replace(_without_process(game, name or policy.name, given=name is not None), policy=policy, house=True)


def name_in(word: str) -> tuple[str | None, str]:
    """The name in `NAME=BOT`, or None, and the rest."""
    renamed = None if word.startswith("cmd:") or os.path.exists(word) else _RENAMED.fullmatch(word)
    return (renamed[1], renamed[2]) if renamed else (None, word)


def names_the_house(word: str, game: Game[Any, Any]) -> bool:
    """Whether a user's word means a player of the house, if the game has one."""
    return game.house is not None and name_in(word)[1] == HOUSE and not Path(HOUSE).exists()


def names_a_person(word: str) -> bool:
    """Whether a user's word for a player of a single match means a person at the keyboard."""
    return name_in(word)[1] == HUMAN


def a_person(game: Game[Any, Any], name: str | None = None) -> Bot:
    """A person at the keyboard.

    Args:
        name: the user's name for this player.

    Raises:
        UsageError: nobody can play this game by hand.
    """
    if game.controls is None:
        raise UsageError(f"{game.title} cannot be played by a person: name bots only")
    called = harmless(name or HUMAN.capitalize())
    return replace(_without_process(game, called, given=name is not None), human=True)


def _without_process(game: Game[Any, Any], name: str, *, given: bool) -> Bot:
    # If a fault can cost a person one turn instead of the match, it does.
    lifetime: Lifetime = "turn" if "turn" in game.lifetimes else game.lifetimes[0]
    return Bot(name, (), Path(), games=(game.name,), lifetime=lifetime, given=given)


def refuse_person(word: str) -> None:
    """Refuse the word for a person where only programs can play. Raises: UsageError: this is that word."""
    if word == HUMAN:
        raise UsageError(f"`{HUMAN}` is a person at the keyboard, for `referee play` without -n: name a bot here")


def with_house(bots: Sequence[Bot], game: Game[Any, Any], seats: int, rng_seed: int) -> list[Bot]:
    """The bots, followed by players of the house for the remaining `seats`, if the game has a house.

    Args:
        rng_seed: the match's.
    """
    left = range(len(bots), seats if game.house is not None else 0)
    return with_distinct_names([*bots, *(of_the_house(game, seat, rng_seed) for seat in left)])


def entrants(bots: Sequence[Bot]) -> list[Entrant]:
    """The bots as entrants."""
    return [Entrant(bot.name, bot.lifetime or "game", bot.house, bot.given) for bot in bots]
