"""A second, simple implementation of the tail-biting snakes, written from the rules only: a reference for the fast one.

A position is the JSON of the games' README.md. Every lookup is a search, and only the position is kept between two turns.
Random choices are taken from the events of the other implementation.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from referee.contract.game import Event, Fault
from referee.contract.positions import Position

STEPS = {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}
WINDOW = 13


def uneaten(position: Position) -> list[int]:
    return [seat for seat, snake in enumerate(position["snakes"]) if snake["eaten"] is None]


def playing(position: Position) -> list[int]:
    return [seat for seat in uneaten(position) if position["snakes"][seat]["disqualified"] is None]


def at(position: Position, cell: tuple[int, int]) -> tuple[int | None, str]:
    """The owner of the segment on a cell, and its kind: `head`, `body`, `tail`, or `free`, `border`."""
    x, y = cell
    if not (0 <= x < position["size"] and 0 <= y < position["size"]):
        return None, "border"
    for seat, snake in enumerate(position["snakes"]):
        if [x, y] in snake["cells"]:
            if [x, y] == snake["cells"][-1]:
                return seat, "tail"
            return seat, "head" if [x, y] == snake["cells"][0] else "body"
    return None, "free"


def possible(position: Position, seat: int) -> str:
    """The letters of the possible moves (rule 3)."""
    cells = position["snakes"][seat]["cells"]
    letters = ""
    for letter, (dx, dy) in STEPS.items():
        owner, part = at(position, (cells[0][0] + dx, cells[0][1] + dy))
        if part == "free" or (part == "tail" and not (owner == seat and len(cells) == 2)):
            letters += letter
    return letters


def window(position: Position, seat: int) -> str:
    """The window that a snake sees, row by row."""
    own = {"head": "H", "body": "S", "tail": "T"}
    enemy = {"head": "X", "body": "Y", "tail": "Z"}
    hx, hy = position["snakes"][seat]["cells"][0]
    half = WINDOW // 2
    seen = ""
    for y in range(hy - half, hy + half + 1):
        for x in range(hx - half, hx + half + 1):
            owner, part = at(position, (x, y))
            seen += {"free": ".", "border": "W"}[part] if owner is None else (own if owner == seat else enemy)[part]
    return seen


class Turn:
    """An answer and what follows until the next request: `events`, the new `position`, and `reason` if the match is over."""

    def __init__(self, position: Position, answer: str | Fault, events: list[Event]) -> None:
        self.position = deepcopy(position)
        self.events: list[Event] = []
        self.reason: str | None = None
        self._told_to = next((event["to"] for event in events if event["event"] == "move"), None)
        self._told_orders = [event["seats"] for event in events if event["event"] == "order"]
        seat = self.position["order"].pop(0)
        if isinstance(answer, Fault):
            self._snake(seat)["disqualified"] = answer.kind.value
            self._tell("disqualified", seat=seat, why=answer.kind.value, detail=answer.detail)
        else:
            ways = possible(position, seat)
            candidates = [letter for letter in answer if letter in ways]
            assert self._told_to in (candidates or ways), "this move cannot be drawn"
            self._move(seat, self._told_to, "answer" if candidates else "random")
        self._go_on()

    def _snake(self, seat: int) -> dict[str, Any]:
        snake: dict[str, Any] = self.position["snakes"][seat]
        return snake

    def _tell(self, event: str, **more: object) -> None:
        self.events.append({"event": event, **more})

    def _move(self, seat: int, letter: str, how: str) -> None:
        snake = self._snake(seat)
        (x, y), (dx, dy) = snake["cells"][0], STEPS[letter]
        victim, part = at(self.position, (x + dx, y + dy))
        snake["cells"].insert(0, [x + dx, y + dy])
        self.position["moved"] = True
        self._tell("move", seat=seat, to=letter, how=how)
        if part == "free" or victim == seat:
            snake["cells"].pop()
            return
        assert victim is not None
        bitten = self._snake(victim)
        bitten["cells"].pop()
        self._tell("bite", seat=seat, victim=victim)
        if len(bitten["cells"]) == 1:
            bitten["eaten"] = self.position["step"]
            self._tell("eaten", seat=victim)
            if victim in self.position["order"]:
                self.position["order"].remove(victim)

    def _go_on(self) -> None:
        position = self.position
        while self.reason is None:
            if not playing(position):
                self.reason = "nobody-left"
            elif len(uneaten(position)) == 1:
                self.reason = "last-snake"
            elif position["order"]:
                seat = position["order"][0]
                ways = possible(position, seat)
                if len(ways) > 1:
                    return
                position["order"].pop(0)
                if ways:
                    self._move(seat, ways, "forced")
                else:
                    self._tell("skip", seat=seat)
            elif not position["moved"]:
                self.reason = "no-moves"
            elif position["step"] == position["steps"]:
                self.reason = "steps"
            else:
                position["step"] += 1
                position["moved"] = False
                position["order"] = list(self._told_orders.pop(0))
                assert sorted(position["order"]) == playing(position)
                self._tell("order", step=position["step"], seats=list(position["order"]))
        position["order"] = []


def rounds(position: Position, reason: str) -> int:
    """The last step that counts (rule 6)."""
    return position["step"] - (reason == "no-moves")


def ranks(position: Position, *, mean: bool) -> list[float]:
    """The rank of every snake, by comparing all pairs (rules 7 and 8); ties share the mean or the best of their places."""

    def better(one: int, other: int) -> bool:
        a, b = position["snakes"][one], position["snakes"][other]
        if (a["disqualified"] is None) != (b["disqualified"] is None):
            return a["disqualified"] is None
        if a["eaten"] is None or b["eaten"] is None:
            return (0 if a["eaten"] else len(a["cells"])) > (0 if b["eaten"] else len(b["cells"]))
        return mean and bool(a["eaten"] > b["eaten"])

    seats = range(len(position["snakes"]))
    before = [sum(better(other, seat) for other in seats) for seat in seats]
    equal = [sum(not better(other, seat) and not better(seat, other) for other in seats) for seat in seats]
    return [b + (1 + e) / 2 if mean else b + 1 for b, e in zip(before, equal, strict=True)]
