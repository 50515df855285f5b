"""Bunny: hops to the nearest egg that it sees, or after the nearest player, who may know more; otherwise it hops on.

It sees two cells far and finds paths that far. It lives for the whole match and leaves its memory empty: it keeps only its
random state and the direction of its last hop.
"""

import sys
from random import Random

STEPS = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
"""The steps clockwise: the direction of the first is 1."""
STAY = 9
TIRED = 0.6
"""How often it does not follow a player: otherwise, two bunnies would follow each other for ever."""
SHY = 0.1
"""How often it ignores an egg: two bunnies that want the same egg would push each other back for ever."""
TURN = 0.15
"""How often it turns in a random direction when it hops on."""


class Bunny:
    """One bunny in one match; its random choices are the same in every match."""

    def __init__(self) -> None:
        self.dice = Random(0)
        self.nose = STAY

    def decide(self, rows: list[str]) -> tuple[int, str]:
        """Direction and stance; the view is five rows of five characters, with the bot in the middle."""
        hop = first_hop(rows, "o") if self.dice.random() > SHY else None
        if hop is None and self.dice.random() > TIRED:
            hop = first_hop(rows, "*")
        self.nose = self.onward(rows) if hop is None else hop
        return self.nose, "N" if self.nose != STAY and at(rows, STEPS[self.nose - 1]) == "o" else "A"

    def onward(self, rows: list[str]) -> int:
        """Usually the direction of the last hop; any other if a wall is in the way."""
        free = [number for number, step in enumerate(STEPS, 1) if at(rows, step) not in "#X"]
        if self.nose in free and self.dice.random() > TURN:
            return self.nose
        return free[int(self.dice.random() * len(free))] if free else STAY


def at(rows: list[str], cell: tuple[int, int]) -> str:
    """The content of the cell at this offset to the right and down."""
    return rows[2 + cell[1]][2 + cell[0]]


def first_hop(rows: list[str], what: str) -> "int | None":
    """The first hop of a shortest path to the nearest `what`, around walls; None if none is reachable in view."""
    ways = {step: number for number, step in enumerate(STEPS, 1) if at(rows, step) not in "#X"}
    cells = list(ways)
    for cell in cells:
        if at(rows, cell) == what:
            return ways[cell]
        for dx, dy in STEPS:
            there = (cell[0] + dx, cell[1] + dy)
            if max(map(abs, there)) <= 2 and there not in ways and there != (0, 0) and at(rows, there) not in "#X":
                ways[there] = ways[cell]
                cells.append(there)
    return None


def main() -> None:
    """Answers all requests, `getName` and `getAction`."""
    bunny = Bunny()
    for request in sys.stdin:
        if request == "getName\n":
            print("Bunny", flush=True)
        elif request == "getAction\n":
            rows = [sys.stdin.readline().rstrip("\n").ljust(5)[:5] for _ in range(5)]
            sys.stdin.readline()  # its own memory, which is empty
            print(*bunny.decide(rows), "", sep="\n", flush=True)


if __name__ == "__main__":
    main()
