"""The maximum of the likelihood, beside the same by elimination."""

import sys
from math import log
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tournament.figures.fields import Totals, dense_maximum, ladder, renumbered, sums, totals

from referee.tournament.figures.likelihood import Curvature, Games, gradient
from referee.tournament.figures.maximum import Maximum, approach, refit, strongest

POINT = 5.8e-3
"""A point of rating."""


def groups_of(field: Totals, rng: Random) -> tuple[Totals, Totals]:
    """A part of the games, and the others."""
    part, others = {}, {}
    for pair, (games, halves) in field.items():
        gone = rng.choice([0, games // 3, games])
        lost = min(halves, max(rng.randint(0, 2 * gone), halves - 2 * (games - gone)))
        if gone:
            part[pair] = gone, lost
        others[pair] = games - gone, halves - lost
    return part, others


@given(sums(), st.integers(2, 4))
@example((2, {(0, 1): (10_000, 20_000)}), 2)
@example((4, {(0, 1): (9, 0), (2, 3): (9, 18)}), 2)
@example((3, {(0, 1): (1, 2), (1, 2): (10_000, 20_000)}), 4)
@example((30, {(number, number + 1): (11, 20) for number in range(29)}), 2)  # a long chain
def test_elimination_agrees(field: tuple[int, Totals], seats: int) -> None:
    count, pairs = field
    strengths = strongest(Games.of(count, pairs, seats=seats)).strengths
    assert strengths == pytest.approx(dense_maximum(count, pairs, 1 / (seats - 1)), abs=1e-6)


@given(sums(), st.integers(0, 99))
@example((2, {(0, 1): (10_000, 20_000)}), 0)
def test_elimination_agrees_without_some_games(field: tuple[int, Totals], seed: int) -> None:
    count, pairs = field
    part, others = groups_of(pairs, Random(seed))
    games = Games.of(count, pairs, seats=3)
    actual = refit(games, strongest(games), part)
    assert actual == pytest.approx(dense_maximum(count, others, 1 / 2), abs=1e-6)


def test_squares_of_odds_may_be_too_large_for_a_number() -> None:
    #   each beats the next one two million times; then only one of the first pair's games is left
    games = Games.of(60, {(number, number + 1): (2_000_000, 4_000_000) for number in range(59)})
    maximum, less = strongest(games), {(0, 1): (1_999_999, 3_999_998)}
    assert max(maximum.strengths) > log(sys.float_info.max) / 2
    assert gradient(games, maximum.strengths) == pytest.approx([0.0] * 60, abs=1e-6)
    assert gradient(games.without(less), refit(games, maximum, less)) == pytest.approx([0.0] * 60, abs=1e-6)


def test_an_error_of_rounding_is_no_curvature() -> None:
    #   each beats the next one a thousand times; without the first pair's games, the curvature of the first is exp(-58)
    games, less = Games.of(20, {(number, number + 1): (1000, 2000) for number in range(19)}), {(0, 1): (1000, 2000)}
    maximum = strongest(games)
    assert min(maximum.without(less).near.diagonal) > 0
    assert refit(games, maximum, less)[0] == pytest.approx(0, abs=1e-6)


def test_blocks_lead_to_the_same_maximum() -> None:
    season, _ = ladder(Random(3), present=24, left=96)
    sums = renumbered(totals(season))
    count = 1 + max(index for pair in sums for index in pair)
    games = Games.of(count, sums, seats=4)
    maximum = strongest(games, 20)
    assert not maximum.near.exact
    assert maximum.strengths == pytest.approx(dense_maximum(count, sums, 1 / 3), abs=5e-5)
    for seed in range(3):
        part, others = groups_of(sums, Random(seed))
        actual = refit(games, maximum, part)
        assert actual == pytest.approx(dense_maximum(count, others, 1 / 3), abs=2e-4)


@given(sums())
def test_a_maximum_knows_its_slope(field: tuple[int, Totals]) -> None:
    count, pairs = field
    games = Games.of(count, pairs, seats=3)
    maximum = strongest(games)
    assert maximum.slope == gradient(games, maximum.strengths)


@given(sums(), st.integers(0, 99), st.lists(st.floats(-2, 2), min_size=6, max_size=6))
def test_what_a_fit_without_some_games_begins_with(field: tuple[int, Totals], seed: int, at: list[float]) -> None:
    count, pairs = field
    part, _ = groups_of(pairs, Random(seed))
    games, strengths = Games.of(count, pairs, seats=3), at[:count]  # anywhere, so that there is a slope
    left, near = games.without(part), Curvature.of(games, strengths)
    _, slope, without = Maximum(strengths, gradient(games, strengths), near).without(part)
    assert slope == pytest.approx(gradient(left, strengths), abs=1e-8)
    assert without.diagonal == pytest.approx(Curvature.of(left, strengths).diagonal, abs=1e-8)


def test_a_step_that_goes_too_far_is_halved() -> None:
    #   Full steps never end: from 1.3, -1.3 each is as long as the way back
    assert approach(Games.of(2, {(0, 1): (10, 10)}), [1.3, -1.3]) == pytest.approx([0, 0], abs=POINT)


@pytest.mark.parametrize("count", [100, 400])
def test_many_that_have_met_one_rival_each_are_rated(count: int) -> None:
    """As after the first wave of games of two: won, lost, and drawn with the prior."""
    games = Games.of(count, {(first, first + 1): (1, 2) for first in range(0, count, 2)})
    expected = list(strongest(Games.of(2, {(0, 1): (1, 2)})).strengths) * (count // 2)
    assert approach(games, [0.0] * count) == pytest.approx(expected, abs=5 * POINT)
    assert strongest(games).strengths == pytest.approx(expected, abs=POINT)


@pytest.mark.parametrize("chain", [False, True], ids=["ladder", "only neighbours meet"])
def test_an_approach_from_near_by_ends_nearer(chain: bool) -> None:
    if chain:
        sums = {(index, index + 1): (40, 30 + index % 3) for index in range(199)}
    else:
        sums = totals(ladder(Random(4), present=200, left=0, waves=30)[0])
    games = Games.of(200, sums, seats=4)
    strengths = strongest(games, 200).strengths
    start = [strength + 0.2 * (index // 50 % 2) for index, strength in enumerate(strengths)]
    assert approach(games, start) == pytest.approx(strengths, abs=5 * POINT)
