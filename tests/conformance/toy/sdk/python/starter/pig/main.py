"""@NAME@: a first bot for Pig. Rule numbers are those of `referee rules pig`."""

import sys

ENOUGH = 20
"""Points at stake that are too many to lose (rule 3)."""


def choose(goal: int, stake: int, mine: int) -> str:
    """What to do with these points at stake, and these that are safe."""
    return "hold" if stake >= min(ENOUGH, goal - mine) else "roll"


for line in sys.stdin:
    if line == "getName\n":
        print("@NAME@", flush=True)
        continue
    goal, stake = map(int, next(sys.stdin).split())
    mine, *_others = map(int, next(sys.stdin).split())
    print(choose(goal, stake, mine), flush=True)
