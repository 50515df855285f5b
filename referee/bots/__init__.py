"""Bots as users name them, and how each is started.

A bot is a folder (with `bot.toml`, unless all its sources are in one language), a ZIP file of one, a source file in a known
language, a program (the machine's, or one in a game's own language), or `cmd:PROGRAM ARGS`; `NAME=BOT` gives it another
name in tables and files. A bare word that is not a path is a sample bot. If a bot cannot be started, that is the user's
error: a `BotError` with a one-line message. `Bot.unbuilt` says how to build a bot that needs it; `referee.building` does so.
"""

from referee.bots.bot import Bot, Unbuilt
from referee.bots.finding import bot_of_word, find, find_all, is_zip, names_a_bot, sample, samples, samples_by_name
from referee.bots.manifest import MANIFEST, Manifest, manifest_of
from referee.bots.match_bots import (
    HOUSE,
    HUMAN,
    a_person,
    enter,
    entrants,
    name_in,
    names_a_person,
    of_the_house,
    refuse_person,
    with_distinct_names,
    with_game_sdk,
    with_house,
)
from referee.bots.programs import programs_of
from referee.bots.sources import main_language, neighbours
from referee.bots.starting import environment

__all__ = [
    "HOUSE", "HUMAN", "MANIFEST", "Bot", "Manifest", "Unbuilt", "a_person", "bot_of_word", "enter", "entrants",
    "environment", "find", "find_all", "is_zip", "main_language", "manifest_of", "name_in", "names_a_bot",
    "names_a_person", "neighbours", "of_the_house", "programs_of", "refuse_person", "sample",
    "samples", "samples_by_name", "with_distinct_names", "with_game_sdk", "with_house",
]  # fmt: skip
