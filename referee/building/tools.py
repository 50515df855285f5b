"""The programs of build commands: whether the machine has them, how a build finds them, and their versions."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from referee import languages
from referee.bots.starting import missing_program
from referee.errors import BotError
from referee.languages import Command
from referee.sandbox.builds.jail import PATH, rust_outside_usr
from referee.sandbox.runtimes.ask import answer
from referee.text.words import shorten


def locate(bot: str, command: Command, *, jailed: bool) -> tuple[Command, Any]:
    """A build command with the program that this machine has for it. The program may be run to ask for its version.

    Returns:
        The command to run, and JSON that identifies its program in the key; None for a program of the bot itself.

    Args:
        bot: the bot's name, for messages.
        jailed: whether the command will run in the build jail, which shows only compilers, or as an ordinary process.

    Raises:
        BotError: the program is missing, or is where builds do not see it; the message says how to fix that.
    """
    program, *arguments = command
    if "/" in program:  # a program of the bot itself
        return command, None
    tool = languages.tool(program)
    candidates = [*_on_path(tool.programs if tool is not None else (program,), jailed=jailed)]
    for on_path, seen in candidates:
        if seen is not None:
            word, path = seen
            return (word, *arguments), _version(path, on_path, tool)
    if not candidates:
        raise missing_program(f"bot {shorten(bot, 80)}", program)
    unseen = shorten(str(candidates[0][0]))
    fix = f"sudo apt install {tool.package}" if tool is not None else "install it below /usr"
    raise BotError(
        f"bot {shorten(bot, 80)}: {program} is {unseen}, which builds cannot see: {fix}, or build trusted sources with "
        "--isolation none"
    )


def toolchain(
    bot: str, language: languages.Language | None, commands: Sequence[Command], *, jailed: bool
) -> tuple[list[Command], list[Any]]:
    """The build commands with their programs, and the versions of all tools, as JSON. Arguments and errors are as for `locate`.

    The language's compiler is among the tools, because make or a script may call it.
    """
    those = [locate(bot, command, jailed=jailed) for command in commands]
    versions = [version for _, version in those]
    for tool in language.tools if language is not None else ():
        for on_path, seen in _on_path(tool.programs, jailed=jailed):
            if seen is not None:
                versions.append(_version(seen[1], on_path, tool))
                break
    return [command for command, _ in those], versions


def _on_path(names: Iterable[str], *, jailed: bool) -> Iterator[tuple[Path, tuple[str, Path] | None]]:
    """The programs of these names on PATH, and for each how a build starts it and its file; None if builds do not see it."""
    for name in names:
        if (on_path := shutil.which(name)) is not None:
            path = Path(on_path)
            yield path, _in_jail(name, path) if jailed else (name, path)


def _in_jail(name: str, path: Path) -> tuple[str, Path] | None:
    """How the jail starts the program of that name and path on PATH, and its file; None if the jail does not show it."""
    real = path.resolve()
    if not real.is_relative_to("/usr") and (rust := rust_outside_usr()) is not None:
        tool = rust / "bin" / name
        if tool.is_file():
            return name, tool
    if (usual := shutil.which(name, path=os.pathsep.join(PATH))) is not None:
        return name, Path(usual)
    return (str(real), real) if real.is_relative_to("/usr") else None


def _version(path: Path, entry: Path, tool: languages.Tool | None) -> Any:
    """A program's file, and the version that it prints: a version manager's shim is one file for all versions."""
    status = os.stat(path)
    version = ""
    with suppress(OSError, ValueError):  # its file identifies it well enough
        version = answer(entry, *tool.version) if tool is not None else ""
    return [str(path.resolve()), status.st_size, status.st_mtime_ns, version]
