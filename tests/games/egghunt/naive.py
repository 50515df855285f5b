"""A second, simple implementation of the egg hunt's turn, on positions as JSON: a reference for the fast one.

It shares no code with the rules under test.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from referee.boards.grid import Cell
from referee.contract.game import Event
from referee.contract.positions import Position

WINS = {("A", "N"): 0, ("N", "C"): 0, ("C", "A"): 0, ("N", "A"): 1, ("C", "N"): 1, ("A", "C"): 1}
STEP = {
    1: (-1, -1), 2: (0, -1), 3: (1, -1), 4: (1, 0), 5: (1, 1), 6: (0, 1), 7: (-1, 1), 8: (-1, 0), 9: (0, 0),
}  # fmt: skip


def turn(before: Position, answers: list[tuple[int, str, str]]) -> tuple[Position, list[Event]]:
    """The position and the events after a turn, given one answer for each seat. It starts no next turn or run."""
    seats = range(len(before["players"]))
    home = {seat: tuple(before["players"][seat]) for seat in seats}
    stance = {seat: answers[seat][1] for seat in seats}
    eggs = [tuple(egg) for egg in before["eggs"]]
    target = {}
    for seat in seats:
        dx, dy = STEP[answers[seat][0]]
        x, y = home[seat][0] + dx, home[seat][1] + dy
        target[seat] = home[seat] if is_wall(before, x, y) else (x, y)

    events: list[Event] = []
    returning: set[int] = set()
    reported: set[tuple[int, int]] = set()
    for seat in seats:
        there = [other for other in seats if target[other] == target[seat]]
        if len(there) > 1 and target[seat] not in reported:
            reported.add(target[seat])
            winner = None
            if len(there) == 2 and (stance[there[0]], stance[there[1]]) in WINS:
                winner = there[WINS[stance[there[0]], stance[there[1]]]]
            events.append({"event": "fight", "seats": there, "winner": winner})
            returning |= set(there) - {winner}

    def spread() -> None:
        while True:
            more = {
                seat
                for seat in seats
                if seat not in returning and any(target[seat] == home[other] for other in returning)
            }
            if not more:
                return
            returning.update(more)

    spread()
    returning |= {seat for seat in seats if seat not in returning and target[seat] in eggs and stance[seat] == "C"}
    spread()

    after = deepcopy(before)
    events += [{"event": "back", "seat": seat} for seat in sorted(returning)]
    for seat in seats:
        ends = home[seat] if seat in returning else target[seat]
        after["players"][seat] = list(ends)
        if ends != home[seat]:
            events.append({"event": "to", "seat": seat, "at": list(ends)})
    on_egg = [seat for seat in seats if seat not in returning and target[seat] in eggs]
    for kind, mood in (("collect", "N"), ("destroy", "A")):
        for seat in on_egg:
            if stance[seat] == mood:
                after["eggs"].remove(list(target[seat]))
                after["scores"][seat] += kind == "collect"
                events.append({"event": kind, "seat": seat})
    after["memory"] = [memory for _, _, memory in answers]
    return after, events


def is_wall(position: Position, x: int, y: int) -> bool:
    """Whether a cell is a wall or outside the field."""
    field = position["field"]
    return not (0 <= y < len(field) and 0 <= x < len(field[0])) or field[y][x] == "#"


def area(rows: Sequence[str], start: Cell) -> set[Cell]:
    """The cells without a wall that steps to the eight neighbours can reach from `start`, with `start` itself."""
    cells, edge = {start}, [start]
    while edge:
        x, y = edge.pop()
        for cell in ((x + dx, y + dy) for dx, dy in STEP.values()):
            if (
                cell not in cells
                and 0 <= cell[1] < len(rows)
                and 0 <= cell[0] < len(rows[0])
                and rows[cell[1]][cell[0]] == " "
            ):
                cells.add(cell)
                edge.append(cell)
    return cells
