"""@NAME@: a first bot for ViPER. It bites tails beside its head, moves towards others, and avoids dead ends.

It is asked whenever it has a choice, and answers with 1 to 8 letters of U, L, D and R, each at most twice. The referee
picks one of the possible moves at random. Rule numbers are those of `referee rules viper`. Output to stderr goes to the
bot's log.
"""

import sys

STEPS = {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}
"""The change of x and y for each letter."""
MIDDLE = 6
"""The position of its head in the 13 rows of 13 characters."""
FAR = 1000
"""More steps than any path has."""


def choose(rows: list[str]) -> str:
    """The letters of this turn: the best of the possible moves."""
    moves = possible(rows)
    if bites := [letter for letter in moves if at(rows, STEPS[letter]) == "Z"]:
        return "".join(bites)
    # A move with less than half of the room of another could lead into a dead end.
    rooms = {letter: room(rows, STEPS[letter]) for letter in moves}
    roomy = [letter for letter in moves if 2 * rooms[letter] >= max(rooms.values())]
    ways = {letter: way_to_a_tail(rows, STEPS[letter]) for letter in roomy}
    hunt = [letter for letter in roomy if ways[letter] == min(ways.values()) < FAR]
    # It hunts at least two times out of three, but not always, so that others cannot predict it.
    return "".join(hunt * 2 + [letter for letter in roomy if letter not in hunt])


def at(rows: list[str], cell: tuple[int, int]) -> str:
    """The cell at this offset to the right and down: `.` free, W border, H S T its own head, body and tail, X Y Z an
    enemy's."""
    return rows[MIDDLE + cell[1]][MIDDLE + cell[0]]


def possible(rows: list[str]) -> list[str]:
    """The moves to a free cell or to any tail (rule 3)."""
    beside = {letter: at(rows, step) for letter, step in STEPS.items()}
    barred = "" if "S" in beside.values() else "T"  # a snake of two segments cannot move to its own tail
    return [letter for letter, what in beside.items() if what in ".ZT" and what != barred]


def around(rows: list[str], start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """All cells in view that are reachable from a cell beside the head, and the steps to each."""
    steps = {start: 1}
    cells = [start]
    for x, y in cells:  # the list grows during the loop; the nearest cells come first
        for dx, dy in STEPS.values():
            there = (x + dx, y + dy)
            if max(map(abs, there)) <= MIDDLE and there not in steps and at(rows, there) in ".ZT":
                steps[there] = steps[x, y] + 1
                cells.append(there)
    return steps


def room(rows: list[str], start: tuple[int, int]) -> int:
    """The number of reachable cells."""
    return len(around(rows, start))


def way_to_a_tail(rows: list[str], start: tuple[int, int]) -> int:
    """Steps to the nearest enemy tail; FAR if none is reachable."""
    return next((steps for cell, steps in around(rows, start).items() if at(rows, cell) == "Z"), FAR)


def main() -> None:
    """Answers all requests."""
    for request in sys.stdin:
        if request == "getName\n":
            print("@NAME@", flush=True)
        elif request == "getAction\n":
            size = int(sys.stdin.readline())
            print(choose([sys.stdin.readline().rstrip("\n") for _ in range(size)]), flush=True)


if __name__ == "__main__":
    main()
