"""The bots of the starter kits, one per language, built like the bots of users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import trio

from benchmarks.setting import Setting
from referee import bots, building, games
from referee.bots import Bot
from referee.building import BuildResult
from referee.errors import BotError, RefereeError
from referee.game import Game
from referee.kits import starter
from referee.sandbox.limits import Level

CHEAP: Final = ("c", "javascript", "python")
"""The languages of a quick run: a compiled one and two interpreted ones, which build quickly even with an empty cache."""


@dataclass(frozen=True)
class Built:
    """A bot that can be started, its language and its game."""

    title: str
    game: Game[Any, Any]
    bot: Bot


def built_kits(setting: Setting) -> tuple[list[Built], list[str]]:
    """A bot in each language, for the first game with a kit in it; and notes on the missing ones.

    Programs in a game's own language do not count, since they need no process.
    """
    found: dict[str, Built] = {}
    every = sorted({language for game in games.every() for language in starter.languages_for(game.name)})
    languages, notes = measured_languages(setting, every)
    for game in games.every():
        for language in starter.languages_for(game.name):
            if language in found or language not in languages:
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
                found[language] = Built(starter.title(language), game, bot)
    return (*_built(list(found.values()), notes),)


def measured_languages(setting: Setting, every: Sequence[str]) -> tuple[list[str], list[str]]:
    """The languages to measure: all, or the cheap ones in a quick run; and a note that says so."""
    if not setting.quick:
        return list(every), []
    chosen = [language for language in every if language in CHEAP]
    told = ", ".join(map(starter.title, chosen))
    return chosen, [f"Quick: only languages that build quickly ({told}); a full run includes every language."]


def _built(kits: list[Built], notes: list[str]) -> tuple[list[Built], list[str]]:
    outcomes = built([kit.bot for kit in kits])
    ready = []
    for kit, outcome in zip(kits, outcomes, strict=True):
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
