"""The table of a tournament on a terminal or in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from referee.moments.formatting import milliseconds
from referee.terminal.console import Terminal
from referee.text.words import also_called, counted, harmless

LEAST: Final = 8
"""The fewest columns of a name."""
GAP: Final = 2
WIDE: Final = 132
"""Columns in which all figures fit."""
PIPE: Final = 1000
"""Columns in a pipe."""
OWN: Final = ("id", "tour_points", "byes", "out")
"""Columns that some tournaments have. Reports leave out `id`, because they are published (`tournament/report/tables.py`)."""
SPARE: Final = frozenset({"points", "mean", "wins", "p99 ms"})
_NOTHING: Final = "-"


def show(document: Mapping[str, Any], terminal: Terminal, notes: Iterable[str] = ()) -> None:
    """Print the table of `Tournament.table` on stdout, what it was computed from, and notes. Nothing is cut in a pipe."""
    over = "" if document["over"] else ", not over yet"
    extent = f"{counted(document['matches'], 'match', 'matches')} in {document['series']} series{over}"
    title = f"{harmless(document['name'])}: {document['game']}, {document['format']}, {extent}"
    console = terminal.out
    if not console.is_terminal:
        console.width = PIPE
    console.print(Text(title), soft_wrap=True, highlight=False)
    console.print(table(document["table"], console.width))
    for note in notes:
        console.print(Text(note), soft_wrap=True, highlight=False)


def table(rows: Sequence[Mapping[str, Any]], columns: int) -> Table:
    """The rows of a table, best first.

    In a terminal, names are cut. In a narrow one, there are no students' ids, the sum of points gives way to the mean, and
    `SPARE` figures to a format's own.
    """
    narrow = columns < WIDE
    own = [key for key in OWN if any(key in row for row in rows) and not (narrow and key == "id")]
    spared = frozenset() if not narrow else SPARE if own else {"points"}
    figures_shown = {heading: show for heading, show in FIGURES.items() if heading not in spared}
    headings = [*figures_shown, *(key.replace("_", " ") for key in own)]
    cells = [[show(row) for show in figures_shown.values()] + [_own(row.get(key)) for key in own] for row in rows]
    others = len("rank") + GAP + sum(max(map(len, column)) + GAP for column in zip(headings, *cells, strict=True))
    grid = Table(box=None, pad_edge=False, header_style="bold")
    grid.add_column("rank", justify="right", no_wrap=True)
    grid.add_column("name", overflow="ellipsis", no_wrap=True, max_width=max(LEAST, columns - others))
    for heading in headings:
        grid.add_column(heading, justify="right", no_wrap=True)
    for row, figures in zip(rows, cells, strict=True):
        grid.add_row(str(row["rank"]), Text(harmless(also_called(row["name"], row["called"]))), *figures)
    return grid


def _interval(row: Mapping[str, Any]) -> str:
    low, high = row["rating_low"], row["rating_high"]
    return _NOTHING if low is None else f"{(high - low) / 2:.0f}"


def _own(value: float | str | None) -> str:
    if isinstance(value, str):
        return harmless(value)
    return _NOTHING if value is None else f"{value:g}" if isinstance(value, int) else f"{value:.2f}"


def _number(value: float | None, digits: int) -> str:
    return _NOTHING if value is None else f"{value:z.{digits}f}"


FIGURES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "matches": lambda row: str(row["matches"]),
    "percent": lambda row: _number(row["percent"], 1),
    "points": lambda row: _number(row["points"], 0),
    "mean": lambda row: _number(row["mean"], 1),
    "wins": lambda row: str(row["wins"]),
    "faults": lambda row: str(sum(row["faults"].values()) or _NOTHING),
    "rating": lambda row: _number(row["rating"], 0),
    "± 95 %": _interval,
    "p99 ms": lambda row: _NOTHING if row["p99_ms"] is None else milliseconds(row["p99_ms"]),
}
"""The columns, and what they show of a row."""
