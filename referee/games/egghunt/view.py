"""The egg hunt for people: moments as frames, events as sentences. Each cell has two ASCII columns, readable without colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.contract.game import Column, Event

BLANK: Final = Mark("  ", Tone.EMPTY)
WALL: Final = Mark("##", Tone.WALL)
EGG: Final = Mark("()", Tone.ITEM)
LEGEND: Final = ((Mark(" 1", Tone.HEAD, 0), "player of seat 1"), (EGG, "egg"), (WALL, "wall"))
FIGURES: Final = ("this run", "eggs")
"""Of a seat: its eggs in this run, and in all runs. Its score is the mean over the runs of the match."""
COLUMNS: Final = (
    Column("eggs", lambda event: event["event"] == "collect"),
    Column("destroyed", lambda event: event["event"] == "destroy"),
    Column("sent back", lambda event: event["event"] == "back"),
)


def draw(
    field: Sequence[str],
    eggs: Iterable[Sequence[int]],
    players: Iterable[Sequence[int]],
    seats: Sequence[SeatLine],
    *,
    title: str,
    to_move: Sequence[int],
) -> Frame:
    """A moment as a frame. Eggs and players, these by seat, are cells [x, y]."""
    cells = [[WALL if letter == "#" else BLANK for letter in row] for row in field]
    for x, y in eggs:
        cells[y][x] = EGG
    for seat, (x, y) in enumerate(players):
        cells[y][x] = Mark(f"{seat + 1:2}", Tone.HEAD, seat)
    return Frame(title=title, cells=cells, figures=FIGURES, seats=seats, to_move=to_move, legend=LEGEND)


def tell(event: Event, names: Sequence[str]) -> str | None:
    """An event as a sentence; None for names, moves and returns."""
    match event["event"]:
        case "fight" if event["winner"] is not None:
            (loser,) = set(event["seats"]) - {event["winner"]}
            return f"{names[event['winner']]} beats {names[loser]}"
        case "fight":
            *most, last = [names[seat] for seat in event["seats"]]
            return f"{', '.join(most)} and {last} meet, and nobody wins"
        case "collect":
            return f"{names[event['seat']]} collects an egg"
        case "destroy":
            return f"{names[event['seat']]} destroys an egg"
        case "run":
            return f"run {event['run']} begins"
    return None
