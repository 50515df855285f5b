"""Libraries of the machine by their bare names, as its loader would find them: in /etc/ld.so.cache, then in the usual folders."""

from __future__ import annotations

import functools
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.sandbox.binaries import elf
from referee.sandbox.binaries.elf import Elf

LD_SO_CACHE: Final = Path("/etc/ld.so.cache")
_CACHE_BYTES: Final = 16 << 20
_MAGIC: Final = b"glibc-ld.so.cache1.1"


@functools.cache
def system_folders() -> tuple[Path, ...]:
    """The folders of the system's libraries, for machines without /etc/ld.so.cache and for what it does not list."""
    tops = [Path(top) for top in ("/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib")]
    found: list[Path] = []
    for top in tops:
        with suppress(OSError):
            found += sorted(path for path in top.glob("*-linux-*") if path.is_dir())
            found += [top] if top.is_dir() else []
    return tuple(found)


def cache_stamp() -> elf.Stamp | None:
    """What changes when the system's list of libraries does; None where there is none."""
    try:
        return elf.stamp(LD_SO_CACHE)
    except OSError:
        return None


@functools.lru_cache(maxsize=4096)
def of_system(name: str, bits: int, machine: int, listed: elf.Stamp | None) -> tuple[Path, Path, Elf] | None:
    """The system's library of that name for this machine, its real path, and what it needs."""
    for path in _candidates(name, listed):
        with suppress(OSError, ValueError):
            library = elf.of(path)
            if (library.bits, library.machine) == (bits, machine):
                return path, path.resolve(strict=True), library
    return None


def _candidates(name: str, listed: elf.Stamp | None) -> Iterator[Path]:
    if listed is not None:
        yield from (Path(path) for path in _list(listed).get(name, ()))
    yield from (folder / name for folder in system_folders())


@functools.lru_cache(maxsize=2)
def _list(_stamp: elf.Stamp) -> dict[str, tuple[str, ...]]:
    try:
        with LD_SO_CACHE.open("rb") as file:
            return parse_cache(file.read(_CACHE_BYTES))
    except (OSError, ValueError):
        return {}


def parse_cache(data: bytes) -> dict[str, tuple[str, ...]]:
    """The paths of each library in /etc/ld.so.cache, without variants for special processors.

    The file is a header of 48 bytes (20 of them its magic, then the number of entries), entries of 24 bytes (flags, offsets
    of name and path, 4 bytes, processor features) and the strings; offsets count from the magic. An older format may stand
    before it.

    Raises:
        ValueError: it is not that format.
    """
    start = data.find(_MAGIC)
    if start < 0:
        raise ValueError("not a list of libraries that is known")
    data = data[start:]
    order = "<" if len(data) > 28 and data[28] & 3 in (0, 2) else ">"
    try:
        (count,) = struct.unpack_from(order + "I", data, 20)
        table = data[48 : 48 + 24 * count]
        paths: dict[str, tuple[str, ...]] = {}
        for _flags, key, value, features in struct.iter_unpack(order + "iII4xQ", table):
            if not features:
                name, path = _string(data, key), _string(data, value)
                if path.startswith("/"):
                    paths[name] = (*paths.get(name, ()), path)
    except struct.error:
        raise ValueError("a list of libraries that ends too early") from None
    return paths


def _string(data: bytes, at: int) -> str:
    end = data.find(b"\0", at, at + 4096)
    if end < 0:
        raise ValueError("a list of libraries with a name that does not end")
    return os.fsdecode(data[at:end])
