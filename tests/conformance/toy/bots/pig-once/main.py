"""Rolls until one point is at stake, or the goal is reached."""

import sys

for line in sys.stdin:
    if line == "getName\n":
        print("Once", flush=True)
        continue
    goal, stake = map(int, next(sys.stdin).split())
    mine = int(next(sys.stdin).split()[0])
    print("hold" if stake >= min(1, goal - mine) else "roll", flush=True)
