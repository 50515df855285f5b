"""A hint for a failed build whose output says that something is missing.

1. A compiler repeats the user's lines and names functions and folders, so single words in its output mean nothing. What
   counts is a line that says that a file or a name was not found (`Language.missing`).
2. Recipes ignore sources below the top of the folder; their definitions or files are reported as missing.
3. A bot's file that hides a file of the SDK also hides what makes the bot a program; a host of the SDK can provide it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

from referee.bots import Bot, Unbuilt, beside
from referee.bots.sources import below, walk
from referee.bots.starting import sdk_for
from referee.languages import Language
from referee.names import shorten

_NO_FILE: Final = re.compile(r"No such file|Cannot find module|file not found")
_UNKNOWN: Final = re.compile(
    r"(?i)undefined|undeclared|not declared|not (?:been )?found|no such file|can't find|cannot find"
)


def hint(bot: Bot, unbuilt: Unbuilt, output: str) -> str | None:
    """The hint; None if the output says nothing.

    Args:
        bot: the bot that failed to build.
        unbuilt: how.
        output: of the command that failed.
    """
    language = bot.language
    if unbuilt.sdk is not None and language is not None and language.advice is not None:
        for said, advice in language.advice.items():
            if said.search(output):
                return advice
    if (mend := _host(bot, language, output)) is not None:
        return mend
    if bot.files is not None and bot.trusted:
        files = sorted(name for name in beside(bot) if (bot.cwd / name).is_file())
        if (name := left_out(files, language, output)) is not None:
            return f"{shorten(name, 60)} is beside it, but was not taken along: make a folder with a bot.toml"
    elif language is not None and language.flat and unbuilt.by_recipe and _UNKNOWN.search(output):
        marked = any((bot.cwd / mark).is_file() for mark in language.marks)
        if not marked and (deep := below(bot)):
            return f"{shorten(deep[0], 60)} lies below the top of the folder and is not compiled: move it up, or write `build`"
    return None


def _host(bot: Bot, language: Language | None, output: str) -> str | None:
    """The host of the SDK that would make the bot a program."""
    if language is None or language.hosted is None or not language.hosted.search(output):
        return None
    sdk = sdk_for(language)
    names = bot.files if bot.files is not None else [name for name, _ in walk(bot.cwd)]
    for host in sdk.hosts if sdk is not None else ():
        for name in names:
            if host.along is not None and PurePath(name).name == host.serves:
                return f"{shorten(name, 60)} hides the SDK's, which has a main: add {{sdk}}/{host.along} to the command"
    return None


def left_out(names: Iterable[str], language: Language | None, output: str) -> str | None:
    """The first of these files that the output reports as missing."""
    told = "\n".join(line for line in output.split("\n") if _NO_FILE.search(line))
    missing = language.missing if language is not None else None
    stems = {stem for found in missing.finditer(output) for stem in found.groups() if stem} if missing else set()
    case = missing.flags & re.IGNORECASE if missing else 0
    for name in names:
        path = PurePath(name)
        if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", told):
            return name
        is_source = language is not None and path.suffix in language.suffixes
        if is_source and any(re.fullmatch(re.escape(path.stem), stem, case) for stem in stems):
            return name
    return None
