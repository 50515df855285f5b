"""Findings as tables: one form for Markdown and for JSON. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks.figures import Spread, shown

Cell: TypeAlias = str | float | int | Spread | None
"""A cell of a table: text, a number, a spread, or nothing."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Its head has the name and the unit of each column."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"a row of {len(row)} cells in a table of {len(self.head)} columns")


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a subject: its tables, and notes for everything else."""

    tables: Sequence[Table]
    notes: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """Its form in the document of `--json`."""
        return {
            "tables": [
                {
                    "title": table.title,
                    "head": list(table.head),
                    "rows": [
                        [cell.as_json() if isinstance(cell, Spread) else cell for cell in row] for row in table.rows
                    ],
                }
                for table in self.tables
            ],
            "notes": list(self.notes),
        }


def markdown(title: str, about: str, findings: Findings) -> str:
    """A chapter of the report: the meaning of the figures, the tables, the notes."""
    parts = [f"### {title}", about]
    for table in findings.tables:
        if table.title:
            parts.append(f"{table.title}:")
        parts.append(drawn(table))
    if findings.notes:
        parts.append("\n".join(f"- {note}" for note in findings.notes))
    return "\n\n".join(parts)


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
