"""The referee's rules behind the interface of an SDK: the effect of an action of a python on a board.

The board of a request becomes a position of a game, and `judge` plays one turn of it and returns its events and its board.
A request has the counter of its python after its clock has gone down (rule 7), and a position has the counter before that.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdk.snakes import AreaInfo, Outcome, Python

from referee.boards.grid import DIRECTIONS
from referee.games.snakecore.rules import SnakeCore, start


@dataclass(frozen=True)
class Verdict:
    """The effect of an action by the rules. `rows` and `pythons` omit the blocks that returned to random cells."""

    outcome: Outcome
    rows: list[str]
    pythons: list[Python]


def judge(area: AreaInfo, action: str, python: int, *, own_clock_is_down: bool) -> Verdict:
    """Play an action by the rules. `own_clock_is_down`: the board is that of a request, within the turn of python 0."""
    field = [list(row) for row in str(area).splitlines()]
    seats = []
    for snake in area.pythons:
        for x, y in snake.cells:
            field[y][x] = "."
        before = snake.shield + 1 if own_clock_is_down and snake.index == python == 0 and snake.shield else snake.shield
        seats.append({"cells": [list(cell) for cell in snake.cells], "blocks": snake.blocks, "shield": before})
    setup = {"size": area.size, "rounds": 1, "seat": python, "field": ["".join(row) for row in field], "pythons": seats}
    state = start(setup, 1)
    for _ in seats:
        state.advance(["anyone"])
    event, *returned = state.advance([action])
    x, y = area.pythons[python].head
    dx, dy = DIRECTIONS.get(action, (0, 0))
    outcome = Outcome(
        kind=event["event"],
        target=(x + dx, y + dy),
        points=event.get("points", 0),
        why=event.get("why", ""),
        victim=event.get("victim"),
    )
    return Verdict(outcome, _rows(state, [tuple(block["at"]) for block in returned]), _pythons(state))


def _rows(state: SnakeCore, returned: list[tuple[int, int]]) -> list[str]:
    rows = [list(row) for row in state.board.field_rows()]
    for x, y in returned:
        rows[y][x] = "."
    for python in state.board.pythons:
        for cell, letter in zip(python.cells, "p" + bytes(python.kinds).decode(), strict=True):
            x, y = state.board.xy(cell)
            rows[y][x] = letter
    return ["".join(row) for row in rows]


def _pythons(state: SnakeCore) -> list[Python]:
    return [
        Python(index, python.shield, tuple(map(state.board.xy, python.cells)), bytes(python.kinds).decode())
        for index, python in enumerate(state.board.pythons)
    ]
