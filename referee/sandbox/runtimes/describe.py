"""Chooses the runtime of a program, and describes programs without a module of their own.

1. A file of the bot itself is native or a script, regardless of its name. A program of the machine is known by the name of the
   file that it leads to. The contents of a stranger's folder can only start programs in that folder, programs on PATH, and the
   referee's own Python. To recognize a program, nothing is run except programs on PATH (`ask`).
2. The kernel reads the first line of a script as `#!INTERPRETER [ONE ARGUMENT]`. Here only its base name counts and
   is looked up on PATH, even if the user named the script: the contents of a file must not choose a file of the machine.
3. Go reads its limits from the environment; other native programs ignore these variables.
4. All other programs of the machine are Ruby, Perl, a shell, anything on PATH. Outside /usr, the bot sees the program, its
   libraries, and the folders `lib/NAME*` next to its folder, where interpreters have their standard library: `bin/ruby` and
   `lib/ruby`, `bin/perl5.36` and `lib/perl5`. Ruby has a list of system calls of its own, under which it starts without a
   warning.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from glob import escape
from itertools import product
from pathlib import Path
from typing import Final

from referee.errors import out_of
from referee.sandbox.program import Program
from referee.sandbox.runtimes import java, layout, node, python
from referee.sandbox.runtimes.ask import on_path, which
from referee.sandbox.runtimes.bot_files import ELF, BotFiles, head_of
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment, parts_of, program_binds, with_usr
from referee.text.words import quote, shorten

_KNOWN: Final = ((python.is_python, python.runtime), (node.is_node, node.runtime), (java.is_java, java.runtime))
_LINE: Final = 256
"""Bytes that the kernel reads of the first line of a script."""
_RUBY: Final = re.compile(r"ruby[0-9.]*")
_RUBY_SDK: Final = ("RUBYLIB", "/sdk/ruby")


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
        return _runtime_of(start, arguments, bot)
    except (OSError, RuntimeError, ValueError) as failed:  # gone meanwhile, a loop of links, a NUL
        if out_of(failed):  # this is not the bot's fault
            raise
        raise bot.refuse(f"{shorten(str(start))} cannot be examined: {shorten(str(failed))}") from None


def _runtime_of(start: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    if python.is_base(start):
        return python.runtime(start, arguments, bot)
    name = bot.name(start)
    return _of_machine(start, arguments, bot) if name is None else _of_bot(name, arguments, bot)


def is_of_machine(program: Path, folder: Path) -> bool:
    """Whether a program that the user named by its path is one of the machine. Otherwise it is one of the bot's files.

    It is one of the machine if PATH leads to it, or if it is an interpreter. Of those in the bot's own folder, only that of a
    virtual environment counts.
    """
    if on_path(program):
        return True
    if program.resolve().is_relative_to(folder.resolve()):
        return layout.venv(program) is not None and python.is_unpacked(program)
    return any(is_one(program) for is_one in (python.is_unpacked, node.is_unpacked, java.is_unpacked))


def _of_bot(name: str, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    head = bot.head(name)
    if head.startswith(ELF):
        return _native(name, arguments, bot)
    if not head.startswith(b"#!"):
        raise bot.refuse(
            f"{shorten(name)} is neither a program for Linux nor a script that begins with #!: name its interpreter first"
        )
    interpreter, before = _interpreter(head, name, bot)
    after = (*before, bot.inside(name), *arguments)
    if not python.is_base(interpreter) and (own := bot.name(interpreter)) is not None:
        if not bot.head(own).startswith(ELF):
            raise bot.refuse(f"{shorten(name)} is run by {shorten(own)}, which is not a program: name its interpreter")
        return _native(own, after, bot)
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
    for name, (is_one, runtime) in product((program.resolve().name, program.name), _KNOWN):
        if is_one(name):
            try:
                return runtime(program, arguments, bot)
            except ValueError as failed:
                why = shorten(str(failed))
                raise bot.refuse(f"{program} cannot be asked where its files are: {why}") from None
    return _other(program, arguments, bot)


def _native(name: str, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How the bot's own program of that name is started. Raises: BotError: it is missing, or for another kind of machine."""
    head = bot.head(name)
    if not head:
        raise bot.refuse(f"{shorten(name)} is not among its files, or cannot be read")
    if machine(head) != machine(head_of(python.base_python())):
        raise bot.refuse(f"{shorten(name)} is built for another kind of machine: build it on this one")
    program = bot.inside(name)
    env = environment(bot.folder, os.path.dirname(program), GOMEMLIMIT=str(bot.memory * 3 // 4), GOMAXPROCS=str(CPUS))
    return with_usr("native", (program, *arguments), env)


def machine(head: bytes) -> bytes:
    """The word size, the byte order and the instruction set in the head of an ELF file."""
    return head[4:6] + head[18:20]


def _interpreter(head: bytes, name: str, bot: BotFiles) -> tuple[Path, tuple[str, ...]]:
    """The interpreter of a script, and its arguments before the script's name. Raises: BotError: there is none."""
    line, line_feed, _ = head[:_LINE].partition(b"\n")
    if line.endswith(b"\r"):
        raise bot.refuse(f"the first line of {shorten(name)} ends with CR LF: save it with line feeds alone")
    words = os.fsdecode(line[2:]).strip(" \t").split(maxsplit=1)
    if words and Path(words[0]).name == "env":
        rest = "".join(words[1:])  # PROGRAM, or -S PROGRAM ARGUMENTS…
        words = rest[2:].split() if rest.startswith("-S") else words[1:]
    if not words or not line_feed or "\0" in words[0]:
        raise bot.refuse(f"the first line of {shorten(name)} names no interpreter: {quote(line)}")
    program, arguments = Path(words[0]).name, tuple(words[1:])
    path = which(program)
    if path is None:
        raise bot.refuse(f"{shorten(name)} needs {shorten(repr(program))}, which is not on PATH: install it")
    return path, arguments


def _other(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    real = program.resolve()
    (sdk, path), (ruby_sdk, ruby_path) = bot.sdk_binds(*python.SDK), bot.sdk_binds(*_RUBY_SDK)
    env = environment(bot.folder, str(real.parent), **python.variables(), **path, **ruby_path)
    binds = [*program_binds(real), *_library(real), (real, str(program)), *sdk, *ruby_sdk]
    ruby = any(_RUBY.fullmatch(path.name) for path in (real, program))
    return with_usr("other", (str(program), *arguments), env, binds, calls="ruby" if ruby else "players")


def _library(real: Path) -> list[tuple[Path, str]]:
    prefix, name = real.parent.parent, real.name.rstrip("0123456789.")
    if real.parent.name != "bin" or not name:
        return []
    return parts_of(prefix, [f"lib/{path.name}" for path in prefix.glob(f"lib/{escape(name)}*") if path.is_dir()])
