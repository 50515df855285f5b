"""Uploads as files: their names in the arena's folders, and the folder of a bot that is made from each.

An upload is untrusted. A bot is always found as a *folder*: a program of this machine or a `#!` file alone is refused, and so no
upload decides which program of this machine runs outside a cell.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

from referee import bots, languages
from referee.arena.rows import Upload
from referee.arena.settings import MIB, ArenaFiles, LimitSettings
from referee.bots import Bot
from referee.bots.folders import innermost
from referee.bots.programs import is_own_program
from referee.bots.zips import unpack
from referee.errors import BotError
from referee.sandbox.limits import Limits
from referee.sandbox.tempdir import remove
from referee.text.words import shorten

ZIP: Final = ".zip"
_SUFFIX: Final = re.compile(r"\.[a-z0-9_+]{1,12}")
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")


def stored(number: int, file: str) -> str:
    """The name of an upload in the arena's folders: its id, and the suffix that its author's file has."""
    suffix = PurePath(file).suffix.lower()
    return f"{number}{suffix if _SUFFIX.fullmatch(suffix) else ''}"


def file_of(files: ArenaFiles, upload: Upload) -> Path | None:
    """The file of an upload, which intake takes out of the inbox; None if it is not kept."""
    paths = (folder / stored(upload.id, upload.file) for folder in (files.sources, files.inbox))
    return next((path for path in paths if path.is_file()), None)


def accepts(file: str) -> bool:
    """Whether a file of this name can be a bot: a ZIP file, a source, or a program of a game's own language."""
    path = PurePath(file)
    known = languages.by_suffix(path) is not None or is_own_program(path)
    return path.suffix.lower() == ZIP or known


def bot_of(upload: Path, file: str, folder: Path, game: str, limits: LimitSettings) -> Bot:
    """The bot of an upload.

    Args:
        upload: the upload. file: the name that its author's file had. folder: for its files; made anew.

    Raises:
        BotError: it is no bot of this game; the message is for its author.
    """
    if not accepts(file):
        raise BotError(
            f"{shorten(file, 60)} is neither a ZIP file nor a source in a known language: zip the folder of the bot"
        )
    remove(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(upload, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as opened:
        data = opened.read(limits.upload * MIB + 1)
    most = limits.unpacked * MIB
    if len(data) > limits.upload * MIB:
        raise BotError(f"it has more than {limits.upload} MiB: take out what the bot does not need to play")
    if PurePath(file).suffix.lower() == ZIP:
        unpack(data, folder, shorten(file, 60), replace(Limits(), folder=most, folder_files=limits.files))
        inner = innermost(folder)
    else:
        inner = folder
        folder.mkdir()
        name = file if _NAME.fullmatch(file) else f"bot{PurePath(file).suffix}"
        (folder / name).write_bytes(data)
    try:
        bot = bots.find(str(inner), game)
    except BotError as wrong:
        place = re.compile("|".join(f"(?:the folder )?{re.escape(str(path))}" for path in (inner, folder)))
        wrong.args = (place.sub("the bot", str(wrong)).replace("the bot/", ""),)
        raise
    if bot.games and game not in bot.games:
        raise BotError(f"it plays {shorten(', '.join(bot.games), 80)}, not {game}: see `games` in its bot.toml")
    return bot
