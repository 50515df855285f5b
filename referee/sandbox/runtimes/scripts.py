"""The first line of a script: `#!INTERPRETER [ONE ARGUMENT]`, as the kernel reads it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Final

from referee.sandbox.runtimes.bot_files import BotFiles, which
from referee.text.words import quote, shorten

_LINE: Final = 256
"""Bytes that the kernel reads."""


def interpreter(head: bytes, name: str, bot: BotFiles) -> tuple[Path, tuple[str, ...]]:
    """The interpreter of a script, and its arguments before the script's name.

    Only the base name in the line counts and is looked up on PATH, even if the user named the script: the contents of a file must
    not choose a file of the machine.

    Raises:
        BotError: the line names no interpreter, or PATH has none of that name.
    """
    line, line_feed, _ = head[:_LINE].partition(b"\n")
    if line.endswith(b"\r"):
        raise bot.refuse(f"the first line of {shorten(name)} ends with CR LF: save it with line feeds alone")
    words = os.fsdecode(line[2:]).strip(" \t").split(maxsplit=1)
    if not words or not line_feed or "\0" in words[0]:
        raise bot.refuse(f"the first line of {shorten(name)} names no interpreter: {quote(line)}")
    program, arguments = words[0], tuple(words[1:])
    if Path(program).name == "env":
        program, arguments = _by_env(arguments, name, bot)
    program = Path(program).name
    path = which(program)
    if path is None:
        raise bot.refuse(f"{shorten(name)} needs {shorten(repr(program))}, which is not on PATH: install it")
    return path, arguments


def _by_env(arguments: tuple[str, ...], name: str, bot: BotFiles) -> tuple[str, tuple[str, ...]]:
    """`env PROGRAM`, or `env -S PROGRAM ARGUMENTS…`."""
    text = arguments[0] if arguments else ""
    words = [text] if text else []
    if text.startswith("-S"):
        try:
            words = shlex.split(text.removeprefix("-S"))
        except ValueError:
            words = []
    if not words or words[0].startswith("-") or "=" in words[0] or "\0" in text:
        raise bot.refuse(
            f"the first line of {shorten(name)} names no interpreter after env: write #!/usr/bin/env PROGRAM"
        )
    return words[0], tuple(words[1:])
