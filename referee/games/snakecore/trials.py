"""The boards of `referee check`: extremes that the rules allow, each with a title that says what it tests (`positions.Trial`).

A field is drawn as in a position. A python is given by the cell of its head, the moves from there to its tail, and the kinds
of its blocks. The bot under test has seat 0; all others wait.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.boards.grid import chain, serpentine
from referee.contract.positions import Trial

BYSTANDERS: Final[Mapping[str, bytes]] = {"getName": b"Bystander", "getAction": b"N"}
ROUNDS: Final = 6
"""How often a bot is asked on an ordinary board."""
MANY: Final = 400
"""How often it is asked on a board that tests a long match: a usual match has 300 rounds."""


def trials() -> list[Trial]:
    """All boards, the simplest first."""
    return [
        _trial("a plain board", _scattered_field(9), [_python(4, 4, "UL", "be"), _python(0, 0, "R", "b")]),
        _trial("a tiny board", ["...", ".b.", "..R"], [_python(0, 0, "R", "b")]),
        _trial(
            "a large board", _scattered_field(64), [_python(9, 9, "UUUL", "bebb"), _python(55, 55, "R", "e")], rounds=3
        ),
        _trial("a crowded board", _scattered_field(20, every=1), _crowd()),
        _trial("a walled board", _WALLED, [_python(3, 3, "L", "b"), _python(7, 7)]),
        _trial("a head alone", _EMPTY, [_python(2, 2), _python(4, 4)]),
        _trial("nothing but its head on the board", ["....."] * 5, [_python(2, 2)]),
        _trial("a long python", ["." * 24] * 24, [_python(0, 0, serpentine(24, 20, "D"), "be" * 250)], rounds=3),
        _trial(
            "shielded, beside a shielded rival", _EMPTY, [_python(2, 2, "LL", "eb", 20), _python(3, 2, "RR", "eb", 20)]
        ),
        _trial("no energy", _EMPTY, [_python(3, 3, "LLU", "bbb"), _python(5, 5, "U", "b")]),
        _trial("boxed in by walls", _BOXED, [_python(2, 2), _python(4, 4, "U", "e")]),
        _trial("boxed in by itself and the edge", _EMPTY, [_python(0, 0, "RDLD", "bebb", 20), _python(5, 5)]),
        _trial("a disqualified rival", _EMPTY, [_python(2, 2, "L", "e"), {**_python(3, 2), "disqualified": "exit"}]),
        _trial("many requests in a row", _scattered_field(12), [_python(6, 6, "U", "b"), _python(0, 11)], rounds=MANY),
    ]


_EMPTY: Final = ["......."] * 6 + ["......R"]
_BOXED: Final = [".......", "..W....", ".W.W...", "..W....", ".......", ".......", "R......"]
_WALLED: Final = [
    "WWWWWWWWW",
    "W.W...W.W",
    "W.WWWWW.W",
    "W...W.W.W",
    "WWW.W.W.W",
    "W.W.W.W.W",
    "W.W.WWW.W",
    "W.W.....W",
    "WWWWWWWWW",
]


def _trial(title: str, field: Sequence[str], pythons: Sequence[dict[str, Any]], *, rounds: int = ROUNDS) -> Trial:
    rows = [list(row) for row in field]
    for python in pythons:
        for x, y in python["cells"]:
            rows[y][x] = "."
    setup = {"size": len(rows), "rounds": rounds, "field": ["".join(row) for row in rows], "pythons": list(pythons)}
    return Trial(title, setup, BYSTANDERS)


def _python(x: int, y: int, steps: str = "", blocks: str = "", shield: int = 0) -> dict[str, Any]:
    return {"cells": chain(x, y, steps), "blocks": blocks[: len(steps)], "shield": shield}


def _crowd() -> list[dict[str, Any]]:
    """The most pythons allowed, side by side."""
    return [_python(2 * seat + 2, 9, "DDDDD", "bebeb") for seat in range(8)]


def _scattered_field(size: int, *, every: int = 7) -> list[str]:
    """A field with evenly spread walls, reactors and blocks of both kinds, one on every `every`-th cell."""
    things = "bebWbeRb"
    return [
        "".join(things[(x * 5 + y * 3) // every % 8] if (x * 5 + y * 3) % every == 0 else "." for x in range(size))
        for y in range(size)
    ]
