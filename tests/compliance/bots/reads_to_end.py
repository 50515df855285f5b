"""Reads its input to the end before it answers."""

import sys

for line in sys.stdin.read().splitlines():
    if line == "getName":
        print("bot", flush=True)
    elif line == "getAction":
        print("N", flush=True)
