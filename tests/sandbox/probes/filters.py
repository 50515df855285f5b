"""Small seccomp filters, and an interpreter that runs a filter without the kernel."""

import struct

LET_THROUGH, KILL_PROCESS = 0x7FFF_0000, 0x8000_0000


def instruction(code, yes, no, value):
    return struct.pack("=HBBI", code, yes, no, value)


ALL_ALLOWED = instruction(0x06, 0, 0, LET_THROUGH)
"""A filter that filters nothing."""


def without(call):
    """A filter that answers one call with ENOSYS and allows all others."""
    return (
        instruction(0x20, 0, 0, 0) + instruction(0x15, 0, 1, call) + instruction(0x06, 0, 0, 0x0005_0026) + ALL_ALLOWED
    )


def run(program, arch, call, arguments):
    """The answer of the filter `program` to a call, from a small interpreter of the kernel's filter instructions."""
    data = struct.pack("=iIQ6Q", call, arch, 0, *arguments)
    held = at = 0
    while True:
        code, yes, no, value = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        match code:
            case 0x20:
                (held,) = struct.unpack_from("=I", data, value)
            case 0x54:
                held &= value
            case 0x05:
                at += value
            case 0x15 | 0x25 | 0x35 | 0x45:
                test = {0x15: held == value, 0x25: held > value, 0x35: held >= value, 0x45: bool(held & value)}[code]
                at += yes if test else no
            case 0x06:
                return value
            case _:
                raise AssertionError(f"instruction {code:#x}")
