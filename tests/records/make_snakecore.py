"""Makes `snakecore.jsonl`, the golden record: `python tests/records/make_snakecore.py`.

Four scripted players in this process play on a crowded field until every event and every `why` of the rules has happened.
The record changes only with the rules: then increase `rules_version` and run this script again.
"""

from __future__ import annotations

import random
from pathlib import Path

from referee.contract.game import Answer, Fault, FaultKind, Step
from referee.contract.positions import Position
from referee.games.snakecore.plugin import GAME
from referee.saved.record import Recorder, header_line

SEED = 2026
SIZE = 9
ROUNDS = 130
NAMES = [b"Greedy", "Питон".encode("cp1251"), b"", "Ёж".encode()]
"""A name in ASCII, one in cp1251, an empty one and one in UTF-8."""
LATE = 300
"""The step from which the third player does not answer in time."""


def setup(chance: random.Random) -> Position:
    """A field with every kind of cell and a python in each corner."""
    rows = [
        ["W" if chance.random() < 0.06 else chance.choices(".beR", [9, 5, 3, 1])[0] for _ in range(SIZE)]
        for _ in range(SIZE)
    ]
    starts = [(0, 0), (SIZE - 1, SIZE - 1), (SIZE - 1, 0), (0, SIZE - 1)]
    for x, y in starts:
        rows[y][x] = "."
    return {
        "size": SIZE,
        "rounds": ROUNDS,
        "field": ["".join(row) for row in rows],
        "pythons": [{"cells": [list(start)]} for start in starts],
    }


def make(path: Path) -> None:
    """Play and save the match."""
    chance = random.Random(SEED)
    state = GAME.start(setup(chance), SEED)
    recorder = Recorder(
        path,
        header_line(
            game=GAME.name,
            rules=GAME.rules_version,
            rng_seed=SEED,
            setup=state.position(),
            bots=["greedy", "python", "nameless", "hedgehog"],
            limits=GAME.time.as_json(),
            created="2026-01-31T12:00:00Z",
            referee="0.1.0",
        ),
    )
    number = 0
    while due := state.requests():
        (request,) = due
        number += 1
        round_ = state.round
        line = (
            NAMES[request.seat]
            if request.ask == "getName"
            else chance.choices(b"ULDRNA", [7, 7, 7, 7, 1, 2])[0].to_bytes(1, "big")
        )
        answer: Answer = Answer(request.seat, GAME.decode(request.ask, [line]), line.decode(errors="replace"), 0.0005)
        if number >= LATE and request.seat == 2:
            fault = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
            answer = Answer(request.seat, fault, None, 1.0003)
        recorder.step(Step(number, round_, request.ask, [answer], state.advance([answer.action])))
    recorder.end(state.current_result(), state.position())


if __name__ == "__main__":
    make(Path(__file__).with_name("snakecore.jsonl"))
