"""Rides ahead, and turns only if it must."""

import sys

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
last = "N"
for line in sys.stdin:
    if line == "getName\n":
        print("Ahead", flush=True)
        continue
    rows = [next(sys.stdin).rstrip("\n") for _ in range(int(next(sys.stdin)))]
    [(x, y)] = [(row.index("@"), number) for number, row in enumerate(rows) if "@" in row]
    free = [
        letter
        for letter, (right, down) in STEPS.items()
        if 0 <= y + down < len(rows) and 0 <= x + right < len(rows) and rows[y + down][x + right] == "."
    ]
    last = last if last in free or not free else free[0]
    print(last, flush=True)
