"""The first page of a report: how the tournament went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from referee.text.markup import Child, Html, el, name, pre, together
from referee.text.words import counted
from referee.tournament.field import Change
from referee.tournament.report import figure_sections
from referee.tournament.report.content import RESULTS, Report
from referee.tournament.report.evidence import fault_list
from referee.tournament.report.sheets import framed_page, note


def index(report: Report) -> str:
    """The page."""
    sections = [
        ("standings", "Standings", figure_sections.standings(report)),
        ("course", "Over time", figure_sections.over_time(report)),
        ("pairs", "Each against each", figure_sections.pairs(report)),
        ("seats", "Seats", figure_sections.seats(report)),
        ("times", "Time used", figure_sections.times(report)),
        ("faults", "Faults", _faults(report)),
        ("unready", "Bots that cannot play", _unready(report)),
        ("changes", "Changes of the field", _changes(report)),
    ]
    sections = [section for section in sections if section[2]]
    links = [el("a", title, href=f"#{anchor}") for anchor, title, _ in sections]
    links.append(el("a", "All results", href=RESULTS))
    home = report.site and _nav("Other pages", [el("a", "← ", name(report.site.title), href=report.site.home)])
    header = [home, el("h1", report.name), *_progress(report), _nav("Sections and pages", links)]
    main = (el("section", el("h2", title), *parts, id=anchor) for anchor, title, parts in sections)
    return framed_page(report, report.name, header, main)


def placeholder(report: Report) -> str:
    """The page that stands there while a new report is being written."""
    text = el("p", "The report is being written.")
    return framed_page(replace(report, refresh=True), report.name, [el("h1", report.name)], [text])


def _nav(label: str, links: Sequence[Html]) -> Html:
    return el("nav", *links, aria_label=label)


def _progress(report: Report) -> Iterator[Html]:
    table, matches = report.table, report.status["matches"]
    words = [report.game, table["format"], f"{table['seats']} seats", ", ".join(report.maps)]
    if report.rounds is not None:
        words.append(counted(report.rounds, "round"))
    if not report.site:
        words.append(f"seed {table['rng_seed']}")
    yield el("p", " · ".join(filter(None, words)), class_="facts")
    if report.site:
        yield el("p", report.site.progress, id="progress")
        return
    yield el("progress", value=matches["played"], max=max(1, matches["scheduled"]), aria_label="matches played")
    state = "The tournament is over." if table["over"] else "The tournament is not over."
    void = f"; {matches['void']} of them void" if matches["void"] else ""
    progress = f"Played: {matches['played']} of {counted(matches['scheduled'], 'known match', 'known matches')}{void}."
    series = f"{table['series']} series with {counted(table['matches'], 'match', 'matches')} count."
    yield el("p", f"{state} {progress} {series}", id="progress")


def _faults(report: Report) -> list[Html]:
    failures = [group for number in report.order for group in report.failures[number]]
    if not failures:
        return []
    return [note("Answers that did not come, or that could not be read."), fault_list(report, failures, named=True)]


def _unready(report: Report) -> list[Html]:
    unready: Sequence[Mapping[str, str]] = report.status["unready"]
    if not unready:
        return []
    parts = [note("They cannot be built or started. A team plays on with the last version that could.")]
    for bot in unready:
        why: Child = el("p", "Its own page says why.") if report.student else pre(bot["why"], label="why")
        parts.append(together(el("h3", name(bot["name"])), why))
    return parts


def _changes(report: Report) -> list[Html]:
    changes = [Change(**change) for change in report.status["changes"]]
    return [el("ul", *(el("li", f"{change}.") for change in changes))] if changes else []
