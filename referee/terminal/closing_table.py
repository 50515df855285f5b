"""The table that closes a match.

Figures are never shortened. If the table is too wide for the terminal, headings of several words take several lines and
names are cut. If that is not enough, lines are wider than the terminal. Verdicts follow the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from referee.contract.ranking import Ranked
from referee.match.tally import SeatResult
from referee.moments.columns import GAP, align, cut
from referee.moments.formatting import clean, clean_name, lapse, number, places
from referee.terminal.palette import BOLD, Look, seat_style

NAME_LEAST: Final = 8
"""Names are not cut to fewer columns."""


def print_closing_table(
    ranking: Sequence[Ranked],
    seats: Sequence[SeatResult],
    titles: Sequence[str],
    console: Console,
    *,
    used: str = "time",
    ascii_only: bool = False,
) -> None:
    """Print the table, best first as given.

    Args:
        ranking: the ranked seats, with the names that people see. seats: the result of each seat.
        titles: the headings of the game's columns. used: that of the clock.
    """
    headings = [[clean(title, ascii_only)] for title in ("points", *titles, "moves", used, "slowest")]
    figures = []
    for line in ranking:
        seat = seats[line.seat]
        times = lapse(seat.clock.used), lapse(seat.clock.slowest)
        figures.append([number(line.score), *map(str, seat.figures), str(seat.moves), *times])
    ranks = places([line.rank for line in ranking])
    names = [clean_name(line.name, ascii_only) for line in ranking]
    longest = max(map(cell_len, names), default=0)
    marker = max((len(f"{line.seat + 1} ") for line in ranking), default=0)

    def lines(headings: list[list[str]], most: int) -> list[str]:
        """The table, with the lines of each heading, and names of at most so many columns."""
        height, label = max(map(len, headings)), f"{'name':<{marker + most}}"
        heads = zip(*([""] * (height - len(words)) + words for words in [["rank"], [label], *headings]), strict=True)
        labels = [f"{line.seat + 1} {cut(name, most, ascii_only)}" for line, name in zip(ranking, names, strict=True)]
        cells = [[rank, label, *row] for rank, label, row in zip(ranks, labels, figures, strict=True)]
        return align([*heads, *cells], left={1})

    def excess(headings: list[list[str]]) -> int:
        """The number of columns by which the table with whole names is too wide."""
        return max(0, max(map(cell_len, lines(headings, longest))) - console.width)

    if excess(headings):
        headings = [heading.split() for [heading] in headings]
    table = lines(headings, min(longest, max(NAME_LEAST, longest - excess(headings))))
    body = len(table) - len(ranking)
    look = Look(console.color_system is not None and not console.no_color, shades=console.color_system != "standard")
    for text in table[:body]:
        console.print(Text(text, BOLD if look.colour else ""), soft_wrap=True)
    start = max(map(len, ["rank", *ranks])) + GAP
    for line, text in zip(ranking, table[body:], strict=True):
        row = Text(text)
        row.stylize(seat_style(line.seat, look), start, start + len(str(line.seat + 1)))
        console.print(row, soft_wrap=True)
    for line, name in zip(ranking, names, strict=True):
        if line.disqualified:
            verdict = f"{line.seat + 1} {name}: disqualified: {clean(line.disqualified, ascii_only)}"
            console.print(Text(verdict, overflow="fold"))
