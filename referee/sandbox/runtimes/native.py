"""The bot's own programs. Go takes its limits from the environment; to other programs these entries say nothing."""

from __future__ import annotations

import os.path

from referee.names import shorten
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment
from referee.sandbox.runtimes.profile import runtime as with_usr
from referee.sandbox.runtimes.python import base_python
from referee.sandbox.runtimes.view import View, head_of

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


def runtime(name: str, arguments: tuple[str, ...], view: View) -> Runtime:
    """How the bot's own program of that name is started.

    Raises:
        BotError: it is not there, or is for another machine.
    """
    head = view.head(name)
    if not head:
        raise view.refuse(f"{shorten(name)} is not among its files, or cannot be read")
    bits, number = machine(head)
    if (bits, number) != machine(head_of(base_python())):
        kind = _MACHINES.get(number, f"machine {number}")
        raise view.refuse(f"{shorten(name)} is built for {kind} ({bits} bits): build it on this machine")
    program = view.inside(name)
    env = environment(view.folder, os.path.dirname(program), GOMEMLIMIT=str(view.memory * 3 // 4), GOMAXPROCS=str(CPUS))
    return with_usr("native", (program, *arguments), env)


def machine(head: bytes) -> tuple[int, int]:
    """The bits and the number of the instruction set that the head of an ELF file names."""
    number = int.from_bytes(head[18:20], "big" if head[5:6] == b"\2" else "little")
    return 64 if head[4:5] == b"\2" else 32, number
