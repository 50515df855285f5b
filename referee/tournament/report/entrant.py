"""The page of one entrant: its matches, its rivals, its faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.moments.formatting import milliseconds, places
from referee.text.markup import Html, el, name, together
from referee.text.words import counted
from referee.tournament.report import charts
from referee.tournament.report.charts import Scale
from referee.tournament.report.content import NOTHING, Report, half_width, number, points, results_of
from referee.tournament.report.evidence import fault_list, title_cell, watch_hint
from referee.tournament.report.sheets import cells, framed_page, heads, lead, name_cell, note, page_links, sheet
from referee.tournament.report.shown import BEST, Row


def entrant(report: Report, subject: int) -> str:
    """The page of the entrant with this number."""
    failures, own = report.failures[subject], report.matches.own[subject]
    extremes = [(it.match, it.seat) for it in own.extremes]
    few = own.played <= 2 * BEST
    sections = [
        ("Against each rival", _rivals(report, subject)),
        ("Best and worst", [] if few else [_table(report, extremes, "Best and worst matches")]),
        ("Faults", [fault_list(report, failures, named=False)] if failures else []),
        ("All matches", _matches(report, subject)),
    ]
    header = [
        page_links(report, el("a", "Its results", href=f"../{results_of(subject)}"), root="../"),
        el("h1", name(report.names[subject])),
        el("p", _summary(report, subject), class_="facts"),
        el("p", *_origin(report, subject), class_="facts"),
    ]
    main = (el("section", el("h2", title), *parts) for title, parts in sections if parts)
    return framed_page(report, f"{report.names[subject]} · {report.name}", header, main)


def _summary(report: Report, subject: int) -> str:
    row = report.row_of(subject)
    if row is None:
        return "It left the tournament. Its matches count for its rivals."
    width = half_width(row)
    rating = f"rating {number(row['rating'])}" + ("" if width is None else f" ± {number(width)}")
    matches = counted(row["matches"], "match", "matches")
    rank, p99 = f"rank {row['rank']} of {len(report.rows)}", f"p99 {milliseconds(row['p99_ms'])} ms"
    return " · ".join([rank, f"{number(row['percent'], 1)} %", rating, matches, p99])


def _origin(report: Report, subject: int) -> Iterator[Html | str]:
    """The entrant's file, the name that it answers, and the bots of the same content."""
    row = report.row_of(subject) or {}
    yield name(report.entrants[subject].source)
    if row.get("called"):
        yield together(" · calls itself ", name(row["called"]))
    for index, twin in enumerate(row.get("twins", ())):
        yield ", " if index else " · same content as "
        yield el("a", name(report.names[twin]), href=f"{twin}.html")


def _rivals(report: Report, subject: int) -> list[Html]:
    results = [(*report.pairs[subject, other], other) for other in report.order if (subject, other) in report.pairs]
    if not results:
        return []
    scale = Scale(0, 100)
    axis = charts.axis(scale, "The scale of percents", {value: str(value) for value in (0, 50, 100)})
    body = []
    for score, possible, other in sorted(results, key=lambda pair: pair[0] / pair[1]):
        percent = 100 * score / possible
        title = f"{number(percent, 1)} % against {report.names[other]}"
        svg = charts.interval(scale, title, dots=[percent], bar=None, mark=50)
        figures = cells(number(percent, 1), f"{score:g}", possible)
        body.append(el("tr", name_cell(report.names[other], f"{other}.html"), *figures, svg))
    return [
        note("What it took from each rival in their matches; those that it lost most to come first."),
        sheet("Against each rival", [lead("rival"), *heads("percent", "score", "matches"), axis], body, kind="few"),
    ]


def _matches(report: Report, subject: int) -> list[Html]:
    if not (played := report.matches.own[subject].played):
        return []
    words, shown = "In the order of the schedule. ", report.matches.newest_of(subject)
    if len(shown) < played:
        words += f"These are the last {len(shown)} of {played}; `referee tournament matches` lists all. "
    return [note(words, watch_hint(report)), _table(report, shown, "All matches")]


def _table(report: Report, played: Sequence[tuple[Row, Row]], label: str) -> Html:
    """Matches, each with the entrant's seat in it."""
    figures = heads("place", "score", "points", "slowest ms")
    head = [lead("match"), *figures, *heads("rivals, best first", "end", kind="text")]
    return sheet(label, head, (_row(report, match, seat) for match, seat in played), kind="matches")


def _row(report: Report, match: Row, own: Row) -> Html:
    fault = own["disqualified"]
    end = together(match["reason"], None if fault is None else together(", ", el("strong", fault)))
    place = places([seat["place"] for seat in match["seats"]])[match["seats"].index(own)]
    score = NOTHING if own["score"] is None else f"{own['score']:g}"
    figures = cells(place or NOTHING, score, points(own["points"]), milliseconds(own["slowest_ms"]))
    texts = cells(together(*_rivals_in(report, match, own)), end, kind="text")
    return el("tr", title_cell(report, match["id"], root="../"), *figures, *texts, data_match=match["id"])


def _rivals_in(report: Report, match: Row, own: Row) -> Iterator[Html | str]:
    others = [seat for seat in match["seats"] if seat["seat"] != own["seat"]]
    for index, seat in enumerate(sorted(others, key=lambda seat: seat["place"] or 0)):
        yield ", " if index else ""
        yield name(report.names[seat["number"]])
