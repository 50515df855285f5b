"""Which seats a saved game asked in which steps, and the requests themselves."""

from dataclasses import replace
from pathlib import Path

import pytest
from analysis.duels import duel

from referee.errors import UsageError
from referee.saved.record import Record
from referee.saved.replay import Replay
from referee.saved.requests import request_at, seats_asked, steps_of


@pytest.fixture
def saved(tmp_path: Path) -> Replay:
    """Steps 1 and 2 ask for names; 3, 5 and 7 ask the first seat for a move, 4, 6 and 8 the second."""
    return duel(tmp_path, "RRR", "LLL", rounds=3)


def test_steps_and_seats(saved):
    assert [steps_of(saved, seat) for seat in (0, 1)] == [[1, 3, 5, 7], [2, 4, 6, 8]]
    assert seats_asked(saved, 4) == [1]
    assert steps_of(saved, 1, 4) == [2, 4, 6, 8]


def test_unknown_seats_and_steps_are_usage_errors(saved):
    for seat in (-1, 2):
        with pytest.raises(UsageError, match=rf"there is no seat {seat + 1}: .*duel\.jsonl has seats 1 to 2"):
            steps_of(saved, seat)
    for step in (0, 9):
        with pytest.raises(UsageError, match=rf"there is no step {step}: .*duel\.jsonl has steps 1 to 8"):
            seats_asked(saved, step)
    with pytest.raises(UsageError, match=r"step 4 asked seat 2, not seat 1, which was asked in step 3$"):
        steps_of(saved, 0, 4)
    record: Record = replace(saved.record, steps=saved.record.steps[:1])
    with pytest.raises(UsageError, match="seat 2 was never asked"):
        steps_of(Replay(record), 1)


def test_a_request_is_that_of_the_match(saved):
    for step in (3, 4, 8):
        (wanted,) = saved.state_at(step - 1).requests()
        request = request_at(saved, step)
        assert (request.seat, request.ask) == (wanted.seat, "getAction")
        assert saved.game.encode(request) == saved.game.encode(wanted)
    assert request_at(saved, 4, 1).seat == 1


def test_names_are_no_moves(saved):
    with pytest.raises(UsageError, match="step 2 asks for a name, not for a move: seat 2 has its first move in step 4"):
        request_at(saved, 2)
    with pytest.raises(UsageError, match="step 4 asked seat 2, not seat 1"):
        request_at(saved, 4, 0)
