"""Bids `value // 2`."""

import sys

for line in sys.stdin:
    if line == "getName\n":
        print("Half", flush=True)
        continue
    next(sys.stdin)
    value, coins, _points = map(int, next(sys.stdin).split())
    next(sys.stdin)
    print(min(value // 2, coins), flush=True)
