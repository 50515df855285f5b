"""Positions of Ants: reading, defaults, and violations of the rules."""

from __future__ import annotations

from typing import Any

import pytest
from games.ants.drawing import read
from games.playing import changed, refusal

from referee.contract.positions import Position
from referee.games.ants.rules import start

LEAST: Position = {"size": 5, "units": 20, "ants": 3, "hills": [[0, 0], [4, 4]]}
FULL = read("""
    unit 7 of 20, B1 to move
    a       A0      .       .       .
    .       5       ~7/50   .       .
    .       .       A1+     .       .
    .       .       .       B0/3    .
    .       .       .       B1      b,1
""")


LONG = "units: 100000 are too many to save"
THREE = [[0, 0], [4, 4], [0, 4]]


def ant(**change: Any) -> Position:
    """The full position with another first ant of seat 1."""
    return changed(FULL, "teams", 1, 0, to={**FULL["teams"][1][0], **change})


def test_omitted_keys_default_to_the_start() -> None:
    assert start(LEAST, 1).position() == {
        "size": 5, "units": 20, "unit": 1, "ants": 3, "hills": [[0, 0], [4, 4]], "food": [], "smells": [],
        "teams": [[], []], "next": [0, 0], "disqualified": [None, None],
    }  # fmt: skip


def test_an_ant_is_by_default_able_and_has_no_food_and_an_empty_memory() -> None:
    setup = {**LEAST, "unit": 3, "ants": 1, "teams": [[{"at": [1, 2]}], [{"at": [4, 4]}]]}
    assert start(setup, 1).position()["teams"][0] == [{"at": [1, 2], "food": False, "memory": "0" * 64, "disabled": 0}]


def test_entries_in_any_order_and_memory_in_capitals_are_read() -> None:
    setup = changed(FULL, "teams", 0, 0, "memory", to="0" * 62 + "Ab")
    position = start({**setup, "food": setup["food"][::-1]}, 1).position()
    assert position["food"] == [[1, 1, 5], [4, 4, 1]]
    assert position["teams"][0][0]["memory"] == "0" * 62 + "ab"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 1}, "size: "),
        ({"size": 201}, "size: "),
        ({"units": 0}, "units: "),
        ({"ants": 0}, "ants: "),
        ({"ants": 101}, "ants: "),
        ({"units": 100_001}, "units: must be 100000 or less"),
        ({"units": 100_000, "hills": THREE, "ants": 2}, f"{LONG}: with 3 hills and ants = 2, use at most 33333"),
        ({"unit": 21}, "unit: 21 is past the end, 20 units"),
        ({"unit": 0}, "unit: units count from 1"),
        ({"unit": -1}, "unit: "),
        ({"hills": [[0, 0]]}, "hills: "),
        ({"hills": [[0, 0], [4, 4], [0, 4], [4, 0], [4, 0]]}, "hills: "),
        ({"hills": [[0, 0], [0, 0]]}, "hills.1: two hills in the corner (0, 0)"),
        ({"hills": [[0, 0], [4, 3]]}, "hills.1: (4, 3) is not a corner of a field of size 5"),
        ({"food": [[5, 0, 1]]}, "food.0: (5, 0) is off the field"),
        ({"food": [[0, -1, 1]]}, "food.0: (0, -1) is off the field"),
        ({"food": [[1, 1, 1], [1, 1, 2]]}, "food.1: the cell (1, 1) is listed twice"),
        ({"food": [[1, 1, 0]]}, "food.0: 0 mg: leave out cells without food"),
        ({"food": [[1, 1, 2**54]]}, "food.0.2: "),
        ({"smells": [[9, 9, 1, 1]]}, "smells.0: (9, 9) is off the field"),
        ({"smells": [[1, 1, 1, 1], [1, 1, 2, 3]]}, "smells.1: the cell (1, 1) is listed twice"),
        ({"smells": [[1, 1, 2**31, 1]]}, "smells.0: the hue 2147483648 does not fit into 32 bits"),
        ({"smells": [[1, 1, 1, 101]]}, "smells.0: the intensity 101 is not from 0 to 100"),
        ({"smells": [[1, 1, 1, -1]]}, "smells.0: the intensity -1 is not from 0 to 100"),
        ({"teams": [[]]}, "teams: 1 entry for 2 hills"),
        ({"teams": [[], [], []]}, "teams: 3 entries for 2 hills"),
        ({"disqualified": [None]}, "disqualified: 1 entry for 2 hills"),
        ({"next": [0, 2]}, "next: there is no ant 2 of seat 0 (both count from 0)"),
        ({"next": [2, 0]}, "next: there is no ant 0 of seat 2 (both count from 0)"),
        ({"next": [-1, 0]}, "next: there is no ant 0 of seat -1 (both count from 0)"),
        ({"next": None}, "next: null is only for the end of a match, and this one goes on: give a seat and an ant"),
        ({"next": None, "disqualified": ["exit", None]}, "next: null is only for the end"),
        ({"unit": 1, "next": [0, 0]}, "teams.0: 2 ants, though at most 1 have appeared by now"),
        ({"ants": 1}, "teams.0: 2 ants, though at most 1 have appeared by now"),
        (ant(at=[5, 0]), "teams.1.0: (5, 0) is off the field"),
        (ant(memory="0" * 63), "teams.1.0.memory: must be 64 hex digits"),
        (ant(memory="0" * 64 + "\n"), "teams.1.0.memory: must be 64 hex digits"),
        (ant(disabled=9), "teams.1.0.disabled: "),
        (ant(disabled=-1), "teams.1.0.disabled: "),
    ],
)
def test_an_invalid_position_is_refused_with_the_key(change: dict[str, Any], message: str) -> None:
    assert refusal(start, {**FULL, **change}, 1).startswith(message)
