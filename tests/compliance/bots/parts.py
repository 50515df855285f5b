"""What the programs beside this one share: whole requests, and a plain way to write."""

import os
import sys


def requests():
    """Each request as its lines, once all of them are read."""
    source = sys.stdin.buffer
    while line := source.readline():
        lines = [line]
        if line == b"getAction\n":
            lines += [size := source.readline()]
            lines += [source.readline() for _ in range(int(size))]
            lines += [source.readline() for _ in range(b"".join(lines[2:]).count(b"p"))]
        yield [line.decode().strip() for line in lines]


def say(text):
    """Write all of it at once."""
    os.write(1, text.encode())


def log(text):
    """A line for the log."""
    os.write(2, text.encode() + b"\n")


def play(name="bot\n", action="N\n"):
    """Play to the end with these two answers."""
    for lines in requests():
        say(name if lines == ["getName"] else action)


def own(lines):
    """The numbers of its own python: shield, length, coordinates."""
    return [int(word) for word in lines[2 + int(lines[1])].split()]
