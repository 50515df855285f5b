"""Naive: steps towards the first egg in view if that step is free, or else takes a random step. It never fights.

One process per turn: it reads six lines and writes three, and the last of these is the sixth line of the next turn. With
`-S` in bot.toml, Python does not look for packages and starts much faster, which matters in each turn.
"""

import sys
from zlib import crc32

DIRECTIONS = {(-1, -1): 1, (0, -1): 2, (1, -1): 3, (1, 0): 4, (1, 1): 5, (0, 1): 6, (-1, 1): 7, (-1, 0): 8}
"""The direction of each step."""
STAY = 9
WHIM = 8
"""One of this many turns is a random step: otherwise, two bots that want the same egg would block each other for ever."""


def decide(rows: list[str], memory: str) -> tuple[int, str, str]:
    """Direction, stance and memory; the view is five rows of five characters, with the bot in the middle."""
    # It remembers only its random state, so that a game can be repeated.
    dice = crc32("".join([*rows, memory]).encode())
    free = [step for step in DIRECTIONS if at(rows, *step) not in "#X"]
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            step = (towards(dx), towards(dy))
            if at(rows, dx, dy) == "o" and step in free and dice % WHIM:
                return DIRECTIONS[step], "N", str(dice)
    return DIRECTIONS[free[dice // WHIM % len(free)]] if free else STAY, "N", str(dice)


def at(rows: list[str], dx: int, dy: int) -> str:
    """The content of the cell at this offset to the right and down."""
    return rows[2 + dy][2 + dx]


def towards(distance: int) -> int:
    """The step of one cell in that direction."""
    return (distance > 0) - (distance < 0)


def read(text: str) -> tuple[list[str], str]:
    """The view and the memory, even if lines are missing at the end."""
    lines = [*text.split("\n"), "", "", "", "", "", ""]
    return [row.ljust(5)[:5] for row in lines[:5]], lines[5]


if __name__ == "__main__":
    print(*decide(*read(sys.stdin.read())), sep="\n")
