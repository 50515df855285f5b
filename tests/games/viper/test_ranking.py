"""Viper's ranking, which is by survival (rule 7)."""

from __future__ import annotations

from tailbite.drawing import A, B, C, D, begin

ENDED = """
    step 9 of 9, nobody to move, moved
    A   a1  a2  .   .
    B   b1  .   .   .
    .   .   .   .   .
    .   .   .   .   .
    .   .   Cx  .   Dx
"""


def ranks(drawing: str) -> list[tuple[int, float, float, str | None]]:
    state = begin(drawing, game="viper")
    return [(line.seat, line.rank, line.score, line.disqualified) for line in state.current_result().ranking]


def test_07_uneaten_snakes_rank_by_length_then_eaten_ones_by_survival() -> None:
    by_step = [(A, 1, 3, None), (B, 2, 2, None), (D, 3, 0, None), (C, 4, 0, None)]
    assert ranks(ENDED + "C: eaten 3\nD: eaten 8") == by_step


def test_07_snakes_of_equal_length_share_the_mean_of_their_places() -> None:
    drawing = ENDED.replace("a2", ".") + "C: eaten 3\nD: eaten 8"
    assert ranks(drawing) == [(A, 1.5, 2, None), (B, 1.5, 2, None), (D, 3, 0, None), (C, 4, 0, None)]


def test_07_snakes_eaten_in_one_step_share_the_mean_of_their_places() -> None:
    drawing = ENDED + "C: eaten 8\nD: eaten 8"
    assert ranks(drawing) == [(A, 1, 3, None), (B, 2, 2, None), (C, 3.5, 0, None), (D, 3.5, 0, None)]


def test_07_three_equal_snakes_share_the_middle_place() -> None:
    drawing = ENDED.replace("B   b1  .", "Bx  .   .") + "B: eaten 5\nC: eaten 5\nD: eaten 5"
    assert [str(rank) for _, rank, _, _ in ranks(drawing)] == ["1", "3", "3", "3"]  # whole numbers, without a point


def test_08_disqualified_snakes_rank_below_all_others_by_the_same_rules() -> None:
    drawing = ENDED + "A: exit\nB: timeout\nC: eaten 3\nD: eaten 8, sandbox"
    assert ranks(drawing) == [(C, 1, 0, None), (A, 2, 3, "exit"), (B, 3, 2, "timeout"), (D, 4, 0, "sandbox")]


def test_08_disqualified_snakes_share_places_with_each_other() -> None:
    drawing = ENDED.replace("a2", ".") + "A: exit\nB: timeout\nC: eaten 3\nD: eaten 3"
    assert [rank for _, rank, _, _ in ranks(drawing)] == [1.5, 1.5, 3.5, 3.5]
