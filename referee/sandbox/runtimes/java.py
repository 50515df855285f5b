"""Java: the whole folder of a JDK or JRE, what its links lead to, and the libraries that its own libraries need.

1. A JDK is a folder whose bin/java is the program. Debian's keeps its settings in /etc/java-NN-openjdk and its certificates
   in /etc/ssl/certs/java, behind links; without the first the machine does not start. Links of a JDK that is neither in
   /usr nor on PATH are not followed out of it.
2. The loader finds the JDK's libraries by `$ORIGIN`, which needs /proc: so LD_LIBRARY_PATH names them.
3. The heap is half of the memory. What Java holds beside it: direct buffers (limited to an eighth), compiled code, classes,
   and 1 MiB of stack a thread. Arguments of the bot come later and win.
4. Since Java 17 its archive of classes is moved to another place in memory at each start, so that nobody knows where it
   lies: 5 ms, for nothing in a cell, where the program has only itself to attack. It stays where it was made for.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.names import shorten
from referee.sandbox.binaries import elf, libraries
from referee.sandbox.binaries.system_libraries import cache_stamp
from referee.sandbox.limits import MIB
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.profile import CPUS, Runtime, environment, locale, ordered, within
from referee.sandbox.runtimes.view import View, head_of, is_vouched_for

_ALSO: Final = ("libstdc++.so.6",)
"""What libraries of a bot's own may need that the JDK does not."""
_UNSEEN: Final = re.compile(
    r"lib(awt|fontmanager|freetype|javajpeg|lcms|mlib_image|splashscreen|jawt|jsound|j2pkcs11|j2gss|j2pcsc|sctp|saproc|jdwp|"
    r"dt_socket|attach|le|jsig)\w*\.so"
)
"""Libraries for windows, sound, cards and debuggers: what they need is much, and not in the cell."""
_TO_STDERR: Final = ("-Xlog:disable", "-Xlog:all=warning:stderr")
"""The machine's own warnings, which stand on stdout between the answers else. Java 9 knows how, and has lib/modules."""
_STAYS: Final = ("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0")
"""Theory, point 4."""
_MOVES: Final = 17
"""The first Java that moves its archive."""
_VERSION: Final = re.compile(rb'^JAVA_VERSION="(\d{1,6})\b', re.MULTILINE)
_LINKS: Final = 2000
"""Files of a JDK that are looked at for links: Debian's has 400."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """One JDK: its program, what it needs in the cell."""

    program: Path
    binds: tuple[tuple[Path, str], ...]
    search: tuple[str, ...]
    more: tuple[str, ...]


def is_java(name: str) -> bool:
    """Whether a program of this name is a Java."""
    return name == "java"


def is_unpacked(program: Path) -> bool:
    """Whether this is the program of a JDK, wherever it lies."""
    real = program.resolve()
    return is_java(real.name) and elf.is_elf(real) and _home(real) is not None


def flags(memory: int) -> tuple[str, ...]:
    """What makes it start fast and hold within so many bytes."""
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


def runtime(program: Path, arguments: tuple[str, ...], view: View) -> Runtime:
    """How a Java of the machine is started.

    Raises:
        BotError: it is in no JDK that is known.
    """
    try:
        real = _real(program)
        machine = _machine(real, is_vouched_for(program), elf.stamp(real), cache_stamp())
    except (OSError, ValueError) as failed:
        raise view.refuse(f"{program} cannot be asked where its JDK is: {shorten(str(failed))}") from None
    argv = (str(machine.program), *flags(view.memory), *machine.more, *arguments)
    return Runtime("java", argv, machine.binds, (), environment(view.folder, machine.search))


def _real(program: Path) -> Path:
    real = program.resolve()
    if is_unpacked(real):
        return real
    said = answer(program, "-XshowSettings:properties", "-version")  # a version manager's stand-in
    told = re.search(r"^\s*java\.home = (/.*)$", said, re.MULTILINE)
    real = Path(told[1].strip(), "bin", "java").resolve() if told else real
    if _home(real) is None:
        raise ValueError("it does not lie in the bin folder of a JDK")
    return real


def _home(real: Path) -> Path | None:
    home = real.parent.parent
    return home if real.parent.name == "bin" and any(_jvms(home)) else None


def _jvms(home: Path) -> Iterator[Path]:
    """Where libjvm.so lies: lib/server, or lib/ARCH/server up to Java 8 (jre/lib/ARCH/server in its JDK)."""
    for pattern in ("lib/*/libjvm.so", "lib/*/*/libjvm.so", "jre/lib/*/*/libjvm.so"):
        yield from sorted(home.glob(pattern))


@functools.lru_cache(maxsize=16)
def _machine(real: Path, vouched: bool, _stamp: elf.Stamp, _listed: elf.Stamp | None) -> _Machine:
    home = _home(real)
    assert home is not None
    jvm = next(iter(_jvms(home)))
    lib = jvm.parent.parent
    own = [lib, jvm.parent, lib / "jli"]
    inner = [path for path in sorted(lib.glob("*.so")) if not _UNSEEN.fullmatch(path.name) and not os.path.islink(path)]
    found = libraries.of_machine([real, jvm, *inner], also=_ALSO)
    needed = [*_linked(home), *found.binds]
    binds = [(home, str(home)), *(needed if vouched else within(needed, home)), *locale()]
    search = dict.fromkeys([*(str(folder) for folder in own if folder.is_dir()), *found.search])
    more = (*(_TO_STDERR if (home / "lib/modules").exists() else ()), *(_STAYS if _version(home) >= _MOVES else ()))
    return _Machine(real, ordered(binds), tuple(search), more)


def _version(home: Path) -> int:
    """Which Java this is, by the file that every JDK has; 0 where it does not say."""
    said = _VERSION.search(head_of(home / "release"))
    return int(said[1]) if said else 0


def _linked(home: Path) -> Iterator[tuple[Path, str]]:
    """What the links of a JDK's settings and libraries lead to outside of it: /etc/java-NN as a whole, else the file."""
    seen = 0
    for top in ("conf", "lib", "jre/lib"):
        for folder, _, files in os.walk(home / top):
            for name in files:
                seen += 1
                path = Path(folder, name)
                if seen > _LINKS or not os.path.islink(path) or not os.path.exists(path):
                    continue
                target = Path(os.path.normpath(path.parent / path.readlink()))
                if target.is_relative_to(home) or name.endswith(".so"):  # a library that others put there, for windows
                    continue
                whole = re.match(r"/etc/java[\w.-]*(?=/)", str(target))
                place = Path(whole[0]) if whole else target
                yield place.resolve(), str(place)
