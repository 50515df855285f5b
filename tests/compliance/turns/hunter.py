"""What the programs beside this one share: an egg hunter's turn, its six lines in and its three out."""

import sys

ANSWER = "9\nN\nmine\n"


def read():
    """The view and the memory."""
    return [sys.stdin.readline().rstrip("\n") for _ in range(6)]


def say(text=ANSWER):
    """To stdout, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()
