"""Rolls until 20 points are at stake, or the goal is reached."""

import sys

for line in sys.stdin:
    if line == "getName\n":
        print("Twenty", flush=True)
        continue
    goal, stake = map(int, next(sys.stdin).split())
    mine = int(next(sys.stdin).split()[0])
    print("hold" if stake >= min(20, goal - mine) else "roll", flush=True)
