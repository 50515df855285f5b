"""Bunny: hops to the nearest egg that it sees, else after the nearest player, who may know more; else on and on.

It sees two cells far and finds its way that far. It stays for the whole match and leaves no memory: only its dice roll on, and
its nose still points the way that it hopped last.
"""

import sys
from random import Random

STEPS = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
"""The steps clockwise: the direction of the first is 1."""
STAY = 9
TIRED = 0.6
"""How often it leaves the player alone that it could follow: else two of them would follow each other for ever."""
SHY = 0.1
"""How often it leaves an egg alone: two who want the same one would push each other back for ever."""
TURN = 0.15
"""How often it turns its nose anywhere, when it hops on and on."""


class Bunny:
    """One bunny in one match; its dice roll the same way in every match."""

    def __init__(self) -> None:
        self.dice = Random(0)
        self.nose = STAY

    def decide(self, rows: "list[str]") -> "tuple[int, str]":
        """Direction and stance; the view is five rows of five characters, with the bot in the middle."""
        hop = first_hop(rows, "o") if self.dice.random() > SHY else None
        if hop is None and self.dice.random() > TIRED:
            hop = first_hop(rows, "*")
        self.nose = self.onward(rows) if hop is None else hop
        return self.nose, "N" if self.nose != STAY and at(rows, STEPS[self.nose - 1]) == "o" else "A"

    def onward(self, rows: "list[str]") -> int:
        """The way that its nose points, as a rule; any other when a wall is there."""
        free = [number for number, step in enumerate(STEPS, 1) if at(rows, step) not in "#X"]
        if self.nose in free and self.dice.random() > TURN:
            return self.nose
        return free[int(self.dice.random() * len(free))] if free else STAY


def at(rows: "list[str]", cell: "tuple[int, int]") -> str:
    """What is in a cell, which is so many cells to the right and below."""
    return rows[2 + cell[1]][2 + cell[0]]


def first_hop(rows: "list[str]", what: str) -> "int | None":
    """The first hop of a shortest way to such a thing, around walls; None where none can be seen, or no way to it."""
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
    """Answers requests until there are no more: its name, or a turn."""
    bunny = Bunny()
    for request in sys.stdin:
        if request == "getName\n":
            print("Bunny", flush=True)
        elif request == "getAction\n":
            rows = [sys.stdin.readline().rstrip("\n").ljust(5)[:5] for _ in range(5)]
            sys.stdin.readline()  # the memory that it left, which is empty
            print(*bunny.decide(rows), "", sep="\n", flush=True)


if __name__ == "__main__":
    main()
