"""Makes `ava.jsonl`, the golden record: `PYTHONPATH=tests python tests/records/make_ava.py`. `make_viper.py` uses the same players.

Four scripted players in this process play on a small field. They usually bite if they can, otherwise they wander, and
sometimes they answer only impossible moves. The record changes only with the rules: then increase `rules_version` and run
this script again.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from records.recording import late, reply, save

from referee import games
from referee.contract.game import Answer, Game, Request
from referee.tailbite.sight import ENEMY_TAIL, SIDE, Sight, possible

NAMES = [b"Biter", "Питон".encode("cp1251"), b"", "Ёж".encode()]
"""A name in ASCII, one in cp1251, an empty one and one in UTF-8."""
BESIDE = {"U": -SIDE, "L": -1, "D": SIDE, "R": 1}
HEAD = SIDE * SIDE // 2


def line_for(request: Request[Sight], chance: random.Random, repeats: int) -> bytes:
    """The answer of a scripted player."""
    window = request.observation.window
    tails = [letter for letter, step in BESIDE.items() if window[HEAD + step] == ENEMY_TAIL]
    if tails and chance.random() < 0.8:
        return chance.choice(tails).encode()
    barred = [letter for letter in BESIDE if letter not in possible(window)]
    if barred and chance.random() < 0.25:
        return "".join(barred).encode()
    letters = list(BESIDE) * repeats
    chance.shuffle(letters)
    return "".join(letters[: 1 + int(chance.random() * len(letters))]).encode() + b" " * (chance.random() < 0.05)


def play(game: Game[Any, Any], path: Path, *, seed: int, sizes: dict[str, int], repeats: int) -> None:
    """Play and save a match. From step 120, the third player does not answer in time."""
    chance = random.Random(seed)
    setup = game.maps.setup({"name": "Golden", "description": "Small.", **sizes}, seats=4, rng_seed=seed)

    def answer(number: int, request: Request[Any]) -> Answer[Any]:
        line = NAMES[request.seat] if request.ask == "getName" else line_for(request, chance, repeats)
        return late(request, 1.0) if number >= 120 and request.seat == 2 else reply(game, request, line)

    bots = ["biter", "python", "nameless", "hedgehog"]
    save(path, game, game.start(setup, seed), answer, rng_seed=seed, bots=bots)


def make(path: Path) -> None:
    """Make the golden record of ava."""
    play(games.find("ava"), path, seed=128, sizes={"size": 11, "length": 4, "steps": 90}, repeats=1)


if __name__ == "__main__":
    make(Path(__file__).with_name("ava.jsonl"))
