"""Charts: what is where."""

from itertools import pairwise

import pytest
from tournament.figures.played import duels, field, series, void
from tournament.report.reports import STYLE, Node, parsed, report_of

from referee.text.markup import Html
from referee.tournament.report import charts
from referee.tournament.report.charts import ACROSS, COLOURED, LEAST, LINE, NAMED, SHORT, Scale
from referee.tournament.report.course import POINTS, Course
from referee.tournament.report.figure_sections import rating_scale

NAMES = {number: f"bot {number}" for number in range(12)}


def drawn(chart: Html) -> Node:
    """A chart as elements; each picture begins with its title, except a plot within one."""
    root = parsed(chart)
    for svg in root.all("svg"):
        first, *_ = svg.children
        assert "viewbox" in svg.attributes or (isinstance(first, Node) and first.tag == "title")
    return root


def test_a_scale_leaves_room_for_dots_at_its_ends() -> None:
    scale = Scale(-100, 100)
    assert [scale.at(value) for value in (-100, 0, 100, 999)] == [4, 50, 96, 96]
    assert Scale(1, 100, log=True).at(10) == pytest.approx(50)
    assert Scale(5, 5).at(5) == 50


@pytest.mark.parametrize(("table", "ends", "labels"), [
    ([(1043, 900, 1200), (-300, -400, -200), (2000, None, None)], (-400, 1200), ["−400", "1200", "0"]),
    ([(900, 800, 1000), (0, -100, 100)], (-100, 1000), ["−100", "1000"]),
    ([(1043, None, None), (0, 0, 0), (0, 0, 0)], (0, 1043), ["0", "1043"]),
    ([(1043, None, None), (0, None, None)], (0, 1043), ["0", "1043"]),
    ([], (-1, 1), ["−1", "1", "0"]),
], ids=["intervals", "0 near an end", "bots that are alike", "no intervals", "no bots"])  # fmt: skip
def test_the_scale_of_ratings_reaches_from_the_lowest_to_the_highest(
    table: list[tuple[float | None, ...]], ends: tuple[float, float], labels: list[str]
) -> None:
    rows = [dict(zip(("rating", "rating_low", "rating_high"), row, strict=True)) for row in table]
    scale, axis = rating_scale(rows)
    assert scale[:2] == ends
    assert [label.text for label in drawn(axis).all("text")] == labels


def test_an_interval_is_a_bar_with_dots() -> None:
    root = drawn(charts.interval(Scale(-100, 100), "a < b", dots=[50], bar=(0, 100), mark=0))
    assert root.one("svg", role="img").one("title").text == "a < b"
    bar = root.one("line", class_="bar")
    assert (bar.attributes["x1"], bar.attributes["x2"]) == ("50.00%", "96.00%")
    assert root.one("circle").attributes["cx"] == "73.00%"


def test_an_axis_is_the_labels_of_a_scale() -> None:
    root = drawn(charts.axis(Scale(0, 10), "a < b", {0: "0", 10: "10"}))
    assert root.one("title").text == "a < b"
    assert [(text.text, text.attributes["x"]) for text in root.all("text")] == [("0", "4.00%"), ("10", "96.00%")]


def test_a_dot_beyond_the_scale_is_an_arrow() -> None:
    for dot, arrow, x, anchor in ((-101, "◂", "0%", "start"), (101, "▸", "100%", "end")):
        root = drawn(charts.interval(Scale(-100, 100), "t", dots=[dot], bar=None, mark=0))
        (text,) = root.all("text", x=x, text_anchor=anchor)
        assert (text.text, root.all("circle"), root.all("line", class_="bar")) == (arrow, [], [])


def test_percents_over_time_are_those_of_the_series_that_count() -> None:
    ended = [
        series("0-1/arena/0", "A1 B2", "B1 A2"),
        void("0-2/arena/0", "A1 C2"),
        series("0-1/arena/1", "A1 B2", "B2 A1"),
        series("0-2/arena/1", "A2 C1"),
    ]
    percents = {0: [50, 75, 60], 2: [None, None, 100], 3: [None, None, None]}
    assert report_of(field(4, left=[1]), ended).course == Course([1, 2, 3], percents)
    assert report_of(field(2), []).course == Course([], {0: [], 1: []})
    many = duels("A", "B", *(f"0-1/arena/{number}" for number in range(2 * POINTS)))
    assert report_of(field(2), many).course.after == list(range(2, 2 * POINTS + 1, 2))


def test_the_first_lines_have_colours_and_the_others_are_grey() -> None:
    percents = {number: [50.0 + number, 60.0 - number] for number in NAMES}
    root = drawn(charts.over_time(Course([1, 2], percents), dict(reversed(NAMES.items())), "t"))
    kinds = [line.attributes["class"] for line in root.all("polyline")]
    coloured = [f"series-{number}" for number in range(1, COLOURED + 1)]
    assert kinds == ["other"] * (12 - COLOURED) + coloured, "coloured lines are drawn over the others"
    assert root.one("polyline", class_="series-1").one("title").text == "bot 11: 49.0 %"


@pytest.mark.parametrize("best", [50.0, 50.5], ids=["at the top", "at the bottom"])
def test_names_at_the_ends_of_lines_do_not_overlap_and_keep_the_order(best: float) -> None:
    percents = {number: [50.0, best - number / 100] for number in NAMES}
    root = drawn(charts.over_time(Course([1, 2], percents), NAMES, "t"))
    names = root.one("svg", class_="names").all("text")
    places = {label.text: float(label.attributes["y"] or 0) for label in names}
    assert sorted(places, key=lambda called: places[called]) == [NAMES[number] for number in range(12)]
    ordered = sorted(places.values())
    assert ordered[0] >= LINE / 2
    assert ordered[-1] <= LEAST - LINE / 2
    assert min(after - before for before, after in pairwise(ordered)) >= LINE - 0.1


def test_only_so_many_lines_have_names_which_are_short() -> None:
    names = {number: f"{number:02} {'x' * SHORT}" for number in range(NAMED + 1)}
    root = drawn(charts.over_time(Course([1], {number: [50.0] for number in names}), names, "t"))
    labels = root.one("svg", class_="names").all("text")
    assert (len(labels), {len(label.text) for label in labels}) == (NAMED, {SHORT})
    assert {svg.attributes["height"] for svg in root.all("svg")} == {str(NAMED * LINE)}


@pytest.mark.parametrize(("percent", "scale"), [(0.0, [0, 5, 10]), (50.0, [40, 45, 50]), (100.0, [90, 95, 100])])
def test_lines_that_never_differ_have_a_scale_too(percent: float, scale: list[int]) -> None:
    root = drawn(charts.over_time(Course([1, 2], {0: [percent, percent]}), {0: "a"}, "t"))
    assert [label.text for label in root.all("text", class_="tick")] == [f"{value} %" for value in scale]


def test_a_line_at_the_upper_end_and_its_label_are_not_cut_off() -> None:
    root = drawn(charts.over_time(Course([1, 2], {0: [100.0, 100.0]}), {0: "a"}, "t"))
    line = root.one("polyline").attributes["points"]
    assert line == f"{ACROSS // 2},0.0 {ACROSS},0.0", "half of its stroke is outside"
    assert float(root.all("text", class_="tick")[-1].attributes["y"] or 0) < 0
    assert ".course svg { overflow: visible; }" in STYLE, "by default, browsers show nothing outside"


def test_an_entrant_begins_with_its_first_series_and_has_no_line_before() -> None:
    root = drawn(charts.over_time(Course([1, 2, 4], {0: [None, 50.0, 60.0], 1: [None] * 3}), {0: "a", 1: "b"}, "t"))
    (line,) = root.all("polyline")
    assert line.attributes["points"] == f"500,{LEAST}.0 1000,0.0", "from the bottom, 50 %, to the top, 60 %"
