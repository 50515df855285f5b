"""The graph of points over a saved match, in lines that are free below the board.

1. Each seat's line is drawn with its number, so it can be read without colours. Seats that share a cell take turns in it.
2. Between two samples (`sparklines.Points`) a line is straight. A rise of several lines is joined by `│`.
3. What comes after the current step is dim.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.text import Text

from referee.moments.formatting import number
from referee.moments.scene import Scene
from referee.terminal.palette import DIM, Look, seat_ink
from referee.terminal.sparklines import SAMPLES

LEAST: Final = 7
"""The fewest lines of a graph, with a blank one, the heading and the axis."""
MOST: Final = 18
NARROWEST: Final = 24
"""The fewest columns."""
_AROUND: Final = 3


def graph_lines(scene: Scene, width: int, height: int, look: Look) -> list[Text]:
    """The graph in `width` columns and at most `height` lines; no lines if there is too little room, or no points yet."""
    scores = scene.points
    if height < LEAST or width < NARROWEST or not any(map(len, scores)):
        return []
    rows = min(height, MOST) - _AROUND
    low = min(0.0, *(score for row in scores for score in row))
    high = max(low + 1.0, *(score for row in scores for score in row))
    labels = {0: number(round(high, 1)), rows - 1: number(round(low, 1))}
    margin = max(map(len, labels.values())) + 2
    across = width - margin
    now = round(scene.part * (across - 1))
    cells = _cells([[_row(value, low, high, rows) for value in _stretched(row, across)] for row in scores], look)
    bar, corner, mark, line = ("|", "+", "^", "-") if look.ascii_only else ("│", "└", "┴", "─")
    lines = [Text(), Text("points over the match", DIM)]
    for row in range(rows):
        text = Text(f"{labels.get(row, ''):>{margin - 2}} {bar}", DIM)
        for column in range(across):
            if (cell := cells.get((row, column))) is None:
                text.append(" ")
            else:
                text.append(cell[0], DIM if column > now else seat_ink(cell[1], look))
        text.rstrip()
        lines.append(text)
    axis = line * now + mark + line * (across - now - 1)
    return [*lines, Text(f"{' ' * (margin - 1)}{corner}{axis}", DIM)]


def _stretched(samples: Sequence[float], across: int) -> list[float]:
    """So many values from the start to the end of the match; before the first sample, its value."""
    values = []
    for column in range(across):
        position = max(0.0, column / (across - 1) * SAMPLES - 1)
        first = min(int(position), len(samples) - 1)
        after = samples[min(first + 1, len(samples) - 1)]
        values.append(samples[first] + (after - samples[first]) * (position - first))
    return values


def _row(value: float, low: float, high: float, rows: int) -> int:
    """The line of a value, from 0 at the top."""
    return round((high - value) / (high - low) * (rows - 1))


def _cells(places: Sequence[Sequence[int]], look: Look) -> dict[tuple[int, int], tuple[str, int]]:
    """What stands in each cell, a sign and the seat, by row and column; `places` has the row of each seat in each column."""
    cells: dict[tuple[int, int], tuple[str, int]] = {}
    for seat, rows in enumerate(places):
        for column, (before, row) in enumerate(pairwise(rows), start=1):
            for between in range(min(before, row) + 1, max(before, row)):
                cells[between, column] = ("|" if look.ascii_only else "│", seat)
    for column in range(len(places[0]) if places else 0):
        seats: dict[int, list[int]] = {}
        for seat, rows in enumerate(places):
            seats.setdefault(rows[column], []).append(seat)
        for row, sharing in seats.items():
            seat = sharing[column % len(sharing)]
            cells[row, column] = (str((seat + 1) % 10), seat)
    return cells
