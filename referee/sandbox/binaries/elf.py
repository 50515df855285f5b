"""What an ELF file says about how it is loaded: class and machine, its loader, the libraries it needs, and where to look.

1. The file may be a stranger's, made to hurt its reader. So every number in it is a wish: offsets and counts are capped
   and checked against what the file really holds, and whatever does not add up is a `ValueError`.
2. It is read with `pread`, never mapped: a mapped file that somebody cuts short ends the reader by SIGBUS.
3. The dynamic section names things by address. An address becomes an offset through the loadable segments, as the kernel
   and the loader do it; section headers are not looked at, since programs run without them.
4. Names are bytes. They are decoded as file names are, so they may hold anything but NUL: what is shown is escaped.
"""

from __future__ import annotations

import functools
import os
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAGIC: Final = b"\x7fELF"

# Caps, each well above what linkers write: Node has 13 segments, libLLVM 40 dynamic entries, Chromium 30 needed names.
_SEGMENTS: Final = 128
_DYNAMIC_BYTES: Final = 1 << 16
_NEEDED: Final = 256
_NAME: Final = 4096

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP = 1, 2, 3
_DT_NULL, _DT_NEEDED, _DT_STRTAB, _DT_STRSZ, _DT_RPATH, _DT_RUNPATH = 0, 1, 5, 10, 15, 29

Read = Callable[[int, int], bytes]
"""(offset, size) -> at most so many bytes from there, fewer at the end of the file."""
Stamp = tuple[int, int, int, int]
"""Device, inode, modification time in ns, size: a file as it was when it was read."""


@dataclass(frozen=True, slots=True)
class Elf:
    """A program or shared library as the loader sees it.

    Attributes:
        bits: 32 or 64. machine: the number of its instruction set.
        loader: the program interpreter it asks for; None where the kernel alone starts it, and in libraries.
        needed: libraries by name, in the order of the search.
        rpath, runpath: folders as they are written, `$ORIGIN` and all.
    """

    bits: int
    machine: int
    loader: str | None = None
    needed: tuple[str, ...] = ()
    rpath: tuple[str, ...] = ()
    runpath: tuple[str, ...] = ()


def parse(read: Read) -> Elf:
    """The headers of one file.

    Raises:
        ValueError: this is no ELF file that could be loaded.
    """
    ident = read(0, 16)
    if len(ident) < 16 or ident[:4] != MAGIC:
        raise ValueError("not an ELF file")
    if ident[4] not in (1, 2) or ident[5] not in (1, 2):
        raise ValueError("an ELF file of no known class or byte order")
    wide, order = ident[4] == 2, "<" if ident[5] == 1 else ">"
    machine, table, entry_size, count = _header(read, wide, order)
    loads: list[tuple[int, int, int]] = []  # address, offset, size in the file
    dynamic: tuple[int, int] | None = None
    loader: str | None = None
    for kind, offset, address, size in _segments(read, wide, order, table, entry_size, count):
        if kind == _PT_LOAD:
            loads.append((address, offset, size))
        elif kind == _PT_DYNAMIC:
            dynamic = offset, size
        elif kind == _PT_INTERP:
            loader = _name(read, offset, min(size, _NAME))
    bits = 64 if wide else 32
    if dynamic is None:
        return Elf(bits, machine, loader)
    return Elf(bits, machine, loader, *_dynamic(read, wide, order, dynamic, loads))


def of(path: Path, *, follow: bool = True) -> Elf:
    """A file on the disk; the same file is read once. With `follow` false, a symbolic link is refused.

    Raises:
        ValueError: it is no ELF file that could be loaded. OSError: it cannot be read.
    """
    return _of(str(path), follow, stamp(path, follow=follow))


def is_elf(path: Path) -> bool:
    """Whether a file begins as ELF files do.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def stamp(path: Path, *, follow: bool = True) -> Stamp:
    """What changes when the file does.

    Raises:
        OSError: there is none.
    """
    seen = os.stat(path, follow_symlinks=follow)
    return seen.st_dev, seen.st_ino, seen.st_mtime_ns, seen.st_size


@functools.lru_cache(maxsize=4096)
def _of(path: str, follow: bool, _stamp: Stamp) -> Elf:
    # Without O_NONBLOCK, opening a FIFO would wait for its writer.
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("not a regular file")
        return parse(lambda offset, size: os.pread(descriptor, size, offset))
    finally:
        os.close(descriptor)


def _header(read: Read, wide: bool, order: str) -> tuple[int, int, int, int]:
    """Machine, and the segment table: its offset, the size of an entry, their number."""
    if wide:
        machine, table, entry_size, count = _unpack(order + "2xH4x8xQ8x4x2xHH", read(16, 42))
        least = 56
    else:
        machine, table, entry_size, count = _unpack(order + "2xH4x4xI4x4x2xHH", read(16, 30))
        least = 32
    if count > _SEGMENTS or (count and not least <= entry_size <= 1024):
        raise ValueError("an ELF file with an impossible table of segments")
    return machine, table, entry_size, count


def _segments(
    read: Read, wide: bool, order: str, table: int, entry_size: int, count: int
) -> list[tuple[int, int, int, int]]:
    """Kind, offset, address and size in the file of each segment."""
    data = _bytes(read, table, entry_size * count)
    if wide:
        form = struct.Struct(order + "I4xQQ8xQ")
        return [form.unpack_from(data, at) for at in range(0, len(data), entry_size)]
    form = struct.Struct(order + "IIIxxxxI")
    return [form.unpack_from(data, at) for at in range(0, len(data), entry_size)]


def _dynamic(
    read: Read, wide: bool, order: str, where: tuple[int, int], loads: list[tuple[int, int, int]]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What is needed, rpath and runpath."""
    offset, size = where
    form = struct.Struct(order + ("QQ" if wide else "II"))
    data = _bytes(read, offset, min(size, _DYNAMIC_BYTES) // form.size * form.size)
    needed: list[int] = []
    single: dict[int, int] = {}
    for tag, value in form.iter_unpack(data):
        if tag == _DT_NULL:
            break
        if tag == _DT_NEEDED:
            needed.append(value)
        elif tag in (_DT_STRTAB, _DT_STRSZ, _DT_RPATH, _DT_RUNPATH):
            single[tag] = value
    if len(needed) > _NEEDED:
        raise ValueError(f"an ELF file that needs {len(needed)} libraries")
    if not needed and _DT_RPATH not in single and _DT_RUNPATH not in single:
        return (), (), ()
    if _DT_STRTAB not in single or _DT_STRSZ not in single:
        raise ValueError("an ELF file whose names are missing")
    strings, length = _offset(single[_DT_STRTAB], loads), single[_DT_STRSZ]

    def name(at: int) -> str:
        if at >= length:
            raise ValueError("an ELF file with a name outside its names")
        return _name(read, strings + at, min(length - at, _NAME))

    def folders(tag: int) -> tuple[str, ...]:
        return tuple(filter(None, name(single[tag]).split(":"))) if tag in single else ()

    return tuple(map(name, needed)), folders(_DT_RPATH), folders(_DT_RUNPATH)


def _offset(address: int, loads: list[tuple[int, int, int]]) -> int:
    for start, offset, size in loads:
        if start <= address < start + size:
            return offset + address - start
    raise ValueError("an ELF file whose names are not loaded")


def _name(read: Read, offset: int, most: int) -> str:
    """The string that starts there and ends with a NUL within so many bytes."""
    if offset >= 1 << 62:  # beyond what pread takes
        raise ValueError("an ELF file that ends too early")
    data = read(offset, min(most, 256))
    if b"\0" not in data and most > 256:
        data = read(offset, most)
    text, ended, _ = data.partition(b"\0")
    if not ended:
        raise ValueError("an ELF file with a name that does not end")
    return os.fsdecode(text)


def _bytes(read: Read, offset: int, size: int) -> bytes:
    if offset >= 1 << 62:
        raise ValueError("an ELF file that ends too early")
    data = read(offset, size) if size else b""
    if len(data) != size:
        raise ValueError("an ELF file that ends too early")
    return data


def _unpack(form: str, data: bytes) -> tuple[int, int, int, int]:
    try:
        first, second, third, fourth = struct.unpack(form, data)
    except struct.error:
        raise ValueError("an ELF file that ends too early") from None
    return first, second, third, fourth
