"""Makes `ants.jsonl`, the golden record: `python tests/records/make_ants.py`.

Three scripted players in this process play on a crowded field until every event of the rules has happened. The record changes
only with the rules: then increase `rules_version` and run this script again.
"""

from __future__ import annotations

import random
from pathlib import Path

from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Fault, FaultKind, Step
from referee.games.ants.plugin import GAME
from referee.saved.record import Recorder, header_line

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
    state = GAME.start(setup, SEED)
    recorder = Recorder(
        path,
        header_line(
            game=GAME.name,
            rules=GAME.rules_version,
            rng_seed=SEED,
            setup=state.position(),
            bots=["trail", "ant", "nameless"],
            limits=TimeControl(first=5.0, answer=0.5, total=600.0).as_json(),
            created="2026-01-31T12:00:00Z",
            referee="0.1.0",
        ),
    )
    number = 0
    while due := state.requests():
        (request,) = due
        number += 1
        round_ = state.round
        if request.ask == "getName":
            line = NAMES[request.seat]
        else:
            kind = chosen(GAME.encode(request).decode().splitlines(), chance)
            hue = chance.choice([request.seat, 7, -(2**31), 2**31 - 1])
            memory = f"{number:08x}".ljust(64, "0")
            line = f"{kind} {chance.choice('011')} {hue} {memory}".encode()
        answer: Answer = Answer(request.seat, GAME.decode(request.ask, [line]), line.decode(errors="replace"), 0.0005)
        if number >= LATE and request.seat == 2:
            fault = Fault(FaultKind.TIMEOUT, "no answer within 0.5 s")
            answer = Answer(request.seat, fault, None, 0.5003)
        recorder.step(Step(number, round_, request.ask, [answer], state.advance([answer.action])))
    recorder.end(state.current_result(), state.position())


if __name__ == "__main__":
    make(Path(__file__).with_name("ants.jsonl"))
