"""Programs of viper: rules 12 and 13, and the worked cases."""

from __future__ import annotations

from tailbite.sights import asked, chart, program, window

from referee.games.viper.plugin import PROGRAMS
from referee.tailbite.sight import Options

ANY = Options(or_groups="any")
FREE = window("...\n.H.\n.S.")
BITE = "-- -- -- Z- -- -- --\n-- -- -- ^^ -- -- --"


def decide(source: bytes, seen: bytes, options: Options | None = None) -> str:
    return PROGRAMS.compile(source, "x").decide(asked(seen, options))


def test_12_the_first_scheme_with_a_candidate_decides():
    bite, free = chart("scheme and:", BITE), chart("scheme and:", BITE.replace("Z-", "V-"))
    seen = window(".Z.\n.H.\n.S.")
    assert decide(program(bite, free), seen) == "UU"
    assert decide(program(free, bite), seen) == "LLRR"
    assert decide(program(bite, free), FREE) == "UULLRR"


def test_12_a_scheme_with_only_the_head_is_skipped():
    empty = chart("scheme and:", "^^ -- -- -- -- -- --")
    assert decide(program(empty, chart("scheme and:", BITE)), window(".Z.\n.H.\n.S.")) == "UU"
    assert decide(program(empty), FREE) == "ULR"


def test_12_all_elements_without_a_group_must_match():
    text = program(chart("scheme and:", "-- -- Z- Y- -- -- --\n-- -- V- ^^ -- -- --".replace("Y-", "V-")))
    assert decide(text, window("Z..\n.H.\n.S.")) == "UL"
    assert decide(text, window("Z..\nYH.\n.S.")) == "UR"  # no variant fits: every possible move


def test_12_a_small_letter_matches_every_other_element():
    text = program(chart("scheme and:", "-- -- -- z- -- -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, window(".Z.\n.HT\n.S.")) == "LLRR"


def test_12_and_each_colour_needs_one_match():
    text = program(chart("scheme and:", "-- -- Zw -- Zw -- --\n-- Yy -- ^^ -- Yy --"))
    assert decide(text, window(".....\n.Z...\n..H..\n..S..\n.....")) == "ULR"
    assert decide(text, window(".....\n.Z...\n..H.Y\n..S..\n.....")) == "UU"


def test_12_ruling_or_one_colour_that_matches_completely_is_enough():
    text = program(chart("scheme or:", "-- -- Zw Zw Yb -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, window("ZZ.\n.H.\n.S.")) == "U"
    assert decide(text, window("..Y\n.H.\n.S.")) == "UR"
    assert decide(text, window("Z..\n.H.\n.S.")) == "ULR"  # white matches only in part
    assert decide(text, window("Z..\n.H.\n.S."), ANY) == "UL"


def test_12_or_elements_without_a_group_must_match_too():
    text = program(chart("scheme or:", "-- -- Zw V- Zy -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, window("Z..\n.H.\n.S.")) == "UULL"
    assert decide(text, window("ZY.\n.H.\n.S.")) == "LL"


def test_12_a_scheme_without_colours_needs_only_its_uncoloured_elements():
    for kind in ("and", "or"):
        for options in (Options(), ANY):
            assert decide(program(chart(f"scheme {kind}:", BITE)), window(".Z.\n.H.\n.S."), options) == "UU"


def test_12_the_worked_case_of_an_or_scheme():
    white = "-- -- -- Zw -- -- --\n-- -- -- Vw -- -- --\n-- -- -- ^^ -- -- --"
    text = program(chart("scheme or:", white))
    both = program(chart("scheme or:", white + "\n-- -- -- Zb -- -- --"))
    near = window(".....\n.....\n.YHY.\n..S..\n.....")
    for source in (text, both):
        sheets = PROGRAMS.explain(source, "x", asked(near))
        assert [sheet.title.rpartition(": ")[2] for sheet in sheets[1:]] == ["does not fit", "does not fit"]
    assert decide(text, window("..Z..\n.....\n.YHX.\n..S..\n.....")) == "UU"


def test_13_the_worked_case_of_multiplicity():
    text = program(chart("scheme and:", "-- -- Zw Zw Zw -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, window("..Z\n.H.\n.S.")) == "UURR"


def test_13_a_move_counts_once_for_each_of_its_two_variants():
    text = program(chart("scheme and:", "-- -- Z- -- -- -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, window("Z.Z\n.H.\n.S.")) == "UULR"


def test_13_only_possible_moves_are_candidates():
    text = program(chart("scheme and:", "-- -- -- x- -- -- --\n-- -- -- ^^ -- -- --"))
    assert decide(text, window(".W.\n.HT\n.S.")) == "LLRR"
    assert decide(text, window("...\n.HT\n...")) == "UULLDD"


def test_13_a_scheme_that_fits_only_impossible_moves_does_not_decide():
    walls = chart("scheme and:", "-- -- -- W- -- -- --\n-- -- -- ^^ -- -- --")
    free = chart("scheme and:", "-- -- -- V- -- -- --\n-- -- -- ^^ -- -- --")
    assert decide(program(walls, free), window(".W.\nXH.\n.S.")) == "RR"


def test_13_without_a_candidate_every_possible_move_becomes_one():
    assert decide(program(chart("scheme and:", BITE)), FREE) == "ULR"
