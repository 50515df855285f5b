"""The bot's own programs. Go reads its limits from the environment; other programs ignore these variables."""

from __future__ import annotations

import os.path

from referee.sandbox.runtimes.bot_files import BotFiles, head_of
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment, with_usr
from referee.sandbox.runtimes.python import base_python
from referee.text.words import shorten

_MACHINES = {
    3: "32-bit x86",
    8: "MIPS",
    20: "PowerPC",
    21: "64-bit PowerPC",
    22: "s390",
    40: "32-bit ARM",
    62: "x86-64",
}
_MACHINES |= {183: "64-bit ARM", 243: "RISC-V", 258: "LoongArch"}


def runtime(name: str, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How the bot's own program of that name is started.

    Raises:
        BotError: it does not exist, or is for another kind of machine.
    """
    head = bot.head(name)
    if not head:
        raise bot.refuse(f"{shorten(name)} is not among its files, or cannot be read")
    bits, number = machine(head)
    if (bits, number) != machine(head_of(base_python())):
        kind = _MACHINES.get(number, f"machine {number}")
        raise bot.refuse(f"{shorten(name)} is built for {kind} ({bits} bits): build it on this machine")
    program = bot.inside(name)
    env = environment(bot.folder, os.path.dirname(program), GOMEMLIMIT=str(bot.memory * 3 // 4), GOMAXPROCS=str(CPUS))
    return with_usr("native", (program, *arguments), env)


def machine(head: bytes) -> tuple[int, int]:
    """The word size and the instruction set in the head of an ELF file."""
    number = int.from_bytes(head[18:20], "big" if head[5:6] == b"\2" else "little")
    return 64 if head[4:5] == b"\2" else 32, number
