"""How a bot is started: the full path of its program, and its whole environment."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from referee import languages
from referee.errors import BotError
from referee.files import assets
from referee.languages import Command, Language, Sdk
from referee.sandbox.runtimes import base_python
from referee.sandbox.runtimes.bot_files import head_of
from referee.text.words import shorten

_OWN_PYTHON: Final = frozenset({"python", "python3"})
_BY_OWN_PYTHON: Final = re.compile(rb"#![ \t]*(?:/\S*/env[ \t]+)?(?:/\S*/)?python3?[ \t]*\n")
"""Matches the first line of a script that Python runs, such as `#!/usr/bin/env python3`."""


def environment() -> dict[str, str]:
    """The whole environment of a bot. It contains nothing of the user's.

    The SDKs are where each language's programs look for them; hashes are fixed, so that a bot plays the same game twice.
    """
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    sdks = {language.finds_sdk: sdk_of(language) for language in languages.every() if language.finds_sdk}
    return {
        **inherited,
        "LANG": "C.UTF-8",
        **{variable: str(folder) for variable, folder in sdks.items() if folder is not None},
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
    }


def with_sdks(env: Mapping[str, str], game: str) -> Mapping[str, str]:
    """The environment of a bot that also finds the SDKs of the game itself, after the referee's own."""
    with_game = dict(env)
    for language in languages.every():
        if (variable := language.finds_sdk) and (folder := assets.sdk(game, language.name)) is not None:
            with_game[variable] = os.pathsep.join(filter(None, (env.get(variable), str(folder))))
    return with_game


def sdk_of(language: Language) -> Path | None:
    """The folder of a language's SDK; None without one."""
    folder = assets.folder("sdk") / language.sdk if language.sdk is not None else None
    return folder if folder is not None and folder.is_dir() else None


def sdk_for(language: Language) -> Sdk | None:
    """A language's SDK for its recipes; None without one."""
    folder = sdk_of(language)
    if folder is None:
        return None
    files = tuple(sorted(path.name for path in folder.iterdir() if path.is_file()))
    text = (folder / languages.HOSTS).read_text(encoding="utf-8") if languages.HOSTS in files else ""
    return Sdk(str(folder), languages.hosts_in(text) if text else (), files)


def command(run: Command, folder: Path, word: str) -> list[str]:
    """The command line of a bot, with the full path of its program. If `python3` runs a script, so it does by its first line.

    Raises:
        BotError: see `program`.
    """
    start, *arguments = run
    path = program(start, folder, word)
    if "/" in start and _BY_OWN_PYTHON.match(head_of(Path(path))):
        return [str(base_python()), start, *arguments]
    return [path, *arguments]


def program(name: str, folder: Path, word: str) -> str:
    """The full path of a program, as a shell in `folder` would find it; `python3` is the referee's own.

    Raises:
        BotError: there is none, or it may not be executed; `word` is how the user named the bot.
    """
    bot = f"bot {shorten(word)}"
    if name in _OWN_PYTHON:
        return str(base_python())
    if "/" in name:
        path = Path(os.path.abspath(folder / name))  # links stay: a virtual environment is found by the link
        if not path.exists():
            raise BotError(f"{bot}: there is no program {name}: build it first, or correct the path")
        if not path.is_file() or not os.access(path, os.X_OK):
            raise BotError(f"{bot}: {name} may not be executed: run chmod +x on it")
        return str(path)
    tool = languages.tool(name)
    for called in tool.programs if tool is not None else (name,):
        if (executable := shutil.which(called)) is not None:
            return executable
    raise missing_program(bot, name)


def missing_program(bot: str, name: str) -> BotError:
    """The error for a program that is not on PATH, with its package. `bot` names the bot in the message."""
    tool = languages.tool(name)
    fix = f"sudo apt install {tool.package}" if tool is not None else f"install it, or write ./{shorten(name, 60)}"
    return BotError(f"{bot}: there is no program {shorten(repr(name), 60)} on PATH: {fix}")
