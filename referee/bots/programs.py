"""Bots that are programs in a game's own language, which the referee runs itself."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any, Final

from referee import games
from referee.bots.bot import Bot
from referee.contract.game import Game, Programs
from referee.errors import BotError
from referee.files.reading import head
from referee.text.words import shorten

CAP: Final = 256 * 1024
"""The most bytes of such a program, many times the length of a long one."""


def suffixes() -> list[str]:
    """The suffixes of such files, with the dot."""
    return sorted(game.programs.suffix for game in games.every() if game.programs is not None)


def is_own_program(path: PurePath) -> bool:
    """Whether a file is such a program, by its suffix."""
    return path.suffix != "" and games.game_of_programs(path.suffix) is not None


def own_program(path: Path, word: str, *, follow: bool = False) -> Bot:
    """The bot of such a file, named by its stem.

    Args:
        word: how the user named it.
        follow: whether the file may be a link. Links in an untrusted folder are refused.

    Raises:
        ProgramError: it is not well formed. BotError: it cannot be read, or no game has programs with its suffix.
    """
    game, programs = programs_of(path, word)
    source = read_program(path.resolve() if follow else path, word)
    policy, files = programs.compile(source, word), {path.name: path.resolve()}
    return Bot(path.stem, (), path.parent.resolve(), files=files, trusted=True, games=(game.name,), policy=policy)


def programs_of(path: Path, word: str) -> tuple[Game[Any, Any], Programs]:
    """The game whose programs have the suffix of this file, and its programs. Raises: BotError: there is none."""
    game = games.game_of_programs(path.suffix)
    if game is not None and game.programs is not None:
        return game, game.programs
    raise BotError(f"{shorten(word)}: no game has programs with this suffix; the suffixes are {' '.join(suffixes())}")


def read_program(path: Path, word: str) -> bytes:
    """A program's bytes; no link is followed. Raises: BotError: it cannot be read, is a link, or is far too long."""
    try:
        source = head(path, CAP + 1)
    except OSError as failed:
        raise BotError(f"{shorten(word)} cannot be read: {failed.strerror}") from None
    if source is None:
        raise BotError(f"{shorten(word)} is not a regular file: name a file")
    if len(source) > CAP:
        raise BotError(f"{shorten(word)} is longer than {CAP >> 10} KiB, the most that is allowed")
    return source
