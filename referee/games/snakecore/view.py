"""SnakeCore for people: positions as frames, events as sentences, what a turn meant, and what a person can do.

Numbers in brackets are the rules of README.md. Each cell of a frame has two ASCII columns, readable without colour. The first
column of a python's cell is its seat's number. The second shows the part: `^ < v >` is a head and its direction, `o` a head
without a body, `#` a shielded head, `.` an ordinary body block, `*` an energy block, `_` the tail, and `%` a tail with energy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Control, Frame, Mark, SeatLine, Tone
from referee.contract.game import Column, Effect, Event, State, Step
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
    (x, y), (x1, y1) = chain[:2]
    parts = [(chain[0], "#" if shielded else _LOOKS[x - x1, y - y1], Tone.HEAD)]
    for cell, kind in zip(chain[1:-1], blocks, strict=False):
        parts.append((cell, "*" if kind == "e" else ".", Tone.BODY))
    parts.append((chain[-1], "%" if blocks[-1] == "e" else "_", Tone.TAIL))
    return parts


def effects(step: Step, _before: Sequence[float], _after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step. Only deliveries (13) and bites (11) change points."""
    for event in step.events:
        seat = event.get("seat", 0)
        match event["event"]:
            case "deliver" if event["points"]:
                yield Effect(seat, "points", "deliveries", event["points"], event)
            case "deliver":
                yield Effect(seat, "nothing", "delivered without a body", 1, event)
            case "bite" if event["victim"] == seat:
                if event["length"] > 1:  # the bitten block itself stays
                    yield Effect(seat, "loss", "blocks lost in bites into itself", event["length"] - 1, event)
            case "bite":
                victim = event["victim"]
                yield Effect(seat, "points", "bites", event["points"], event, victim)
                yield Effect(victim, "loss", "blocks bitten off by rivals", event["length"], event, seat)
            case "skip":
                yield Effect(seat, "nothing", f"skipped ({WHY[event['why']]})", 1, event)
            case "wait":
                yield Effect(seat, "nothing", "waited", 1, event)


KEYS: Final = {"up": "U", "left": "L", "down": "D", "right": "R", "n": "N", "a": "A"}


def controls(state: State[Any, str], seat: int, names: Sequence[str]) -> list[Control]:
    """The six actions of the seat to move."""
    return [Control([key], _words(state.foresee([action])[0], seat, names), action) for key, action in KEYS.items()]


def _words(event: Event, seat: int, names: Sequence[str]) -> str:
    """The first event of a turn as what the player does. Where blocks return is chance, so it stays open."""
    match event["event"]:
        case "eat":
            return "eat an energy block" if event["kind"] == "e" else "eat a block"
        case "bite" if event["victim"] == seat:
            return f"bite yourself: lose {counted(event['length'] - 1, 'block')}"
        case "bite":
            return f"bite {event['length']} off {names[event['victim']]}"
        case "deliver" if event["length"]:
            return f"deliver {event['length']} for {counted(event['points'], 'point')}"
        case "deliver":
            return "a reactor: nothing to deliver"
        case "shield":
            return f"shield up for {counted(event['left'], 'turn')}"
        case "skip":
            return f"skip: {WHY[event['why']]}"
    return str(event["event"])
