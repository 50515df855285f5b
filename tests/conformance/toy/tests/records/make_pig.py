"""Makes `pig.jsonl`, the golden record: `python make_pig.py FOLDER`, with the game on the path."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from referee.contract.game import Answer, Fault, FaultKind, Step
from referee.games.pig.plugin import GAME
from referee.saved.record import Recorder, header_line

SEED = 2026
NAMES = [b"Anna", "Ёж".encode("cp1251"), b""]
LATE = 20


def make(path: Path) -> None:
    """Play and save the match."""
    chance = random.Random(SEED)
    state = GAME.start({"goal": 60, "rounds": 40, "players": [{}, {}, {}]}, SEED)
    header = header_line(
        game=GAME.name, rules=GAME.rules_version, rng_seed=SEED, setup=state.position(), bots=["anna", "hedgehog", "nameless"],
        limits=GAME.time.as_json(), created="2026-01-31T12:00:00Z", referee="0.1.0",
    )  # fmt: skip
    recorder = Recorder(path, header)
    number = 0
    while due := state.requests():
        (request,) = due
        number += 1
        round_ = state.round
        line = NAMES[request.seat] if request.ask == "getName" else [b"roll", b"hold"][chance.random() < 0.25]
        answer: Answer = Answer(request.seat, GAME.decode(request.ask, [line]), line.decode(errors="replace"), 0.0005)
        if number >= LATE and request.seat == 2:
            answer = Answer(request.seat, Fault(FaultKind.TIMEOUT, "no answer within 1 s"), None, 1.0003)
        recorder.record([Step(number, round_, request.ask, [answer], state.advance([answer.action]))])
    recorder.end(state.current_result(), state.position())


if __name__ == "__main__":
    make(Path(sys.argv[1]) / "pig.jsonl")
