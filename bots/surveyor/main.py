"""Surveyor: draws a map of everything that it has seen, and goes to the nearest egg on it, or else to the edge of the map.

1. A cell of the map is a wall, blank or an egg; unseen cells are not on the map. Cells outside the field are walls, and
   cells with a player are blank.
2. The bot does not learn whether its step succeeded: the loser of a fight goes back. So the next turn tries both cells, the
   one that it wanted and the one that it left, and takes the one where the view contradicts the map less: walls stay, and
   eggs may disappear but never appear. If there is no player beside the wanted cell, the step succeeded; if there is one on it,
   the step failed. If neither cell fits, a cell close by may; otherwise, the map is discarded.
3. The memory is a line of at most 1024 characters: a few numbers, then the map, row by row, packed with zlib and encoded in
   base64. If it is too long, the furthest row or column is dropped.
4. If a step failed, the bot avoids the cell for some turns, half of the time. If it never did, two bots that want the same
   egg would block each other for ever. If it always did, it could never push away a player that stands still.
"""

import sys
import zlib
from binascii import a2b_base64, b2a_base64

Cell = tuple[int, int]
Map = dict[Cell, str]

STEPS = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
"""The steps clockwise: the direction of the first is 1."""
STAY = 9
NEAR = [(dx, dy) for dy in range(-2, 3) for dx in range(-2, 3)]
"""All cells of the view, row by row, relative to its own cell."""
LONGEST = 1024
"""The maximum number of characters of a memory."""
SHY = 8
"""The number of turns for which a cell is avoided."""
UNSEEN, BLANK, WALL, EGG = "? #o"
RIVALRY = 3
"""The extra steps for an egg to which another player is nearer."""
CURIOSITY = 7
"""The extra steps for a place that shows no unseen cells; each unseen cell in view saves half a step."""


def decide(rows: list[str], memory: str) -> tuple[int, str, str]:
    """Direction, stance and memory; the view is five rows of five characters, with the bot in the middle."""
    known, before, tried, dice, shunned, turns = recall(memory)
    dice = zlib.crc32("".join([*rows, str(dice)]).encode())
    view = {(dx, dy): rows[2 + dy][2 + dx] for dx, dy in NEAR}
    here = locate(known, view, before, tried)
    failed = here == before and tried != STAY and bool(known)
    if here is None:
        known, here, turns = {}, (0, 0), 0
    for step, what in view.items():
        known[add(here, step)] = {"#": WALL, "X": WALL, "o": EGG}.get(what, BLANK)
    rivals = [add(here, step) for step, what in view.items() if what == "*" and step != (0, 0)]
    if failed and dice % 2:
        shunned, turns = add(here, STEPS[tried - 1]), SHY
    direction = choose(known, here, rivals, shunned if turns else None)
    if direction == STAY:
        direction = anywhere(known, here, dice // 2)
    onto_an_egg = direction != STAY and known[add(here, STEPS[direction - 1])] == EGG
    return direction, "N" if onto_an_egg else "A", remember(known, here, direction, dice, shunned, max(0, turns - 1))


def add(cell: Cell, step: Cell) -> Cell:
    """The cell at an offset from another."""
    return cell[0] + step[0], cell[1] + step[1]


def far(one: Cell, other: Cell) -> int:
    """The number of steps between two cells, ignoring walls."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def locate(known: Map, view: dict[Cell, str], before: Cell, tried: int) -> "Cell | None":
    """Where the view fits on the map (point 2), trying the likeliest place first; None if it fits nowhere."""
    step = STEPS[tried - 1] if tried != STAY else (0, 0)
    wanted = add(before, step)
    places = [wanted]
    if any(view[cell] == "*" and far(cell, step) <= 1 for cell in NEAR if cell != (0, 0)):
        places = [before, wanted] if view[step] == "*" else [wanted, before]
    for close_by in (places, [add(before, cell) for cell in NEAR]):
        best = min(close_by, key=lambda place: contradictions(known, view, place))
        if contradictions(known, view, best)[0] == 0:
            return best
    return None


def contradictions(known: Map, view: dict[Cell, str], place: Cell) -> tuple[int, int]:
    """How many cells contradict the map if the bot is in that place, and how many eggs would have disappeared."""
    wrong = gone = 0
    for step, what in view.items():
        old = known.get(add(place, step), UNSEEN)
        if old != UNSEEN:
            wrong += (old == WALL) != (what in "#X") or (old == BLANK and what == "o")
            gone += old == EGG and what != "o"
    return wrong, gone


def choose(known: Map, here: Cell, rivals: list[Cell], shunned: "Cell | None") -> int:
    """The first step to the egg or unseen place with the lowest cost; STAY if there is none."""
    edge = {
        there
        for cell, what in known.items()
        if what != WALL
        for step in STEPS
        if (there := add(cell, step)) not in known
    }
    best, least = STAY, float("inf")
    ways = {here: (STAY, 0)}
    cells = [here]
    for cell in cells:
        direction, steps = ways[cell]
        if steps >= least:
            break
        if known[cell] == EGG:
            cost = float(steps + (RIVALRY if any(far(rival, cell) < steps for rival in rivals) else 0))
        else:
            shown = sum(add(cell, step) in edge for step in NEAR) if edge else 0
            cost = steps + max(0, CURIOSITY - shown / 2) if shown else least
        if cell != here and cost < least:
            best, least = direction, cost
        for number, step in enumerate(STEPS, 1):
            there = add(cell, step)
            if there not in ways and there != shunned and known.get(there, WALL) != WALL:
                ways[there] = (number if cell == here else direction, steps + 1)
                cells.append(there)
    return best


def anywhere(known: Map, here: Cell, dice: int) -> int:
    """A step that no wall blocks."""
    free = [number for number, step in enumerate(STEPS, 1) if known[add(here, step)] != WALL]
    return free[dice % len(free)] if free else STAY


def remember(known: Map, here: Cell, tried: int, dice: int, shunned: Cell, turns: int) -> str:
    """Everything for the next turn, in a line (point 3)."""
    left, right = min(x for x, _ in known), max(x for x, _ in known)
    top, bottom = min(y for _, y in known), max(y for _, y in known)
    while True:
        cells = [known.get((x, y), UNSEEN) for y in range(top, bottom + 1) for x in range(left, right + 1)]
        packed = b2a_base64(zlib.compress("".join(cells).encode(), 9), newline=False).decode()
        place, shy = f"{here[0] - left} {here[1] - top}", f"{shunned[0] - left} {shunned[1] - top} {turns}"
        line = f"{place} {right - left + 1} {tried} {dice} {shy} {packed}"
        if len(line) <= LONGEST:
            return line
        furthest = max(here[0] - left, right - here[0], here[1] - top, bottom - here[1])
        if furthest == here[0] - left:
            left += 1
        elif furthest == right - here[0]:
            right -= 1
        elif furthest == here[1] - top:
            top += 1
        else:
            bottom -= 1


def recall(memory: str) -> tuple[Map, Cell, int, int, Cell, int]:
    """The arguments of `remember`, in its order; initial values if the memory is invalid."""
    new: tuple[Map, Cell, int, int, Cell, int] = ({}, (0, 0), STAY, 0, (0, 0), 0)
    try:
        *numbers, packed = memory.split(" ")
        x, y, width, tried, dice, *shunned, turns = map(int, numbers)
        cells = zlib.decompress(a2b_base64(packed)).decode()
        shy_x, shy_y = shunned
    except (ValueError, zlib.error):
        return new
    sensible = 0 <= x < width and 0 <= y * width < len(cells) and 1 <= tried <= STAY and {*cells} <= {*"? #o"}
    if not sensible or len(cells) % width:
        return new
    known = {(place % width, place // width): what for place, what in enumerate(cells) if what != UNSEEN}
    return known, (x, y), tried, dice, (shy_x, shy_y), turns


def read(text: str) -> tuple[list[str], str]:
    """The view and the memory, even if lines are missing at the end."""
    lines = [*text.split("\n"), "", "", "", "", "", ""]
    return [row.ljust(5)[:5] for row in lines[:5]], lines[5]


if __name__ == "__main__":
    print(*decide(*read(sys.stdin.read())), sep="\n")
