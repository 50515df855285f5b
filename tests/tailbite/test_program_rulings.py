"""What each chart of a program says to a request, compared with the compiled program and with the drawing of the explanation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tailbite.sights import asked, chart, charts, elements, grids, laid, moves, program, window, windows

from referee import games
from referee.tailbite.parsing import parse
from referee.tailbite.sight import SIDE, Options
from referee.tailbite.verdicts import Decider

AVA = ("map:", "VWSTXYZABvab", "01234567", "set A: empty own-tail\nset B: border")
VIPER = ("scheme {kind}:", "VWSTXYZvwz", "-wybg", "")
SETS = {"A": ".T", "B": "W"}


def language(game: str):
    return games.find(game).programs


@given(st.sampled_from(["ava", "viper"]), windows(), st.data())
def test_verdicts_are_those_of_the_compiled_program(game, seen, data):
    heading, letters, groups, sets = AVA if game == "ava" else VIPER
    kind = data.draw(st.sampled_from(["and", "or"]))
    drawn = data.draw(st.lists(charts(heading.format(kind=kind), letters, groups), min_size=1, max_size=5))
    source = program(*drawn, sets=sets)
    options = Options(
        rating=data.draw(st.sampled_from(["sum", "max"])),
        failed_and_groups=data.draw(st.sampled_from(["count", "ignore"])),
        or_groups=data.draw(st.sampled_from(["all", "any"])),
    )
    request = asked(seen, options)
    ruling = language(game).decide(source, "x", request)
    assert ruling.action == language(game).compile(source, "x").decide(request)
    assert [entry.chart for entry in ruling.charts] == list(range(1, len(drawn) + 1))
    verdicts = [entry.verdict for entry in ruling.charts]
    earlier = verdicts[: ruling.fired - 1] if ruling.fired else verdicts
    assert set(earlier) <= {"no"}
    assert set(verdicts[ruling.fired :] if ruling.fired else ()) <= {"fits", "unreached"}
    whole = parse(source, "x", language(game).meaning.dialect)
    for entry, part, text in zip(ruling.charts, whole.charts, drawn, strict=True):
        alone = replace(whole, charts=(part,))
        if entry.verdict in ("fires", "fits"):
            assert entry.moves == Decider(alone, language(game).meaning).decide(request)
            assert entry.goes in entry.moves
        else:
            assert entry.moves == ""
            single = language(game).decide(program(text, sets=sets), "x", request)
            assert (single.fired, single.action) == (0, moves(seen) or "ULDR")
        if entry.goes:
            there = {(cell.dx, cell.dy, cell.text) for cell in entry.cells}
            variants = grids(text.partition("\n")[2])
            assert there in [_cells(grid) for grid in variants if laid(grid, seen)[0] == entry.goes]
        for cell in entry.cells:
            letter = chr(seen[(6 + cell.dy) * SIDE + 6 + cell.dx])
            assert cell.fits == (letter in elements(cell.text[0], SETS if game == "ava" else {}))
        assert entry.why
        assert entry.why.isprintable()


def _cells(grid: list[list[str]]) -> set[tuple[int, int, str]]:
    cells = [(x, y, cell) for y, row in enumerate(grid) for x, cell in enumerate(row) if cell != "--"]
    ((hx, hy),) = [(x, y) for x, y, cell in cells if cell in ("^^", "<<", "vv", ">>")]
    return {(x - hx, y - hy, cell) for x, y, cell in cells if (x, y) != (hx, hy)}


SCENE = ".....\n..Z..\n.SH..\n..S..\n....."
"""Up, to an enemy's tail, and right are possible."""
AHEAD = "-- -- -- {} -- -- --\n-- -- -- ^^ -- -- --"


def judge(game: str, *texts: str, sets: str = ""):
    return language(game).decide(program(*texts, sets=sets), "x", asked(window(SCENE))).charts


def test_the_four_verdicts():
    tail, free, body = (chart("scheme and:", AHEAD.format(cell)) for cell in ("Z-", "V-", "Y-"))
    rulings = judge("viper", body, tail, free, body)
    assert [(r.verdict, r.moves, r.goes) for r in rulings] == [
        ("no", "", "U"), ("fires", "UU", "U"), ("fits", "RR", "R"), ("unreached", "", "U"),
    ]  # fmt: skip
    assert [r.why for r in rulings] == [
        "ungrouped fails: Y- 1 up needs enemy body, found enemy tail",
        "U: 2 of 2 variants fit; R: 0 of 2 variants fit",
        "U: 0 of 2 variants fit; R: 2 of 2 variants fit",
        "ungrouped fails: Y- 1 up needs enemy body, found enemy tail",
    ]
    assert rulings[2].as_json()["cells"] == [{"x": 3, "y": 0, "dx": 1, "dy": 0, "text": "V-", "fits": True}]


def test_an_empty_scheme_is_skipped():
    (ruling,) = judge("viper", chart("scheme and:", "^^ -- -- -- -- -- --"))
    assert (ruling.verdict, ruling.why, ruling.goes, ruling.cells) == ("no", "an empty scheme: it is skipped", "", [])


def test_the_nearest_variant_is_the_one_that_fails_least():
    # Up, three cells fail. Right, only the border beside it does, in the rotated and in the mirrored variant.
    (ruling,) = judge("viper", chart("scheme and:", "-- -- -- V- -- -- --\n-- -- -- ^^ W- -- --\n-- -- -- S- -- -- --"))
    assert (ruling.verdict, ruling.goes) == ("no", "R")
    assert ruling.why == "ungrouped fails: W- 1 down needs border, found own body"
    assert [(cell.text, cell.fits) for cell in ruling.cells] == [("V-", True), ("W-", False), ("S-", True)]


def test_moves_of_ava_are_rated():
    rulings = judge("ava", chart("map:", AHEAD.format("A0")), sets="set A: empty enemy-tail")
    assert (rulings[0].verdict, rulings[0].moves) == ("fires", "UR")
    assert rulings[0].why == "U rates 5 + 5 = 10; R rates 5 + 5 = 10"


@pytest.mark.parametrize("game", ["ava", "viper"])
def test_without_a_possible_move_nothing_is_checked(game):
    walls = window(".W.\nWHW\n.W.")
    text = chart("map:" if game == "ava" else "scheme and:", AHEAD.format("V0" if game == "ava" else "V-"))
    ruling = language(game).decide(program(text), "x", asked(walls))
    assert [(r.verdict, r.why, r.cells) for r in ruling.charts] == [("no", "no move is possible", [])]


def test_the_variant_that_is_shown_goes_where_the_chart_goes():
    seen = window(".....\n.....\n.SHZ.\n..S..\n.....")
    text = chart("map:", "-- -- Z4 ^^ z4 -- --\n-- -- -- -- V0 -- --")
    (ruling,) = language("ava").decide(program(text), "x", asked(seen)).charts
    assert ruling.why == "U rates 0 + 13 = 13; R rates 7 + 7 = 14"
    assert (ruling.moves, ruling.goes) == ("R", "R"), "the variant with the best rating goes up"
