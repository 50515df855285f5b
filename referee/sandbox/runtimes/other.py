"""Every other program of the machine: Ruby, Perl, a shell, anything on PATH.

Of a program outside /usr, the bot sees the program, its libraries, and the folders `lib/NAME*` next to its folder, where
interpreters have their standard library: `bin/ruby` and `lib/ruby`, `bin/perl5.36` and `lib/perl5`.
"""

from __future__ import annotations

from glob import escape
from pathlib import Path

from referee.sandbox.runtimes.bot_files import BotFiles
from referee.sandbox.runtimes.profile import Runtime, environment, parts_of
from referee.sandbox.runtimes.profile import program as bound
from referee.sandbox.runtimes.profile import runtime as with_usr
from referee.sandbox.runtimes.python import SDK, variables
from referee.sandbox.runtimes.sdk import sdk_binds


def runtime(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How a program of the machine without its own module is started."""
    real = program.resolve()
    sdk, path = sdk_binds(bot, *SDK)
    env = environment(bot.folder, str(real.parent), **variables(), **path)
    binds = [*bound(real), *_library(real), (real, str(program)), *sdk]
    return with_usr("other", (str(program), *arguments), env, binds)


def _library(real: Path) -> list[tuple[Path, str]]:
    prefix, name = real.parent.parent, real.name.rstrip("0123456789.")
    if real.parent.name != "bin" or not name:
        return []
    return parts_of(prefix, [f"lib/{path.name}" for path in prefix.glob(f"lib/{escape(name)}*") if path.is_dir()])
