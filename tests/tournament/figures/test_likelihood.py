"""The maximum of the likelihood."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.tournament.figures.likelihood import Games, likelihood, slopes, strongest

weights = st.one_of(st.just(0.0), st.floats(1e-3, 1e4))
COUNT = 4
PAIRS = [(first, second) for first in range(COUNT) for second in range(first + 1, COUNT)]


@st.composite
def pools(draw: st.DrawFn) -> list[Games]:
    """Games of four entrants, of which some may never have met, or have won all."""
    games = []
    for first, second in draw(st.lists(st.sampled_from(PAIRS), unique=True)):
        won, lost = draw(weights), draw(weights)
        games.append(Games(first, second, won, won + lost))
    return games


starts = st.lists(st.floats(-12, 12), min_size=COUNT, max_size=COUNT)


@given(pools(), starts)
def test_every_start_leads_to_the_same_maximum(games: list[Games], start: list[float]) -> None:
    strengths, _ = strongest(games, [0.0] * COUNT)
    assert slopes(games, strengths) == pytest.approx([0] * COUNT, abs=1e-3)
    assert strongest(games, start)[0] == pytest.approx(strengths, abs=1e-6)


@example([Games(0, 1, 0.0, 0.002), Games(1, 2, 0.0, 0.001)], [Games(0, 1, 2131.0, 4275.0)])
@given(pools(), pools())
def test_the_factors_of_other_games_lead_there_too(games: list[Games], others: list[Games]) -> None:
    strengths, _ = strongest(games, [0.0] * COUNT)
    start, factors = strongest(others, [0.0] * COUNT)
    assert strongest(games, start, factors)[0] == pytest.approx(strengths, abs=1e-6)


@given(pools(), starts, st.integers(0, COUNT - 1))
def test_slopes_are_derivatives(games: list[Games], strengths: list[float], place: int) -> None:
    strengths = [strength / 3 for strength in strengths]
    step = 1e-4
    above, below = list(strengths), list(strengths)
    above[place] += step
    below[place] -= step
    change = (likelihood(games, above) - likelihood(games, below)) / (2 * step)
    assert slopes(games, strengths)[place] == pytest.approx(change, rel=1e-4, abs=1e-3)


def test_a_step_that_goes_too_far_is_halved() -> None:
    #   Full steps go back and forth between 1.5, -1.5 and -1.5, 1.5: the likelihood is the same at both
    strengths, _ = strongest([Games(0, 1, 500, 1000)], [1.5, -1.5])
    assert strengths == pytest.approx([0, 0], abs=1e-6)


def test_without_games_there_is_only_the_prior() -> None:
    strengths, _ = strongest([], [3.0, -3.0])
    assert strengths == pytest.approx([0, 0])
    assert likelihood([], [0.0, 0.0]) == pytest.approx(2 * log(0.5))


def test_nobody_has_no_strength() -> None:
    assert strongest([], [])[0] == []
