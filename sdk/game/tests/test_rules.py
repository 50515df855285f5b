"""The rules as drawn positions: `1` and `2` are the walls of the seats; a player stands where `at` says."""

from __future__ import annotations

import pytest
from trails.rules import TOGETHER, Match, start

from referee.gamekit import Event, Fault, FaultKind, SetupError


def match(board: str, *at: tuple[int, int]) -> Match:
    """A match from a drawn board, after each player has given its name."""
    players = [{"x": x, "y": y} for x, y in at]
    state = start({"board": board.split(), "rounds": 50, "players": players}, 1)
    for seat in range(len(at)):
        state.advance([f"bot {seat + 1}"])
    return state


def moved(state: Match, *letters: str) -> list[Event]:
    """The events of a move of each seat, in the order of seats."""
    if TOGETHER:
        return list(state.advance(letters))
    return [event for letter in letters if state.requests() for event in state.advance([letter])]


def drawn(state: Match) -> str:
    return " ".join(state.position()["board"])


def test_a_player_leaves_a_wall_on_every_square() -> None:
    state = match("1... .... .... ...2", (0, 0), (3, 3))
    moved(state, "E", "W")
    moved(state, "S", "N")
    assert drawn(state) == "11.. .1.. ..2. ..22"
    assert state.at == [(1, 1), (2, 2)]


@pytest.mark.parametrize(("letter", "what"), [("N", "off the board"), ("E", "a wall")])
def test_a_player_that_runs_into_something_is_out(letter: str, what: str) -> None:
    state = match("12.. .... .... ....", (0, 0), (1, 0))
    events = moved(state, letter, "E")
    assert events[0]["event"] == "crashed", what
    assert state.riding == [1]
    assert state.requests() == []
    assert state.scores == [0, 1]


def test_a_fault_disqualifies() -> None:
    state = match("1... .... .... ...2", (0, 0), (3, 3))
    fault = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
    events = state.advance([fault, "N"] if TOGETHER else [fault])
    assert events[0]["event"] == "disqualified"
    assert [line.seat for line in state.current_result().ranking] == [1, 0]


def test_a_position_goes_on_as_the_match() -> None:
    state = match("1... .... .... ...2", (0, 0), (3, 3))
    moved(state, "E", "W")
    again = start(state.position(), 1)
    assert again.position() == state.position()


def test_a_position_that_breaks_the_rules_is_refused() -> None:
    with pytest.raises(SetupError, match="not on the board"):
        match("1. .2", (0, 0), (5, 5))
