"""The table that closes a match.

Figures are never shortened. If the table is too wide for the terminal, headings of several words take several lines and
names are cut. If that is not enough, lines are wider than the terminal. Verdicts follow the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from referee.contract.ranking import Ranked
from referee.match.tally import SeatResult
from referee.moments.columns import GAP, aligned, cut_name
from referee.moments.formatting import clean, clean_name, lapse, number, places
from referee.terminal.palette import Look, seat_style

NAME_LEAST: Final = 8
"""Names are not cut to fewer columns."""


@dataclass(frozen=True, slots=True)
class ClosingRow:
    """One seat at the end of a match.

    Attributes:
        seat: from 0. `rank` may be shared, or a mean. `name` and `verdict` are untrusted.
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


def closing_rows(ranking: Sequence[Ranked], names: Sequence[str], seats: Sequence[SeatResult]) -> list[ClosingRow]:
    """The rows of a match, best first.

    Args:
        names: the names that people see, one for each seat. seats: the result of each seat.
    """
    return [
        ClosingRow(
            seat=line.seat,
            rank=line.rank,
            name=names[line.seat],
            points=line.score,
            figures=seat.figures,
            moves=seat.moves,
            used=seat.clock.used,
            slowest=seat.clock.slowest,
            verdict=f"disqualified: {line.disqualified}" if line.disqualified else "",
        )
        for line in ranking
        for seat in (seats[line.seat],)
    ]


def print_closing_table(
    rows: Sequence[ClosingRow], titles: Sequence[str], console: Console, *, used: str = "time", ascii_only: bool = False
) -> None:
    """Print the table, best first as given; `titles` are the headings of the game's columns, `used` is that of the clock."""
    headings = [[clean(title, ascii_only)] for title in ("points", *titles, "moves", used, "slowest")]
    figures = [
        [number(row.points), *map(str, row.figures), str(row.moves), lapse(row.used), lapse(row.slowest)]
        for row in rows
    ]
    ranks = places([row.rank for row in rows])
    names = [clean_name(row.name, ascii_only) for row in rows]
    longest = max(map(cell_len, names), default=0)
    marker = max((len(f"{row.seat + 1} ") for row in rows), default=0)

    def lines(most: int) -> list[str]:
        """The table with names of at most so many columns."""
        height, label = max(map(len, headings)), f"{'name':<{marker + most}}"
        heads = zip(*([""] * (height - len(words)) + words for words in [["rank"], [label], *headings]), strict=True)
        labels = [f"{row.seat + 1} {cut_name(name, most, ascii_only)}" for row, name in zip(rows, names, strict=True)]
        cells = [[rank, label, *row] for rank, label, row in zip(ranks, labels, figures, strict=True)]
        return aligned([*heads, *cells], left={1})

    def excess() -> int:
        """The number of columns by which the table with whole names is too wide."""
        return max(0, max(map(cell_len, lines(longest))) - console.width)

    if excess():
        headings = [heading[0].split() for heading in headings]
    table = lines(min(longest, max(NAME_LEAST, longest - excess())))
    body = len(table) - len(rows)
    look = Look(console.color_system is not None and not console.no_color, shades=console.color_system != "standard")
    for line in table[:body]:
        title = Text(line)
        title.stylize("bold" if look.colour else "")
        console.print(title, soft_wrap=True)
    start = max(map(len, ["rank", *ranks])) + GAP
    for row, line in zip(rows, table[body:], strict=True):
        text = Text(line)
        text.stylize(seat_style(row.seat, look), start, start + len(str(row.seat + 1)))
        console.print(text, soft_wrap=True)
    for row, name in zip(rows, names, strict=True):
        if row.verdict:
            console.print(Text(f"{row.seat + 1} {name}: {clean(row.verdict, ascii_only)}", overflow="fold"))
