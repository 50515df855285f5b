"""Parts of the first page that show figures: the table, percents over time, pairs, seats, times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.contract.clock import seconds
from referee.moments.formatting import milliseconds
from referee.text.markup import Html, el
from referee.text.words import also_called
from referee.tournament.report import charts
from referee.tournament.report.charts import Scale
from referee.tournament.report.content import Report, number, results_of
from referee.tournament.report.sheets import cells, figure, heads, lead, name_cell, note, sheet
from referee.tournament.report.shown import Row
from referee.tournament.report.tables import columns

LEAST_MS: Final = 0.1
"""The left end of the scale of times."""
LEVELS: Final = 10
"""Tones of the cells of the table of pairs."""
ACROSS: Final = 100
"""Entrants in the table of pairs."""
_PERCENT: Final = "95\u00a0%"


def standings(report: Report, *, root: str = "") -> list[Html]:
    """The table, with ratings as dots and their intervals as bars.

    Args:
        root: the folder of the report, from the page.
    """
    rows, (percent, *others) = report.rows, columns(report.rows)
    scale, axis = rating_scale(rows)
    head = [*heads("#"), lead("name"), *heads(percent.heading), axis, *heads(*(column.heading for column in others))]
    body = []
    for row in rows:
        rank = figure("rank", row["rank"], row["rank"])
        entrant_cell = name_cell(also_called(row["name"], row["called"]), f"{root}entrants/{row['number']}.html")
        first, *more = (figure(column.key, column.text(row), column.figure(row)) for column in (percent, *others))
        body.append(el("tr", rank, entrant_cell, first, rating(scale, row), *more, data_number=row["number"]))
    return [
        note(
            "Percent of the possible score: a match scores a point for each rival behind, half a point for each that is level. "
            f"Ratings are Elo points; 100 more mean a score of 64\u00a0% against that rival. Bars are intervals of {_PERCENT}."
        ),
        sheet("Standings", head, body, key="table"),
        *map(note, report.notes),
    ]


def over_time(report: Report) -> list[Html]:
    """How the percents went, as lines and in figures."""
    after, percents = report.course
    if all(value is None for values in percents.values() for value in values):
        return []
    names = {entrant: report.names[entrant] for entrant in percents}
    title = f"Percent of the possible score after {after[0]} to {after[-1]} series"
    svg = charts.over_time(report.course, names, title)
    body = [el("tr", name_cell(names[it]), *cells(*(number(value, 1) for value in percents[it]))) for it in names]
    figures = sheet("Percent over time", [lead("after series"), *heads(*after)], body)
    order = f"From left to right: {after[-1]} series in the order of the schedule."
    words = note(f"Percent of the possible score so far. {order}")
    return [words, svg, el("details", el("summary", "The figures"), figures)]


def pairs(report: Report) -> list[Html]:
    """What entrants took from each other."""
    numbers_met = {number for pair in report.pairs for number in pair}
    numbers = [number for number in report.order if number in numbers_met][:ACROSS]
    if not numbers:
        return []
    ranks = {entrant: rank for rank, entrant in enumerate(report.order, start=1)}
    across = [el("th", el("abbr", ranks[entrant], title=report.names[entrant]), scope="col") for entrant in numbers]
    body = []
    for entrant in numbers:
        entrant_cell = name_cell(report.names[entrant], f"entrants/{entrant}.html")
        percents = (_pair(report, entrant, other) for other in numbers)
        body.append(el("tr", *cells(ranks[entrant]), entrant_cell, *percents, data_number=entrant))
    words = (
        "Percent that the entrant of the row took from that of the column in all their matches. A cell leads to them."
    )
    if len(numbers_met) > ACROSS:
        words += f" The first {ACROSS} of {len(numbers_met)} are shown; each entrant's page has all its rivals."
    return [note(words), sheet("Each against each", [*heads("#"), lead("name"), *across], body, key="cross")]


def seats(report: Report) -> list[Html]:
    """Whether some seats are better than others."""
    rows: Sequence[Row] = report.table["seat_bias"]
    if not rows:
        return []
    ends = [row[key] for row in rows for key in ("low", "mean", "high") if row[key] is not None]
    reach = max(0.05, *(abs(value - 0.5) for value in ends))
    scale = Scale(0.5 - reach, 0.5 + reach)
    labels = {value: number(100 * value) for value in (scale.low, 0.5, scale.high)}
    axis = charts.axis(scale, "The scale of the seats", labels)
    body = []
    for row in rows:
        mean, low, high = row["mean"], row["low"], row["high"]
        spread = None if low is None else 100 * (high - low) / 2
        title = f"{row['map']}, seat {row['seat'] + 1}: {number(100 * mean, 1)} %"
        figures = [
            figure("seat", row["seat"] + 1, row["seat"]),
            figure("series", row["series"], row["series"]),
            figure("mean", number(100 * mean, 1), mean),
            figure("interval", number(spread, 1), spread),
        ]
        svg = charts.interval(scale, title, dots=[mean], bar=None if low is None else (low, high), mark=0.5)
        body.append(el("tr", name_cell(row["map"]), *figures, svg, data_map=row["map"], data_seat=row["seat"]))
    head = [lead("map"), *heads("seat", "series", "percent", "± 95 %"), axis]
    words = "Percent of the possible score that each seat took. Where all entrants take all seats, 50 is fair."
    return [note(words), sheet("Seats", head, body, kind="few", key="seat-bias")]


def times(report: Report) -> list[Html]:
    """How long answers took, against the limit."""
    rows = [row for row in report.rows if row["p99_ms"] is not None]
    if not rows:
        return []
    limit = 1000 * report.limit
    scale = Scale(LEAST_MS, limit, log=True)
    tens = [10.0**power for power in range(-1, 9) if scale.low <= 10.0**power < limit / 3]
    axis = charts.axis(scale, "The scale of the times in ms", {ten: f"{ten:g}" for ten in [*tens, limit]})
    body = []
    for row in rows:
        half, most = row["p50_ms"], row["p99_ms"]
        p50, p99 = milliseconds(half), milliseconds(most)
        title = f"{row['name']}: half of the answers within {p50} ms, 99 % within {p99} ms"
        low, high = (max(scale.low, value) for value in (half, most))
        figures = [figure("p50_ms", p50, half), figure("p99_ms", p99, most)]
        svg = charts.interval(scale, title, dots=[low, high], bar=(low, high), mark=limit)
        body.append(el("tr", name_cell(row["name"]), *figures, svg))
    words = f"Half of the answers took no longer than p50, 99 of 100 no longer than p99. The limit is {seconds(report.limit)}."
    return [note(words), sheet("Time used", [lead("name"), *heads("p50 ms", "p99 ms"), axis], body, kind="few")]


def rating_scale(rows: Sequence[Row]) -> tuple[Scale, Html]:
    """The scale of the ratings of a table, and its cell in the head."""
    ends = [row[key] for row in rows for key in ("rating_low", "rating_high") if row[key] is not None]
    if not ends or max(ends) - min(ends) < 1:  # bots that are all alike have intervals without a width
        ends += [row["rating"] for row in rows if row["rating"] is not None]
    scale = Scale(min(ends, default=-1), max(ends, default=1))
    labels = {value: number(value) for value in (*scale[:2], 0) if value in scale[:2] or 20 < scale.at(0) < 80}
    return scale, charts.axis(scale, "The scale of the ratings", labels)


def rating(scale: Scale, row: Row) -> Html:
    """The cell of a row with its rating as a dot and the interval as a bar."""
    value, low, high = row["rating"], row["rating_low"], row["rating_high"]
    title = f"rating {number(value)}" + ("" if low is None else f", with 95 % from {number(low)} to {number(high)}")
    bar = None if low is None else (low, high)
    return charts.interval(scale, title, dots=[] if value is None else [value], bar=bar, mark=0)


def _pair(report: Report, entrant: int, other: int) -> Html:
    if (entrant, other) not in report.pairs:
        return el("td", class_="self" if entrant == other else None)
    score, possible = report.pairs[entrant, other]
    title = f"{report.names[entrant]}: {score:g} of {possible} against {report.names[other]}"
    kind = f"level-{min(LEVELS - 1, int(LEVELS * score / possible))}"
    exact = {"data_a": entrant, "data_b": other, "data_score": score, "data_possible": possible}
    percent = el("a", number(100 * score / possible), href=results_of(entrant, other))
    return el("td", percent, class_=kind, title=title, **exact)
