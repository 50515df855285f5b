"""Bids `value`."""

import sys

for line in sys.stdin:
    if line == "getName\n":
        print("Honest", flush=True)
        continue
    next(sys.stdin)
    value, coins, _points = map(int, next(sys.stdin).split())
    next(sys.stdin)
    print(min(value, coins), flush=True)
