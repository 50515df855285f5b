"""Untrusted positions: defaults for missing keys, and errors that name the invalid key."""

from __future__ import annotations

from typing import Any

import pytest
from games.egghunt.drawing import line_up, read
from games.playing import refusal

from referee.games.egghunt.rules import Action, start

GARDEN = """
    # # # # # #
    # A . o . #
    # o . . B #
    # # # # # #
"""
LONG = "are too many to save: at most"
SEVEN = "A B C D E F G . o"


def position(**changes: Any) -> dict[str, Any]:
    return {**read(GARDEN), **changes}


def test_omitted_keys_default_to_the_start_of_a_single_run() -> None:
    whole = read(GARDEN)
    assert start({key: whole[key] for key in ("field", "eggs", "players")}, 1).position() == whole


def test_every_key_is_kept() -> None:
    setup = read(
        SEVEN, runs=4, run=2, turns=9, turn=5, memory=["", "x", "é 🐇", *[""] * 4], scores=[1, 2, 3, 4, 5, 6, 7],
        totals=[7, 6, 5, 4, 3, 2, 1], disqualified=[None, "exit", *[None] * 5],
    )  # fmt: skip
    assert start(setup, 1).position() == setup
    assert list(start(setup, 1).position()) == list(setup)


@pytest.mark.parametrize(
    ("setup", "complaint"),
    [
        (position(field=[]), "field: must have 1 entry or more"),
        (position(field=[""]), "field.0: 0 characters; a row has 1 to 999"),
        (position(field=[" " * 1000]), "field.0: 1000 characters; a row has 1 to 999"),
        (position(field=[" "] * 1000), "field: must have at most 999 entries"),
        (position(field=["######", "#    #", "#    ", "######"]), "field.2: 5 characters; the rows above have 6"),
        (position(field=["######", "#  o #", "#    #", "######"]), "field.1: 'o' is neither # nor a blank"),
        (position(field=["######", "#  \x1b #", "#    #", "######"]), r"field.1: '\x1b' is neither # nor a blank"),
        (position(eggs=[[3, 1], [3, 1]]), "eggs.1: two things on the cell (3, 1)"),
        (position(eggs=[[1, 1]]), "players.0: two things on the cell (1, 1)"),
        (position(eggs=[[0, 0]]), "eggs.0: two things on the cell (0, 0)"),
        (position(eggs=[[3, 4]]), "eggs.0: (3, 4) is off the field"),
        (position(eggs=[[-1, 1]]), "eggs.0: (-1, 1) is off the field"),
        (position(players=[]), "players: must have 1 entry or more"),
        (position(players=[[x % 10, x // 10] for x in range(65)]), "players: must have at most 64 entries"),
        (position(players=[[1, 1], [1, 1]]), "players.1: two things on the cell (1, 1)"),
        (position(memory=[""]), "memory: 1 entry for 2 players"),
        (position(scores=[0, 0, 0]), "scores: 3 entries for 2 players"),
        (position(totals=[0]), "totals: 1 entry for 2 players"),
        (position(disqualified=[]), "disqualified: 0 entries for 2 players"),
        (position(memory=["", "x" * 1025]), "memory.1: must have at most 1024 characters"),
        (position(memory=["", "a\nb"]), "memory.1: a memory is one line"),
        (position(memory=["\r", ""]), "memory.0: a memory is one line"),
        (position(memory=["\ud800", ""]), "memory.0: "),
        (position(totals=[2**60, 0]), "totals.0: must be 9007199254740992 or less"),
        (position(turns=0), "turns: must be 1 or more"),
        (position(turns=512_001), f"turns: 512001 in each of 1 runs, of 2 players, {LONG} 1024000 answers"),
        (read(SEVEN, runs=100, turns=1463), f"turns: 1463 in each of 100 runs, of 7 players, {LONG} 1024000 answers"),
        (position(turns=5, turn=6), "turn: 6 is past the end of a run, 5 turns"),
        (position(turn=51), "turn: 51 is past the end of a run, 50 turns"),
        (position(run=2), "run: 2 is past the end, 1 run"),
        (position(runs=2), "players: 2; the fields of later runs are drawn for 7 or more"),
        (read("A B C D E F G", runs=3, run=2), "eggs: none are left, so that run 2 of 3 is over"),
    ],
)
def test_an_invalid_position_is_refused_in_one_line(setup: dict[str, Any], complaint: str) -> None:
    assert refusal(start, setup, 1).startswith(complaint)


def test_a_memory_of_1024_characters_is_kept() -> None:
    setup = position(memory=["🐇" * 1024, ""])
    assert start(setup, 1).position() == setup


def test_a_position_without_eggs_is_the_end_of_the_last_run() -> None:
    state = start(read("A B", scores=[1, 2]), 1)
    assert (state.requests(), state.current_result().reason, state.round) == ((), "runs", 1)
    assert [line.score for line in state.current_result().ranking] == [2, 1]


def test_a_player_disqualified_in_the_setup_gets_no_requests() -> None:
    state = start(read(GARDEN, disqualified=["exit", None]), 1, line_up(2))
    assert [request.seat for request in state.requests()] == [1]
    state = start(read(GARDEN, disqualified=["exit", None], memory=["left", "m"]), 1, line_up(2, "game"))
    assert [(request.ask, request.seat) for request in state.requests()] == [("getName", 1)]
    state.advance(["b"])
    state.advance([Action(9, "N", "m")])
    assert state.position()["memory"] == ["", "m"]
