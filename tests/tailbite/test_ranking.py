"""The rankings of ava, by score, and of viper, by survival (rules 7 and 8)."""

from __future__ import annotations

from tailbite.drawing import A, B, C, D, begin

ENDED = """
    step 9 of 9, nobody to move, moved
    A   a1  a2  .   .
    B   b1  b2  .   .
    .   .   .   .   .
    C   c1  .   .   .
    .   .   .   .   Dx
    D: eaten 3
"""


def ranks(drawing: str, game: str = "ava") -> list[tuple[int, float, float, str | None]]:
    state = begin(drawing, game=game)
    return [(line.seat, line.rank, line.score, line.disqualified) for line in state.current_result().ranking]


def test_07_in_ava_the_score_is_the_length_and_equal_scores_share_a_rank() -> None:
    assert ranks(ENDED) == [(A, 1, 3, None), (B, 1, 3, None), (C, 3, 2, None), (D, 4, 0, None)]
    assert ranks(ENDED.replace("b2", ".")) == [(A, 1, 3, None), (B, 2, 2, None), (C, 2, 2, None), (D, 4, 0, None)]


def test_07_in_ava_every_eaten_snake_scores_0() -> None:
    drawing = ENDED.replace("C   c1  .", ".   .   Cx") + "C: eaten 8"
    assert ranks(drawing)[2:] == [(C, 3, 0, None), (D, 3, 0, None)]


def test_08_in_ava_disqualified_snakes_rank_below_all_others_by_the_same_rules() -> None:
    assert ranks(ENDED.replace("D: eaten 3", "A: exit\nB: timeout\nD: eaten 3")) == [
        (C, 1, 2, None),
        (D, 2, 0, None),
        (A, 3, 3, "exit"),
        (B, 3, 3, "timeout"),
    ]


SURVIVED = """
    step 9 of 9, nobody to move, moved
    A   a1  a2  .   .
    B   b1  .   .   .
    .   .   .   .   .
    .   .   .   .   .
    .   .   Cx  .   Dx
"""


def test_07_in_viper_uneaten_snakes_rank_by_length_then_eaten_ones_by_survival() -> None:
    by_step = [(A, 1, 3, None), (B, 2, 2, None), (D, 3, 0, None), (C, 4, 0, None)]
    assert ranks(SURVIVED + "C: eaten 3\nD: eaten 8", "viper") == by_step


def test_07_in_viper_snakes_of_equal_length_or_eaten_in_one_step_share_the_mean_of_their_places() -> None:
    drawing = SURVIVED.replace("a2", ".") + "C: eaten 3\nD: eaten 8"
    assert ranks(drawing, "viper") == [(A, 1.5, 2, None), (B, 1.5, 2, None), (D, 3, 0, None), (C, 4, 0, None)]
    drawing = SURVIVED + "C: eaten 8\nD: eaten 8"
    assert ranks(drawing, "viper") == [(A, 1, 3, None), (B, 2, 2, None), (C, 3.5, 0, None), (D, 3.5, 0, None)]


def test_07_in_viper_three_equal_snakes_share_the_middle_place() -> None:
    drawing = SURVIVED.replace("B   b1  .", "Bx  .   .") + "B: eaten 5\nC: eaten 5\nD: eaten 5"
    assert [str(rank) for _, rank, _, _ in ranks(drawing, "viper")] == ["1", "3", "3", "3"], "without a point"


def test_08_in_viper_disqualified_snakes_rank_below_all_others_and_share_places_with_each_other() -> None:
    drawing = SURVIVED + "A: exit\nB: timeout\nC: eaten 3\nD: eaten 8, sandbox"
    assert ranks(drawing, "viper") == [(C, 1, 0, None), (A, 2, 3, "exit"), (B, 3, 2, "timeout"), (D, 4, 0, "sandbox")]
    drawing = SURVIVED.replace("a2", ".") + "A: exit\nB: timeout\nC: eaten 3\nD: eaten 3"
    assert [rank for _, rank, _, _ in ranks(drawing, "viper")] == [1.5, 1.5, 3.5, 3.5]
