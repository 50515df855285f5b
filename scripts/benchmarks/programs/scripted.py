"""The counterpart of scripted.c for machines without a C compiler: `scripted.py SCRIPT [PAUSE]`."""

import os
import struct
import sys
import time

ALL = CLOCK = 2**32 - 1


def request(length: int) -> int:
    """Read a request; returns how many bytes arrived."""
    have = 0
    while have < length and (data := os.read(0, min(length - have, 1 << 16))):
        have += len(data)
    return have


def main() -> int:
    """Play the script."""
    with open(sys.argv[1], "rb") as file:
        script = file.read()
    pause = int(sys.argv[2]) / 1e6 if len(sys.argv) > 2 else 0.0
    at = 0
    while at < len(script):
        length, count = struct.unpack_from("=II", script, at)
        at += 8
        got = request(length)
        if got < length != ALL:
            return int(got != 0)
        if pause:
            time.sleep(pause)  # noqa: TID251 - a player's own time
        if count == CLOCK:
            os.write(1, b"%d\n" % time.monotonic_ns())
        else:
            os.write(1, script[at : at + count])
            at += count
    return int(os.read(0, 1) != b"")


sys.exit(main())
