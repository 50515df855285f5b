"""Rides to where most squares can be reached."""

import sys

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def reached(rows, start):
    """How many free squares are connected with this one; 0 if it is not free itself."""
    seen, ahead = set(), [start]
    while ahead:
        x, y = ahead.pop()
        if 0 <= y < len(rows) and 0 <= x < len(rows) and rows[y][x] == "." and (x, y) not in seen:
            seen.add((x, y))
            ahead += [(x + right, y + down) for right, down in STEPS.values()]
    return len(seen)


for line in sys.stdin:
    if line == "getName\n":
        print("Roomy", flush=True)
        continue
    rows = [next(sys.stdin).rstrip("\n") for _ in range(int(next(sys.stdin)))]
    [(x, y)] = [(row.index("@"), number) for number, row in enumerate(rows) if "@" in row]
    print(max(STEPS, key=lambda letter: reached(rows, (x + STEPS[letter][0], y + STEPS[letter][1]))), flush=True)
