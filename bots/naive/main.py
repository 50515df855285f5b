"""Naive: towards the first egg that it sees with nothing in the way, else a step anywhere. It never fights.

A process a turn: six lines come in, three go out, and the last of them comes back as the next turn's sixth. Python starts
much faster when it looks for no packages (`-S` in bot.toml), and each turn pays for that.
"""

import sys
from zlib import crc32

DIRECTIONS = {(-1, -1): 1, (0, -1): 2, (1, -1): 3, (1, 0): 4, (1, 1): 5, (0, 1): 6, (-1, 1): 7, (-1, 0): 8}
"""The number of each step."""
STAY = 9
WHIM = 8
"""One turn in so many it goes anywhere: two who want the same egg, and do nothing, would stand before it for ever."""


def decide(rows: "list[str]", memory: str) -> "tuple[int, str, str]":
    """Direction, stance and memory; the view is five rows of five characters, with the bot in the middle."""
    # All that it keeps in mind is the last throw of its dice: the same game can be played again.
    dice = crc32("".join([*rows, memory]).encode())
    free = [step for step in DIRECTIONS if at(rows, *step) not in "#X"]
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            step = (towards(dx), towards(dy))
            if at(rows, dx, dy) == "o" and step in free and dice % WHIM:
                return DIRECTIONS[step], "N", str(dice)
    return DIRECTIONS[free[dice // WHIM % len(free)]] if free else STAY, "N", str(dice)


def at(rows: "list[str]", dx: int, dy: int) -> str:
    """What is so many cells to the right and below."""
    return rows[2 + dy][2 + dx]


def towards(distance: int) -> int:
    """One cell of the way."""
    return (distance > 0) - (distance < 0)


def read(text: str) -> "tuple[list[str], str]":
    """The view and the memory, also when something is missing at the end."""
    lines = [*text.split("\n"), "", "", "", "", "", ""]
    return [row.ljust(5)[:5] for row in lines[:5]], lines[5]


if __name__ == "__main__":
    print(*decide(*read(sys.stdin.read())), sep="\n")
