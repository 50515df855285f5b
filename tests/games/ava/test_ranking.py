"""Ava's ranking, which is by score (rule 7)."""

from __future__ import annotations

from typing import Any

import pytest
from tailbite.drawing import A, B, C, D, begin, read

from referee import games

AVA: Any = games.find("ava")

ENDED = """
    step 9 of 9, nobody to move, moved
    A   a1  a2  .   .
    B   b1  b2  .   .
    .   .   .   .   .
    C   c1  .   .   .
    .   .   .   .   Dx
    D: eaten 3
"""


def ranks(drawing: str) -> list[tuple[int, float, float, str | None]]:
    state = begin(drawing, game="ava")
    return [(line.seat, line.rank, line.score, line.disqualified) for line in state.current_result().ranking]


def test_07_the_score_is_the_length_and_equal_scores_share_a_rank() -> None:
    assert ranks(ENDED) == [(A, 1, 3, None), (B, 1, 3, None), (C, 3, 2, None), (D, 4, 0, None)]
    assert ranks(ENDED.replace("b2", ".")) == [(A, 1, 3, None), (B, 2, 2, None), (C, 2, 2, None), (D, 4, 0, None)]


def test_07_every_eaten_snake_scores_0() -> None:
    drawing = ENDED.replace("C   c1  .", ".   .   Cx") + "C: eaten 8"
    assert ranks(drawing)[2:] == [(C, 3, 0, None), (D, 3, 0, None)]


def test_08_disqualified_snakes_rank_below_all_others_by_the_same_rules() -> None:
    assert ranks(ENDED.replace("D: eaten 3", "A: exit\nB: timeout\nD: eaten 3")) == [
        (C, 1, 2, None),
        (D, 2, 0, None),
        (A, 3, 3, "exit"),
        (B, 3, 3, "timeout"),
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_seats(seats: int) -> None:
    position = read(ENDED)
    state = AVA.start({**position, "order": [], "snakes": position["snakes"][:seats]}, 1)
    assert (state.seats, seats in AVA.seats) == (seats, True)
