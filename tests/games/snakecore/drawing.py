"""Drawn positions of SnakeCore for tests, and functions that build events.

    round 2 of 9, B to move
    .   A   a1  a2*
    W   R   b   e
    B   b1  .   .
    .   .   .   .
    A: shield 3, score 5
    B: timeout

Blanks separate the cells. `. W R b e` are those of the wire format. A seat's capital letter is its head. Its small letter with a
number is a block of its body, counted from the head, and a `*` marks an energy block. Empty rows at the bottom may be left out.
The line above the board is optional (default: round 1 of 9, A to move). The lines below it omit numbers that are 0.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from games.playing import SEATS, TIMEOUT, A, B, C, D, event, named, out, sides  # noqa: F401 (for this game's tests)

from referee.contract.game import Event
from referee.contract.positions import Position
from referee.games.snakecore.rules import SnakeCore, start

_HEAD = re.compile(r"round (\d+) of (\d+), ([A-H]) to move")
_FOOT = re.compile(r"([A-H]): (.*)")
_BODY = re.compile(r"([a-h])(\d+)(\*?)")


def read(drawing: str) -> Position:
    """The position that a drawing shows, with every key."""
    rounds, round_, seat = 9, 1, "A"
    rows: list[list[str]] = []
    more: dict[str, str] = {}
    for line in filter(None, map(str.strip, drawing.splitlines())):
        if head := _HEAD.fullmatch(line):
            round_, rounds, seat = int(head[1]), int(head[2]), head[3]
        elif foot := _FOOT.fullmatch(line):
            more[foot[1]] = foot[2]
        else:
            rows.append(line.split())
    size = max(map(len, rows))
    rows += [["."] * size] * (size - len(rows))
    heads: dict[str, list[int]] = {}
    bodies: dict[str, dict[int, tuple[list[int], str]]] = {}
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell in SEATS:
                heads[cell] = [x, y]
            elif body := _BODY.fullmatch(cell):
                bodies.setdefault(body[1].upper(), {})[int(body[2])] = ([x, y], "e" if body[3] else "b")
    assert [*sorted(heads)] == [*SEATS[: len(heads)]], "the seats of a drawing are A, B … without gaps"
    pythons = []
    for letter in sorted(heads):
        chain = bodies.pop(letter, {})
        assert sorted(chain) == [*range(1, len(chain) + 1)], f"the blocks of {letter} are numbered 1, 2 … without gaps"
        blocks = [chain[k] for k in sorted(chain)]
        cells, kinds = [heads[letter], *[cell for cell, _ in blocks]], "".join(kind for _, kind in blocks)
        python: dict[str, Any] = {"cells": cells, "blocks": kinds, "shield": 0, "score": 0, "disqualified": None}
        for word in filter(None, more.pop(letter, "").split(", ")):
            key, _, value = word.partition(" ")
            python.update({key: int(value)} if value else {"disqualified": key})
        pythons.append(python)
    assert not bodies, "a body without its head"
    assert not more, "a line for a python that is not in the drawing"
    field = ["".join(cell if cell in ("W", "R", "b", "e") else "." for cell in row) for row in rows]
    due = {"round": round_, "seat": SEATS.index(seat)}
    return {"size": size, "rounds": rounds, **due, "field": field, "pythons": pythons}


def drawn(position: Position) -> str:
    """A position as a drawing. Equal positions have equal drawings."""
    cells = [list(row) for row in position["field"]]
    notes = []
    for letter, python in zip(SEATS, position["pythons"], strict=False):
        (x, y), *body = python["cells"]
        cells[y][x] = letter
        for k, ((x, y), kind) in enumerate(zip(body, python["blocks"], strict=True), start=1):
            cells[y][x] = f"{letter.lower()}{k}{'*' if kind == 'e' else ''}"
        words = [f"{key} {python[key]}" for key in ("shield", "score") if python[key]]
        words += [python["disqualified"]] if python["disqualified"] else []
        notes += [f"{letter}: {', '.join(words)}"] if words else []
    mover = f"round {position['round']} of {position['rounds']}, {SEATS[position['seat']]} to move"
    board = ["".join(f"{cell:4}" for cell in row).rstrip() for row in cells]
    return "\n".join([mover, *board, *notes])


def blocks(position: Position) -> Counter[str]:
    text = "".join(position["field"]) + "".join(python["blocks"] for python in position["pythons"])
    return Counter(letter for letter in text if letter in "be")


def begin(drawing: str, rng_seed: int = 1) -> SnakeCore:
    """Start a game from a drawing and give the players the names `a`, `b` …."""
    return named(start(read(drawing), rng_seed))


def play(state: SnakeCore, actions: str) -> list[Event]:
    """Answer for the seats that are due, one letter each, and return the events. `!` is a timeout."""
    return [event for letter in actions for event in state.advance([TIMEOUT if letter == "!" else letter])]


def check(drawing: str, actions: str, *events: Event, after: str | None = None) -> SnakeCore:
    """Play these actions, and compare the events and the position after them (`sides`).

    The round and the seat to move are compared only if the drawing has them. The rows of the next request are compared too.
    """
    before, after = sides(drawing, after)
    state = begin(before)
    assert play(state, actions) == list(events)
    position = state.position()
    wanted = drawn(read(after))
    actual = drawn(position)
    if "to move" not in after:
        wanted, actual = wanted.partition("\n")[2], actual.partition("\n")[2]
    assert actual == wanted
    assert state.board.text.decode().split() == sent(position)
    return state


def sent(position: Position) -> list[str]:
    """The rows of a position in a request: a head is `p`, and a linked or independent block is its kind."""
    cells = [list(row) for row in position["field"]]
    for python in position["pythons"]:
        for (x, y), letter in zip(python["cells"], "p" + python["blocks"], strict=True):
            cells[y][x] = letter
    return ["".join(row) for row in cells]


move = event("move")
wait = event("wait")
eat = event("eat", "kind")
bite = event("bite", "victim", "length", "points")
deliver = event("deliver", "length", "points")
shield = event("shield", "left")
skip = event("skip", "why")


def back(seat: int, kind: str, x: int, y: int) -> Event:
    return {"event": "return", "seat": seat, "kind": kind, "at": [x, y]}
