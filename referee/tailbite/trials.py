"""The boards of `referee check`: extremes that the rules allow, each with a title that says what it tests (`positions.Trial`).

A snake is given by the cell of its head and the moves from there to its tail. The bot under test has seat 0; all others move at
random. Both games allow four snakes, so they share these boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.boards.grid import chain, serpentine
from referee.contract.positions import Trial

BYSTANDERS: Final[Mapping[str, bytes]] = {"getName": b"Bystander", "getAction": b"ULDR"}
STEPS: Final = 8
"""How many steps an ordinary board has. In some of them a move may be forced, without a request."""
MANY: Final = 400
"""How many steps a board has that tests a long match."""


_GONE: Final[Mapping[str, Any]] = {"cells": [], "eaten": 1}
"""A rival that was eaten, and whose last cell was bitten too."""


def trials() -> list[Trial]:
    """All boards, the simplest first."""
    return [
        _trial("a plain board", 15, _corner_snakes(15, "RRR")),
        _trial("a tiny board", 5, [_snake(1, 1, "RR"), _snake(3, 3, "LL"), _GONE, _GONE]),
        _trial("a large board", 255, _corner_snakes(255, "RRRRRRRR")),
        _trial("nothing but itself in sight", 31, [_snake(15, 15, "DDDD"), *_corner_snakes(31, "RRR")[1:]]),
        _trial("two segments, so its own tail is barred", 9, _corner_snakes(9, "D")),
        _trial("a long snake", 25, [_snake(0, 13, serpentine(25, 12, "U")), *_far(25)]),
        _trial("a ring, its own tail ahead", 11, [_snake(4, 4, "RRDDLLU"), *_far(11)]),
        _trial("in the corner", 13, [_snake(0, 0, "RRR"), *_far(13)]),
        _trial("a rival's tail beside the head", 13, [_snake(6, 6, "DDD"), _snake(10, 6, "LLL"), *_far(13)[1:]]),
        _trial(
            "heads all around", 13, [_snake(6, 6, "DD"), _snake(6, 4, "UU"), _snake(4, 6, "LL"), _snake(8, 6, "RR")]
        ),
        _trial("disqualified rivals", 13, [_snake(6, 6, "DD"), _out(6, 5, "UU"), _out(5, 6, "LL"), _snake(0, 0, "R")]),
        _trial("eaten rivals", 13, [_snake(6, 6, "DD"), _eaten_snake(6, 5), _eaten_snake(5, 6), _snake(0, 0, "R")]),
        _trial("many requests in a row", 21, _corner_snakes(21, "RRRRR"), steps=MANY),
    ]


def _trial(title: str, size: int, snakes: Sequence[Mapping[str, Any]], *, steps: int = STEPS) -> Trial:
    return Trial(title, {"size": size, "steps": steps, "snakes": [dict(snake) for snake in snakes]}, BYSTANDERS)


def _snake(x: int, y: int, steps: str) -> dict[str, Any]:
    return {"cells": chain(x, y, steps)}


def _out(x: int, y: int, steps: str) -> dict[str, Any]:
    return {**_snake(x, y, steps), "disqualified": "exit"}


def _eaten_snake(x: int, y: int) -> dict[str, Any]:
    return {**_snake(x, y, ""), "eaten": 1}


def _corner_snakes(size: int, steps: str) -> list[dict[str, Any]]:
    """Four equal snakes, rotated around the middle. The first is in the top left quarter."""
    at, last = size // 4, size - 1
    cells = [(x, y) for x, y in _snake(at, at, steps)["cells"]]
    snakes = []
    for _ in range(4):
        snakes.append({"cells": [list(cell) for cell in cells]})
        cells = [(last - y, x) for x, y in cells]
    return snakes


def _far(size: int) -> list[dict[str, Any]]:
    """Three short snakes in the last row."""
    last = size - 1
    return [_snake(0, last, "R"), _snake(size // 2, last, "R"), _snake(last, last, "L")]
