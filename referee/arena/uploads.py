"""Uploads as files: their names in the arena's folders, and the bot that is made from each.

An upload is untrusted. A bot is always found as a *folder*: a program of this machine or a `#!` file alone is refused. So no
upload decides which program of this machine runs outside a cell.
"""

from __future__ import annotations

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
from referee.files.reading import head
from referee.sandbox.limits import Limits
from referee.sandbox.tempdir import remove
from referee.text.words import shorten

ZIP: Final = ".zip"
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")


def stored_name(number: int, file: str) -> str:
    """The name of an upload in the arena's folders: its id, and the suffix of the author's file."""
    return f"{number}{PurePath(file).suffix.lower()}"


def file_of(files: ArenaFiles, upload: Upload) -> Path | None:
    """The file of an upload, which intake moves from the inbox to `sources`; None if there is none."""
    paths = (folder / stored_name(upload.id, upload.file) for folder in (files.sources, files.inbox))
    return next((path for path in paths if path.is_file()), None)


def accepts(file: str) -> bool:
    """Whether a file of this name can be a bot: a ZIP file, a source, or a program of a game's own language."""
    path = PurePath(file)
    return path.suffix.lower() == ZIP or languages.by_suffix(path) is not None or is_own_program(path)


def bot_of(upload: Path, file: str, folder: Path, game: str, limits: LimitSettings) -> Bot:
    """The bot of an upload.

    Args:
        upload: the stored file. file: the name of the author's file. folder: for its files; made anew.

    Raises:
        BotError: it is no bot of this game; the message is for its author.
    """
    if not accepts(file):
        why = "is neither a ZIP file nor a source in a known language: zip the folder of the bot"
        raise BotError(f"{shorten(file, 60)} {why}")
    remove(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    data = head(upload, limits.upload * MIB + 1) or b""
    if len(data) > limits.upload * MIB:
        raise BotError(f"it has more than {limits.upload} MiB: take out what the bot does not need to play")
    if PurePath(file).suffix.lower() == ZIP:
        caps = replace(Limits(), folder=limits.unpacked * MIB, folder_files=limits.files)
        unpack(data, folder, shorten(file, 60), caps)
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
