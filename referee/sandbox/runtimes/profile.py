"""What a program needs to see in its cell, as a value."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from referee.sandbox.limits import Limits

CPUS: Final = 4
"""How many processors runtimes are told of that start a thread for each: what they start counts against the limits."""

_SYSTEM: Final = ("/usr", "/lib", "/lib32", "/lib64", "/libx32")
_LOCALE: Final = Path("/usr/lib/locale/C.utf8")


@dataclass(frozen=True, slots=True)
class Runtime:
    """How a program is started in its cell, and what it finds there.

    Attributes:
        kind: how records call it: `native`, `python`, `node`, `java`, `usr`.
        argv: as it is executed inside; the program itself is an absolute path.
        binds: (path on the host, place inside) of files and folders, read-only, parents before what stands in them.
        links: (target, place) of symbolic links to make.
        env: the whole environment inside.
        reserved: bytes of private memory that it takes beforehand and hardly uses, for which there is to be room beside the
            limit of memory.
    """

    kind: str
    argv: tuple[str, ...]
    binds: tuple[tuple[Path, str], ...]
    links: tuple[tuple[str, str], ...]
    env: Mapping[str, str]
    reserved: int = 0

    def room(self, limits: Limits) -> Limits:
        """The limits for what it may ask for; what it may hold does not change."""
        return replace(limits, memory=limits.memory + self.reserved)


def environment(folder: str, search: Iterable[str] = (), **more: str) -> dict[str, str]:
    """The whole environment of a program that sees its own folder there.

    Args:
        search: folders that the loader of libraries must be told of.
        more: what the runtime itself reads.
    """
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8" if locale() else "C", **more}
    told = ":".join(search)
    return {**env, "LD_LIBRARY_PATH": told} if told else env


def locale() -> list[tuple[Path, str]]:
    """What makes LANG=C.UTF-8 true: without it C++ refuses `std::locale("")` and Java 17 prints `?` for most letters."""
    return [(_LOCALE, str(_LOCALE))] if _LOCALE.is_dir() else []


def ordered(binds: Iterable[tuple[Path, str]]) -> tuple[tuple[Path, str], ...]:
    """The binds with parents first, one for each place, without those that a folder among them shows anyway."""
    kept: dict[str, Path] = {}
    for host, place in sorted(binds, key=lambda bind: len(PurePosixPath(bind[1]).parts)):
        if place not in kept and not _shown(host, place, kept):
            kept[place] = host
    return tuple((host, place) for place, host in kept.items())


def within(binds: Iterable[tuple[Path, str]], *folders: Path) -> list[tuple[Path, str]]:
    """Those binds whose files lie in the folders, or where a system has its libraries."""
    tops = [*folders, *(Path(top) for top in _SYSTEM)]
    return [(host, place) for host, place in binds if any(host.resolve().is_relative_to(top) for top in tops)]


def _shown(host: Path, place: str, kept: Mapping[str, Path]) -> bool:
    for parent in PurePosixPath(place).parents:
        if (folder := kept.get(str(parent))) is not None:
            return os.path.realpath(folder / PurePosixPath(place).relative_to(parent)) == os.path.realpath(host)
    return False
