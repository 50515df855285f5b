"""The tail-biting snakes for people: moments as frames, events as sentences, and what a turn meant for the snakes.

Numbers in brackets are the rules of games/ava/README.md. Each cell of a frame has two ASCII columns, readable without colour.
The first column of a snake's cell is its seat's number. The second shows the part: `^ < v >` is a head and its direction, `!` the
head of a disqualified snake, `.` body, `_` the tail, and `x` what is left of an eaten snake. Every second cell of a body is
darker, so that its course can be seen, and an eaten snake is darkest.

Views call a step of the rules (all snakes move once) a round, because they also count the steps of the saved game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.contract.game import Column, Effect, Event, Step
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


def effects(step: Step, before: Sequence[float], _after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step. A bite is a segment more for one snake and one less for the other (4).

    A snake that is eaten loses its last segment too (7). After that, bites take nothing from it.
    """
    score = list(before)
    for event in step.events:
        seat = event.get("seat", 0)
        match event["event"]:
            case "bite":
                victim = event["victim"]
                score[seat] += 1
                yield Effect(seat, "points", "bites", 1, event, victim)
                if score[victim] > 0:
                    score[victim] -= 1
                    yield Effect(victim, "points", "bitten", -1, event, seat)
            case "eaten":
                yield Effect(seat, "points", "eaten", -score[seat], event)
                score[seat] = 0
            case "skip":
                yield Effect(seat, "nothing", "skipped without a possible move", 1, event)
            case "move" if event["how"] == "random":
                yield Effect(seat, "nothing", "answered only impossible moves", 1, event)
