"""The table of a tournament on a terminal or in a pipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from referee.names import harmless, shorten
from referee.view.console import Terminal

NAME: Final = 24
WIDE: Final = 140
"""Columns of a table in a pipe: nothing is cut."""
_NOTHING: Final = "-"


def show(document: Mapping[str, Any], terminal: Terminal) -> None:
    """Print the table of `Tournament.table` on stdout, and what it was computed from."""
    over = "" if document["over"] else ", not over yet"
    counted = f"{document['matches']} matches in {document['series']} series{over}"
    title = f"{harmless(document['name'])}: {document['game']}, {document['format']}, {counted}"
    terminal.out.print(Text(title), soft_wrap=True, highlight=False)
    width = terminal.out.width if terminal.out.is_terminal else max(terminal.out.width, WIDE)
    terminal.out.print(table(document["table"]), width=width)


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """The rows of a table, best first."""
    found = Table(box=None, pad_edge=False, header_style="bold")
    more = [key for key in ("tour_points", "byes", "out") if any(key in row for row in rows)]
    found.add_column("rank", justify="right", no_wrap=True)
    found.add_column("name", overflow="ellipsis", no_wrap=True, max_width=NAME)
    for heading in (
        "matches",
        "percent",
        "points",
        "wins",
        "faults",
        "rating",
        "± 95 %",
        *(key.replace("_", " ") for key in more),
        "p99 ms",
    ):
        found.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        low, high = row["rating_low"], row["rating_high"]
        figures = [
            str(row["matches"]),
            _number(row["percent"], 1),
            _number(row["points"], 0),
            str(row["wins"]),
            str(sum(row["faults"].values()) or _NOTHING),
            _number(row["rating"], 0),
            _NOTHING if low is None else f"{(high - low) / 2:.0f}",
            *(_number(row[key], 1) if isinstance(row.get(key), float) else str(row.get(key, _NOTHING)) for key in more),
            _number(row["p99_ms"], 1),
        ]
        found.add_row(str(row["rank"]), Text(shorten(harmless(row["name"]), NAME)), *figures)
    return found


def _number(value: float | None, digits: int) -> str:
    return _NOTHING if value is None else f"{value:.{digits}f}"
