"""A duel of SnakeCore for the tests of explanations: the answers are a script, and the match is saved and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from referee import games
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Step
from referee.saved.record import Recorder, header_line, load
from referee.saved.replay import Replay

RECORDS: Final = sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))
EACH_RECORD: Final = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)

LATE: Final = "!"
"""In a script, a timeout."""
FIELD: Final = [".bbR.", ".....", ".....", ".....", "Rbbb."]
"""Seat 0 is in the first row and can deliver 2; seat 1 is in the last row and can deliver 3."""


def duel(folder: Path, first: str, second: str, *, rounds: int, name: str = "Anna") -> Replay:
    """A saved duel. The turns of a disqualified player are left out of its script.

    Args:
        first, second: the answers of the seats, a letter for each of their turns.
        name: the name of seat 0; seat 1 is called Bob.
    """
    game = games.find("snakecore")
    setup: dict[str, Any] = {
        "size": 5,
        "rounds": rounds,
        "field": FIELD,
        "pythons": [{"cells": [[0, 0]]}, {"cells": [[4, 4]]}],
    }
    state = game.start(setup, 1)
    header = header_line(
        game=game.name,
        rules=game.rules_version,
        rng_seed=1,
        setup=state.position(),
        bots=[Entrant("oracle"), Entrant("bob")],
        limits=game.time.as_json(),
        created="2026-01-31T12:00:00Z",
        referee="0.1.0",
    )
    path = folder / "duel.jsonl"
    recorder = Recorder(path, header)
    scripts = [iter([name, *first]), iter(["Bob", *second])]
    number = 0
    while due := state.requests():
        number += 1
        ((seat, ask, _),) = due
        round_, text = state.round, next(scripts[seat])
        action = Fault(FaultKind.TIMEOUT, "no answer within 1 s") if text == LATE else text
        answer = Answer(seat, action, None if text == LATE else text, 1.0 if text == LATE else 0.001 * number)
        recorder.record([Step(number, round_, ask, [answer], state.advance([action]))])
    recorder.end(state.current_result(), state.position())
    return Replay(load(path))
