"""The table of a tournament: its columns, and the same table for spreadsheets (RFC 4180) and as Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from referee.moments.formatting import milliseconds
from referee.text.words import also_called, in_spreadsheet, row_name
from referee.tournament.report.content import NOTHING, Report, faults_of, half_width, number
from referee.tournament.report.shown import Row

OWN: Final = ("tour_points", "byes", "out")
"""Columns that some formats have. The ids of students are in no report, because reports are published."""
KEYS: Final = (
    "rank", "number", "name", "called", "source", "twins", "entrant", "matches", "series", "score", "possible", "percent",
    "points", "mean", "wins", "faults", "rating", "rating_low", "rating_high", "p50_ms", "p99_ms",
)  # fmt: skip
"""The columns of the CSV file, as `referee tournament table --json` calls them."""
_MARKS: Final = re.compile(r"([\\`*_\[\]<>|&~#!])")


class Column(NamedTuple):
    """A column for people: its key, its heading, how its figure is shown, and the figure."""

    key: str
    heading: str
    text: Callable[[Row], str]
    figure: Callable[[Row], Any]


def columns(rows: Sequence[Row]) -> list[Column]:
    """The columns after rank and name, with a format's own."""
    fine = any(isinstance(row.get("tour_points"), float) for row in rows)  # of a swiss, whose tours are worth 0 to 1
    own = [_plain(key, key.replace("_", " "), 2 if fine and key == "tour_points" else 0) for key in _own(rows)]
    return [
        _plain("percent", "percent", 1),
        _plain("rating", "rating", 0),
        Column("interval", "± 95 %", lambda row: number(half_width(row)), half_width),
        *own,
        _plain("matches", "matches", 0),
        _plain("points", "points", 0),
        _plain("mean", "mean", 1),
        _plain("wins", "wins", 0),
        Column("faults", "faults", lambda row: str(faults_of(row) or NOTHING), faults_of),
        Column("p50_ms", "p50 ms", lambda row: milliseconds(row["p50_ms"]), lambda row: row["p50_ms"]),
        Column("p99_ms", "p99 ms", lambda row: milliseconds(row["p99_ms"]), lambda row: row["p99_ms"]),
    ]


def table_csv(report: Report) -> str:
    """The table with figures that are not rounded.

    `faults` is the number of matches in which the bot was disqualified, `twins` the numbers of bots with the same content.
    """
    keys = [*KEYS, *_own(report.rows)]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(keys)
    for row in report.rows:
        writer.writerow(cell(faults_of(row) if key == "faults" else row.get(key)) for key in keys)
    return out.getvalue()


def table_markdown(report: Report) -> str:
    """The table as people see it."""
    visible = columns(report.rows)
    lines = [["rank", "name", *(column.heading for column in visible)], ["---:", "---", *("---:" for _ in visible)]]
    for row in report.rows:
        texts = [also_called(row["name"], row["called"]), *(column.text(row) for column in visible)]
        lines.append([str(row["rank"]), *map(_escape, texts)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _escape(text: str) -> str:
    return _MARKS.sub(r"\\\1", row_name(text))


def _plain(key: str, heading: str, digits: int) -> Column:
    return Column(key, heading, lambda row: number(row.get(key), digits), lambda row: row.get(key))


def _own(rows: Iterable[Row]) -> list[str]:
    return [key for key in OWN if any(key in row for row in rows)]


def cell(value: object) -> object:
    """A value for a spreadsheet."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return in_spreadsheet(value) if isinstance(value, str) else value
