"""Flushes its name and never an action: with two bytes per answer, the buffer of 8 KiB fills up late."""

import sys

for line in iter(sys.stdin.readline, ""):
    if line == "getName\n":
        print("bot", flush=True)
    elif line == "getAction\n":
        rows = [sys.stdin.readline() for _ in range(int(sys.stdin.readline()))]
        for _ in range("".join(rows).count("p")):
            sys.stdin.readline()
        print("N")
