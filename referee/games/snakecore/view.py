"""SnakeCore for people: positions as frames, events as sentences. Each cell has two ASCII columns, readable without colour.

The first column of a python's cell is its seat's number. The second shows the part: `^ < v >` is a head and its direction, `o`
a head without a body, `#` a shielded head, `.` an ordinary body block, `*` an energy block, `_` the tail, and `%` a tail with
energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.contract.game import Column, Event
from referee.games.snakecore.board import Board
from referee.text.words import counted, shown_name

FIELD_MARKS: Final = {
    ".": Mark("  ", Tone.EMPTY),
    "W": Mark("##", Tone.WALL),
    "R": Mark("RR", Tone.GOAL),
    "b": Mark("()", Tone.ITEM),
    "e": Mark("<>", Tone.POWER),
}
LEGEND: Final = (
    (Mark("1>", Tone.HEAD, 0), "head of seat 1, going right"),
    (Mark("1o", Tone.HEAD, 0), "head alone"),
    (Mark("1#", Tone.HEAD, 0, strong=True), "a shielded python's head"),
    (Mark("1.", Tone.BODY, 0), "body, ordinary block"),
    (Mark("1*", Tone.BODY, 0), "body, energy block"),
    (Mark("1_", Tone.TAIL, 0), "tail, safe (1%: with energy)"),
    (FIELD_MARKS["b"], "free block"),
    (FIELD_MARKS["e"], "free energy block"),
    (FIELD_MARKS["R"], "reactor"),
    (FIELD_MARKS["W"], "wall"),
)
FIGURES: Final = ("length", "energy", "shield")
_LOOKS: Final = dict(zip(DIRECTIONS.values(), "^<v>", strict=True))
WHY: Final = {
    "edge": "the edge of the field",
    "wall": "a wall",
    "head": "a head",
    "tail": "a rival's tail",
    "shield": "a shielded block",
    "no-energy": "no energy block",
}
"""What was in the way of an action that was skipped."""

COLUMNS: Final = (
    Column("delivered", lambda event: event["length"] if event["event"] == "deliver" else 0),
    Column("bit off", lambda event: event["points"] if event["event"] == "bite" else 0),
)


def draw(board: Board, names: Sequence[str], *, title: str, to_move: Sequence[int]) -> Frame:
    """A moment as a frame."""
    cells = [[FIELD_MARKS[letter] for letter in row] for row in board.field_rows()]
    seats, bodies = [], []
    for seat, python in enumerate(board.pythons):
        chain = [board.xy(index) for index in python.cells]
        bodies.append(chain)
        shielded = python.shield > 0
        for (x, y), text, tone in _parts(chain, bytes(python.kinds).decode(), shielded):
            cells[y][x] = Mark(f"{seat + 1}{text}", tone, seat, strong=shielded)
        figures = (str(len(chain)), str(python.energy), str(python.shield))
        seats.append(SeatLine(seat, shown_name(names[seat], seat), python.score, figures, python.disqualified))
    return Frame(title=title, cells=cells, figures=FIGURES, seats=seats, to_move=to_move, legend=LEGEND, bodies=bodies)


def tell(event: Event, names: Sequence[str]) -> str | None:
    """An event as a sentence; None for moves, waiting and returning blocks."""
    match event["event"]:
        case "bite" if event["victim"] == event["seat"]:
            return f"{names[event['seat']]} bites itself and loses {counted(event['length'] - 1, 'block')}"
        case "bite":
            return f"{names[event['seat']]} bites {event['length']} off {names[event['victim']]}"
        case "deliver" if event["length"]:
            return f"{names[event['seat']]} delivers {event['length']} for {counted(event['points'], 'point')}"
        case "shield":
            return f"{names[event['seat']]} raises its shield for {counted(event['left'], 'turn')}"
        case "skip":
            return f"{names[event['seat']]} skips: {WHY[event['why']]}"
    return None


def _parts(chain: list[tuple[int, int]], blocks: str, shielded: bool) -> list[tuple[tuple[int, int], str, Tone]]:
    if len(chain) == 1:
        return [(chain[0], "#" if shielded else "o", Tone.HEAD)]
    (x, y), (x1, y1) = next(pairwise(chain))
    parts = [(chain[0], "#" if shielded else _LOOKS[x - x1, y - y1], Tone.HEAD)]
    for cell, kind in zip(chain[1:-1], blocks, strict=False):
        parts.append((cell, "*" if kind == "e" else ".", Tone.BODY))
    parts.append((chain[-1], "%" if blocks[-1] == "e" else "_", Tone.TAIL))
    return parts
