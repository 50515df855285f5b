"""Makes `ants.jsonl`, the golden record: `PYTHONPATH=tests python tests/records/make_ants.py`.

Three scripted players in this process play on a crowded field until every event of the rules has happened. The record changes
only with the rules: then increase `rules_version` and run this script again.
"""

from __future__ import annotations

import random
from pathlib import Path

from records.recording import late, reply, save

from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Request
from referee.games.ants.plugin import GAME

SEED = 2026
SIZE = 5
UNITS = 60
ANTS = 4
NAMES = [b"Trail", "Муравей".encode("cp1251"), b""]
"""A name in ASCII, one in cp1251 and an empty one."""
LATE = 300
"""The step from which the third player does not answer in time. Its ants stay on the field."""


def chosen(request: list[str], chance: random.Random) -> int:
    """Usually a possible action: a bite at an enemy, taking or putting food, a step; sometimes any action."""
    around = [line.split() for line in request[3:]]
    beside = [around[k] for k in (1, 3, 5, 7)]
    bites = [4 + k for k in range(4) if beside[k][3] == "1"]
    steps = [k for k in range(4) if beside[k][7] == "0"]
    hands = [9] if request[1] == "1" else [8] if around[4][6] == "1" else []
    return chance.choice(chance.choice([bites or steps, hands or steps, steps, steps, range(-1, 11)]))


def make(path: Path) -> None:
    """Play and save the match."""
    chance = random.Random(SEED)
    food = [[x, y, 1 + (x + y) % 3] for y in range(SIZE) for x in range(SIZE) if (x * 2 + y) % 3 == 0]
    setup = {"size": SIZE, "units": UNITS, "ants": ANTS, "hills": [[0, 0], [4, 0], [0, 4]], "food": food}

    def answer(number: int, request: Request) -> Answer:
        line = NAMES[request.seat]
        if request.ask != "getName":
            kind = chosen(GAME.encode(request).decode().splitlines(), chance)
            hue = chance.choice([request.seat, 7, -(2**31), 2**31 - 1])
            memory = f"{number:08x}".ljust(64, "0")
            line = f"{kind} {chance.choice('011')} {hue} {memory}".encode()
        return late(request, 0.5) if number >= LATE and request.seat == 2 else reply(GAME, request, line)

    limits = TimeControl(first=5.0, answer=0.5, total=600.0)
    bots = ["trail", "ant", "nameless"]
    save(path, GAME, GAME.start(setup, SEED), answer, rng_seed=SEED, bots=bots, limits=limits)


if __name__ == "__main__":
    make(Path(__file__).with_name("ants.jsonl"))
