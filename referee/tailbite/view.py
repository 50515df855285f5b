"""The tail-biting snakes for people: moments as frames, events as sentences.

Each cell has two ASCII columns, readable without colour. The first column of a snake's cell is its seat's number. The second
shows the part: `^ < v >` is a head and its direction, `!` the head of a disqualified snake, `.` body, `_` the tail, and `x` what
is left of an eaten snake. Every second cell of a body is darker, so that its course can be seen, and an eaten snake is darkest.

Views call a step of the rules (all snakes move once) a round, because they also count the steps of the saved game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.contract.game import Column, Event
from referee.tailbite.board import Board, Snake
from referee.tailbite.ranking import score
from referee.text.words import shown_name

_EMPTY: Final = Mark("  ", Tone.EMPTY)
_STRIPE: Final = 0.7
_EATEN: Final = 0.2
"""The levels of the colour of body cells in the odd places of a chessboard, and of what is left of a snake."""
LEGEND: Final = (
    (Mark("1>", Tone.HEAD, 0), "head of seat 1, going right"),
    (Mark("1!", Tone.HEAD, 0), "head of a disqualified snake"),
    (Mark("1.", Tone.BODY, 0), "body"),
    (Mark("1_", Tone.TAIL, 0), "tail"),
    (Mark("1x", Tone.TAIL, 0, level=_EATEN), "what is left of an eaten snake"),
)
FIGURES: Final = ("order", "eaten")
_LOOKS: Final = dict(zip(DIRECTIONS.values(), "^<v>", strict=True))

COLUMNS: Final = (
    Column("bites", lambda event: event["event"] == "bite"),
    Column("skips", lambda event: event["event"] == "skip"),
    Column("forced", lambda event: event.get("how") == "forced"),
    Column("random", lambda event: event.get("how") == "random"),
)


def draw(board: Board, names: Sequence[str], *, title: str, to_move: Sequence[int], order: Sequence[int]) -> Frame:
    """A moment as a frame. `order` lists the seats that are still to move in this round."""
    cells = [[_EMPTY] * board.size for _ in range(board.size)]
    seats = []
    for seat, snake in enumerate(board.snakes):
        for (x, y), text, tone in _parts(board, snake):
            level = _EATEN if snake.eaten is not None else _STRIPE if tone is Tone.BODY and (x + y) % 2 else 1.0
            cells[y][x] = Mark(f"{seat + 1}{text}", tone, seat, level=level)
        turn = str(order.index(seat) + 1) if seat in order else "-"
        eaten = "-" if snake.eaten is None else f"round {snake.eaten}"
        seats.append(SeatLine(seat, shown_name(names[seat], seat), score(snake), (turn, eaten), snake.disqualified))
    bodies = [[board.xy(cell) for cell in snake.cells] for snake in board.snakes]
    return Frame(title=title, cells=cells, figures=FIGURES, seats=seats, to_move=to_move, legend=LEGEND, bodies=bodies)


def tell(event: Event, names: Sequence[str]) -> str | None:
    """An event as a sentence; None for orders and moves."""
    match event["event"]:
        case "bite":
            return f"{names[event['seat']]} bites {names[event['victim']]}"
        case "eaten":
            return f"{names[event['seat']]} is eaten"
        case "skip":
            return f"{names[event['seat']]} skips: it has no possible move"
    return None


def _parts(board: Board, snake: Snake) -> Iterator[tuple[tuple[int, int], str, Tone]]:
    chain = [board.xy(cell) for cell in snake.cells]
    if snake.eaten is not None:
        yield from ((cell, "x", Tone.TAIL) for cell in chain)
        return
    (x, y), (x1, y1) = chain[:2]
    yield chain[0], "!" if snake.disqualified else _LOOKS[x - x1, y - y1], Tone.HEAD
    for cell in chain[1:-1]:
        yield cell, ".", Tone.BODY
    yield chain[-1], "_", Tone.TAIL
