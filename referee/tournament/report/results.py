"""The page of all results. A script filters them; without it, the page is the whole list.

The filters are in the address, so that other pages can lead to some of the matches: `results.html#entrant=0&rival=3`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from referee.moments.formatting import numeral, places
from referee.text.markup import Html, el, name, together
from referee.text.words import counted
from referee.tournament.report.content import Report, points
from referee.tournament.report.evidence import title_cell, watch_hint
from referee.tournament.report.sheets import cells, framed_page, heads, lead, note, page_links, sheet
from referee.tournament.report.shown import Row

FAULTY: Final = "fault"
"""Stands for all faults among the words of a match's end."""


def results(report: Report, script: str) -> str:
    """The page of the results.

    Args:
        script: the program that filters them.
    """
    matches, played = report.matches.listed(), report.matches.played
    cut = (
        f" These are the last {len(matches)}; `referee tournament matches` lists all." if played > len(matches) else ""
    )
    words = f"{counted(played, 'match', 'matches')} in the order of the schedule.{cut}"
    tours = list(dict.fromkeys(_tour(report, match) for match in matches))
    texts = heads(*["tour"] * (len(tours) > 1), "result, best first", "end", kind="text")
    body = (_row(report, match, tours=len(tours) > 1) for match in matches)
    main = [
        note(words, " ", watch_hint(report)),
        _filters(report, matches, tours),
        sheet("Results", [lead("match"), *texts], body, kind="matches", key="results"),
        el("button", type="button", id="more", hidden="hidden"),
    ]
    header = [page_links(report), el("h1", "Results")]
    return framed_page(report, f"Results · {report.name}", header, main, script=script)


def _filters(report: Report, matches: Iterable[Row], tours: Iterable[str]) -> Html:
    """The filters, which the script shows."""
    playing = {str(seat["number"]) for match in matches for seat in match["seats"]}
    names = {str(number): report.names[number] for number in report.order if str(number) in playing}
    maps = {map_: map_ for map_ in dict.fromkeys(match["map"] for match in matches)}
    ends = dict.fromkeys(word for match in matches for word in _ends(match))
    faults = {kind for match in matches for kind in _faults(match)}
    labels = {word: "any fault" if word == FAULTY else f"fault: {word}" if word in faults else word for word in ends}
    choices = [
        _choice("tour", "Tour", {tour: tour for tour in tours}),
        _choice("entrant", "Entrant", names),
        _choice("rival", "Rival", names),
        _choice("map", "Map", maps),
        _choice("end", "End", labels),
    ]
    rest = [el("button", "All matches", type="button", id="clear"), el("output", id="count", role="status")]
    label = "Which matches to show"
    return el("div", *choices, *rest, id="filters", role="search", aria_label=label, hidden="hidden")


def _choice(key: str, label: str, values: Mapping[str, str]) -> Html | None:
    """A filter; None if there is no choice."""
    if len(values) < 2:
        return None
    options = [el("option", text, value=value) for value, text in values.items()]
    return el("label", label, el("select", el("option", "all", value=""), *options, name=key))


def _row(report: Report, match: Row, *, tours: bool) -> Html:
    end = together(match["reason"], *(together(", ", el("strong", kind)) for kind in _faults(match)))
    tour = [_tour(report, match)] if tours else []
    texts = cells(*tour, together(*_seats(report, match)), end, kind="text")
    entrants = " ".join(map(str, sorted({seat["number"] for seat in match["seats"]})))
    return el(
        "tr", title_cell(report, match["id"], root=""), *texts, data_match=match["id"], data_tour=tour[0] if tour else None,
        data_entrant=entrants, data_map=match["map"], data_end=" ".join(_ends(match)),
    )  # fmt: skip


def _seats(report: Report, match: Row) -> Iterator[Html | str]:
    """The entrants of a match, best first, with their places and points: `1. Oracle (55)`, `2= Guard (7)`.

    A void match has neither. A line does not break between a name and its place or points.
    """
    seats = sorted(match["seats"], key=lambda seat: seat["place"] or 0)
    for at, (seat, place) in enumerate(zip(seats, places([seat["place"] for seat in seats]), strict=True)):
        yield " · " if at else ""
        yield f"{numeral(place)}\u00a0" if place else ""
        yield name(report.names[seat["number"]])
        if seat["points"] is not None:
            yield f"\u00a0({points(seat['points'])})"


def _ends(match: Row) -> Iterator[str]:
    """How a match ended, in words to look for: its reason, and the faults."""
    yield match["reason"]
    if faults := _faults(match):
        yield from (FAULTY, *faults)


def _faults(match: Row) -> list[str]:
    """The kinds of faults of a match, by seat."""
    return list(dict.fromkeys(kind for seat in match["seats"] if (kind := seat["disqualified"]) is not None))


def _tour(report: Report, match: Row) -> str:
    return report.match_names[match["id"]].tour if match["id"] in report.match_names else ""
