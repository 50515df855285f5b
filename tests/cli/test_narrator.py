"""What `-v` tells of a match as it goes."""

from __future__ import annotations

from typing import Any

import pytest

from referee import games
from referee.cli.narrator import Narrator
from referee.game import Answer, Entrant, Fault, FaultKind, Step

EGGHUNT: Any = games.find("egghunt")
LATE = Fault(FaultKind.TIMEOUT, "no answer\x1b within 1 s")


def told(capsys: pytest.CaptureFixture[str], lifetime: Any, *, wire: bool = False) -> list[str]:
    """The lines about a turn in which the first of two hunters fails and the second breaks an egg."""
    setup = {"field": ["    "], "eggs": [[2, 0], [1, 0]], "players": [[0, 0], [3, 0]]}
    entrants = [Entrant("Hare", lifetime), Entrant("Fox", lifetime)]
    state = EGGHUNT.start(setup, 1, entrants)
    narrator = Narrator(EGGHUNT, state, entrants, wire=wire)
    number = 0
    while state.requests()[0].ask == "getName":
        (request,) = state.requests()
        number += 1
        name = ("Hare", "Fox")[request.seat]
        narrator.step(Step(number, 0, "getName", [Answer(request.seat, name, name, 0.1)], state.advance([name])))
    action = EGGHUNT.recall("getAction", "8\nA\n", ())
    events = state.advance([LATE, action])
    answers = [Answer(0, LATE, None, 1.0), Answer(1, action, "8\nA\n", 0.1)]
    narrator.step(Step(number + 1, 1, "getAction", answers, events))
    return capsys.readouterr().err.splitlines()


def test_a_turn_that_is_lost_is_told_when_it_happens(capsys: pytest.CaptureFixture[str]) -> None:
    lost, broken = told(capsys, "turn")
    assert lost == "round 1: Hare fails: timeout, no answer\ufffd within 1 s"
    assert broken == "round 1: Fox breaks an egg"


def test_a_disqualification_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, "game")
    assert [line for line in lines if "Hare" in line] == [
        "round 1: Hare is disqualified: timeout, no answer\ufffd within 1 s"
    ]


def test_the_wire_shows_answers_too(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, "turn", wire=True)
    assert lines[:2] == [
        "1 getAction seat 1: no answer\ufffd within 1 s (1000.00 ms)",
        '1 getAction seat 2: "8\\nA\\n" (100.00 ms)',
    ]
    assert len(lines) == 4
