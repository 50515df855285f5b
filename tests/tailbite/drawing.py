"""Drawn positions of tail-biting snakes for tests, and functions that build events.

    step 2 of 9, B A to move, moved
    .   A   a1  a2  .
    b2  b1  B   .   .
    .   .   .   .   Cx
    .   .   .   .   .
    .   .   .   .   .
    B: timeout
    C: eaten 2
    D: eaten 1

Blanks separate the cells. A seat's capital letter is its head. Its small letter with a number is a segment behind the head,
counted from the head. A capital letter with an `x` is the tail that an eaten snake left behind. Empty rows at the bottom may be
left out. The line above the board, or its end, may be omitted: the default is step 1 of 9, and all seats move in their order.
`nobody` is an empty order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from games.playing import SEATS, TIMEOUT, A, B, C, D, event, named, out, sides  # noqa: F401 (for this game's tests)

from referee import games
from referee.contract.game import Event, Fault
from referee.contract.positions import Position
from referee.tailbite.rules import TailBite

_HEAD = re.compile(r"step (\d+) of (\d+)(?:, (nobody|[A-D ]+) to move)?(, moved)?")
_FOOT = re.compile(r"([A-D]): (.*)")
_PART = re.compile(r"([A-Da-d])(\d*)(x?)")

Turn = tuple[str | Fault, Sequence[Event]]
"""An answer, and all events that follow until the next request."""


def read(drawing: str) -> Position:
    """The position that a drawing shows, with every key."""
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
    size = max(map(len, rows))
    rows += [["."] * size] * (size - len(rows))
    bodies: dict[str, dict[int, list[int]]] = {letter: {} for letter in notes}
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if part := _PART.fullmatch(cell):
                bodies.setdefault(part[1].upper(), {})[int(part[2] or 0)] = [x, y]
    assert sorted(bodies) == [*SEATS[: len(bodies)]], "the seats of a drawing are A, B … without gaps"
    snakes: list[dict[str, Any]] = []
    for letter in sorted(bodies):
        cells = bodies[letter]
        assert sorted(cells) == [*range(len(cells))], f"the segments of {letter} are numbered 1, 2 … without gaps"
        snake: dict[str, Any] = {"cells": [cells[k] for k in sorted(cells)], "eaten": None, "disqualified": None}
        for word in filter(None, notes.get(letter, "").split(", ")):
            key, _, value = word.partition(" ")
            snake.update({"eaten": int(value)} if value else {"disqualified": key})
        snakes.append(snake)
    playing = [k for k, snake in enumerate(snakes) if snake["eaten"] is None and snake["disqualified"] is None]
    return {
        "size": size, "steps": steps, "step": step, "moved": moved,
        "order": playing if order is None else [SEATS.index(letter) for letter in order.replace("nobody", "").split()],
        "snakes": snakes,
        "options": {"rating": "sum", "failed_and_groups": "count", "or_groups": "all"},
    }  # fmt: skip


def drawn(position: Position) -> str:
    """A position as a drawing. Equal positions have equal drawings."""
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
    """Start a match from a drawing and give the players the names `a`, `b` …."""
    return named(games.find(game).start(read(drawing), rng_seed))  # type: ignore[arg-type]


def check(drawing: str, *turns: Turn, after: str | None = None) -> TailBite:
    """Play these turns, and compare the events of each and the position after them (`sides`).

    Random draws follow the expected events if the rules allow them.
    """
    before, after = sides(drawing, after)
    state = begin(before)
    for answer, events in turns:
        state.follow(events)
        assert state.advance([answer]) == list(events)
    assert drawn(state.position()) == drawn(read(after))
    agrees(state)
    return state


def agrees(state: TailBite) -> None:
    """Check that the board, which each move patches, equals a board built from the position."""
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


bite = event("bite", "victim")
eaten = event("eaten")
skip = event("skip")
