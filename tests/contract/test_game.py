"""The contract of games."""

from typing import get_args

import pytest

from referee.contract.game import FaultKind, FaultName
from referee.contract.ranking import rank


def test_names_of_faults_in_files_are_those_of_the_contract():
    assert get_args(FaultName) == tuple(FaultKind)


@pytest.mark.parametrize(
    ("scores", "disqualified", "ranking"),
    [
        ([3, 7, 3.0, 1], [None] * 4, [(1, 1), (0, 2), (2, 2), (3, 4)]),
        ([9, 5, 9, 5], ["exit", None, "timeout", None], [(1, 1), (3, 1), (0, 3), (2, 3)]),
        ([5, 5], [None, "exit"], [(0, 1), (1, 2)]),
        # A mistake of a game, whose message comes from the contract check.
        ([float("nan"), float("nan")], [None, None], [(0, 1), (1, 2)]),
        ([], [], []),
    ],
)
def test_equal_points_share_a_rank_and_disqualified_seats_rank_last(scores, disqualified, ranking):
    lines = rank(scores, disqualified, [f"bot {seat}" for seat in range(len(scores))])
    assert [(line.seat, line.rank) for line in lines] == ranking
    assert [line.name for line in lines] == [f"bot {seat}" for seat, _ in ranking]
