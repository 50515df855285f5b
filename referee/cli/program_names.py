"""Which program in a game's own language the user means: a file, a bot's folder, or a sample bot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import BotError, UsageError
from referee.text.words import shorten

if TYPE_CHECKING:
    from referee.analysis.programs import Script
    from referee.contract.game import Game, Programs


def open_program(word: str, game: str | None) -> Script:
    """The program that the user named: a file or a bot. With `--game`, the file may have any suffix.

    Raises:
        UsageError: the file cannot be read, or the game has no language. BotError: there is no such program.
    """
    from referee import bots as bot_room
    from referee.analysis.programs import Script
    from referee.bots.programs import CAP
    from referee.files import reading

    path = Path(word)
    if word != reading.STDIN and not (path.exists() and not path.is_dir()):
        path = _of_bot(word)
    rules, programs = bot_room.programs_of(path, word) if game is None else games_with_language(game)[0]
    return Script(rules, programs, reading.read(path, CAP), str(path))


def games_with_language(game: str | None) -> list[tuple[Game[Any, Any], Programs]]:
    """The games with a language of their own, or the one that the user named.

    Raises:
        UsageError: that game has none.
    """
    from referee import games

    every = games.every() if game is None else [games.find(game)]
    if pairs := [(rules, rules.programs) for rules in every if rules.programs is not None]:
        return pairs
    raise UsageError(f"{game} has no language of its own; bots for it are processes: referee rules {game}")


def _of_bot(word: str) -> Path:
    """The program file of a sample bot or of a bot's folder.

    Raises:
        BotError: there is no such bot, or it is not a program in a game's language.
    """
    from referee import bots as bot_room

    languages = games_with_language(None)
    samples = [name for rules, _ in languages for name in bot_room.samples(rules.name)]
    if not Path(word).is_dir() and bot_room.sample(word) is None:
        ends = " ".join(programs.suffix for _, programs in languages)
        raise BotError(
            f"there is no program {shorten(repr(word))}: name a file ({ends}), a folder with {bot_room.MANIFEST} or a "
            f"sample bot ({', '.join(samples)})"
        )
    bot = bot_room.find(word)
    if bot.policy is None or not bot.files:
        such = " or ".join(samples[:2])
        raise BotError(f"bot {bot.name} is not a program in a game's own language: name one, such as {such}")
    return next(iter(bot.files.values()))
