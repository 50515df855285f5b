"""Charts laid over windows: eight variants, masks, and patterns in words."""

from __future__ import annotations

from hypothesis import given
from tailbite.sights import chart, charts, grids, laid, program, windows

from referee.games.ava.plugin import DIALECT, PROGRAMS
from referee.tailbite.parsing import parse
from referee.tailbite.patterns import in_words, variants
from referee.tailbite.sight import Options
from referee.tailbite.verdicts import offset, steps_to

LETTERS = "VWSTXYZvwstxyz"


def one_chart(text: str):
    return parse(program(text), "x", DIALECT).charts[0]


@given(charts("map:", LETTERS, "01234567"), windows())
def test_variants_are_the_rotated_and_mirrored_charts(text, seen):
    parsed = one_chart(text)
    mine = sorted(
        (it.move, sorted((p.text, chr(seen[cell])) for p, cell in zip(parsed.patterns, it.cells, strict=True)))
        for it in variants(parsed)
    )
    drawn = [laid(grid, seen) for grid in grids(text.partition("\n")[2])]
    assert mine == sorted((move, sorted(pairs)) for move, pairs in drawn)


def test_a_program_that_is_explained_step_by_step_is_read_and_compiled_once():
    source, again = (program(chart("map:", "-- -- -- -- -- Z0 >>")) for _ in "12")
    assert parse(source, "x", DIALECT) is parse(again, "x", DIALECT)
    (only,), meaning = parse(source, "x", DIALECT).charts, PROGRAMS.meaning
    assert meaning.compile(only, Options()) is meaning.compile(only, Options())
    assert meaning.compile(only, Options()) is not meaning.compile(only, Options(failed_and_groups="ignore"))


def test_each_direction_has_a_rotated_variant_then_a_mirrored_one():
    pairs = [(it.move, it.symmetry) for it in variants(one_chart(chart("map:", "-- -- -- -- -- Z0 >>")))]
    assert [move for move, _ in pairs] == list("UULLDDRR")
    turned = {"identity", "quarter", "half", "three-quarter"}
    assert [symmetry in turned for _, symmetry in pairs] == [True, False] * 4
    assert pairs[6] == ("R", "identity")


def test_patterns_and_places_in_words():
    assert in_words(64) == "enemy tail"
    assert in_words(1 | 8) == "empty or own tail"
    assert in_words(127 - 2) == "anything but border"
    assert in_words(127 - 16 - 32) == "anything but enemy head or enemy body"
    assert [offset(*steps_to(cell)) for cell in (71, 83, 84 + 26, 84 - 13 + 3, 0)] == [
        "1 up", "1 left", "2 down", "1 up, 3 right", "6 up, 6 left",
    ]  # fmt: skip
