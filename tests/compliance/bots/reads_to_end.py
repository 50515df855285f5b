"""Reads all of its input before it answers any of it."""

import sys

for line in sys.stdin.read().splitlines():
    if line == "getName":
        print("bot", flush=True)
    elif line == "getAction":
        print("N", flush=True)
