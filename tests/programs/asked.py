"""Shared by the programs in this folder: requests as in protocol.md, a correct bot, a log."""

import os
import sys

NAME, ACTION = b"bot\n", b"N\n"


def requests():
    """Yields the name of each request when all of its lines have been read."""
    source = sys.stdin.buffer
    while line := source.readline():
        if line == b"getAction\n":
            rows = [source.readline() for _ in range(int(source.readline()))]
            for _ in range(b"".join(rows).count(b"p")):
                source.readline()
        yield line.strip().decode()


def say(data):
    """Write the bytes in one call."""
    os.write(1, data)


def log(text):
    """Write a line to stderr; tests wait for some of them."""
    os.write(2, text.encode() + b"\n")


def answer(request):
    """Answer correctly."""
    say(NAME if request == "getName" else ACTION)


def play(name=NAME, action=ACTION):
    """Answer all requests with these two answers."""
    for request in requests():
        say(name if request == "getName" else action)


def play_until_action():
    """Answer getName, read the first getAction and leave its answer to the caller."""
    for request in requests():
        if request == "getAction":
            return
        answer(request)


def rest():
    """Wait forever."""
    while True:
        os.read(os.pipe()[0], 1)
