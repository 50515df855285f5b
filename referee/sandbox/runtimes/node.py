"""Node. At its start it reads a file of OpenSSL's; options tell it that this file is empty.

1. `require` finds the SDK by NODE_PATH, after the files in the bot's own folder.
2. The old heap is limited to fit into the memory. Without a limit, V8 collects too late and the program dies with a heap full of
   garbage. Any V8 option makes Node drop the precompiled code of its own library: 1 to 3 ms with our SDK, 7 to 14 ms for programs
   that use stdin, stdout or `readline`. A /proc/meminfo with so much memory would avoid that, but then V8 also shrinks the young
   generation, from 48 MiB to 15 at a limit of 1 GiB, and programs with large maps were 15 to 25 % slower. libuv 1.52 and later
   use half of RLIMIT_DATA if that is less.
3. Since Node 23, V8 reserves 512 MiB for compiled code, for the program and for each worker, and all of it counts against
   RLIMIT_DATA: with 1 GiB the first worker failed, with 512 MiB the program. So the limit is raised by that much for such
   versions, and the memory that is really held is watched as usual. Most installations have a file with the version; otherwise
   a Node on PATH is asked; if the version stays unknown, the limit is raised too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from referee.sandbox.limits import MIB
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.bot_files import BotFiles, head_of, is_elf
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment, program_binds, with_usr

SDK: Final = ("NODE_PATH", "/sdk/javascript")
"""By which variable the SDK is found, and where it is seen in a cell of level full."""
_NAME: Final = re.compile(r"node(js)?")
_RESERVES_SINCE: Final = 23
_RESERVED: Final = 512 * MIB
"""Theory, point 3."""
_MAJOR: Final = re.compile(rb"^#define NODE_MAJOR_VERSION (\d{1,6})\b", re.MULTILINE)


def is_node(name: str) -> bool:
    """Whether a program of this name is a Node."""
    return _NAME.fullmatch(name) is not None


def is_unpacked(program: Path) -> bool:
    """Whether this is a Node, in any folder."""
    return is_node(program.resolve().name) and is_elf(program)


def heap(memory: int) -> int:
    """MiB of the old heap. The rest is for the young heap, code, buffers and the stacks of 128 threads."""
    return max(memory * 5 // 8 // MIB, 16)


def runtime(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How a Node of the machine is started. Raises: ValueError: it does not say where it is. OSError: it cannot be asked."""
    real = _real(program)
    sdk, path = bot.sdk_binds(*SDK)
    env = environment(bot.folder, str(real.parent), OPENSSL_CONF="/dev/null", **path)
    argv = (str(real), f"--max-old-space-size={heap(bot.memory)}", *arguments)
    reserved = 0 if _major(program, real) < _RESERVES_SINCE else _RESERVED * (1 + CPUS)
    return with_usr("node", argv, env, [*program_binds(real), *sdk], reserved)


def _real(program: Path) -> Path:
    real = program.resolve()
    if is_node(real.name) and is_elf(real):
        return real
    path = Path(answer(program, "-p", "process.execPath").strip().split("\n")[0])  # a version manager's stand-in
    if not path.is_absolute():
        raise ValueError("no answer that makes sense")
    return path.resolve()


def _major(program: Path, real: Path) -> int:
    """The major version of this Node; `_RESERVES_SINCE` if unknown."""
    if (version := _MAJOR.search(head_of(real.parent.parent / "include/node/node_version.h"))) is not None:
        return int(version[1])
    try:
        major = answer(program, "-p", "process.versions.node").split(".")[0]
    except (OSError, ValueError):
        return _RESERVES_SINCE
    return int(major) if major.isascii() and major.isdigit() and len(major) <= 6 else _RESERVES_SINCE
