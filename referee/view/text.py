"""Plain text for pipes and files: a frame without any escape code, and the table that closes a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from referee.frame import Frame
from referee.view.board import Mode, cell_text
from referee.view.palette import Look, seat_style
from referee.view.wording import clean, fit, lapse, number

_PLAIN: Final = Look(colour=False, shades=False)
VERDICT_LEAST: Final = 16
"""Columns of the verdict's column at least: what is longer is folded; with less room verdicts stand below the table."""

WIDEST: Final = 1000
"""Columns of the table at most, far beyond what names and numbers can need."""


@dataclass(frozen=True, slots=True)
class ClosingRow:
    """One seat at the end of a match.

    Attributes:
        seat: from 0. `rank` may be shared. `name` and `verdict` may be anything a stranger wrote.
        points: the score. `figures`: one for each of the game's columns.
        moves: answers given. `used` and `slowest`: seconds for all answers and for the slowest one.
        verdict: empty, or why the seat was disqualified.
    """

    seat: int
    rank: float
    name: str
    points: float
    figures: Sequence[int]
    moves: int
    used: float
    slowest: float
    verdict: str = ""


def frame_text(frame: Frame, *, ascii_only: bool = False) -> str:
    """A frame as lines of plain text, each ended by a line feed: the title, the board, and a line a seat."""
    lines = [clean(frame.title, ascii_only)]
    lines += ["".join(cell_text(mark, Mode.DOUBLE, _PLAIN) for mark in row).rstrip() for row in frame.cells]
    rows = [["seat", "name", "points", *frame.figures, ""]]
    for line in frame.seats:
        turn = "to move" if line.seat in frame.to_move else ""
        note = turn if line.disqualified is None else f"disqualified: {line.disqualified}"
        rows.append([str(line.seat + 1), line.name, number(line.score), *line.figures, note])
    cells = [[clean(cell, ascii_only) for cell in row] for row in rows]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        shown = [
            fit(cell, width, right=column not in (1, len(row) - 1))
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(shown).rstrip())
    return "\n".join(lines) + "\n"


def print_closing_table(
    rows: Sequence[ClosingRow], titles: Sequence[str], console: Console, *, used: str = "time", ascii_only: bool = False
) -> None:
    """Print the table that closes a match, best first as given; `titles` are the headings of the game's columns.

    `used` is that of what the clock counted.

    Numbers are never shortened. Verdicts are folded into a last column or, where that would be too narrow, below the table;
    a terminal that is too narrow even then gets a table that is wider than it.
    """
    for verdicts in (any(row.verdict for row in rows), False):
        table = _table(rows, (*titles, "moves", used, "slowest"), console, ascii_only, verdicts)
        # rich would rather shorten every column than be wider than the console.
        width = Measurement.get(console, console.options.update(width=WIDEST), table).minimum
        if width <= console.width:
            break
    else:
        table.width = width
    console.print(table, crop=False)
    for row in rows if not verdicts else ():
        if row.verdict:
            label = f"{row.seat + 1} {clean(row.name, ascii_only)}: {clean(row.verdict, ascii_only)}"
            console.print(Text(label, overflow="fold"))


def _table(
    rows: Sequence[ClosingRow], titles: Sequence[str], console: Console, ascii_only: bool, verdicts: bool
) -> Table:
    colour = console.color_system is not None and not console.no_color
    plain = ascii_only or not colour or not console.is_terminal
    table = Table(
        box=box.ASCII2 if plain else box.SIMPLE_HEAD,
        header_style="bold" if colour else "",
        safe_box=False,
        # The boxless table has a blank between columns anyway.
        padding=(0, 1) if plain else (0, 1, 0, 0),
    )
    lines = []
    for row in rows:
        name = Text.assemble((str(row.seat + 1), seat_style(row.seat, colour)), " ", clean(row.name, ascii_only))
        figures = [number(row.points), *map(str, row.figures), str(row.moves), lapse(row.used), lapse(row.slowest)]
        lines.append([Text(number(row.rank)), name, *map(Text, figures)])
    for index, title in enumerate(("rank", "name", "points", *titles)):
        heading = Text(clean(title, ascii_only))
        # Measured here: rich counts the longest word as the least width, also where it may not wrap.
        least = max(cell.cell_len for cell in (heading, *(line[index] for line in lines)))
        table.add_column(heading, justify="left" if index == 1 else "right", no_wrap=True, min_width=least)
    if verdicts:
        table.add_column("verdict", overflow="fold", min_width=VERDICT_LEAST)
    for line, row in zip(lines, rows, strict=True):
        table.add_row(*line, *([Text(clean(row.verdict, ascii_only))] if verdicts else []))
    return table
