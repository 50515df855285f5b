"""Chooses the runtime of a program.

A file of the bot itself is native or a script, regardless of its name. A program of the machine is known by the name of the file
that it leads to. The contents of a stranger's folder can only start programs in that folder, programs on PATH, and the referee's
own Python. To recognize a program, nothing is run except programs on PATH (`ask`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from referee.errors import out_of
from referee.sandbox.program import Program
from referee.sandbox.runtimes import java, native, node, other, python, scripts
from referee.sandbox.runtimes.bot_files import ELF, BotFiles, on_path
from referee.sandbox.runtimes.profile import Runtime
from referee.text.words import shorten


def describe(
    program: Program, folder: str, placed: Mapping[Path, str], *, memory: int, python3: Path | None = None
) -> Runtime:
    """How a program is started in its cell, and what it needs to see there.

    A version manager's stand-in on PATH is run once, outside any cell, and asked for the program behind it.

    Args:
        folder: where the bot's staged copy is seen: `/bot` at level full, its path on the host at level reduced.
        placed: files of the bot in its arguments, by their real paths on the host, with their names in `folder`.
        memory: the bytes that the bot may hold.
        python3: see `BotFiles`.

    Raises:
        BotError: it is not allowed to run, or cannot run. OSError: the machine has nothing left to ask it.
    """
    bot = BotFiles(program, folder, placed, memory, python3)
    start = Path(program.argv[0])
    arguments = tuple(map(bot.argument, program.argv[1:]))
    try:
        return _started(start, arguments, bot)
    except (OSError, RuntimeError, ValueError) as failed:  # gone meanwhile, a loop of links, a NUL
        if out_of(failed):  # this is not the bot's fault
            raise
        raise bot.refuse(f"{shorten(str(start))} cannot be examined: {shorten(str(failed))}") from None


def _started(start: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    if python.is_base(start):
        return python.runtime(start, arguments, bot)
    name = bot.name(start)
    if name is None or _named_as_file(start, bot):
        return _of_machine(start, arguments, bot)
    return _of_bot(name, arguments, bot)


def _named_as_file(start: Path, bot: BotFiles) -> bool:
    """Whether the program is an interpreter that the command line named by its path, so that it is one of the bot's files."""
    program = bot.program
    if program.files is None:
        return False
    real = start.resolve()
    if on_path(start) or real.is_relative_to(program.cwd.resolve()):
        return on_path(start)
    return any(is_one(start) for is_one in (python.is_unpacked, node.is_unpacked, java.is_unpacked))


def _of_bot(name: str, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    head = bot.head(name)
    if head.startswith(ELF):
        return native.runtime(name, arguments, bot)
    if not head.startswith(b"#!"):
        raise bot.refuse(
            f"{shorten(name)} is neither a program for Linux nor a script that begins with #!: name its interpreter first"
        )
    interpreter, before = scripts.interpreter(head, name, bot)
    after = (*before, bot.inside(name), *arguments)
    if not python.is_base(interpreter) and (own := bot.name(interpreter)) is not None:
        if not bot.head(own).startswith(ELF):
            raise bot.refuse(f"{shorten(name)} is run by {shorten(own)}, which is not a program: name its interpreter")
        return native.runtime(own, after, bot)
    return _of_machine(interpreter, after, bot)


def _of_machine(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        raise bot.refuse(f"there is no program {shorten(str(program))}: install it, or correct the path")
    if not bot.program.trusted and not on_path(program):
        raise bot.refuse(
            f"it wants to run {shorten(str(program))}, which is neither in its folder nor on PATH: name the program on the "
            "command line (cmd:'PROGRAM ARGS') if you trust it, or add its folder to PATH"
        )
    # A version manager's stand-in has the name that was given, and leads to a file with another.
    for name in (program.resolve().name, program.name):
        for is_one, runtime in _KNOWN:
            if is_one(name):
                try:
                    return runtime(program, arguments, bot)
                except (ValueError, SyntaxError) as failed:
                    why = shorten(str(failed))
                    raise bot.refuse(f"{program} cannot be asked where its files are: {why}") from None
    return other.runtime(program, arguments, bot)


_KNOWN: Final = ((python.is_python, python.runtime), (node.is_node, node.runtime), (java.is_java, java.runtime))
