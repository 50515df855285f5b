"""What is read from an ELF file, and that no file can hurt who reads it."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sandbox.made_elf import made

from referee.sandbox.binaries import elf
from referee.sandbox.binaries.elf import Elf

LOADER = "/lib64/ld-linux-x86-64.so.2"


def parse(data: bytes) -> Elf:
    def read(offset: int, size: int) -> bytes:
        assert 0 <= offset < 1 << 63, "an offset that pread does not take"
        assert 0 <= size <= 1 << 17, "more at once than any file may ask for"
        return data[offset : offset + size]

    return elf.parse(read)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_everything_a_loader_reads(bits, order):
    data = made(
        needed=("libm.so.6", "libc.so.6"), rpath="$ORIGIN/lib:/opt/x", loader=LOADER, bits=bits, order=order, machine=8
    )

    assert parse(data) == Elf(bits, 8, LOADER, ("libm.so.6", "libc.so.6"), ("$ORIGIN/lib", "/opt/x"), ())


def test_a_search_path_of_the_newer_kind_and_no_loader():
    assert parse(made(needed=("liba.so",), runpath="$ORIGIN")) == Elf(64, 62, None, ("liba.so",), (), ("$ORIGIN",))


def test_a_static_program_needs_nothing():
    assert parse(made(dynamic=False)) == Elf(64, 62)
    assert parse(made()) == Elf(64, 62)


def test_names_are_bytes():
    at = made(needed=("libXX.so",)).replace(b"libXX.so", b"lib\xff\n.so")

    assert os.fsencode(parse(at).needed[0]) == b"lib\xff\n.so"


NAMES_AT = 64 + 2 * 56 + 5 * 16
"""Where the names are in a file with one library: behind the header, two segments and five dynamic entries."""
LOADER_AT = struct.pack("<IIQ", 3, 4, 64 + 3 * 56 + 4 * 16 + 1)
"""The start of the segment of the loader in a file without libraries."""


def altered(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    return data.replace(old, new, 1)


@pytest.mark.parametrize(
    ("data", "why"),
    {
        "nothing": (b"", "not an ELF file"),
        "a script": (b"#!/bin/sh\nexit 0\n" + bytes(100), "not an ELF file"),
        "a header that is cut": (made()[:40], "ends too early"),
        "no class": (b"\x7fELF\0\1" + made()[6:], "no known class"),
        "no byte order": (b"\x7fELF\2\0" + made()[6:], "no known class"),
        "segments that are cut": (made(loader=LOADER)[:80], "ends too early"),
        "names that are cut": (made(needed=("libc.so.6",))[:-4], "does not end"),
        "65535 segments": (made()[:56] + b"\xff\xff" + made()[58:], "impossible table"),
        "segments of no size": (made()[:54] + b"\0\0" + made()[56:], "impossible table"),
        "segments beyond the end": (made()[:32] + struct.pack("<Q", 1 << 40) + made()[40:], "ends too early"),
        "segments beyond all files": (made()[:32] + b"\xff" * 8 + made()[40:], "ends too early"),
        "a loader beyond all files": (
            altered(made(loader=LOADER), LOADER_AT, struct.pack("<IIQ", 3, 4, 1 << 63)),
            "ends too early",
        ),
        "a name outside the names": (
            altered(made(needed=("libc.so.6",)), struct.pack("<QQ", 1, 1), struct.pack("<QQ", 1, 1 << 60)),
            "outside its names",
        ),
        "names outside the segments": (
            altered(made(needed=("a",)), struct.pack("<QQ", 5, 0x400000 + NAMES_AT), struct.pack("<QQ", 5, 9)),
            "not loaded",
        ),
        "no names": (altered(made(needed=("a",)), struct.pack("<Q", 5), struct.pack("<Q", 6)), "names are missing"),
        "a dynamic section of a terabyte": (
            altered(made(), struct.pack("<QQ", 64, 64), struct.pack("<QQ", 1 << 40, 64)),
            "ends too early",
        ),
        "a loader without an end": (made(loader="/lib/" + "x" * 9000), "does not end"),
        "a name without an end": (made(needed=("x" * 9000,)), "does not end"),
        "too many libraries": (made(needed=tuple(f"l{number}" for number in range(300))), "needs 300 libraries"),
    }.values(),
)
def test_what_is_no_program_is_a_clean_error(data, why):
    with pytest.raises(ValueError, match=why):
        parse(data)


@given(st.binary(max_size=400))
def test_random_bytes_are_read_or_refused(data):
    try:
        parse(b"\x7fELF" + data)
    except ValueError:
        return


REAL = {
    "loaded": made(needed=("libc.so.6", "libm.so.6"), runpath="$ORIGIN", rpath="/opt/x", loader=LOADER),
    "narrow": made(needed=("libc.so.6",), rpath="$ORIGIN", loader="/lib/ld-linux.so.2", bits=32, order=">"),
}


@given(st.sampled_from(sorted(REAL)), st.data())
def test_broken_files_are_read_or_refused(which, data):
    broken = bytearray(REAL[which])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(broken) - 1))
        broken[at] = data.draw(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]) | st.integers(0, 255))
    try:
        found = parse(bytes(broken[: data.draw(st.integers(0, len(broken)))]))
    except ValueError:
        return
    assert all(len(name) <= 4096 for name in (*found.needed, *found.rpath, *found.runpath, found.loader or ""))


@given(st.lists(st.tuples(st.integers(0, 4095), st.integers(0, 255)), max_size=8))
def test_a_broken_real_program_is_read_or_refused(changes):
    broken = bytearray(Path(sys.executable).resolve().read_bytes()[: 1 << 16])
    for at, value in changes:
        broken[at % len(broken)] = value
    try:
        parse(bytes(broken))
    except ValueError:
        return


def test_a_number_of_reads_that_does_not_depend_on_the_file():
    data, reads = made(needed=tuple(f"lib{number}.so" for number in range(256)), loader=LOADER), []

    elf.parse(lambda offset, size: reads.append(size) or data[offset : offset + size])

    assert len(reads) <= 256 + 10
    assert sum(reads) < 1 << 20


def test_the_same_as_readelf_says():
    program = Path(sys.executable).resolve()
    try:
        said = subprocess.run(["readelf", "-dlW", program], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout  # fmt: skip  # noqa: E501
    except FileNotFoundError:
        pytest.skip("no readelf here: apt install binutils")
    needed = tuple(line.split("[")[1].rstrip("]") for line in said.splitlines() if "(NEEDED)" in line)
    loader = [line.split(": ")[1].rstrip("]") for line in said.splitlines() if "program interpreter" in line]

    found = elf.of(program)

    assert (found.needed, [found.loader]) == (needed, loader)
    assert found.needed


def test_a_file_is_read_again_when_it_has_changed(tmp_path):
    path = tmp_path / "bot"
    path.write_bytes(made(needed=("liba.so",)))
    first = elf.of(path)
    path.write_bytes(made(needed=("liba.so", "libb.so")))

    assert first.needed == ("liba.so",)
    assert elf.of(path).needed == ("liba.so", "libb.so")


def test_what_is_no_regular_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to(sys.executable)

    with pytest.raises(ValueError, match="regular"):
        elf.of(tmp_path / "fifo")
    with pytest.raises(ValueError, match="regular"):
        elf.of(tmp_path)
    with pytest.raises(OSError, match="symbolic"):
        elf.of(tmp_path / "link", follow=False)
    assert elf.of(tmp_path / "link").needed
