"""Shared by the programs in this folder: one process per turn, with the request as input and the answer as output."""

import os
import sys

ANSWER = b"4\nN\nmemory\n"


def read():
    """The request, to the end of input."""
    return sys.stdin.buffer.read()


def say(data=ANSWER):
    """Write all of it."""
    while data:
        data = data[os.write(1, data) :]


def log(text):
    """A line for the referee's ears."""
    os.write(2, text.encode() + b"\n")


def rest():
    """Wait for ever."""
    while True:
        os.read(os.pipe()[0], 1)
