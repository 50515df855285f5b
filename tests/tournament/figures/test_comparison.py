"""The series of a comparison, their values, and the sequential test."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from random import Random
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.figures.played import series, void

from referee.tournament.figures.comparison import (
    LEAST_SERIES,
    Finding,
    Mode,
    Test,
    document,
    elo_interval,
    elo_of,
    expected_value,
    judge,
    line,
    scheduled_series,
    value_of,
    values,
)
from referee.tournament.formats.compare import Compare
from referee.tournament.model import Rules, Seatings, SeriesResult, lot

NEW, OLD = 0, 1


def test_head_to_head_of_two_swaps_seats_and_maps() -> None:
    pairs = [scheduled_series(Rules(7, seats=2, maps=("arena", "cross")), 0, index) for index in range(4)]
    assert [pair.key for pair in pairs] == ["0/arena/0", "1/cross/0", "2/arena/0", "3/cross/0"]
    assert {pair.seatings for pair in pairs} == {((NEW, OLD), (OLD, NEW))}


@pytest.mark.parametrize("seatings", ["rotations", "all", "one"])
def test_head_to_head_of_four_has_two_copies_of_each_in_all_rotations(seatings: Seatings) -> None:
    pair = scheduled_series(Rules(7, seats=4, maps=("arena",), seatings=seatings), 0, 3)
    assert pair.seatings == ((0, 0, 1, 1), (0, 1, 1, 0), (1, 1, 0, 0), (1, 0, 0, 1))


def test_against_rivals_old_plays_in_the_place_of_new() -> None:
    for index in range(6):
        pair = scheduled_series(Rules(7, seats=3, maps=("arena",)), 2, index)
        base = lot(7, f"{index}/arena/0", [NEW, 2, 3])
        of_new, of_old = pair.seatings[:3], pair.seatings[3:]
        assert of_new == (tuple(base), (*base[1:], base[0]), (*base[2:], *base[:2]))
        assert of_old == tuple(tuple(OLD if number == NEW else number for number in seats) for seats in of_new)


@pytest.mark.parametrize(("seatings", "count"), [("one", 2), ("all", 12)])
def test_against_rivals_the_seatings_are_those_of_the_settings(seatings: Seatings, count: int) -> None:
    rules = Rules(7, seats=3, maps=("arena",), seatings=seatings)
    assert [len(scheduled_series(rules, 2, index).seatings) for index in range(3)] == [count] * 3


def test_groups_of_rivals_come_in_lexicographic_order_each_on_all_maps() -> None:
    rules = Rules(7, seats=3, maps=("arena", "cross"))
    met = [(pair.map, pair.numbers[2:]) for index in range(14) for pair in [scheduled_series(rules, 4, index)]]
    groups = [(2, 3), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5), (2, 3)]
    assert met == [(map_, group) for group in groups for map_ in ("arena", "cross")]


# Values


@pytest.mark.parametrize(("lines", "value"), [
    (["A1 B2", "B2 A1"], 1),
    (["A1 B2", "B1 A1"], 3 / 4),
    (["A2 B1", "B1 A2"], 0),
    #   games of A and B: first A beats both, second A none: 2 of 4; then 4 of 4, 1/2 each: 2 of 4, and 1 of 4
    (["A1 A4 B2 B3", "A1 B3 B3 A1", "B1 B1 A1 A1", "B1 A2 A4 B3"], (2 + 4 + 2 + 1) / 16),
])  # fmt: skip
def test_the_value_of_head_to_head_is_the_mean_of_its_games(lines: list[str], value: float) -> None:
    assert value_of("head", series("0/arena/0", *lines)) == value


def test_the_value_against_rivals_is_half_the_difference_of_their_parts() -> None:
    #   NEW (A): 2, 1 and 0.5 of 2: 3.5 of 6; OLD (B): 1, 0 and 0: 1 of 6. 1/2 + (2.5 / 6) / 2
    result = series("0/arena/0", "A1 C2 D3", "C1 D3 A2", "D1 A2 C2", "B2 C1 D3", "C1 D1 B3", "D1 B3 C2")
    assert value_of("against", result) == pytest.approx(0.5 + 2.5 / 12)


def test_the_value_against_rivals_does_not_depend_on_games_of_rivals() -> None:
    one = series("0/arena/0", "A1 C2 D3", "B1 C2 D3")
    other = series("0/arena/0", "A1 D2 C3", "B1 D2 C2")
    assert value_of("against", one) == value_of("against", other) == 0.5


def test_series_count_up_to_the_first_that_has_not_ended() -> None:
    won, lost = ["A1 B2", "B2 A1"], ["A2 B1", "B1 A2"]
    results = [
        series("4/arena/0", *won),  # 3 has not ended
        series("10/arena/0", *won),
        series("2/arena/0", *won),
        void("1/arena/0", *lost),
        series("0/arena/0", *lost),
    ]
    assert list(values("head", results)) == [0, 1]
    assert list(values("head", [*results, series("3/arena/0", *lost)])) == [0, 1, 0, 1]
    assert list(values("head", results[:4])) == []


@pytest.mark.parametrize(("last", "verdict"), [([], None), ([void("2/arena/0", "A1 B2")], "undecided")])
def test_a_comparison_with_void_series_is_undecided_at_its_end(last: list[SeriesResult], verdict: str | None) -> None:
    chosen = Compare(Rules(7, seats=2, maps=("arena",)), Test("head", most=3))
    results = [series("0/arena/0", "A1 B2", "B2 A1"), void("1/arena/0", "A1 B2"), *last]
    finding = chosen.finding({result.series.key: result for result in results})
    assert (finding.series, finding.verdict) == (1, verdict)


def test_a_verdict_stays_at_the_end_of_the_schedule() -> None:
    chosen = Compare(Rules(7, seats=2, maps=("arena",)), Test("head", elo1=400, most=LEAST_SERIES))
    results = [series(f"{number}/arena/0", "A1 B2", "B2 A1") for number in range(LEAST_SERIES)]
    assert chosen.finding({result.series.key: result for result in results}).verdict == "yes"


# The sequential test, by hand

modes = st.sampled_from(["head", "against"])
HEAD = Test("head")


def test_the_ratio_of_eight_series() -> None:
    #   mean 21/32, s^2 = 0.0703, which is less than 1/8. m0 = 1/2, m1 = 1 / (1 + 10^(-1/20)) = 0.528751, so
    #   LLR = 8 · 0.028751 (1.3125 - 1.028751) / (2 / 8)
    finding = judge(HEAD, [1, 0.5, 0.75, 0.5, 1, 0.25, 0.5, 0.75])
    assert (finding.series, finding.mean, finding.verdict) == (8, 21 / 32, None)
    assert finding.variance == 1 / 8
    assert finding.llr == pytest.approx(0.26105, abs=1e-5)


def test_the_variance_of_many_series_is_their_own() -> None:
    values = [1, 0.5, 0, 0.5] * 10
    finding = judge(HEAD, values)
    assert finding.variance == pytest.approx(variance(values))
    assert finding.mean == pytest.approx(fmean(values))


def test_one_series_has_variance_one() -> None:
    finding = judge(HEAD, [1.0])
    assert (finding.variance, finding.mean) == (1, 1)
    assert finding.llr == pytest.approx(0.0287508 * (2 - 1.0287508) / 2, abs=1e-6)


def test_no_series() -> None:
    assert judge(HEAD, []) == Finding(0, None, None, 0.0, None)


@pytest.mark.parametrize(("mode", "elo", "value"), [
    ("head", 0, 0.5),
    ("head", 400, 10 / 11),
    ("head", -400, 1 / 11),
    ("against", 400, 0.5 + (10 / 11 - 0.5) / 2),
    ("against", 0, 0.5),
])  # fmt: skip
def test_elo_and_the_expected_value(mode: Mode, elo: float, value: float) -> None:
    assert expected_value(mode, elo) == pytest.approx(value)
    assert elo_of(mode, value) == pytest.approx(elo)


@pytest.mark.parametrize(("mode", "values"), [("head", (0, 1, 1.2)), ("against", (0.1, 0.25, 0.75))])
def test_infinite_elo_is_none(mode: Mode, values: Sequence[float]) -> None:
    assert [elo_of(mode, value) for value in values] == [None] * 3


@pytest.mark.parametrize("mode", ["head", "against"])
def test_equal_bots_differ_by_no_negative_number(mode: Mode) -> None:
    assert str(elo_of(mode, 0.5)) == "0.0"


@given(modes, st.floats(-1000, 1000))
def test_elo_of_is_the_inverse_of_expected(mode: Mode, elo: float) -> None:
    assert elo_of(mode, expected_value(mode, elo)) == pytest.approx(elo, abs=1e-6)


# The verdict


def test_sixteen_wins_are_the_first_yes() -> None:
    #   v = 1/16: LLR = 256 · 0.17066 (2 - 1.17066) / 2 > 2.94 with elo1 = 120; so it was after 15, but that is too early
    test = Test("head", elo1=120)
    assert test.llr(15, 1, 1 / 15) > test.upper
    assert judge(test, [1.0] * 15).verdict is None
    assert judge(test, [1.0] * 16).verdict == "yes"
    assert judge(test, [0.0] * 16).verdict == "no"


def test_what_comes_after_the_verdict_is_not_counted() -> None:
    test = Test("head", elo1=120)
    assert judge(test, [1.0] * 16 + [0.0] * 100) == judge(test, [1.0] * 16)


def test_undecided_after_the_most() -> None:
    test = Test("head", most=30)
    assert judge(test, [0.0, 1.0] * 14).verdict is None
    finding = judge(test, [0.0, 1.0] * 100)
    assert (finding.series, finding.verdict) == (30, "undecided")
    assert judge(Test("head", elo1=120, most=16), [1.0] * 16).verdict == "yes", "the bound comes first"


def test_the_bounds() -> None:
    test = Test("head", alpha=0.01, beta=0.1)
    assert (test.lower, test.upper) == (log(0.1 / 0.99), log(0.9 / 0.01))


# What is printed


@pytest.mark.parametrize(("test", "llr", "text"), [
    (HEAD, 1.12, "LLR: 1.12 (38.0%) (-2.94, 2.94) [0.00, 20.00]"),
    (HEAD, -2.0, "LLR: -2.00 (67.9%) (-2.94, 2.94) [0.00, 20.00]"),
    (HEAD, -0.001, "LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 20.00]"),
    (Test("head", elo0=-5, elo1=2.5, alpha=0.01, beta=0.1), -1, "LLR: -1.00 (43.6%) (-2.29, 4.50) [-5.00, 2.50]"),
])  # fmt: skip
def test_the_line(test: Test, llr: float, text: str) -> None:
    assert line(test, Finding(50, 0.6, 0.1, llr)) == text


def test_the_document_has_elo_with_its_interval() -> None:
    #   mean 0.6, v = 0.1, standard error 0.0316, t(99) = 1.984: 0.5373 to 0.6627
    result = document(HEAD, Finding(100, 0.6, 0.1, 1.5), new="n", old="o", seats=2)
    assert list(result) == [
        *("new", "old", "mode", "seats", "elo0", "elo1", "alpha", "beta", "most"),
        *("series", "mean", "variance", "llr", "lower", "upper", "verdict", "elo", "elo_low", "elo_high"),
    ]
    assert [result.pop(key) for key in ("elo", "elo_low", "elo_high")] == pytest.approx([70.44, 25.94, 117.3], abs=0.1)
    assert result == {
        "new": "n", "old": "o", "mode": "head", "seats": 2, "elo0": 0, "elo1": 20, "alpha": 0.05, "beta": 0.05, "most": 2000,
        "series": 100, "mean": 0.6, "variance": 0.1, "llr": 1.5, "lower": HEAD.lower, "upper": HEAD.upper, "verdict": None,
    }  # fmt: skip


def test_elo_is_none_where_it_is_infinite_or_unknown() -> None:
    assert elo_interval(HEAD, judge(HEAD, [0.5])) == (None, None, None)
    elo, low, high = elo_interval(HEAD, judge(HEAD, [1.0] * 15 + [0.5]))
    assert elo is not None
    assert low is not None
    assert high is None
    assert elo_interval(Test("against"), Finding(100, 0.76, 0.01, 0))[0] is None


# How often it errs


def drawn_values(rng: Random, mode: Mode, elo: float) -> Iterator[float]:
    """Values of series of two matches with 20 % ties; one seat is better, and luck by seed favours whoever sits there."""
    even = 1 / (1 + 10 ** (-elo / 400))

    def score(chance: float) -> float:
        fate = rng.random()
        return 1 if fate < chance - 0.1 else 0.5 if fate < chance + 0.1 else 0

    while True:
        luck = 0.1 + rng.uniform(-0.2, 0.2)
        first, second = score(even + luck), score(even - luck)
        if mode == "head":
            yield (first + second) / 2
        else:
            yield 0.5 + ((first + second) / 2 - (score(0.5 + luck) + score(0.5 - luck)) / 2) / 2


@pytest.mark.parametrize("mode", ["head", "against"])
def test_a_twentieth_of_all_verdicts_is_wrong(mode: Mode) -> None:
    """600 comparisons of bots that differ by `elo0`, and as many that differ by `elo1`."""
    test = Test(mode, elo1=60)
    rng = Random(60)
    equal = Counter(judge(test, drawn_values(rng, mode, 0)).verdict for _ in range(600))
    better = Counter(judge(test, drawn_values(rng, mode, 60)).verdict for _ in range(600))
    assert 0.02 * 600 <= equal["yes"] <= 0.07 * 600
    assert 0.02 * 600 <= better["no"] <= 0.07 * 600
    assert equal["undecided"] + better["undecided"] <= 0.01 * 1200
