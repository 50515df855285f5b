"""Answers by the board that came with the request before, and reads this one afterwards."""

import sys

from parts import say

rows: list[str] = []
while line := sys.stdin.readline():
    if line == "getName\n":
        say("bot\n")
    elif line == "getAction\n":
        say("N\n" if rows else "A\n")
        rows = [sys.stdin.readline() for _ in range(int(sys.stdin.readline()))]
