"""What a seat lost points to."""

from __future__ import annotations

from pathlib import Path

from analysis.duels import EACH_RECORD, duel

from referee.analysis import explain
from referee.analysis.shortfall import shortfall
from referee.saved.record import load
from referee.saved.replay import Replay


def test_the_loser_is_told_its_points_those_of_the_winner_and_its_turns_for_nothing(tmp_path: Path) -> None:
    explanation = explain(duel(tmp_path, "RRRNNUNNNU", "LLLLUUUUUN", rounds=10))
    result = shortfall(explanation, 0)
    assert result is not None
    assert result.lines == [
        "It had rank 2 of 2, with 3 points: deliveries +3 in 1 turn.",
        "Bob won with 6 points: deliveries +6 in 1 turn.",
        "Turns that came to nothing: waited 5 times, skipped (the edge of the field) 2 times; the first in round 4, step 9.",
        "Bob led from round 4, step 10, to the end: Bob delivers 3 for 6 points.",
    ]
    assert result.step == 10, "without a loss, the turning point"
    assert shortfall(explanation, 1) is None, "the winner"


@EACH_RECORD
def test_every_seat_of_every_game_but_the_winner_is_told_something(path: Path) -> None:
    explanation = explain(Replay(load(path)))
    for story in explanation.seats:
        result = shortfall(explanation, story.seat)
        alone = [other.rank for other in explanation.seats].count(1) == 1
        assert (result is None) == (story.rank == 1 and alone)
        if result is not None:
            assert len(result.lines) >= 2
            assert all(line.endswith(".") for line in result.lines)
            assert "referee " not in " ".join(result.lines)
            assert result.step is None or 0 <= result.step <= explanation.steps


def test_a_seat_that_is_not_ranked_is_told_nothing(tmp_path: Path) -> None:
    assert shortfall(explain(duel(tmp_path, "N", "N", rounds=1)), 7) is None
