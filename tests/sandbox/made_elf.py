"""Minimal ELF files: only the header, because the tested code reads nothing else."""

import struct


def elf_header(*, bits: int = 64, machine: int = 62) -> bytes:
    """The ELF header of a program with this word size and instruction set."""
    ident = b"\x7fELF" + bytes([2 if bits == 64 else 1, 1, 1]) + bytes(9)
    return ident + struct.pack("<HH", 3, machine) + bytes(44)
