"""Shared by the programs in this folder: the turn of an egg hunter, six lines of input and three of output."""

import sys

ANSWER = "9\nN\nmine\n"


def read():
    """Read the view and the memory."""
    return [sys.stdin.readline().rstrip("\n") for _ in range(6)]


def say(text=ANSWER):
    """Write the answer and flush it."""
    sys.stdout.write(text)
    sys.stdout.flush()
