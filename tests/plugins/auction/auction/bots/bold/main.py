"""Bids `value + 3`."""

import sys

for line in sys.stdin:
    if line == "getName\n":
        print("Bold", flush=True)
        continue
    next(sys.stdin)
    value, coins, _points = map(int, next(sys.stdin).split())
    next(sys.stdin)
    print(min(value + 3, coins), flush=True)
