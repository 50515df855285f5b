"""@NAME@: a first bot for the Easter egg hunt. It goes to the nearest egg that it sees, and straight on when it sees none.

It is started anew each turn: it reads six lines, writes three and ends. What it wants to know next turn, it writes as the
third line. Rule numbers are those of `referee rules egghunt`. What is written to stderr goes to the bot's log.
"""

import sys

STEPS = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
"""What each direction does to x and y (rule 3): they go clockwise, and the first is direction 1."""
STAY = 9


def choose(rows: "list[str]", memory: str) -> "tuple[int, str, str]":
    """Direction, stance (A, C or N) and memory; `rows` are the five lines that it sees, with itself in the middle."""
    heading, dice = recall(memory)
    for letter in "".join(rows):
        dice = (dice * 31 + ord(letter)) % 1_000_003  # as good as chance, and the same game can be played again
    direction = way_to_an_egg(rows)
    if direction is None or dice % 8 == 0:  # two who want the same egg would push each other back for ever
        direction = straight_on(rows, heading, dice // 8)
    onto_an_egg = direction != STAY and at(rows, STEPS[direction - 1]) == "o"
    # Only who does nothing collects (rule 5); elsewhere an attack pushes back whoever does nothing.
    return direction, "N" if onto_an_egg else "A", f"{direction} {dice}"


def at(rows: "list[str]", cell: "tuple[int, int]") -> str:
    """What is so many cells to the right and below: o an egg, # a wall, * a player, X nothing of the field, else blank."""
    return rows[2 + cell[1]][2 + cell[0]]


def is_open(rows: "list[str]", cell: "tuple[int, int]") -> bool:
    """Whether a cell is in view and can be entered."""
    return max(map(abs, cell)) <= 2 and at(rows, cell) not in "#X"


def way_to_an_egg(rows: "list[str]") -> "int | None":
    """The first step of a shortest way to an egg in view; None without one."""
    first = {step: number for number, step in enumerate(STEPS, 1) if is_open(rows, step)}
    cells = list(first)
    for cell in cells:  # it grows while it is gone through: the nearest cells come first
        if at(rows, cell) == "o":
            return first[cell]
        for dx, dy in STEPS:
            there = (cell[0] + dx, cell[1] + dy)
            if is_open(rows, there) and there not in first:
                first[there] = first[cell]
                cells.append(there)
    return None


def straight_on(rows: "list[str]", heading: int, dice: int) -> int:
    """The direction of the last step, as long as no wall is there; then any other."""
    free = [number for number, step in enumerate(STEPS, 1) if is_open(rows, step)]
    if not free:
        return STAY
    return heading if heading in free and dice % 6 else free[dice // 6 % len(free)]


def recall(memory: str) -> "tuple[int, int]":
    """The last direction and the dice; in the first turn of a run the memory is empty."""
    words = memory.split()
    return (int(words[0]), int(words[1])) if len(words) == 2 else (STAY, 0)


if __name__ == "__main__":
    *view, last = (sys.stdin.readline().rstrip("\n") for _ in range(6))
    print(*choose(view, last), sep="\n")
