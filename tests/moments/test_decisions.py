"""Why a program moved."""

from __future__ import annotations

from typing import Any

import pytest

from referee.contract.frame import Patch, Sheet
from referee.contract.game import Request
from referee.moments.decisions import Decision, reasons

SHEETS = [
    Sheet("it sees", [[Patch("S0")]], ["possible moves: R", "map 2 decides"]),
    Sheet("map 1: does not fit", [[Patch("A1")]], ["not near"]),
    Sheet("map 2: decides", (), ["R rates 12"], fired=True),
    Sheet("map 2, goes R: fits", [[Patch("--"), Patch("B2")]], ["it holds"], fired=True),
]
FIRED = [
    "possible moves: R", "map 2 decides", "map 2: decides", "  R rates 12", "map 2, goes R: fits", "  -- B2", "  it holds",
]  # fmt: skip


def explain(_request: Request[Any]) -> Decision:
    return Decision("R", SHEETS)


def test_the_parts_that_decided_are_told() -> None:
    assert reasons({0: explain}, Request(0, "getAction", None), "R") == FIRED


@pytest.mark.parametrize(("recorded", "has"), [("L", "L"), (None, "no answer")])
def test_another_program_than_that_of_the_match_is_told(recorded: str | None, has: str) -> None:
    first, *others = reasons({0: explain}, Request(0, "getAction", None), recorded)
    assert first == f"this is not the program of the match: it answers R, the saved game has {has}"
    assert others == FIRED


def test_a_name_and_a_seat_without_a_program_have_no_reasons() -> None:
    assert reasons({0: explain}, Request(0, "getName", None), "Bee") == []
    assert reasons({0: explain}, Request(1, "getAction", None), "R") == []
