"""The list of all results: complete without its script, filtered with it."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from export.chromium import Chromium
from tournament.figures.played import duels, field, series
from tournament.report.reports import SCRIPT, Node, matches_of, names_of, parsed, report_of

from referee.tournament.report.content import Report, page_of
from referee.tournament.report.index import index
from referee.tournament.report.results import results

FIRST = 200
"""The rows that the script shows, as in `results.js`."""


def report_of_three() -> Report:
    """a – b twice, on two maps, a – c twice, the second time with a fault, and b – c once; in two tours."""
    ended = [
        *duels("A", "B", "0-1/arena/0"),
        series("0-1/my maze/0", "B1*7 A2*3.5"),
        series("0-2/arena/0", "A1 C2", "C1 A2!timeout"),
        series("1-2/arena/0", "B1 C1"),
    ]
    played = [result.series for result in ended]
    return replace(report_of(field(3), ended), match_names=names_of(played[:2], played[2:]))


def listed(report: Report) -> Node:
    return parsed(results(report, SCRIPT), scripts=1)


def rows(page: Node) -> list[Node]:
    return page.one("table", id="results").one("tbody").all("tr")


def row_with(seat: dict[str, Any], **match: Any) -> Node:
    """The row of the first match. `seat` replaces values of each seat, `match` values of the match."""
    report = report_of_three()
    first = report.matches.listed()[0]
    changed = {**first, "seats": [{**usual, **seat} for usual in first["seats"]], **match}
    (row,) = rows(listed(replace(report, matches=matches_of([changed], report.names))))
    return row


def heads(page: Node) -> list[str]:
    return [cell.text for cell in page.one("table", id="results").one("thead").all("th")]


def test_the_list_has_each_match_with_its_title_its_tour_its_result_and_its_end() -> None:
    page = listed(report_of_three())
    texts = [[row.one("th").text, *(cell.text for cell in row.all("td")[:3])] for row in rows(page)]
    assert [row[:2] for row in texts] == [
        ["a – b, arena, 1st", "tour 0"],
        ["a – b, arena, 2nd", "tour 0"],
        ["a – b, my maze, 1st", "tour 0"],
        ["a – c, arena, 1st", "tour 1"],
        ["a – c, arena, 2nd", "tour 1"],
        ["b – c, arena, 1st", "tour 1"],
    ]
    assert [row[2] for row in texts[:2]] == ["1.\u00a0a\u00a0(0) · 2.\u00a0b\u00a0(0)"] * 2, "from either seat"
    assert texts[2][2:] == ["1.\u00a0b\u00a0(7) · 2.\u00a0a\u00a0(3.5)", "rounds"]
    assert texts[4][2:] == ["1.\u00a0c\u00a0(0) · 2.\u00a0a\u00a0(0)", "rounds, timeout"]
    assert texts[5][2:] == ["1=\u00a0b\u00a0(0) · 1=\u00a0c\u00a0(0)", "rounds"]
    assert heads(page) == ["match", "tour", "result, best first", "end"]
    ends = [option.text for option in page.one("select", name="end").all("option")]
    assert ends == ["all", "rounds", "any fault", "fault: timeout"]
    one_tour = report_of(field(2), duels("A", "B", "0-1/arena/0"))
    assert heads(listed(one_tour)) == ["match", "result, best first", "end"]


def test_a_void_match_has_no_result() -> None:
    row = row_with({"place": None, "points": None, "score": None}, reason="void")
    assert [cell.text for cell in row.all("td")[:2]] == ["a · b", "void"]


def test_a_fault_of_several_seats_is_named_once() -> None:
    row = row_with({"disqualified": "exit"})
    assert row.all("td")[1].text == "rounds, exit"
    assert row.attributes["data-end"] == "rounds fault exit"


def test_a_match_with_a_page_is_a_link_and_the_page_says_how_to_write_the_others() -> None:
    report = report_of_three()
    shown, *_ = ids = [match["id"] for match in report.matches.listed()]
    page = listed(replace(report, with_page=frozenset({shown})))
    first, *others = rows(page)
    assert {link.attributes["href"] for link in first.all("a")} == {page_of(shown)}
    assert not any(row.all("a") for row in others)
    assert page.one("code").text == "referee tournament report --games=all"
    assert not listed(replace(report, with_page=frozenset(ids))).all("code")


def test_an_entrant_has_the_name_that_it_has_now() -> None:
    """Of bots with equal names, the one that is `#2` changes when one of them joins or leaves."""
    assert row_with({"name": "an older name"}).all("td")[0].text == "1.\u00a0a\u00a0(0) · 2.\u00a0b\u00a0(0)"


def test_a_filter_with_one_value_is_left_out() -> None:
    page = listed(report_of(field(2), duels("A", "B", "0-1/arena/0")))
    assert [select.attributes["name"] for select in page.all("select")] == ["entrant", "rival"]
    whole = listed(report_of_three())
    assert [select.attributes["name"] for select in whole.all("select")] == ["tour", "entrant", "rival", "map", "end"]
    assert whole.one("div", id="filters").attributes["hidden"], "without the script, they would do nothing"


def test_a_list_of_too_many_matches_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.tournament.report.shown.LISTED", 5)
    page = listed(report_of_three())
    assert len(rows(page)) == 5
    assert "These are the last 5;" in page.text


# -- in a browser -------------------------------------------------------------------------------------------------


def address(folder: Path, report: Report) -> str:
    path = folder / "results.html"
    path.write_text(results(report, SCRIPT))
    return path.as_uri()


def shown(chromium: Chromium) -> list[str]:
    """The titles of the rows in the table."""
    titles: list[str] = chromium.run(
        "[...document.querySelectorAll('#results tbody tr')].filter((one) => one.offsetHeight)"
        ".map((one) => one.querySelector('th').textContent)"
    )
    return titles


def choose(chromium: Chromium, name: str, value: str) -> None:
    chromium.run(f"document.querySelector('select[name={name}]').value = {value!r}")
    chromium.run(f"document.querySelector('select[name={name}]').dispatchEvent(new Event('change'))")


@pytest.mark.parametrize(("filters", "titles"), [
    ("", 6),
    ("#entrant=0&rival=2", ["a – c, arena, 1st", "a – c, arena, 2nd"]),
    ("#entrant=2&tour=tour+1&end=fault", ["a – c, arena, 2nd"]),
    ("#end=timeout", ["a – c, arena, 2nd"]),
    ("#map=my+maze", ["a – b, my maze, 1st"]),
    ("#map=nowhere&entrant=%3Cscript%3E", 6),
])  # fmt: skip
def test_the_address_chooses_the_matches(
    chromium: Chromium, tmp_path: Path, filters: str, titles: list[str] | int
) -> None:
    chromium.open(address(tmp_path, report_of_three()) + filters)
    visible = shown(chromium)
    assert (len(visible) if isinstance(titles, int) else visible) == titles
    assert chromium.run("document.getElementById('count').textContent") == f"{len(visible)} of 6"
    assert chromium.heard == []


def test_what_is_chosen_stands_in_the_address_and_can_be_taken_back(chromium: Chromium, tmp_path: Path) -> None:
    chromium.open(address(tmp_path, report_of_three()))
    choose(chromium, "entrant", "2")
    choose(chromium, "rival", "1")
    assert shown(chromium) == ["b – c, arena, 1st"]
    assert chromium.run("location.hash") == "#entrant=2&rival=1"
    chromium.run("document.getElementById('clear').click()")
    assert len(shown(chromium)) == 6
    assert chromium.run("document.getElementById('clear').disabled")
    chromium.run("location.hash = '#map=my+maze'")
    chromium.until("document.querySelectorAll('#results tbody tr').length === 1")


def test_of_thousands_of_matches_the_first_are_shown_and_more_when_asked(chromium: Chromium, tmp_path: Path) -> None:
    report = report_of_three()
    chromium.open(address(tmp_path, replace(report, matches=matches_of(report.matches.listed() * 500, report.names))))
    assert len(shown(chromium)) == FIRST
    assert chromium.run("document.getElementById('count').textContent") == "3000 of 3000"
    assert chromium.run("document.getElementById('more').textContent") == "Show 1000 more of 2800"
    chromium.run("document.getElementById('more').click()")
    assert len(shown(chromium)) == FIRST + 1000
    choose(chromium, "map", "my maze")
    assert len(shown(chromium)) == FIRST
    assert chromium.run("document.getElementById('count').textContent") == "500 of 3000"


def test_without_javascript_the_page_is_the_whole_list(chromium: Chromium, tmp_path: Path) -> None:
    report = report_of_three()
    url = address(tmp_path, replace(report, matches=matches_of(report.matches.listed() * 50, report.names)))
    with chromium.without_scripts(f"{url}#map=my+maze"):
        assert len(shown(chromium)) == 300
        assert chromium.run("document.getElementById('filters').offsetHeight") == 0


def test_on_a_phone_names_are_wrapped_and_not_cut(chromium: Chromium, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(index(report_of_three()))
    chromium.open((tmp_path / "index.html").as_uri(), width=360)
    chromium.run("document.querySelector('#table tbody .name a').textContent = 'Some words#2 (AWordOfManyLetters)'")
    cut = "[...document.querySelectorAll('.name')].filter((one) => one.scrollWidth > one.clientWidth)"
    assert chromium.run(cut) == []


@pytest.mark.parametrize("width", [1440, 768, 360])
def test_the_labels_of_a_scale_do_not_overlap(chromium: Chromium, tmp_path: Path, width: int) -> None:
    (tmp_path / "index.html").write_text(index(replace(report_of_three(), limit=60.0)))
    chromium.open((tmp_path / "index.html").as_uri(), width=width)
    scales = chromium.run(
        "[...document.querySelectorAll('thead svg')].map((one) => [...one.querySelectorAll('text')]"
        ".map((text) => text.getBoundingClientRect()).filter((box) => box.width).map((box) => [box.left, box.right]))"
    )
    assert len(scales) == 3
    for labels in scales:
        assert all(right + 2 < left for (_, right), (left, _) in pairwise(sorted(labels)))


@pytest.mark.parametrize("width", [1440, 1024, 768, 360])
def test_the_filters_and_the_list_fit_the_screen(chromium: Chromium, tmp_path: Path, width: int) -> None:
    chromium.open(address(tmp_path, report_of_three()), width=width, height=740)
    assert chromium.run("document.documentElement.scrollWidth") <= width
    assert chromium.run("document.querySelector('.box').scrollWidth") <= width, "the list does not scroll sideways"
    small = "[...document.querySelectorAll('#filters select, #filters button')].filter((one) => one.offsetHeight < 24)"
    assert chromium.run(f"{small}.length") == 0
