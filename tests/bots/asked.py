"""Shared by the programs in this folder: requests as in protocol.md, a correct bot, a log."""

import os
import sys

NAME, ACTION = b"bot\n", b"N\n"


def requests():
    """The name of each request, once all of its lines are read."""
    source = sys.stdin.buffer
    while line := source.readline():
        if line == b"getAction\n":
            rows = [source.readline() for _ in range(int(source.readline()))]
            for _ in range(b"".join(rows).count(b"p")):
                source.readline()
        yield line.strip().decode()


def say(data):
    """Write all of it at once."""
    os.write(1, data)


def log(text):
    """A line for the referee's ears: tests wait for some of them."""
    os.write(2, text.encode() + b"\n")


def answer(request):
    """What an honest bot says."""
    say(NAME if request == "getName" else ACTION)


def play(name=NAME, action=ACTION):
    """Play to the end with these two answers."""
    for request in requests():
        say(name if request == "getName" else action)


def play_until_action():
    """Answer the name, read the first getAction and leave its answer to the caller."""
    for request in requests():
        if request == "getAction":
            return
        answer(request)


def rest():
    """Wait for ever."""
    while True:
        os.read(os.pipe()[0], 1)
