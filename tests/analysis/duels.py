"""A duel of SnakeCore for the tests of explanations: the answers are a script, and the match is saved and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from records.recording import save

from referee import games
from referee.contract.game import Answer, Fault, FaultKind, Request
from referee.saved.record import load
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
    scripts = [iter([name, *first]), iter(["Bob", *second])]

    def answer(number: int, request: Request[Any]) -> Answer[Any]:
        text = next(scripts[request.seat])
        if text == LATE:
            return Answer(request.seat, Fault(FaultKind.TIMEOUT, "no answer within 1 s"), None, 1.0)
        return Answer(request.seat, text, text, 0.001 * number)

    path = folder / "duel.jsonl"
    save(path, game, game.start(setup, 1), answer, rng_seed=1, bots=["oracle", "bob"])
    return Replay(load(path))
