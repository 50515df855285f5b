"""Makes `egghunt.jsonl`, the golden record: `python tests/records/make_egghunt.py`.

Two bots that stay, two one-turn bots and three house players play three short runs. The first is on a small field where all
players meet, and the others are on fields from the seed. The answers have every spelling that the rules allow.
The record changes only with the rules: then increase `rules_version` and run this script again.
"""

from __future__ import annotations

import random
from pathlib import Path

from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Request, Step
from referee.contract.positions import Position
from referee.games.egghunt.plugin import GAME
from referee.saved.record import Recorder, header_line

SEED = 2027
TURNS = 32
FIELD = [
    "############",
    "#o   o    o#",
    "#  ##   #  #",
    "#  *  *    #",
    "#    o   * #",
    "# * *o  o  #",
    "#    o *   #",
    "#  *    #  #",
    "# #   ###  #",
    "#o   o   o #",
    "#         o#",
    "############",
]
STAYING = {0: "Зайка".encode(), 2: "Ищейка".encode("cp1251")}
"""The names of the players that stay for the match, one in UTF-8 and one in cp1251."""
HOUSE = range(4, 7)
OUT = 50
"""The step at which the third player does not answer in time. The second, a one-turn bot, crashes in the next step."""


def setup() -> Position:
    """The setup: the small field, and three runs."""
    cells = [(letter, [x, y]) for y, row in enumerate(FIELD) for x, letter in enumerate(row)]
    return {
        "runs": 3,
        "turns": TURNS,
        "field": [row.replace("o", " ").replace("*", " ") for row in FIELD],
        "eggs": [cell for letter, cell in cells if letter == "o"],
        "players": [cell for letter, cell in cells if letter == "*"],
    }


def spelt(request: Request, chance: random.Random) -> list[bytes]:
    """The lines that a bot writes: the direction of a house player, with a random stance and spelling."""
    action = GAME.house(request.seat, SEED + 1).decide(request)
    direction = str(action.direction).encode()
    stance = chance.choices(b"NAC", [6, 3, 2])[0].to_bytes(1, "big")
    lines = [direction, stance, action.memory.encode()]
    if request.seat not in STAYING:
        how = int(chance.random() * 8)
        lines = {0: [direction], 1: lines[:2], 2: [*lines, b"and more"]}.get(how, lines)
    how = int(chance.random() * 10)
    if how == 0:
        lines[0] = [b"0", b"", b"up", b"\xff", b"4 4"][int(chance.random() * 5)]
    elif how == 1:
        lines = [b" " + line + b"\t" if line is not lines[-1] else line for line in lines]
    elif how == 2:
        lines = [line + b"\r" for line in lines]
    elif how == 3:
        lines = [line.lower() for line in lines]
    elif how == 4 and len(lines) > 2:
        lines[2] = "é→🐇 ".encode() + b"\xfe" + lines[2]
    return lines


def make(path: Path) -> None:
    """Play and save the match."""
    chance = random.Random(SEED)
    line_up = [
        Entrant(
            GAME.house(seat, SEED).name if seat in HOUSE else ["hare", "fox", "hound", "hedgehog"][seat],
            "game" if seat in STAYING else "turn",
            seat in HOUSE,
        )
        for seat in range(7)
    ]
    state = GAME.start(setup(), SEED, line_up)
    recorder = Recorder(
        path,
        header_line(
            game=GAME.name,
            rules=GAME.rules_version,
            rng_seed=SEED,
            setup=state.position(),
            bots=line_up,
            limits=TimeControl(first=1.0, answer=1.0, total=None).as_json(),
            created="2026-01-31T12:00:00Z",
            referee="0.1.0",
        ),
    )
    number = 0
    while due := state.requests():
        number += 1
        round_ = state.round
        answers: list[Answer] = []
        for request in due:
            seat = request.seat
            if seat in HOUSE:
                action = GAME.house(seat, SEED).decide(request)
                answers.append(Answer(seat, action, GAME.format(action), 0.0001))
                continue
            lines = [STAYING[seat]] if request.ask == "getName" else spelt(request, chance)
            text = "\n".join(line.decode(errors="replace") for line in lines[: GAME.reply_lines(request.ask)])
            answer: Answer = Answer(seat, GAME.decode(request.ask, lines), text, 0.0005)
            if number == OUT and seat == 2:
                answer = Answer(seat, Fault(FaultKind.TIMEOUT, "no answer within 1 s"), None, 1.0003)
            elif number == OUT + 1 and seat == 1:
                answer = Answer(seat, Fault(FaultKind.EXIT, "exited with status 1"), None, 0.02)
            answers.append(answer)
        recorder.step(Step(number, round_, due[0].ask, answers, state.advance([answer.action for answer in answers])))
    recorder.end(state.current_result(), state.position())


if __name__ == "__main__":
    make(Path(__file__).with_name("egghunt.jsonl"))
