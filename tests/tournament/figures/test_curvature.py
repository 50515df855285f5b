"""Newton's step, and what stands in for it."""

from operator import mul
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.figures.fields import Totals, ladder, solved, sums, totals

from referee.tournament.figures.likelihood import Curvature, Games, gradient


def second_derivatives(games: Games, at: list[float]) -> list[list[float]]:
    """By differences, their signs turned."""
    rows = []
    for index in range(len(at)):
        above, below = ([value + by * (number == index) for number, value in enumerate(at)] for by in (1e-4, -1e-4))
        rows.append(
            [(low - high) / 2e-4 for high, low in zip(gradient(games, above), gradient(games, below), strict=True)]
        )
    return rows


@given(sums(), st.lists(st.floats(-2, 2), min_size=6, max_size=6))
def test_with_a_block_for_each_entrant_the_step_is_newtons(field: tuple[int, Totals], at: list[float]) -> None:
    count, pairs = field
    games = Games.of(count, pairs)
    near = Curvature.of(games, at[:count])
    slope = gradient(games, at[:count])
    assert near.exact
    assert near.step(slope) == pytest.approx(solved(second_derivatives(games, at[:count]), slope), rel=1e-3, abs=1e-3)


def test_what_the_entrants_of_a_block_have_in_common_is_solved() -> None:
    season, _ = ladder(Random(1), present=40, left=0, waves=20)
    games = Games.of(40, totals(season), seats=4)
    at = [index % 7 / 4 for index in range(40)]
    near = Curvature.of(games, at, 8)
    assert not near.exact
    assert sorted(set(near.blocks)) == list(range(8))
    #   a slope that one shift of each block would explain, if blocks did not play with each other
    slope = [near.diagonal[index] * (near.blocks[index] - 3) for index in range(40)]
    step = near.step(slope)
    product = [sum(map(mul, row, step)) for row in second_derivatives(games, at)]
    for block in range(8):
        members = [index for index in range(40) if near.blocks[index] == block]
        assert len({round(step[index], 6) for index in members}) == 1
        expected = sum(slope[index] for index in members)
        assert sum(product[index] for index in members) == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_a_block_is_a_section_of_strength_within_a_section_of_entering() -> None:
    #   an entrant meets the next three only, so the field is long
    games = Games.of(
        60, {(index, index + apart): (2, 2) for index in range(60) for apart in (1, 2, 3) if index + apart < 60}
    )
    at = [(7 * index) % 60 / 20 for index in range(60)]
    blocks = Curvature.of(games, at, 12).blocks
    for block in range(12):
        members = [index for index in range(60) if blocks[index] == block]
        assert max(members) - min(members) < 10
    short = Games.of(60, {(a, b): (2, 2) for b in range(60) for a in range(b)})
    by_strength = sorted(range(60), key=lambda index: at[index])
    blocks = Curvature.of(short, at, 12).blocks
    assert [blocks[index] for index in by_strength] == [rank // 5 for rank in range(60)]
