"""Makes `snakecore.jsonl`, the golden record: `PYTHONPATH=tests python tests/records/make_snakecore.py`.

Four scripted players in this process play on a crowded field until every event and every `why` of the rules has happened.
The record changes only with the rules: then increase `rules_version` and run this script again.
"""

from __future__ import annotations

import random
from pathlib import Path

from records.recording import late, reply, save

from referee.contract.game import Answer, Request
from referee.contract.positions import Position
from referee.games.snakecore.plugin import GAME

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
    pythons = [{"cells": [list(start)]} for start in starts]
    return {"size": SIZE, "rounds": ROUNDS, "field": ["".join(row) for row in rows], "pythons": pythons}


def make(path: Path) -> None:
    """Play and save the match."""
    chance = random.Random(SEED)
    state = GAME.start(setup(chance), SEED)

    def answer(number: int, request: Request) -> Answer:
        line = NAMES[request.seat]
        if request.ask != "getName":
            line = bytes(chance.choices(b"ULDRNA", [7, 7, 7, 7, 1, 2]))
        return late(request, 1.0) if number >= LATE and request.seat == 2 else reply(GAME, request, line)

    save(path, GAME, state, answer, rng_seed=SEED, bots=["greedy", "python", "nameless", "hedgehog"])


if __name__ == "__main__":
    make(Path(__file__).with_name("snakecore.jsonl"))
