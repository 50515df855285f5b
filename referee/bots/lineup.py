"""Bots that sit down at one game: how long their processes live, whether they can play it at all, and who fills up the seats."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.bots.bot import Bot
from referee.errors import BotError
from referee.game import Entrant, Game
from referee.names import shorten


def numbered(name: str, taken: Container[str]) -> str:
    """The name, with `#2`, `#3` and so on behind it where others have it already."""
    told, number = name, 1
    while told in taken:
        number += 1
        told = f"{name}#{number}"
    return told


def entered(bots: Sequence[Bot], game: Game[Any, Any]) -> tuple[list[Bot], list[str]]:
    """Bots as they play this game, their lifetime said, and a line about each that does not say that it plays it.

    Raises:
        BotError: one of them wants what the game does not allow, or is a program for another game.
    """
    notes = []
    for bot in bots:
        strange = bool(bot.games) and game.name not in bot.games
        games = shorten(", ".join(bot.games), 80)
        if bot.policy is not None and strange:
            raise BotError(
                f"bot {bot.name} is a program for {games}, and this is {game.name}: name a bot that plays it"
            )
        if bot.lifetime not in (None, *game.lifetimes):
            what = "a process for each turn" if bot.lifetime == "turn" else "one process for the whole match"
            wants = "one that plays the whole match" if bot.lifetime == "turn" else "a fresh one each turn"
            raise BotError(
                f'bot {bot.name}: its manifest says lifetime = "{bot.lifetime}", {what}, and {game.name} wants {wants}: '
                "take that line out"
            )
        if strange:
            notes.append(f"bot {bot.name} plays {games}, by its manifest; this is {game.name}")
    return [replace(bot, lifetime=bot.lifetime or game.lifetimes[0]) for bot in bots], notes


def filled(bots: Sequence[Bot], game: Game[Any, Any], seats: int, rng_seed: int) -> list[Bot]:
    """The bots, and behind them one of the house in each of the `seats` that is left; none where the game has no house.

    Args:
        rng_seed: the match's.
    """
    line_up = list(bots)
    names = {bot.name for bot in bots}
    for seat in range(len(bots), seats if game.house is not None else 0):
        assert game.house is not None
        policy = game.house(seat, rng_seed)
        name = numbered(policy.name, names)
        names.add(name)
        line_up.append(Bot(name, (), Path(), games=(game.name,), lifetime="turn", policy=policy, house=True))
    return line_up


def entrants(bots: Sequence[Bot]) -> list[Entrant]:
    """What a game is told of them before the match."""
    return [Entrant(bot.name, bot.lifetime or "game", bot.house) for bot in bots]
