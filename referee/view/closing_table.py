"""The table that closes a match, no wider than there is room.

1. Figures and headings are never shortened and none is left out. What gives way, in this order: verdicts go below the table,
   names are cut a little, the box is left off and headings of several words take several lines, names are cut more.
2. Where even that is too wide the columns are dealt out to several tables, each of which begins with the seat and its
   name: the game's figures first, what the referee measured second, then as many as it takes.
3. Nothing is fitted to less than `NARROWEST` columns: with less, lines are wider than the terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from referee.view.palette import seat_style
from referee.view.wording import clean, clean_name, cut_name, lapse, number

VERDICT_LEAST: Final = 16
"""Columns of the verdict's column at least: what is longer is folded; with less room verdicts stand below the table."""
NAME_GOOD: Final = 16
NAME_LEAST: Final = 8
"""Columns that names are cut to at the most, with a box and without."""
NARROWEST: Final = 40
WIDEST: Final = 1000
"""Columns of the table at most, far beyond what names and numbers can need."""
GAP: Final = 2
OWN: Final = 3
"""Columns of the table that do not tell of the game: the answers and their times, the last ones."""


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


@dataclass(frozen=True, slots=True)
class _Column:
    """A heading and a cell for each row, numbers to the right; without a box a heading of several words has several lines."""

    heading: str
    cells: Sequence[Text]
    right: bool = True

    def width(self, folded: bool = True) -> int:
        """Columns that it takes."""
        words = self.heading.split() if folded else [self.heading]
        return max([*map(cell_len, words), *(cell.cell_len for cell in self.cells)], default=0)

    def lines(self, high: int) -> list[Text]:
        """The heading in so many lines, then the cells."""
        words = self.heading.split()
        return [*([Text()] * (high - len(words))), *map(Text, words), *self.cells]


class _Sheet:
    """The rows as columns of text, for a console of a known kind."""

    def __init__(self, rows: Sequence[ClosingRow], titles: Sequence[str], console: Console, ascii_only: bool) -> None:
        self.rows = rows
        self.ascii_only = ascii_only
        self.colour = console.color_system is not None and not console.no_color
        self.plain = ascii_only or not self.colour or not console.is_terminal
        self.rank = _Column("rank", [Text(number(row.rank)) for row in rows])
        self.longest = max((cell_len(clean_name(row.name, ascii_only)) for row in rows), default=0)
        self.marker = max((len(str(row.seat + 1)) + 1 for row in rows), default=0)
        figures = [
            [number(row.points), *map(str, row.figures), str(row.moves), lapse(row.used), lapse(row.slowest)]
            for row in rows
        ]
        self.columns = [
            _Column(clean(title, ascii_only), [Text(line[index]) for line in figures])
            for index, title in enumerate(("points", *titles))
        ]

    def names(self, most: int) -> _Column:
        """The seats and their names, those cut to `most` columns."""
        cells = [
            Text.assemble(
                (str(row.seat + 1), seat_style(row.seat, self.colour)),
                " ",
                cut_name(clean_name(row.name, self.ascii_only), most, self.ascii_only),
            )
            for row in self.rows
        ]
        return _Column("name", cells, right=False)

    def boxed(self, name_most: int, verdicts: bool) -> Table:
        """All columns in one table with lines, as wide as it has to be."""
        table = Table(
            box=box.ASCII2 if self.plain else box.SIMPLE_HEAD,
            header_style="bold" if self.colour else "",
            safe_box=False,
            # The boxless table has a blank between columns anyway.
            padding=(0, 1) if self.plain else (0, 1, 0, 0),
        )
        columns = [self.rank, self.names(name_most), *self.columns]
        for column in columns:
            # Measured here: rich counts the longest word as the least width, also where it may not wrap.
            table.add_column(
                Text(column.heading),
                justify="right" if column.right else "left",
                no_wrap=True,
                min_width=column.width(folded=False),
            )
        if verdicts:
            table.add_column("verdict", overflow="fold", min_width=VERDICT_LEAST)
        for index, row in enumerate(self.rows):
            verdict = [Text(clean(row.verdict, self.ascii_only))] if verdicts else []
            table.add_row(*(column.cells[index] for column in columns), *verdict)
        return table

    def dealt(self, room: int) -> Iterator[list[_Column]]:
        """The columns of each table (theory, point 2), names cut no more than they have to; only the first has the rank."""
        least = self.marker + max(cell_len("name"), min(self.longest, NAME_LEAST))
        before, rest = [self.rank], list(self.columns)
        while rest:
            free = room - least - _needed(before)
            most = next((k for k in range(len(rest), 1, -1) if _needed(rest[:k]) <= free), 1)
            # The game's own figures stay together, and so do the others, where that costs no more tables.
            if before and most < len(rest) and most >= len(rest) - OWN and _needed(rest[-OWN:]) <= room - least:
                most = len(rest) - OWN
            name_most = room - self.marker - _needed([*before, *rest[:most]])
            yield [*before, self.names(max(NAME_LEAST, name_most)), *rest[:most]]
            before, rest = [], rest[most:]

    def bare(self, columns: Sequence[_Column]) -> Iterator[Text]:
        """A table without a box."""
        high = max(len(column.heading.split()) for column in columns)
        widths = [column.width() for column in columns]
        for line, cells in enumerate(zip(*(column.lines(high) for column in columns), strict=True)):
            if line == high:
                yield Text((" " * GAP).join(("-" if self.plain else "─") * width for width in widths))
            text = Text(style="bold" if self.colour and line < high else "")
            for column, width, cell in zip(columns, widths, cells, strict=True):
                fill = " " * (width - cell.cell_len)
                text.append(" " * GAP if text.plain else "")
                text.append(fill if column.right else "").append_text(cell).append("" if column.right else fill)
            text.rstrip()
            yield text


def print_closing_table(
    rows: Sequence[ClosingRow], titles: Sequence[str], console: Console, *, used: str = "time", ascii_only: bool = False
) -> None:
    """Print the table that closes a match, best first as given; `titles` are the headings of the game's columns.

    `used` is that of what the clock counted.
    """
    sheet = _Sheet(rows, (*titles, "moves", used, "slowest"), console, ascii_only)
    room = max(console.width, NARROWEST)

    def excess(table: Table) -> int:
        # rich would rather shorten every column than be wider than the console.
        return Measurement.get(console, console.options.update(width=WIDEST), table).minimum - room

    judged = any(row.verdict for row in rows)
    if judged and excess(table := sheet.boxed(sheet.longest, verdicts=True)) <= 0:
        console.print(table, crop=False)
        return
    table = sheet.boxed(sheet.longest, verdicts=False)
    if (over := excess(table)) > 0 and sheet.longest - over >= NAME_GOOD:
        table, over = sheet.boxed(sheet.longest - over, verdicts=False), 0
    if over <= 0:
        console.print(table, crop=False)
    else:
        for place, columns in enumerate(sheet.dealt(room)):
            for line in (*([Text()] * bool(place)), *sheet.bare(columns)):
                console.print(line, crop=False, soft_wrap=True)
    for row in rows:
        if row.verdict:
            label = f"{row.seat + 1} {clean_name(row.name, ascii_only)}: {clean(row.verdict, ascii_only)}"
            console.print(Text(label, overflow="fold"))


def _needed(columns: Sequence[_Column]) -> int:
    return sum(GAP + column.width() for column in columns)
