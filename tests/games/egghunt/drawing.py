"""Drawn positions of the egg hunt for tests, words for turns, and functions that build events.

    # # # # #
    # A . o #
    # . B . #
    # # # # #

Blanks separate the cells: `#` is a wall, `.` a blank, `o` an egg, and a capital letter the player of a seat (A is seat 0). A turn
is written as `A 4 N, B 8 A`: the player, its direction and its stance. `A !` is a timeout. A player without an entry stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.playing import SEATS, TIMEOUT, A, B, C, D, event, named, out, sides  # noqa: F401 (for this game's tests)

from referee.boards.grid import Cell, reachable_cells
from referee.boards.maptext import cells_with
from referee.contract.game import Entrant, Event, Fault
from referee.contract.positions import Position
from referee.games.egghunt.board import STEPS
from referee.games.egghunt.rules import STAY, Action, EggHunt, start

FOR_A_TURN = "turn"
FOR_THE_MATCH = "game"


def read(drawing: str, **more: Any) -> Position:
    """The position that a drawing shows, with every key. `more` has the keys that differ from the start of a single run."""
    rows = [line.split() for line in drawing.splitlines() if line.strip()]
    players: dict[str, list[int]] = {}
    eggs = []
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell == "o":
                eggs.append([x, y])
            elif cell in SEATS:
                players[cell] = [x, y]
    assert [*sorted(players)] == [*SEATS[: len(players)]], "the seats of a drawing are A, B … without gaps"
    count = len(players)
    position = {
        "runs": 1, "run": 1, "turns": 25 * count, "turn": 1,
        "field": ["".join("#" if cell == "#" else " " for cell in row) for row in rows],
        "eggs": eggs, "players": [players[letter] for letter in sorted(players)],
        "memory": [""] * count, "scores": [0] * count, "totals": [0] * count, "disqualified": [None] * count,
    }  # fmt: skip
    assert set(more) <= set(position)
    return {**position, **more}


def drawn(position: Position) -> str:
    """The board of a position as a drawing. Equal boards have equal drawings."""
    cells = [["#" if cell == "#" else "." for cell in row] for row in position["field"]]
    for x, y in position["eggs"]:
        cells[y][x] = "o"
    for seat, (x, y) in enumerate(position["players"]):
        cells[y][x] = SEATS[seat]
    return "\n".join(" ".join(row) for row in cells)


def area(rows: Sequence[str], start: Cell) -> set[Cell]:
    """The cells without a wall that steps to the eight neighbours can reach from `start`, with `start` itself."""
    return reachable_cells(start, set(cells_with(rows, " ")), STEPS)


def begin(drawing: str, *, lifetime: str = FOR_A_TURN, rng_seed: int = 1, **more: Any) -> EggHunt:
    """Start a match from a drawing. Its players have the names a, b … and the same lifetime."""
    position = read(drawing, **more)
    return named(start(position, rng_seed, line_up(len(position["players"]), lifetime)))


def line_up(count: int, lifetime: str = FOR_A_TURN) -> list[Entrant]:
    return [Entrant(SEATS[seat].lower(), "turn" if lifetime == "turn" else "game") for seat in range(count)]


def play(state: EggHunt, turn: str, **memories: str) -> list[Event]:
    """Play one turn and return its events. A keyword, the letter of a seat, gives that player's memory."""
    actions: dict[int, Action | Fault] = {}
    for words in filter(None, turn.split(", ")):
        letter, direction, *stance = words.split()
        memory = memories.get(letter, "")
        actions[SEATS.index(letter)] = TIMEOUT if direction == "!" else Action(int(direction), stance[0], memory)
    due = [request.seat for request in state.requests()]
    assert set(actions) <= set(due), "only seats with a request can answer"
    return list(state.advance([actions.get(seat, STAY) for seat in due]))


def check(drawing: str, turn: str, *events: Event, after: str | None = None) -> EggHunt:
    """Play a turn, and compare the events and the board after it (`sides`)."""
    before, after = sides(drawing, after)
    state = begin(before)
    happened = play(state, turn)
    assert drawn(state.position()) == drawn(read(after))
    assert happened == list(events)
    return state


def fight(*seats: int, winner: int | None = None) -> Event:
    return {"event": "fight", "seats": list(seats), "winner": winner}


back = event("back")
collect = event("collect")
destroy = event("destroy")


def to(seat: int, x: int, y: int) -> Event:
    return {"event": "to", "seat": seat, "at": [x, y]}


# Seven players and 28 eggs: a field that rule 1 allows, so a record may contain it.
WIDE = "\n".join(
    [
        "# " * 21,
        "# " + "o " * 19 + "#",
        "# A . B . C . D . E . F . G . . . . . . #",
        "# " + "o " * 9 + ". " * 10 + "#",
        *["# " + ". " * 19 + "#"] * 14,
        "# " + ". " * 9 + "# # " + ". " * 8 + "#",
        "# " + ". " * 19 + "#",
        "# " * 21,
    ]
)


def run_on(drawing: str, **more: Any) -> Event:
    """The event at the start of a run on this field."""
    position = read(drawing, **more)
    return {"event": "run", "run": position["run"], "position": position}
