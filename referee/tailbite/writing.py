"""Programs as text: the inverse of `parsing.parse`, in the words that a program was written with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.tailbite.patterns import Program


class ChartText(NamedTuple):
    """A chart as text: the words before its colon, its description, and its rows."""

    heading: str
    description: str
    rows: Sequence[str]


def text(program: Program) -> str:
    """The text of a program. `parse` reads the same program from it."""
    charts = [ChartText(c.heading, c.description, [" ".join(row) for row in c.rows()]) for c in program.charts]
    return written(program.name, program.description, program.sets, charts, program.words)


def written(
    name: str,
    description: str,
    sets: Mapping[str, Sequence[str]],
    charts: Iterable[ChartText],
    words: Mapping[str, str],
) -> str:
    """The parts of a `Program` as text, with LF, single spaces, and one empty line before each chart. Checks nothing."""

    def line(key: str, value: str) -> str:
        return f"{words.get(key, key)}: {value}".rstrip(" ")

    lines = [line("name", name)]
    if description:
        lines.append(line("description", description))
    lines += [line(f"set {letter}", " ".join(elements)) for letter, elements in sets.items()]
    for chart in charts:
        lines += ["", f"{chart.heading}: {chart.description}".rstrip(" "), *chart.rows]
    return "\n".join(lines) + "\n"
