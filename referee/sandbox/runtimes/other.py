"""Every other program of the machine: Ruby, Perl, a shell, anything on PATH.

Of a program outside /usr, the bot sees the program, its libraries, and the folders `lib/NAME*` next to its folder, where
interpreters have their standard library: `bin/ruby` and `lib/ruby`, `bin/perl5.36` and `lib/perl5`.

Ruby has a list of system calls of its own, under which it starts without a warning.
"""

from __future__ import annotations

import re
from glob import escape
from pathlib import Path
from typing import Final

from referee.sandbox.runtimes.bot_files import BotFiles
from referee.sandbox.runtimes.profile import Runtime, environment, parts_of, program_binds, with_usr
from referee.sandbox.runtimes.python import SDK, variables

_RUBY: Final = re.compile(r"ruby[0-9.]*")
_RUBY_SDK: Final = ("RUBYLIB", "/sdk/ruby")


def runtime(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How a program of the machine without its own module is started."""
    real = program.resolve()
    (sdk, path), (ruby_sdk, ruby_path) = bot.sdk_binds(*SDK), bot.sdk_binds(*_RUBY_SDK)
    env = environment(bot.folder, str(real.parent), **variables(), **path, **ruby_path)
    binds = [*program_binds(real), *_library(real), (real, str(program)), *sdk, *ruby_sdk]
    ruby = any(_RUBY.fullmatch(path.name) for path in (real, program))
    return with_usr("other", (str(program), *arguments), env, binds, calls="ruby" if ruby else "players")


def _library(real: Path) -> list[tuple[Path, str]]:
    prefix, name = real.parent.parent, real.name.rstrip("0123456789.")
    if real.parent.name != "bin" or not name:
        return []
    return parts_of(prefix, [f"lib/{path.name}" for path in prefix.glob(f"lib/{escape(name)}*") if path.is_dir()])
