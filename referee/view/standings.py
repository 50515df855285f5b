"""The table of a tournament on a terminal or in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from referee.names import harmless
from referee.view.console import Terminal

NAME: Final = 24
LEAST: Final = 8
"""The most and the fewest columns of a name."""
GAP: Final = 2
WIDE: Final = 124
"""Columns in which the widest table fits."""
OWN: Final = ("tour_points", "byes", "out")
"""Columns that some formats have."""
SPARE: Final = frozenset({"points", "wins", "p99 ms"})
_NOTHING: Final = "-"


def show(document: Mapping[str, Any], terminal: Terminal) -> None:
    """Print the table of `Tournament.table` on stdout, and what it was computed from. Nothing is cut in a pipe."""
    over = "" if document["over"] else ", not over yet"
    counted = f"{document['matches']} matches in {document['series']} series{over}"
    title = f"{harmless(document['name'])}: {document['game']}, {document['format']}, {counted}"
    console = terminal.out
    if not console.is_terminal:
        console.width = max(console.width, WIDE)
    console.print(Text(title), soft_wrap=True, highlight=False)
    console.print(table(document["table"], console.width))


def table(rows: Sequence[Mapping[str, Any]], columns: int) -> Table:
    """The rows of a table, best first. In a narrow terminal, names are cut, and `SPARE` figures give way to a format's own."""
    own = [key for key in OWN if any(key in row for row in rows)]
    shown = {heading: show for heading, show in FIGURES.items() if not (columns < WIDE and own and heading in SPARE)}
    headings = [*shown, *(key.replace("_", " ") for key in own)]
    cells = [[show(row) for show in shown.values()] + [_own(row.get(key)) for key in own] for row in rows]
    taken = sum(max(map(len, column)) + GAP for column in zip(headings, *cells, strict=True)) + len("rank") + GAP
    found = Table(box=None, pad_edge=False, header_style="bold")
    found.add_column("rank", justify="right", no_wrap=True)
    found.add_column("name", overflow="ellipsis", no_wrap=True, max_width=min(NAME, max(LEAST, columns - taken)))
    for heading in headings:
        found.add_column(heading, justify="right", no_wrap=True)
    for row, figures in zip(rows, cells, strict=True):
        found.add_row(str(row["rank"]), Text(harmless(row["name"])), *figures)
    return found


def _interval(row: Mapping[str, Any]) -> str:
    low, high = row["rating_low"], row["rating_high"]
    return _NOTHING if low is None else f"{(high - low) / 2:.0f}"


def _own(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:g}" if isinstance(value, int) else f"{value:.2f}"


def _number(value: float | None, digits: int) -> str:
    return _NOTHING if value is None else f"{value:z.{digits}f}"


FIGURES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "matches": lambda row: str(row["matches"]),
    "percent": lambda row: _number(row["percent"], 1),
    "points": lambda row: _number(row["points"], 0),
    "wins": lambda row: str(row["wins"]),
    "faults": lambda row: str(sum(row["faults"].values()) or _NOTHING),
    "rating": lambda row: _number(row["rating"], 0),
    "± 95 %": _interval,
    "p99 ms": lambda row: _number(row["p99_ms"], 1),
}
"""The columns, and what they show of a row."""
