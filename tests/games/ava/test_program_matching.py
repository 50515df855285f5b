"""Programs of ava: rules 9 to 11, and the worked cases."""

from __future__ import annotations

import re

from tailbite.sights import asked, chart, program, window

from referee.games.ava.plugin import PROGRAMS
from referee.tailbite.sight import Options


def decide(source: bytes, seen: bytes, options: Options | None = None) -> str:
    return PROGRAMS.compile(source, "x").decide(asked(seen, options))


def rated(source: bytes, seen: bytes, options: Options | None = None) -> list[str]:
    """The ratings of the moves, as `referee program test` shows them."""
    sheets = PROGRAMS.explain(source, "x", asked(seen, options))
    return [note for sheet in sheets for note in sheet.notes if re.match(r"[ULDR] (rates|is)", note)]


ROOMY = window("""
    .....
    .....
    ..H..
    ..S..
    ..T..
""")
WORKED = program(
    chart("map:", """
    -- -- -- -- -- -- --
    -- -- -- -- -- -- --
    -- -- -- Z1 -- -- --
    -- -- Z0 V1 -- -- --
    -- -- s4 ^^ s4 -- --
    """)
)  # fmt: skip


def test_09_a_map_stands_for_four_rotations_and_their_mirror_images():
    sideways = program(chart("map:", "-- Z0 --  -- -- -- --\n^^ -- -- -- -- -- --"))  # ahead, one to the right
    for seen, answer in (
        ("..Z\n.H.\n.S.", "UR"), ("Z..\n.H.\n.S.", "UL"), ("...\n.HS\nZ..", "LD"), ("...\nSH.\n..Z", "DR"),
    ):  # fmt: skip
        assert decide(sideways, window(seen)) == answer


def test_09_the_head_may_be_in_any_cell_and_point_in_any_direction():
    for text in (
        "-- -- -- Z0 -- -- --\n-- -- -- ^^ -- -- --",
        "Z0 -- -- -- -- -- --\n^^ -- -- -- -- -- --",
        "Z0 << -- -- -- -- --",
        "-- -- -- -- -- >> Z0",
        "-- -- -- -- vv -- --\n-- -- -- -- Z0 -- --",
    ):
        assert decide(program(chart("map:", text)), window("...\n.HZ\n.S.")) == "R"


def test_09_maps_are_tried_in_order():
    bite, flee = (chart("map:", f"-- -- -- {text} -- -- --\n-- -- -- ^^ -- -- --") for text in ("Z0", "V0"))
    seen = window(".Z.\n.H.\n.S.")
    assert decide(program(bite, flee), seen) == "U"
    assert decide(program(flee, bite), seen) == "LR"


def test_09_only_variants_of_possible_moves_are_tried():
    wall = program(chart("map:", "-- -- -- w0 -- -- --\n-- -- -- ^^ -- -- --"))
    assert decide(wall, window(".X.\nYH.\n.S.")) == "R"
    nothing = program(chart("map:", "^^ -- -- -- -- -- --"))
    assert decide(nothing, window(".X.\n.HT\n.S.")) == "LR"  # longer than two segments: it may enter its own tail
    assert decide(nothing, window("...\n.HT\n...")) == "ULD"  # two segments: it may not enter its own tail


def test_10_one_and_group_that_matches_completely_is_enough():
    text = program(chart("map:", "-- -- Z0 Z0 Y1 -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, window("ZZ.\n.H.\n.S.")) == "U"
    assert decide(text, window("Y..\n.H.\n.S.")) == "UL"  # group 1, mirrored for up
    assert decide(text, window("Z..\n.H.\n.S.")) == "ULR"  # group 0 matches only in part, so no map decides


def test_10_every_or_group_needs_a_match():
    text = program(chart("map:", "-- -- Z4 -- Z4 -- --\n-- Y5 -- ^^ -- Y5 --"))
    assert decide(text, window(".Z...\n..H..\n..S..")) == "ULR"
    assert decide(text, window(".....\n.Z...\nY.H..\n..S..\n.....")) == "U"


def test_10_unused_kinds_of_group_are_true():
    assert decide(program(chart("map:", "-- -- -- Z4 -- -- --\n-- -- -- ^^ -- -- --")), window(".Z.\n.H.\n.S.")) == "U"
    assert decide(program(chart("map:", "-- -- -- Z3 -- -- --\n-- -- -- ^^ -- -- --")), window(".Z.\n.H.\n.S.")) == "U"
    assert decide(program(chart("map:", "^^ -- -- -- -- -- --")), ROOMY) == "ULR"


def test_10_the_worked_case():
    between = window("..Z..\n.....\n.SHS.\n..S..\n.....")
    sheets = PROGRAMS.explain(WORKED, "x", asked(between))
    assert all("does not fit" in sheet.title for sheet in sheets[1:])
    assert not any(sheet.fired for sheet in sheets)
    assert any("OR-group 4 fails" in note for sheet in sheets for note in sheet.notes)
    free = window("..Z..\n.....\n.SH..\n..S..\n.....")
    sheets = PROGRAMS.explain(WORKED, "x", asked(free))
    titles = [sheet.title for sheet in sheets]
    fired = [sheet.title.split(": ")[1].split(",")[0] for sheet in sheets if sheet.fired]
    assert set(fired) == {"decides", "fits"}
    assert titles.count("map 1 as drawn, goes U: fits, rates 13") == 1
    assert rated(WORKED, free) == ["U rates 13 + 13 = 26", "R is not correct"]
    assert decide(WORKED, free) == "U"


def test_a_variant_is_shown_beside_the_window_and_once_if_its_mirror_image_is_the_same():
    text = program(chart("map:", "-- -- -- Z0 -- -- --\n-- -- -- ^^ -- -- --"))
    sheets = PROGRAMS.explain(text, "x", asked(window(".Z.\n.HY\n.S.")))
    shown = {
        sheet.title: [" ".join("".join(patch.text.strip("-") for patch in row).split()) for row in sheet.rows]
        for sheet in sheets
        if "goes" in sheet.title
    }
    ahead = "map 1 as drawn and mirrored left to right, goes U: fits, rates 6"
    left = "map 1 turned left and mirrored at the falling diagonal, goes L: does not fit"
    assert list(shown) == [ahead, left]
    assert shown[ahead][:3] == ["Z0 . . .=Z . . .", "^^ . . . H Y . .", ". . . S . . ."]
    assert "Z0<< !. H Y . . . ." in shown[left]


def test_11_a_match_rates_seven_minus_the_number_of_matching_elements():
    seen = window(".Z.\n.H.\n.S.")
    enemies = "set A: enemy-head enemy-body enemy-tail"
    for cell, worth in (("Z0", 6), ("A0", 4), ("s0", 1), ("w0", 1)):
        text = program(chart("map:", f"-- -- -- {cell} -- -- --\n-- -- -- ^^ -- -- --"), sets=enemies)
        assert f"U rates {worth} + {worth} = {2 * worth}" in rated(text, seen)
    for cell, worth in (("a0", 3), ("z0", 1), ("V0", 6)):
        text = program(chart("map:", f"-- -- -- {cell} -- -- --\n-- -- -- ^^ -- -- --"), sets=enemies)
        assert f"R rates {worth} + {worth} = {2 * worth}" in rated(text, seen)
    own = program(chart("map:", "-- -- -- -- -- -- --\n-- -- -- ^^ -- -- --\n-- -- -- S0 -- -- --"))
    assert rated(own, seen)[0] == "U rates 6 + 6 = 12"


def test_11_the_correct_moves_with_the_best_rating_are_the_candidates():
    text = program(chart("map:", "-- -- V4 V4 V4 -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, ROOMY) == "ULR"
    assert rated(text, window("..Y\n.H.\n.S.")) == [
        "U rates 12 + 12 = 24",
        "L rates 18 + 18 = 36",
        "R rates 12 + 12 = 24",
    ]
    assert decide(text, window("..Y\n.H.\n.S.")) == "L"


def test_11_a_correct_variant_that_rates_0_is_still_correct():
    empty = program(chart("map:", "^^ -- -- -- -- -- --"), chart("map:", "-- -- -- V0 -- -- --\n-- -- -- ^^ -- -- --"))
    seen = window(".Z.\n.H.\n.S.")
    assert decide(empty, seen) == "ULR"
    assert rated(empty, seen) == ["U rates 0 + 0 = 0", "L rates 0 + 0 = 0", "R rates 0 + 0 = 0"]


def test_11_ruling_matches_in_a_failed_and_group_count_unless_an_option_ignores_them():
    text = program(chart("map:", "-- -- Z1 V0 W1 -- --\n-- -- -- ^^ -- -- --"))
    seen = window("Z..\n.H.\n.S.")
    assert rated(text, seen) == ["U rates 12 + 6 = 18", "L rates 6 + 12 = 18", "R rates 6 + 6 = 12"]
    assert decide(text, seen) == "UL"
    ignore = Options(failed_and_groups="ignore")
    assert rated(text, seen, ignore) == ["U rates 6 + 6 = 12", "L rates 6 + 6 = 12", "R rates 6 + 6 = 12"]
    assert decide(text, seen, ignore) == "ULR"
    holding = program(chart("map:", "-- -- Z1 V0 -- -- --\n-- -- -- ^^ -- -- --"))
    assert decide(holding, seen, ignore) == "UL", "a group that holds counts"


def test_11_the_option_max_takes_the_better_variant():
    text = program(chart("map:", "-- Z4 Y4 V4 -- -- --\n-- -- -- ^^ -- -- --"))
    seen = window(".Y.Y.\n.Y.Y.\n..H..\n..S.Y\n.....")
    both, best = rated(text, seen), rated(text, seen, Options("max"))
    assert both == ["U rates 12 + 12 = 24", "L rates 6 + 12 = 18", "R rates 12 + 6 = 18"]
    assert best == ["U rates 12, the better of 12 and 12", "L rates 12, the better of 6 and 12",
                    "R rates 12, the better of 12 and 6"]  # fmt: skip
    assert decide(text, seen) == "U"
    assert decide(text, seen, Options("max")) == "ULR"


def test_11_when_no_map_fits_every_possible_move_is_a_candidate():
    assert decide(program(chart("map:", "-- -- -- X0 -- -- --\n-- -- -- ^^ -- -- --")), ROOMY) == "ULR"
