"""Entrants, series, lots and scores, worked by hand; and the examples in the page that defines them."""

import doctest
import re
from hashlib import sha256
from importlib.resources import files

import pytest
from tournament.formats.rehearsal import placed, result

from referee.tournament.model import (
    Rules,
    Series,
    SeriesResult,
    Shard,
    lot,
    meeting_of,
    order,
    scores,
    seatings,
    snake,
)

RULES = Rules(rng_seed=11, seats=2, maps=("duel", "arena"), repeat=2)


def test_shards_take_turns_along_the_schedule() -> None:
    assert [str(Shard.of(index, 3)) for index in range(5)] == ["1/3", "2/3", "3/3", "1/3", "2/3"]


@pytest.mark.parametrize(("places", "expected"), [
    ([1, 2], [1, 0]),
    ([1, 1], [0.5, 0.5]),
    ([2, 1, 3, 4], [2, 3, 1, 0]),
    ([1, 2, 2, 4], [3, 1.5, 1.5, 0]),
    ([1.5, 1.5, 3], [1.5, 1.5, 0]),
    ([1, 1, 1, 1], [1.5] * 4),
])  # fmt: skip
def test_a_score_is_the_rivals_behind_and_half_of_those_beside(places: list[float], expected: list[float]) -> None:
    assert scores(places) == expected


def test_a_lot_orders_by_the_digest_of_seed_key_and_thing() -> None:
    expected = sorted(range(5), key=lambda number: sha256(f"11/t0/{number}".encode()).digest())
    assert lot(11, "t0", range(5)) == expected
    assert lot(11, "t0", reversed(range(5))) == expected


def test_seatings() -> None:
    assert seatings([7, 8, 9], "rotations") == ((7, 8, 9), (8, 9, 7), (9, 7, 8))
    assert seatings([7, 8, 9], "one") == ((7, 8, 9),)
    assert seatings([7, 8, 9], "all") == ((7, 8, 9), (7, 9, 8), (8, 7, 9), (8, 9, 7), (9, 7, 8), (9, 8, 7))


def test_a_meeting_is_all_maps_as_often_as_repeat_says_and_a_replay_goes_on() -> None:
    for replay, keys in ((0, "duel/0 arena/0 duel/1 arena/1"), (1, "duel/2 arena/2 duel/3 arena/3")):
        meeting = meeting_of(RULES, "0-1", [0, 1], replay=replay)
        assert [series.key for series in meeting] == [f"0-1/{key}" for key in keys.split()]


def test_the_base_of_a_series_is_the_group_in_the_order_of_its_lot() -> None:
    first = meeting_of(RULES, "0-1", [0, 1])[0]
    assert first.seatings[0] == tuple(lot(11, "0-1/duel/0", [0, 1]))
    assert first.match_id(1) == "0-1/duel/0#1"


def test_the_sums_of_a_series() -> None:
    sums = result(Series("m", "duel", 0, ((4, 9), (9, 4))), (1, 2), (1, 1), points=lambda number: number / 2)
    assert sums.scores() == {4: 1.5, 9: 0.5}
    assert sums.points() == {4: 4, 9: 9}
    assert sums.possible() == {4: 2, 9: 2}


def test_a_void_series_is_a_tie_of_all_without_points() -> None:
    void = SeriesResult(Series("m", "duel", 0, ((4, 9, 5), (9, 5, 4))), ())
    assert void.void
    assert void.scores() == {4: 2, 9: 2, 5: 2}
    assert void.points() == {4: 0, 9: 0, 5: 0}


def test_the_first_replay_decides_between_equal_scores_then_a_lot() -> None:
    rules = Rules(rng_seed=11, seats=2, maps=("duel",))
    [first], [replay] = meeting_of(rules, "m", [0, 1]), meeting_of(rules, "m", [0, 1], replay=1)
    tie = {first.key: SeriesResult(first, ())}
    assert order(rules, "m", [0, 1], tie) == lot(11, "m", [0, 1])
    decided = tie | {replay.key: placed(replay, lambda number: -number)}
    assert order(rules, "m", [0, 1], decided) == [1, 0]


def test_snake_order() -> None:
    assert snake(list("ABCDEFGH"), 3) == [["A", "F", "G"], ["B", "E", "H"], ["C", "D"]]


PAGE = (files("referee") / "tournament" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
def test_the_examples_print_what_they_say(block: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", None, None)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
