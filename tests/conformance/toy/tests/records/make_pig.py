"""Makes `pig.jsonl`, the golden record: `PYTHONPATH=tests python tests/records/make_pig.py`."""

from __future__ import annotations

import random
from pathlib import Path

from records.recording import late, reply, save

from referee.contract.game import Answer, Request
from referee.games.pig.plugin import GAME

SEED = 2026
NAMES = [b"Anna", "Ёж".encode("cp1251"), b""]
LATE = 20


def make(path: Path) -> None:
    """Play and save the match."""
    chance = random.Random(SEED)

    def answer(number: int, request: Request) -> Answer:
        line = NAMES[request.seat] if request.ask == "getName" else [b"roll", b"hold"][chance.random() < 0.25]
        return late(request, 1.0) if number >= LATE and request.seat == 2 else reply(GAME, request, line)

    state = GAME.start({"goal": 60, "rounds": 40, "players": [{}, {}, {}]}, SEED)
    save(path, GAME, state, answer, rng_seed=SEED, bots=["anna", "hedgehog", "nameless"])


if __name__ == "__main__":
    make(Path(__file__).with_name("pig.jsonl"))
