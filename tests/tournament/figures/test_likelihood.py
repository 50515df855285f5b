"""The likelihood of games, by its derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.figures.fields import Totals, sums

from referee.tournament.figures.likelihood import Games, bends, relaxed, slopes

strengths = st.lists(st.floats(-4, 4), min_size=6, max_size=6)
seats = st.integers(2, 4)


def likelihood(pairs: Totals, at: Sequence[float], weight: float) -> float:
    """The logarithm of the likelihood, as it is defined."""
    value = sum(-log1p(exp(-strength)) / 2 - log1p(exp(strength)) / 2 for strength in at)
    for (first, second), (games, halves) in pairs.items():
        apart = at[first] - at[second]
        value -= weight * (halves / 2 * log1p(exp(-apart)) + (games - halves / 2) * log1p(exp(apart)))
    return value


def moved(at: Sequence[float], index: int, by: float) -> list[float]:
    return [value + by * (number == index) for number, value in enumerate(at)]


@given(sums(), strengths, seats)
def test_slopes_are_derivatives(field: tuple[int, Totals], at: list[float], seats: int) -> None:
    count, pairs = field
    result = slopes(Games.of(count, pairs, seats=seats), at[:count])
    for index in range(count):
        above, below = (likelihood(pairs, moved(at[:count], index, by), 1 / (seats - 1)) for by in (1e-4, -1e-4))
        assert result[index] == pytest.approx((above - below) / 2e-4, rel=1e-4, abs=1e-3)


@given(sums(), strengths, seats)
def test_bends_are_derivatives_of_slopes(field: tuple[int, Totals], at: list[float], seats: int) -> None:
    count, pairs = field
    games = Games.of(count, pairs, seats=seats)
    for index in range(count):
        parts = bends(games, index, [*map(exp, at[:count]), 1.0])
        above, below = (slopes(games, moved(at[:count], index, by)) for by in (1e-4, -1e-4))
        changes = [(high - low) / 2e-4 for high, low in zip(above, below, strict=True)]
        assert sum(parts) == pytest.approx(-changes[index], rel=1e-4, abs=1e-3)
        for rival, part in zip(games.rivals[index][:-1], parts, strict=False):
            assert part == pytest.approx(changes[rival], rel=1e-4, abs=1e-3)


@given(sums(), st.data())
def test_games_without_some_are_the_others(field: tuple[int, Totals], data: st.DataObject) -> None:
    count, pairs = field
    gone = {
        pair: (data.draw(st.integers(1, games)), data.draw(st.integers(0, halves)))
        for pair, (games, halves) in pairs.items()
        if data.draw(st.booleans())
    }
    left = {
        pair: (games - gone.get(pair, (0, 0))[0], halves - gone.get(pair, (0, 0))[1])
        for pair, (games, halves) in pairs.items()
    }
    actual, expected = Games.of(count, pairs, seats=4).without(gone), Games.of(count, left, seats=4)
    assert (actual.rivals, actual.rows, actual.won) == (expected.rivals, expected.rows, expected.won)


def test_an_entrant_is_moved_alone() -> None:
    #   A won three of four games with B, who stays at 0: 3 - 4 s(x) + 1/2 - s(x) = 0, where s is the logistic function
    strengths = relaxed(Games.of(2, {(0, 1): (4, 6)}), [0.0, 0.0], [0], 5)
    assert 3.5 - 5 / (1 + exp(-strengths[0])) == pytest.approx(0)
    assert strengths[1] == 0
