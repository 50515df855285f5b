"""Subjects, and their findings as tables in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TypeAlias

from benchmarks.figures import Spread, shown
from benchmarks.setting import Setting

Cell: TypeAlias = str | float | int | Spread | None
"""A cell of a table: text, a number, a spread, or nothing."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Its head has the name and the unit of each column."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a subject: its tables, and notes for everything else."""

    tables: Sequence[Table]
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject of the benchmarks, which can be measured by itself.

    Attributes:
        name: its name on the command line.
        about: the meaning of its figures, for the report.
        measure: raises UnavailableError if this machine lacks something that it needs.
    """

    name: str
    title: str
    about: str
    measure: Callable[[Setting], Findings]


def markdown(title: str, about: str, findings: Findings) -> str:
    """A chapter of the report: the meaning of the figures, the tables, the notes."""
    parts = [f"### {title}", wrapped(about)]
    for table in findings.tables:
        if table.title:
            parts.append(f"{table.title}:")
        parts.append(drawn(table))
    if findings.notes:
        parts.append("\n".join(f"- {note}" for note in findings.notes))
    return "\n\n".join(parts)


def wrapped(text: str) -> str:
    """A paragraph in lines of at most 132 columns."""
    return fill(text, 132, break_long_words=False, break_on_hyphens=False)


def drawn(table: Table) -> str:
    """A table as Markdown."""
    lines = [table.head, ["---"] * len(table.head), *([text(cell) for cell in row] for row in table.rows)]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def text(cell: Cell) -> str:
    """A cell as text. A spread is its median, with the quartiles in brackets unless they are equal."""
    match cell:
        case None:
            return "–"
        case str():
            return cell
        case int():
            return f"{cell:,}"
        case float():
            return shown(cell)
        case Spread(middle, low, high):
            if shown(low) == shown(high):
                return shown(middle)
            return f"{shown(middle)} ({shown(low)}{'–' if low >= 0 else ' to '}{shown(high)})"
