"""Compares lines with their ends to words without."""

import sys

for line in sys.stdin:
    if line == "getName":
        print("bot", flush=True)
