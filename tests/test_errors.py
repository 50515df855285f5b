"""Errors reach the process that asked: pools pickle them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from referee.building.failure import BuildFailed
from referee.errors import BotError, ProgramError, RefereeError, SavedGameError, SetupError
from referee.players.fairness import Exhausted, HostStalled, Stall


@pytest.mark.parametrize(
    "error",
    [
        SetupError("size: missing"),
        SavedGameError("a.jsonl", 7, "not JSON"),
        ProgramError("a.ava", 1, 2, "no letter"),
        BuildFailed("cc failed", bot="a", output="oh", excerpt=["oh"], log=Path("a.log")),
        Exhausted("no memory"),
        HostStalled(1, Stall(1.5, 1.0)),
    ],
)
def test_an_error_that_was_pickled_says_the_same(error: RefereeError) -> None:
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert vars(other) == vars(error)


def test_the_seat_of_a_bot_is_pickled_too() -> None:
    error = BotError("there is no bot")
    error.seat = 2
    assert pickle.loads(pickle.dumps(error)).seat == 2
