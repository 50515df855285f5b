"""The programs of build commands: whether the machine has them, how a build finds them, and their versions."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import languages
from referee.bots.starting import missing
from referee.errors import BotError
from referee.languages import Command
from referee.sandbox.builds import compilers
from referee.sandbox.runtimes.ask import answer
from referee.text.words import shorten


@dataclass(frozen=True, slots=True)
class Located:
    """A build command with its program.

    Attributes:
        argv: the command to run.
        version: identifies the program in the key, as JSON; empty for a program of the bot itself.
    """

    argv: Command
    version: Any


def located(bot: str, command: Command, *, jailed: bool) -> Located:
    """A build command with the program that this machine has for it; it may be run to be asked for its version.

    Args:
        bot: how messages call the bot.
        jailed: whether it will be run where only compilers are seen, else as an ordinary process.

    Raises:
        BotError: the program is missing, or is where builds do not see it; the message says how to fix that.
    """
    program, *arguments = command
    if "/" in program:  # a program of the bot itself
        return Located(command, None)
    tool = languages.tool(program)
    unseen: str | None = None
    for name in tool.programs if tool is not None else (program,):
        found = shutil.which(name)
        if found is None:
            continue
        there = compilers.seen(name) if jailed else (name, Path(found))
        if there is not None:
            word, path = there
            return Located((word, *arguments), _version(path, Path(found), tool))
        unseen = unseen or found
    if unseen is None:
        raise missing(f"bot {shorten(bot, 80)}", program)
    fix = f"sudo apt install {tool.package}" if tool is not None else "install it below /usr"
    raise BotError(
        f"bot {shorten(bot, 80)}: {program} is {shorten(unseen)}, which builds cannot see: {fix}, or build trusted sources with "
        "--isolation none"
    )


def of_language(language: languages.Language, *, jailed: bool) -> list[Any]:
    """The tools of a language on this machine, as JSON: the first program of each that a build sees."""
    found = []
    for tool in language.tools:
        for name in tool.programs:
            there = compilers.seen(name) if jailed else (name, Path(shutil.which(name) or name))
            if there is not None and (entry := shutil.which(name)) is not None:
                found.append(_version(there[1], Path(entry), tool))
                break
    return found


def _version(path: Path, entry: Path, tool: languages.Tool | None) -> Any:
    """Its file, and what it says when it is called by its name: a version manager's shim is one file for all versions."""
    status = os.stat(path)
    said = ""
    if tool is not None:
        try:
            said = answer(entry, *tool.version)
        except (OSError, ValueError):  # its file identifies it well enough
            said = ""
    return [str(path.resolve()), status.st_size, status.st_mtime_ns, said]
