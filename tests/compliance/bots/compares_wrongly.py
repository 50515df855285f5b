"""Compares lines to words and forgets the line feed."""

import sys

for line in sys.stdin:
    if line == "getName":
        print("bot", flush=True)
