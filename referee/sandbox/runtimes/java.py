"""Java: the programs, libraries and settings of a JDK or JRE outside /usr.

1. A JDK is a folder whose bin/java is the program. Debian's JDKs have their settings in /etc/java-NN-openjdk, behind links.
2. The loader finds the JDK's libraries by `$ORIGIN`, which needs /proc; so LD_LIBRARY_PATH names them.
3. The heap gets half of the memory. Java also needs direct buffers (limited to an eighth), compiled code, classes, and 1 MiB of
   stack for each thread. The bot's own options come later and take precedence.
4. Since version 17, Java moves its archive of classes to a random address at each start, to protect against attacks. That takes
   5 ms and is useless in a cell, where the program can only attack itself. So the archive stays at its fixed address.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from referee.sandbox.limits import MIB
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.bot_files import BotFiles, head_of, is_elf
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment, parts_of, with_usr

_PARTS: Final = ("bin", "conf", "lib", "release")
"""What is bound of a JDK."""
_TO_STDERR: Final = ("-Xlog:disable", "-Xlog:all=warning:stderr")
"""Keeps the JVM's own warnings off stdout, where they would be between the answers."""
_FIXED_ARCHIVE: Final = ("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0")
"""Theory, point 4."""
_RELOCATES_SINCE: Final = 17
"""The first Java that moves its archive to a random address."""
_VERSION: Final = re.compile(rb'^JAVA_VERSION="(\d{1,6})\b', re.MULTILINE)


def is_java(name: str) -> bool:
    """Whether a program of this name is a Java."""
    return name == "java"


def is_unpacked(program: Path) -> bool:
    """Whether this is the program of a JDK, in any folder."""
    real = program.resolve()
    return is_java(real.name) and is_elf(real) and _home(real) is not None


def flags(memory: int) -> tuple[str, ...]:
    """Options that make Java start fast and stay within so many bytes."""
    heap = max(memory // 2 // MIB, 16)
    return (
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        f"-XX:ActiveProcessorCount={CPUS}",
        f"-Xmx{heap}m",
        f"-XX:MaxDirectMemorySize={max(heap // 4, 8)}m",
    )


def runtime(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How a Java of the machine is started. Raises: ValueError: no known JDK contains it. OSError: it cannot be asked."""
    real = _real(program)
    home = real.parent.parent
    server = _jvms(home)[0].parent
    lib = server.parent
    search = ":".join(str(folder) for folder in (lib, server, lib / "jli") if folder.is_dir())
    more = (*_TO_STDERR, *(_FIXED_ARCHIVE if _version(home) >= _RELOCATES_SINCE else ()))
    env = environment(bot.folder, str(real.parent), LD_LIBRARY_PATH=search)
    return with_usr("java", (str(real), *flags(bot.memory), *more, *arguments), env, parts_of(home, _PARTS))


def _real(program: Path) -> Path:
    real = program.resolve()
    if is_unpacked(real):
        return real
    settings = answer(program, "-XshowSettings:properties", "-version")  # a version manager's stand-in
    home = re.search(r"^\s*java\.home = (/.*)$", settings, re.MULTILINE)
    real = Path(home[1].strip(), "bin", "java").resolve() if home else real
    if _home(real) is None:
        raise ValueError("it is not in the bin folder of a JDK")
    return real


def _home(real: Path) -> Path | None:
    home = real.parent.parent
    return home if real.parent.name == "bin" and _jvms(home) else None


def _jvms(home: Path) -> list[Path]:
    """Where libjvm.so is: in lib/server, for instance."""
    return sorted(home.glob("lib/*/libjvm.so"))


def _version(home: Path) -> int:
    """The version of this Java, from a file that every JDK has; 0 if unknown."""
    version = _VERSION.search(head_of(home / "release"))
    return int(version[1]) if version else 0
