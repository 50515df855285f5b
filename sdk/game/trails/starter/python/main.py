"""@NAME@: a first bot for Trails. Rule numbers are those of `referee rules trails`."""

import sys

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def is_free(rows, x, y):
    """Whether a player can move there (rule 3)."""
    return 0 <= y < len(rows) and 0 <= x < len(rows) and rows[y][x] == "."


def choose(rows, x, y):
    """The direction in which to move from x, y."""
    for letter, (right, down) in STEPS.items():
        if is_free(rows, x + right, y + down):
            return letter
    return "N"


for line in sys.stdin:
    if line == "getName\n":
        print("@NAME@", flush=True)
        continue
    rows = [next(sys.stdin).rstrip("\n") for _ in range(int(next(sys.stdin)))]
    [(x, y)] = [(row.index("@"), number) for number, row in enumerate(rows) if "@" in row]
    print(choose(rows, x, y), flush=True)
