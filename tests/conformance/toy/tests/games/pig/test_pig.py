"""The rules of Pig, in the order of its README.md."""

from __future__ import annotations

from collections.abc import Sequence

from referee.contract.game import Event, Fault, FaultKind
from referee.games.pig.rules import Pig, start


def begun(*scores: int, rounds: int = 2) -> Pig:
    """A match for 50 points between players with these scores, after their names."""
    state = start({"goal": 50, "rounds": rounds, "players": [{"score": score} for score in scores]}, 1)
    for seat in range(state.seats):
        state.advance([f"bot {seat}"])
    return state


def roll(state: Pig, die: int) -> Sequence[Event]:
    """A roll that gives this number."""
    state.follow([{"event": "roll", "die": die}])
    return state.advance(["roll"])


def test_01_players_move_in_turn_and_a_round_is_over_when_all_have_moved() -> None:
    state = begun(0, 0, 0)
    moments = []
    for _ in range(4):
        moments.append((state.round, state.requests()[0].seat))
        state.advance(["hold"])
    assert moments == [(1, 0), (1, 1), (1, 2), (2, 0)]


def test_02_a_turn_lasts_until_it_is_over() -> None:
    state = begun(0, 0)
    for _ in range(3):
        roll(state, 2)
        assert state.requests()[0].seat == 0


def test_03_a_1_loses_what_is_at_stake_and_other_numbers_are_added_to_it() -> None:
    state = begun(7, 0)
    assert roll(state, 6) == [{"event": "roll", "seat": 0, "die": 6}]
    roll(state, 3)
    assert (state.stake, state.seat) == (9, 0)
    roll(state, 1)
    assert (state.stake, state.seat, state.scores) == (0, 1, [7, 0])


def test_04_a_hold_saves_what_is_at_stake() -> None:
    state = begun(7, 0)
    roll(state, 5)
    assert state.advance(["hold"]) == [{"event": "hold", "seat": 0, "points": 5}]
    assert (state.stake, state.seat, state.scores) == (0, 1, [12, 0])


def test_05_the_goal_or_the_last_round_ends_the_match() -> None:
    state = begun(48, 49)
    roll(state, 2)
    assert state.outcome() is None
    state.advance(["hold"])
    assert state.current_result().reason == "goal"
    state = begun(9, 9, rounds=1)
    for _ in range(2):
        state.advance(["hold"])
    result = state.current_result()
    assert (result.reason, [line.rank for line in result.ranking]) == ("rounds", [1, 1])


def test_06_a_player_that_is_out_keeps_its_points_and_ranks_below_the_others() -> None:
    state = begun(40, 0)
    late = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
    state.advance([late])
    assert state.requests()[0].seat == 1
    assert [(line.seat, line.score) for line in state.current_result().ranking] == [(1, 0), (0, 40)]
    state.advance([late])
    assert state.current_result().reason == "nobody-left"
