"""Makes `egghunt.jsonl`, the golden record: `PYTHONPATH=tests python tests/records/make_egghunt.py`.

Two bots that stay, two one-turn bots and three house players play three short runs. The first is on a small field where all
players meet, and the others are on fields from the seed. The answers have every spelling that the rules allow.
The record changes only with the rules: then increase `rules_version` and run this script again.
"""

from __future__ import annotations

import random
from pathlib import Path

from records.recording import late, reply, save

from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Request
from referee.contract.positions import Position
from referee.games.egghunt.plugin import GAME

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
    eggs, players = ([cell for letter, cell in cells if letter == thing] for thing in "o*")
    field = [row.replace("o", " ").replace("*", " ") for row in FIELD]
    return {"runs": 3, "turns": TURNS, "field": field, "eggs": eggs, "players": players}


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
    names = ["hare", "fox", "hound", "hedgehog", *(GAME.house(seat, SEED).name for seat in HOUSE)]
    line_up = [Entrant(name, "game" if seat in STAYING else "turn", seat in HOUSE) for seat, name in enumerate(names)]

    def answer(number: int, request: Request) -> Answer:
        seat = request.seat
        if seat in HOUSE:
            action = GAME.house(seat, SEED).decide(request)
            return Answer(seat, action, GAME.format(action), 0.0001)
        lines = [STAYING[seat]] if request.ask == "getName" else spelt(request, chance)
        if number == OUT and seat == 2:
            return late(request, 1.0)
        if number == OUT + 1 and seat == 1:
            return Answer(seat, Fault(FaultKind.EXIT, "exited with status 1"), None, 0.02)
        return reply(GAME, request, *lines)

    limits = TimeControl(first=1.0, answer=1.0, total=None)
    save(path, GAME, GAME.start(setup(), SEED, line_up), answer, rng_seed=SEED, bots=line_up, limits=limits)


if __name__ == "__main__":
    make(Path(__file__).with_name("egghunt.jsonl"))
