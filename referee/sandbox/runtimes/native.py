"""The bot's own programs: the loader and the libraries that their ELF file needs, none when it is static.

Go takes its limits from the environment; to other programs these entries say nothing.
"""

from __future__ import annotations

from referee.names import shorten
from referee.sandbox.binaries import elf, libraries
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment, locale, ordered
from referee.sandbox.runtimes.python import base_python
from referee.sandbox.runtimes.view import View

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
        BotError: it is for another machine, or needs what this machine does not have.
    """
    path = view.file(name)
    if path is None:
        raise view.refuse(f"{shorten(name)} is not among its files")
    try:
        program, ours = elf.of(path, follow=False), elf.of(base_python())
        if (program.bits, program.machine) != (ours.bits, ours.machine):
            kind = _MACHINES.get(program.machine, f"machine {program.machine}")
            raise view.refuse(f"{shorten(name)} is built for {kind} ({program.bits} bits): build it on this machine")
        found = libraries.of_bot(name, view)
    except OSError as failed:
        raise view.refuse(f"{shorten(name)} cannot be read: {failed.strerror}") from None
    except ValueError as wrong:
        raise view.refuse(f"{shorten(name)} cannot be loaded: {wrong}: build it on this machine") from None
    if found.missing:
        missing = ", ".join(map(shorten, found.missing[:5]))
        raise view.refuse(
            f"{shorten(name)} needs {missing}, which is neither a library of this machine nor found in the bot's folder by "
            "$ORIGIN: install it, or link it statically"
        )
    env = environment(view.folder, found.search, GOMEMLIMIT=str(view.memory * 3 // 4), GOMAXPROCS=str(CPUS))
    return Runtime("native", (view.inside(name), *arguments), ordered([*found.binds, *locale()]), (), env)
