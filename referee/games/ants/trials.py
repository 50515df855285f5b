"""The boards of `referee check`: extremes that the rules allow, each with a title that says what it tests (`positions.Trial`).

The bot under test has seat 0 and the hill at the top left. A single rival has the opposite hill. The ants of all rivals stay
where they are. All memories are empty, because in a match a bot finds there only what it has stored itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.contract.positions import Trial
from referee.games.ants.generate import hills
from referee.games.ants.position import INT32, NO_MEMORY

BYSTANDERS: Final[Mapping[str, bytes]] = {"getName": b"Bystander", "getAction": f"10 0 0 {NO_MEMORY}".encode()}
UNITS: Final = 6
"""How many units an ordinary board is played."""
MANY: Final = 60
"""How many units a board is played that tests a long match: a team of ten is asked 600 times."""


def trials() -> list[Trial]:
    """All boards, the simplest first."""
    return [
        _trial("a plain field", 9, [], ants=3, food=_scattered_food(9)),
        _trial("one ant alone", 9, [[_ant(4, 4)], [_ant(8, 8)]]),
        _trial("the smallest field, all walls", 2, [[_ant(0, 0)], [_ant(1, 1)]], food=[[1, 0, 1]]),
        _trial("in a corner", 9, [[_ant(8, 0)], [_ant(8, 8)]]),
        _trial("a large field", 120, [], ants=10, food=_scattered_food(120)),
        _trial("carrying food", 9, [[_ant(0, 0, food=True), _ant(4, 4, food=True)], [_ant(8, 8), _ant(8, 8)]]),
        _trial("on the rival's hill, with food and without", 9, [[_ant(8, 8, food=True), _ant(8, 8)], []]),
        _trial("a store on its hill", 9, [[_ant(0, 0)], []], food=[[0, 0, 2**31], [8, 8, 5]]),
        _trial("food on every cell", 9, [], ants=4, food=[[x, y, 7] for y in range(9) for x in range(9)]),
        _trial("four teams on one cell", 9, [[_ant(4, 4)] * 10] * 4, food=[[4, 4, 3]]),
        _trial("rivals all around", 9, _ring(4, 4)),
        _trial("ants that become able one by one", 9, [[_ant(4, 4, disabled=k) for k in range(5)], []], units=9),
        _trial("extreme smells", 9, [[_ant(4, 4), _ant(0, 0)], []], smells=_smells(9)),
        _trial("a disqualified rival", 9, [[_ant(4, 4)], [_ant(4, 5)]], disqualified=[None, "exit"]),
        _trial("many requests in a row", 15, [], ants=10, units=MANY, food=_scattered_food(15)),
    ]


def _trial(
    title: str,
    size: int,
    teams: Sequence[Sequence[dict[str, Any]]],
    *,
    units: int = UNITS,
    ants: int | None = None,
    **more: Any,
) -> Trial:
    """A board. A given team has all its ants: those listed, or else all on its hill. Without teams, ants appear by the rules."""
    corners = hills(size, max(2, len(teams)))
    most = max(map(len, teams), default=0) if ants is None else ants
    full = [list(team) or [_ant(*corners[seat])] * most for seat, team in enumerate(teams)]
    unit = most if full else 1
    if full:
        more["teams"] = full
    setup = {
        "size": size,
        "units": unit - 1 + units,
        "unit": unit,
        "ants": most,
        "hills": [list(corner) for corner in corners],
        **more,
    }
    return Trial(title, setup, BYSTANDERS)


def _ant(x: int, y: int, **more: Any) -> dict[str, Any]:
    return {"at": [x, y], **more}


def _ring(x: int, y: int) -> list[list[dict[str, Any]]]:
    """Eight ants of the bot on one cell, and one ant of the rival on each cell around it."""
    around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]
    return [[_ant(x, y) for _ in around], [_ant(*cell) for cell in around]]


def _smells(size: int) -> list[list[int]]:
    """A smell on every cell: extreme hues, at every intensity."""
    hues = (INT32[0], INT32[-1], -1, 0, 1, 255, 65536)
    return [[k % size, k // size, hues[k % len(hues)], 100 - k] for k in range(size * size)]


def _scattered_food(size: int) -> list[list[int]]:
    """Scattered food of 1 to 9 mg a cell."""
    inner = range(1, size - 1)
    return [[x, y, 1 + (x * 5 + y) % 9] for y in inner for x in inner if (x * 3 + y * 7) % 11 == 0]
