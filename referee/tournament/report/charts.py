"""Charts as inline SVG: intervals in the rows of tables, and lines over time.

Positions along the width are percents, so a chart fits any screen and its text keeps its size. Colours are in the style sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import Final, NamedTuple

from referee.moments.columns import cut
from referee.text.markup import Html, el
from referee.tournament.report.content import number
from referee.tournament.report.course import Course

EDGE: Final = 4.0
"""Percent of the width that stays free at both ends, for dots."""
COLOURED: Final = 4
"""Lines that have a colour."""
NAMED: Final = 40
"""Lines that have a name at their end."""
LINE: Final = 16
"""Pixels between two names."""
LEAST: Final = 340
"""Pixels of the height of a chart."""
ACROSS: Final = 1000
"""The width of the lines in their own units."""
LEAD: Final = 14
"""Pixels between the end of a line and its name."""
SHORT: Final = 22
"""Columns of a name in a chart."""


class Scale(NamedTuple):
    """The figures at the left and at the right end of an interval chart, and whether it is logarithmic."""

    low: float
    high: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a figure, in percent of the width."""
        low, high = self.low, self.high
        if self.log:
            low, high, value = (log10(max(figure, 1e-9)) for figure in (low, high, value))
        part = (value - low) / (high - low) if high > low else 0.5
        return EDGE + (100 - 2 * EDGE) * min(1.0, max(0.0, part))


def interval(scale: Scale, title: str, *, dots: Sequence[float], bar: tuple[float, float] | None, mark: float) -> Html:
    """The cell of a chart: dots and a bar on a scale; an arrow for a dot beyond its end.

    Args:
        mark: where a thin line stands, such as 0.
    """
    shapes = [_line("mark", scale.at(mark), scale.at(mark), 0, "100%")]
    if bar is not None:
        shapes.append(_line("bar", scale.at(bar[0]), scale.at(bar[1]), "50%", "50%"))
    for dot in dots:
        if scale.low <= dot <= scale.high:
            shapes.append(el("circle", class_="dot", cx=f"{scale.at(dot):.2f}%", cy="50%", r=4))
        else:
            side = 0 if dot < scale.low else 100
            anchor = "end" if side else "start"
            shapes.append(el("text", "▸" if side else "◂", x=f"{side}%", y="50%", dy="0.35em", text_anchor=anchor))
    return el("td", _svg(title, shapes), class_="plot")


def axis(scale: Scale, title: str, labels: Mapping[float, str]) -> Html:
    """The head of a column of charts: the labels of their scale."""
    texts = [
        el("text", label, x=f"{scale.at(value):.2f}%", y="50%", dy="0.35em", text_anchor="middle")
        for value, label in labels.items()
    ]
    return el("th", _svg(title, texts), class_="plot", scope="col")


def over_time(course: Course, names: Mapping[int, str], title: str) -> Html:
    """The percents over time.

    Args:
        names: of the entrants to show, the best first.
    """
    lines: dict[int, list[tuple[int, float]]] = {}
    for entrant in names:
        percents = zip(course.after, course.percents[entrant], strict=True)
        if points := [(at, percent) for at, percent in percents if percent is not None]:
            lines[entrant] = points
    values = [value for line in lines.values() for _, value in line]
    low, high = 10 * floor(min(values) / 10), 10 * ceil(max(values) / 10)
    low, high = (low, high) if high > low else (max(0, low - 10), max(10, high))
    colours = {entrant: f"series-{place}" for place, entrant in enumerate(list(names)[:COLOURED], start=1)}
    named = list(lines)[:NAMED]
    height = max(LEAST, LINE * len(named))

    def y(value: float) -> float:
        return height * (high - value) / (high - low)

    positions = _spread({entrant: y(lines[entrant][-1][1]) for entrant in named}, height)
    drawn: list[Html] = []
    words: list[Html] = []
    for entrant in sorted(lines, key=colours.__contains__):
        last = lines[entrant][-1][1]
        kind = colours.get(entrant, "other")
        path = " ".join(f"{ACROSS * at / course.after[-1]:.0f},{y(value):.1f}" for at, value in lines[entrant])
        title_of = el("title", f"{names[entrant]}: {number(last, 1)} %")
        drawn.append(el("polyline", title_of, class_=kind, points=path))
        if entrant in positions:
            end, position = f"{y(last):.1f}", f"{positions[entrant]:.1f}"
            words.append(el("line", class_=f"{kind} lead", x1=0, x2=LEAD, y1=end, y2=position))
            words.append(el("text", cut(names[entrant], SHORT), class_=kind, x=LEAD + 4, y=position, dy="0.35em"))
    step = next(step for step in (5, 10, 20, 25, 50) if (high - low) / step <= 6)
    ticks = range(ceil(low / step) * step, high + 1, step)
    grid = [el("line", class_="grid", x1=0, x2=ACROSS, y1=f"{y(value):.1f}", y2=f"{y(value):.1f}") for value in ticks]
    labels = [el("text", f"{value} %", class_="tick", x=0, y=f"{y(value) - 4:.1f}") for value in ticks]
    view = f"0 0 {ACROSS} {height}"
    plot = el("svg", *grid, *drawn, viewBox=view, preserveAspectRatio="none", width="100%", height=height)
    return el(
        "div",
        el("svg", el("title", title), plot, *labels, role="img", height=height),
        el("svg", el("title", "Names at the ends of the lines"), *words, class_="names", role="img", height=height),
        class_="course",
    )


def _svg(title: str, shapes: Sequence[Html]) -> Html:
    return el("svg", el("title", title), *shapes, class_="interval", role="img")


def _line(kind: str, x1: float, x2: float, y1: str | float, y2: str | float) -> Html:
    return el("line", class_=kind, x1=f"{x1:.2f}%", x2=f"{x2:.2f}%", y1=y1, y2=y2)


def _spread(positions: Mapping[int, float], height: float) -> dict[int, float]:
    """Positions for names in pixels: in the same order, at least a line apart, as near as possible to the given ones."""
    apart: dict[int, float] = {}
    lowest = LINE / 2
    for entrant, position in sorted(positions.items(), key=lambda item: item[1]):
        apart[entrant] = max(position, lowest)
        lowest = apart[entrant] + LINE
    highest = height - LINE / 2
    for entrant in reversed(apart):
        apart[entrant] = min(apart[entrant], highest)
        highest = apart[entrant] - LINE
    return apart
