"""Lefthand: walks along walls with its left hand on them, and takes eggs that it reaches before any other player in sight.

By following a wall, the bot passes every cell beside it, and enters no cell twice before the round is complete. After a
long round, it lets go and walks straight on, to find another wall. Its memory is three numbers: its heading, the number of
steps, and its random state.
"""

import sys
from zlib import crc32

STEPS = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
"""The steps clockwise: the direction of the first is 1, and the next one in the list is an eighth of a turn to the right."""
STAY = 9
ROUND = 40
"""The number of steps along walls in a round: after them, it could be following the same wall again."""
LEAP = 6
"""The number of steps without a wall after a round."""
WHIM = 8
"""It ignores eggs in one of this many turns: otherwise, two players at the same distance would push each other back for ever."""


def decide(rows: list[str], memory: str) -> tuple[int, str, str]:
    """Direction, stance and memory; the view is five rows of five characters, with the bot in the middle."""
    heading, steps, dice = recall(memory)
    dice = crc32("".join([*rows, str(dice)]).encode())
    free = [at(rows, step) not in "#X" for step in STEPS]
    if not any(free):
        return STAY, "N", f"{heading} {steps} {dice}"
    turn = to_an_egg(rows) if dice % WHIM else None
    if turn is None:
        if steps > ROUND:
            heading, steps = (heading + 2) % 8, -LEAP  # the wall is on the left, so it leaves to the right
        # A player that stands still blocks the way like a wall: the bot walks around it in the same way.
        turn = along(free, heading) if steps >= 0 else straight(free, heading)
        touching = any(at(rows, step) == "#" for step in STEPS)
        steps += 1 if touching or steps < 0 else 0
    return turn + 1, "N" if at(rows, STEPS[turn]) == "o" else "A", f"{turn} {steps} {dice}"


def recall(memory: str) -> tuple[int, int, int]:
    """The heading (an index of STEPS), the steps along walls, and the random state; initial values if the memory is
    invalid."""
    try:
        heading, steps, dice = map(int, memory.split(" "))
    except ValueError:
        return 1, 0, 0
    return (heading, steps, dice) if 0 <= heading < 8 and -LEAP <= steps <= ROUND + 1 else (1, 0, 0)


def at(rows: list[str], cell: tuple[int, int]) -> str:
    """The content of the cell at this offset to the right and down."""
    return rows[2 + cell[1]][2 + cell[0]]


def along(free: list[bool], heading: int) -> int:
    """The step with the left hand on a wall: the first free one after the first wall from the left; without a wall, straight
    on."""
    for turned in range(-3, 1):
        if not free[(heading + turned) % 8]:
            return next((heading + more) % 8 for more in range(turned + 1, turned + 8) if free[(heading + more) % 8])
    return heading


def straight(free: list[bool], heading: int) -> int:
    """The free step that turns least."""
    return next(turn % 8 for more in (0, 1, -1, 2, -2, 3, -3, 4) if free[(turn := (heading + more) % 8)])


def to_an_egg(rows: list[str]) -> "int | None":
    """The first step to the nearest egg to which no other player in sight is nearer."""
    rivals = [
        (dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if (dx, dy) != (0, 0) and at(rows, (dx, dy)) == "*"
    ]
    ways = {step: (turn, 1) for turn, step in enumerate(STEPS) if at(rows, step) not in "#X"}
    cells = list(ways)
    for cell in cells:
        turn, steps = ways[cell]
        if at(rows, cell) == "o" and all(steps <= far(cell, rival) for rival in rivals):
            return turn
        for dx, dy in STEPS:
            there = (cell[0] + dx, cell[1] + dy)
            if max(map(abs, there)) <= 2 and there not in ways and there != (0, 0) and at(rows, there) not in "#X":
                ways[there] = (turn, steps + 1)
                cells.append(there)
    return None


def far(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The number of steps between two cells, ignoring walls."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def read(text: str) -> tuple[list[str], str]:
    """The view and the memory, even if lines are missing at the end."""
    lines = [*text.split("\n"), "", "", "", "", "", ""]
    return [row.ljust(5)[:5] for row in lines[:5]], lines[5]


if __name__ == "__main__":
    print(*decide(*read(sys.stdin.read())), sep="\n")
