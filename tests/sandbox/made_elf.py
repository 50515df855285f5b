"""ELF files made by hand: a header, which is all that anybody here looks at."""

import struct


def made(*, bits: int = 64, machine: int = 62) -> bytes:
    """The beginning of a program for so many bits and this instruction set."""
    ident = b"\x7fELF" + bytes([2 if bits == 64 else 1, 1, 1]) + bytes(9)
    return ident + struct.pack("<HH", 3, machine) + bytes(44)
