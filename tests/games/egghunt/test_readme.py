"""The parts that only the egg hunt's README.md has. `referee.testing` tests the other examples."""

from __future__ import annotations

from games.egghunt.drawing import A, B, begin, play

from referee.games.egghunt.plugin import GAME
from referee.games.egghunt.wire import encode_turn
from referee.testing.assets import blocks


def block(kind: str) -> str:
    ((_, text),) = blocks("egghunt", kind)
    return text


def test_the_table_of_fights_agrees_with_the_rules() -> None:
    table = ["P   Q   who gets the cell   who returns"]
    for mine in "ACN":
        for theirs in "ACN":
            state = begin("A . B \n # # # \n . o .")
            back = [event["seat"] for event in play(state, f"A 4 {mine}, B 8 {theirs}") if event["event"] == "back"]
            gets = {(A, B): "nobody", (A,): "Q", (B,): "P"}[tuple(back)]
            table.append(f"{mine}   {theirs}   {gets:<20}{' and '.join('PQ'[seat] for seat in back)}")
    assert block("fights").splitlines() == table


def test_the_six_lines_are_the_request_in_that_position() -> None:
    state = begin("""
        # # # # # # # #
        # . . . . o . #
        # . . . . . . #
        # . . . o . A #
        # . . . . . B #
        # # # # # # # #
    """, memory=["north 3", ""])  # fmt: skip
    assert encode_turn(state.requests()[A]).decode() == block("turn")


def test_the_example_of_an_output_is_decoded_as_described() -> None:
    assert GAME.decode("getAction", block("output").encode().splitlines()) == (8, "A", "went west 4")
    state = begin("o . . B A", memory=["", ""])
    assert [event["event"] for event in play(state, "B 8 A, A 8 A")] == ["to", "to"]
