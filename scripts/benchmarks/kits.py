"""The bots of the starter kits, one a language, built as users' bots are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import trio

from benchmarks.setting import Setting
from referee import bots, building, games, starter
from referee.bots import Bot
from referee.building import Outcome
from referee.errors import BotError, RefereeError
from referee.game import Game
from referee.sandbox.limits import Level


@dataclass(frozen=True)
class Built:
    """A bot that can be started: what it is written in, and for which game."""

    title: str
    game: Game[Any, Any]
    bot: Bot


def built_kits(setting: Setting) -> tuple[list[Built], list[str]]:
    """A bot in each language, for the first game that has a kit in it; and why others are not there.

    Programs in a game's own language are none: nothing is started for them.
    """
    found: dict[str, Built] = {}
    notes = []
    for game in games.every():
        for language in starter.languages_for(game.name):
            if language in found:
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


def _built(kits: list[Built], notes: list[str]) -> tuple[list[Built], list[str]]:
    outcomes = built([kit.bot for kit in kits])
    ready = []
    for kit, outcome in zip(kits, outcomes, strict=True):
        if isinstance(outcome, Outcome):
            ready.append(replace(kit, bot=outcome.bot))
        else:
            notes.append(f"{kit.title}: {outcome}")
    return ready, notes


def built(unbuilt: list[Bot]) -> list[Outcome | BotError]:
    """Build bots side by side, in the jail where there is one; what is in the user's cache is taken from there."""

    async def each(level: Level) -> list[Outcome | BotError]:
        return await building.each(unbuilt, level=level)

    try:
        return trio.run(each, Level.FULL)
    except RefereeError:
        return trio.run(each, Level.NONE)
