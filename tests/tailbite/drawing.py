"""Positions of tail-biting snakes as tests draw them, and the words for what happens in them.

    step 2 of 9, B A to move, moved
    .   A   a1  a2  .
    b2  b1  B   .   .
    .   .   .   .   Cx
    .   .   .   .   .
    .   .   .   .   .
    B: timeout
    C: eaten 2
    D: eaten 1

Cells are parted by blanks: a seat's capital letter for its head, its small letter and a number for the segments behind it,
counted from the head, and a capital letter with an `x` for the tail that an eaten snake left behind. The line above the
board may be left out (step 1 of 9, everybody to move in the order of seats), or its end; `nobody` is an empty order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from referee import games
from referee.game import Event, Fault, FaultKind, Position
from referee.tailbite.rules import TailBite

A, B, C, D = range(4)
SEATS = "ABCD"
TIMEOUT = Fault(FaultKind.TIMEOUT, "no answer within 1 s")

_HEAD = re.compile(r"step (\d+) of (\d+)(?:, (nobody|[A-D ]+) to move)?(, moved)?")
_FOOT = re.compile(r"([A-D]): (.*)")
_PART = re.compile(r"([A-Da-d])(\d*)(x?)")

Turn = tuple[str | Fault, Sequence[Event]]
"""An answer, and all that happens from it until the next request."""


def read(drawing: str) -> Position:
    """The position that a drawing shows, every key written out."""
    step, steps, order, moved = 1, 9, None, False
    rows: list[list[str]] = []
    notes: dict[str, str] = {}
    for line in filter(None, map(str.strip, drawing.splitlines())):
        if head := _HEAD.fullmatch(line):
            step, steps, order, moved = int(head[1]), int(head[2]), head[3], bool(head[4])
        elif foot := _FOOT.fullmatch(line):
            notes[foot[1]] = foot[2]
        else:
            rows.append(line.split())
    found: dict[str, dict[int, list[int]]] = {letter: {} for letter in notes}
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if part := _PART.fullmatch(cell):
                found.setdefault(part[1].upper(), {})[int(part[2] or 0)] = [x, y]
    assert sorted(found) == [*SEATS[: len(found)]], "a drawing has the seats from A on"
    snakes: list[dict[str, Any]] = []
    for letter in sorted(found):
        cells = found[letter]
        assert sorted(cells) == [*range(len(cells))], f"the segments of {letter} are numbered from 1 on"
        snake: dict[str, Any] = {"cells": [cells[k] for k in sorted(cells)], "eaten": None, "disqualified": None}
        for word in filter(None, notes.get(letter, "").split(", ")):
            key, _, value = word.partition(" ")
            snake.update({"eaten": int(value)} if value else {"disqualified": key})
        snakes.append(snake)
    playing = [k for k, snake in enumerate(snakes) if snake["eaten"] is None and snake["disqualified"] is None]
    return {
        "size": len(rows),
        "steps": steps,
        "step": step,
        "moved": moved,
        "order": playing if order is None else [SEATS.index(letter) for letter in order.replace("nobody", "").split()],
        "snakes": snakes,
        "options": {"rating": "sum", "failed_and_groups": "count", "or_groups": "all"},
    }


def drawn(position: Position) -> str:
    """A position as a drawing, always in the same form, so that two can be compared as texts."""
    rows = [["."] * position["size"] for _ in range(position["size"])]
    notes = []
    for letter, snake in zip(SEATS, position["snakes"], strict=False):
        for k, (x, y) in enumerate(snake["cells"]):
            rows[y][x] = f"{letter.lower()}{k}" if k else letter + "x" * (snake["eaten"] is not None)
        words = [f"eaten {snake['eaten']}"] if snake["eaten"] is not None else []
        words += [snake["disqualified"]] if snake["disqualified"] else []
        notes += [f"{letter}: {', '.join(words)}"] if words else []
    order = " ".join(SEATS[seat] for seat in position["order"]) or "nobody"
    head = f"step {position['step']} of {position['steps']}, {order} to move" + ", moved" * position["moved"]
    return "\n".join([head, *("".join(f"{cell:4}" for cell in row).rstrip() for row in rows), *notes])


def begin(drawing: str, rng_seed: int = 1, game: str = "ava") -> TailBite:
    """A match from a drawing, everybody's name (`a`, `b` …) already told."""
    return named(games.find(game).start(read(drawing), rng_seed))  # type: ignore[arg-type]


def named(state: TailBite) -> TailBite:
    """The state after everybody has told a name."""
    while (due := state.requests()) and due[0].ask == "getName":
        state.advance([SEATS[due[0].seat].lower()])
    return state


def check(before: str, *turns: Turn, after: str, game: str = "ava") -> TailBite:
    """Play from one drawing and compare every turn's events, and at the end the position with the other drawing.

    Chance falls as the events say, where the rules allow it.
    """
    state = begin(before, game=game)
    for answer, events in turns:
        state.follow(events)
        assert state.advance([answer]) == list(events)
    assert drawn(state.position()) == drawn(read(after))
    agrees(state)
    return state


def agrees(state: TailBite) -> None:
    """The board's bytes are those that the position makes: nothing was forgotten when something was patched."""
    position = state.position()
    again = games.find("ava").start({**position, "order": []}, 1)
    assert isinstance(again, TailBite)
    assert again.board.text == state.board.text


def asked(state: TailBite) -> int | None:
    """The seat that is due for a move, or None."""
    due = state.requests()
    return due[0].seat if due else None


def order(step: int, *seats: int) -> Event:
    return {"event": "order", "step": step, "seats": list(seats)}


def move(seat: int, to: str, how: str = "answer") -> Event:
    return {"event": "move", "seat": seat, "to": to, "how": how}


def bite(seat: int, victim: int) -> Event:
    return {"event": "bite", "seat": seat, "victim": victim}


def eaten(seat: int) -> Event:
    return {"event": "eaten", "seat": seat}


def skip(seat: int) -> Event:
    return {"event": "skip", "seat": seat}


def out(seat: int, why: str = "timeout", detail: str = TIMEOUT.detail) -> Event:
    return {"event": "disqualified", "seat": seat, "why": why, "detail": detail}
