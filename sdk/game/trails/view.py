"""What people see: a moment as a frame of ASCII cells, and events in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.gamekit import Event, Frame, Mark, SeatLine, Tone, shown_name

FREE: Final = Mark(" .", Tone.EMPTY)
LEGEND: Final = ((Mark("1@", Tone.HEAD, 0), "player of seat 1"), (Mark("1#", Tone.BODY, 0), "its wall"))


def draw(
    board: Sequence[Sequence[str]],
    at: Sequence[tuple[int, int]],
    out: Sequence[int | None],
    scores: Sequence[int],
    why: Sequence[str | None],
    names: Sequence[str],
    *,
    title: str,
    to_move: Sequence[int],
) -> Frame:
    """The frame of a position."""
    cells = [[FREE if cell == "." else Mark(f"{cell}#", Tone.BODY, int(cell) - 1) for cell in row] for row in board]
    lines = []
    for seat, (x, y) in enumerate(at):
        if out[seat] is None:
            cells[y][x] = Mark(f"{seat + 1}@", Tone.HEAD, seat)
        end = "rides" if out[seat] is None else f"round {out[seat]}"
        lines.append(SeatLine(seat, shown_name(names[seat], seat), scores[seat], (end,), why[seat]))
    return Frame(title=title, cells=cells, figures=("end",), seats=lines, to_move=to_move, legend=LEGEND)


def tell(event: Event, names: Sequence[str]) -> str | None:
    """An event in words; None for what the board shows anyway."""
    return f"{names[event['seat']]} runs into a wall" if event["event"] == "crashed" else None
