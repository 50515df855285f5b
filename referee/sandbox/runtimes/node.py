"""Node. It reads a file of OpenSSL's at its start, which it is told is empty.

1. `require` finds the SDK by NODE_PATH, after what lies in the bot's own folder.
2. Its old heap is held within the memory: else it collects too late, and dies of the limit with a heap of garbage. With any
   option for V8 Node throws away the compiled code of its own library that it comes with, so that one costs what a program
   uses of that library at its start: 1 to 3 ms on our SDK, 7 to 14 where stdin, stdout or `readline` are made. A
   /proc/meminfo in the cell that tells of so much memory would spare that, but V8 makes the young generation smaller by it
   too, from 48 MiB to 15 where the limit is 1 GiB: programs with large maps were 15 to 25 % slower then, match by match.
   And from libuv 1.52 on Node takes half of RLIMIT_DATA if that is less.
3. From Node 23 on its V8 reserves 512 MiB for compiled code, for the program and for each worker, in such a way that all of it
   counts against RLIMIT_DATA: at 1 GiB the first worker failed, and at 512 MiB the program. So there is room for that
   many beside the limit, and what is really held is looked at as ever. Which Node it is says a file that comes with
   most; else it is asked, where PATH leads to it; and where nobody says there is room too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from referee.names import shorten
from referee.sandbox.limits import MIB
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.bot_files import BotFiles, head_of, is_elf
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment
from referee.sandbox.runtimes.profile import program as bound
from referee.sandbox.runtimes.profile import runtime as with_usr
from referee.sandbox.runtimes.sdk import sdk_binds

SDK: Final = ("NODE_PATH", "/sdk/javascript")
"""By which variable the SDK is found, and where it is seen in a cell of level full."""
_NAME: Final = re.compile(r"node(js)?")
_RESERVES: Final = 23
_RESERVED: Final = 512 * MIB
"""Theory, point 3."""
_MAJOR: Final = re.compile(rb"^#define NODE_MAJOR_VERSION (\d{1,6})\b", re.MULTILINE)


def is_node(name: str) -> bool:
    """Whether a program of this name is a Node."""
    return _NAME.fullmatch(name) is not None


def is_unpacked(program: Path) -> bool:
    """Whether this is a Node, wherever it lies."""
    return is_node(program.resolve().name) and is_elf(program)


def heap(memory: int) -> int:
    """MiB of the old heap: the rest is for the young one, code, buffers and the stacks of 128 threads."""
    return max(memory * 5 // 8 // MIB, 16)


def runtime(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How a Node of the machine is started.

    Raises:
        BotError: it does not say where it is.
    """
    try:
        real = _real(program)
    except (OSError, ValueError) as failed:
        raise bot.refuse(f"{program} cannot be asked where it is: {shorten(str(failed))}") from None
    sdk, path = sdk_binds(bot, *SDK)
    env = environment(bot.folder, str(real.parent), OPENSSL_CONF="/dev/null", **path)
    argv = (str(real), f"--max-old-space-size={heap(bot.memory)}", *arguments)
    reserved = 0 if _major(program, real) < _RESERVES else _RESERVED * (1 + CPUS)
    return with_usr("node", argv, env, [*bound(real), *sdk], reserved)


def _real(program: Path) -> Path:
    real = program.resolve()
    if is_node(real.name) and is_elf(real):
        return real
    told = Path(answer(program, "-p", "process.execPath").strip().split("\n")[0])  # a version manager's stand-in
    if not told.is_absolute():
        raise ValueError("no answer that makes sense")
    return told.resolve()


def _major(program: Path, real: Path) -> int:
    """The major version of this Node; `_RESERVES` if unknown."""
    if (said := _MAJOR.search(head_of(real.parent.parent / "include/node/node_version.h"))) is not None:
        return int(said[1])
    try:
        told = answer(program, "-p", "process.versions.node").split(".")[0]
    except (OSError, ValueError):
        return _RESERVES
    return int(told) if told.isascii() and told.isdigit() and len(told) <= 6 else _RESERVES
