"""The series of a comparison, and their values."""

from __future__ import annotations

import pytest
from tournament.figures.played import series, void

from referee.tournament.figures.comparison import scheduled, value_of, values
from referee.tournament.figures.sprt import LEAST_SERIES, Test
from referee.tournament.formats.compare import Compare
from referee.tournament.words import Rules, Seatings, SeriesResult, lot

NEW, OLD = 0, 1


def test_head_to_head_of_two_swaps_seats_and_maps() -> None:
    pairs = [scheduled(Rules(7, seats=2, maps=("arena", "cross")), 0, index) for index in range(4)]
    assert [pair.key for pair in pairs] == ["0/arena/0", "1/cross/0", "2/arena/0", "3/cross/0"]
    assert {pair.seatings for pair in pairs} == {((NEW, OLD), (OLD, NEW))}


@pytest.mark.parametrize("seatings", ["rotations", "all", "one"])
def test_head_to_head_of_four_has_two_copies_of_each_in_all_rotations(seatings: Seatings) -> None:
    pair = scheduled(Rules(7, seats=4, maps=("arena",), seatings=seatings), 0, 3)
    assert pair.seatings == ((0, 0, 1, 1), (0, 1, 1, 0), (1, 1, 0, 0), (1, 0, 0, 1))


def test_against_rivals_old_plays_in_the_place_of_new() -> None:
    for index in range(6):
        pair = scheduled(Rules(7, seats=3, maps=("arena",)), 2, index)
        base = lot(7, f"{index}/arena/0", [NEW, 2, 3])
        of_new, of_old = pair.seatings[:3], pair.seatings[3:]
        assert of_new == (tuple(base), (*base[1:], base[0]), (*base[2:], *base[:2]))
        assert of_old == tuple(tuple(OLD if number == NEW else number for number in seats) for seats in of_new)


@pytest.mark.parametrize(("seatings", "count"), [("one", 2), ("all", 12)])
def test_against_rivals_the_seatings_are_those_of_the_settings(seatings: Seatings, count: int) -> None:
    rules = Rules(7, seats=3, maps=("arena",), seatings=seatings)
    assert [len(scheduled(rules, 2, index).seatings) for index in range(3)] == [count] * 3


def test_groups_of_rivals_come_in_lexicographic_order_each_on_all_maps() -> None:
    rules = Rules(7, seats=3, maps=("arena", "cross"))
    met = [(pair.map, pair.numbers[2:]) for index in range(14) for pair in [scheduled(rules, 4, index)]]
    groups = [(2, 3), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5), (2, 3)]
    assert met == [(map_, group) for group in groups for map_ in ("arena", "cross")]


# Values


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (["A1 B2", "B2 A1"], 1),
        (["A1 B2", "B1 A1"], 3 / 4),
        (["A2 B1", "B1 A2"], 0),
        #   games of A and B: first A beats both, second A none: 2 of 4; then 4 of 4, 1/2 each: 2 of 4, and 1 of 4
        (["A1 A4 B2 B3", "A1 B3 B3 A1", "B1 B1 A1 A1", "B1 A2 A4 B3"], (2 + 4 + 2 + 1) / 16),
    ],
)
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
def test_a_comparison_with_void_series_is_undecided_at_the_end_of_its_schedule(
    last: list[SeriesResult], verdict: str | None
) -> None:
    chosen = Compare(Rules(7, seats=2, maps=("arena",)), Test("head", most=3))
    results = [series("0/arena/0", "A1 B2", "B2 A1"), void("1/arena/0", "A1 B2"), *last]
    finding = chosen.finding({result.series.key: result for result in results})
    assert (finding.series, finding.verdict) == (1, verdict)


def test_a_verdict_stays_at_the_end_of_the_schedule() -> None:
    chosen = Compare(Rules(7, seats=2, maps=("arena",)), Test("head", elo1=400, most=LEAST_SERIES))
    results = [series(f"{number}/arena/0", "A1 B2", "B2 A1") for number in range(LEAST_SERIES)]
    assert chosen.finding({result.series.key: result for result in results}).verdict == "yes"
