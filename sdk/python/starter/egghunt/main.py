"""@NAME@: a first bot for the Easter egg hunt. It goes to the nearest egg in view, or straight on if there is none.

Each turn, a new process reads six lines, writes three and ends. The third line is its memory for the next turn.
Rule numbers are those of `referee rules egghunt`. Output to stderr goes to the bot's log.
"""

import sys

STEPS = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
"""The change of x and y for each direction (rule 3), clockwise from direction 1."""
STAY = 9


def choose(rows: list[str], memory: str) -> tuple[int, str, str]:
    """Direction, stance (A, C or N) and memory; `rows` are the five lines of its view, with itself in the middle."""
    heading, dice = recall(memory)
    for letter in "".join(rows):
        dice = (dice * 31 + ord(letter)) % 1_000_003  # pseudo-random, so that a game can be repeated
    direction = way_to_an_egg(rows)
    if direction is None or dice % 8 == 0:  # two bots that want the same egg would push each other back for ever
        direction = straight_on(rows, heading, dice // 8)
    onto_an_egg = direction != STAY and at(rows, STEPS[direction - 1]) == "o"
    # Only N collects an egg (rule 5); elsewhere, an attack pushes back any player that does nothing.
    return direction, "N" if onto_an_egg else "A", f"{direction} {dice}"


def at(rows: list[str], cell: tuple[int, int]) -> str:
    """The cell at this offset to the right and down: o an egg, # a wall, * a player, X outside the field, or a
    blank."""
    return rows[2 + cell[1]][2 + cell[0]]


def is_open(rows: list[str], cell: tuple[int, int]) -> bool:
    """Whether a cell is in view and can be entered."""
    return max(map(abs, cell)) <= 2 and at(rows, cell) not in "#X"


def way_to_an_egg(rows: list[str]) -> "int | None":
    """The first step of a shortest path to an egg in view; None if there is none."""
    first = {step: number for number, step in enumerate(STEPS, 1) if is_open(rows, step)}
    cells = list(first)
    for cell in cells:  # the list grows during the loop; the nearest cells come first
        if at(rows, cell) == "o":
            return first[cell]
        for dx, dy in STEPS:
            there = (cell[0] + dx, cell[1] + dy)
            if is_open(rows, there) and there not in first:
                first[there] = first[cell]
                cells.append(there)
    return None


def straight_on(rows: list[str], heading: int, dice: int) -> int:
    """The direction of the last step until a wall is in the way; then any other."""
    free = [number for number, step in enumerate(STEPS, 1) if is_open(rows, step)]
    if not free:
        return STAY
    return heading if heading in free and dice % 6 else free[dice // 6 % len(free)]


def recall(memory: str) -> tuple[int, int]:
    """The last direction and the dice; in the first turn of a run the memory is empty."""
    words = memory.split()
    return (int(words[0]), int(words[1])) if len(words) == 2 else (STAY, 0)


if __name__ == "__main__":
    *view, last = (sys.stdin.readline().rstrip("\n") for _ in range(6))
    print(*choose(view, last), sep="\n")
