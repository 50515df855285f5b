"""What a program needs to see in its cell besides /usr, as a value."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from referee.sandbox.limits import Calls, Limits
from referee.sandbox.runtimes import system

CPUS: Final = 4
"""The number of processors that is reported to runtimes that start a thread for each: their threads count against the limits."""

_LIBRARIES: Final = 500
"""Libraries beside an interpreter that are bound: the largest distributions of Python have 300."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """How a program is started in its cell, and what it finds there.

    Attributes:
        kind: `native`, `python`, `node`, `java` or `other`.
        argv: the command that is executed in the cell, with the whole environment `env`. The program is an absolute path.
        binds: (real path on the host, place in the cell) of read-only files and folders, parents before their contents.
        links: (target, place) of symbolic links to create.
        reserved: the bytes of private memory that the program reserves and hardly uses; the limit is raised by them.
    """

    kind: str
    argv: tuple[str, ...]
    binds: system.Binds
    links: system.Links
    env: Mapping[str, str]
    reserved: int = 0
    calls: Calls = "players"

    def room(self, limits: Limits) -> Limits:
        """The limits for what it may ask for; what it may hold does not change."""
        return replace(limits, memory=limits.memory + self.reserved)


def with_usr(
    kind: str,
    argv: tuple[str, ...],
    env: Mapping[str, str],
    binds: Iterable[tuple[Path, str]] = (),
    reserved: int = 0,
    calls: Calls = "players",
) -> Runtime:
    """A runtime that sees /usr and these binds. Binds in /usr are dropped."""
    system_binds, links = system.of_players(kind)
    more = [(host.resolve(), inside) for host, inside in binds if not system.is_shown(inside)]
    return Runtime(kind, argv, (*system_binds, *order_binds(more)), links, env, reserved, calls)


def environment(folder: str, origin: str, **more: str) -> dict[str, str]:
    """The whole environment of a program in the folder `origin`, with `more` variables of the runtime, and its `folder` as home.

    Programs may name the folder of their libraries by `$ORIGIN`. The loader gets it from /proc or, without that, from a variable.
    """
    path = "/usr/local/bin:/usr/bin:/bin"
    return {"PATH": path, "HOME": folder, "LANG": "C.UTF-8", "LD_ORIGIN_PATH": origin, **more}


def parts_of(folder: Path, names: Iterable[str]) -> list[tuple[Path, str]]:
    """The entries of a folder with these names, if they exist and no link leads out of it; each with its path in the cell."""
    real = folder.resolve()
    there = [name for name in names if (real / name).exists() and (real / name).resolve().is_relative_to(real)]
    return [(real / name, str(folder / name)) for name in there]


def program_binds(real: Path) -> Iterator[tuple[Path, str]]:
    """A program of the machine and, if it is outside /usr, the libraries in the `lib` next to its folder."""
    yield real, str(real)
    if real.parent.name == "bin" and not system.is_shown(str(real)):
        prefix = real.parent.parent
        names = [str(path.relative_to(prefix)) for path in sorted(prefix.glob("lib*/lib*.so*")) if path.is_file()]
        yield from parts_of(prefix, names[:_LIBRARIES])


def order_binds(binds: Iterable[tuple[Path, str]]) -> system.Binds:
    """The binds, parents first, one for each place, without those that are inside another bound folder."""
    outermost: dict[str, Path] = {}
    for host, inside in sorted(binds, key=lambda bind: len(PurePosixPath(bind[1]).parts)):
        if inside not in outermost and not _covered(host, inside, outermost):
            outermost[inside] = host
    return tuple((host, inside) for inside, host in outermost.items())


def _covered(host: Path, inside: str, binds: Mapping[str, Path]) -> bool:
    for parent in PurePosixPath(inside).parents:
        if (folder := binds.get(str(parent))) is not None:
            return os.path.realpath(folder / PurePosixPath(inside).relative_to(parent)) == os.path.realpath(host)
    return False
