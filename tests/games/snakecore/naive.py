"""A second, simple implementation of SnakeCore, written from the rules only: a reference for the fast one.

A position is the JSON of README.md. Every lookup is a search, and only the position is kept between two turns. The caller
passes the cells of returning blocks that the other implementation drew.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from referee.contract.game import Event, Fault
from referee.contract.positions import Position

STEPS = {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}


def turn(position: Position, action: str | Fault, draws: list[list[int]]) -> tuple[Position, list[Event]]:
    """The position and events after the due seat's turn. Blocks return to the cells `draws`, in this order."""
    game = _Turn(deepcopy(position), [tuple(cell) for cell in draws])
    game.play(action)
    assert not game.draws, "the events have more returning blocks than the rules"
    game.pass_turns()
    return game.position, game.events


class _Turn:
    def __init__(self, position: Position, draws: list[tuple[int, ...]]) -> None:
        self.position = position
        self.draws = draws
        self.seat: int = position["seat"]
        self.me: dict[str, Any] = position["pythons"][self.seat]
        self.events: list[Event] = []

    def tell(self, event: str, **more: object) -> None:
        self.events.append({"event": event, "seat": self.seat, **more})

    # The contents of cells (rule 2).

    def at(self, cell: tuple[int, int]) -> str:
        x, y = cell
        if not (0 <= x < self.position["size"] and 0 <= y < self.position["size"]):
            return "edge"
        for python in self.position["pythons"]:
            if [x, y] == python["cells"][0]:
                return "head"
            if [x, y] in python["cells"]:
                return "linked"
        return {"W": "wall", "R": "reactor", "b": "block", "e": "block", ".": "empty"}[self.position["field"][y][x]]

    def put(self, cell: tuple[int, int] | list[int], letter: str) -> None:
        x, y = cell
        row = self.position["field"][y]
        self.position["field"][y] = row[:x] + letter + row[x + 1 :]

    # A turn (rules 7 to 16).

    def play(self, action: str | Fault) -> None:
        self.me["shield"] = max(0, self.me["shield"] - 1)
        if isinstance(action, Fault):
            self.me["disqualified"] = action.kind.value
            self.tell("disqualified", why=action.kind.value, detail=action.detail)
        elif action == "N":
            self.tell("wait")
        elif action == "A":
            self.activate()
        else:
            x, y = self.me["cells"][0]
            dx, dy = STEPS[action]
            self.head_for((x + dx, y + dy))

    def head_for(self, cell: tuple[int, int]) -> None:
        what = self.at(cell)
        own = self.me["cells"]
        if what in ("edge", "wall", "head"):
            self.tell("skip", why=what)
        elif what == "reactor":
            self.deliver()
        elif what == "empty" or (what == "linked" and list(cell) == own[-1]):
            self.me["cells"] = [list(cell), *own[:-1]]
            self.tell("move")
        elif what == "block":
            x, y = cell
            kind = self.position["field"][y][x]
            self.put(cell, ".")
            self.swallow(cell, kind)
            self.tell("eat", kind=kind)
        else:
            self.bite(cell)

    def bite(self, cell: tuple[int, int]) -> None:
        pythons = self.position["pythons"]
        seat = next(seat for seat, python in enumerate(pythons) if list(cell) in python["cells"])
        victim = pythons[seat]
        index = victim["cells"].index(list(cell))
        if index == len(victim["cells"]) - 1:
            self.tell("skip", why="tail")
        elif victim["shield"] > 0:
            self.tell("skip", why="shield")
        else:
            lost_cells, lost = victim["cells"][index:], victim["blocks"][index - 1 :]
            victim["cells"], victim["blocks"] = victim["cells"][:index], victim["blocks"][: index - 1]
            for lies, kind in list(zip(lost_cells, lost, strict=True))[1:]:
                self.put(lies, kind)
            self.swallow(cell, lost[0])
            points = len(lost) if victim is not self.me else 0
            self.me["score"] += points
            self.tell("bite", victim=seat, length=len(lost), points=points)

    def swallow(self, cell: tuple[int, int], kind: str) -> None:
        self.me["cells"] = [list(cell), *self.me["cells"]]
        self.me["blocks"] = kind + self.me["blocks"]

    def deliver(self) -> None:
        blocks = self.me["blocks"]
        n = len(blocks)
        self.me.update(cells=self.me["cells"][:1], blocks="")
        self.me["score"] += n * (n + 1) // 2
        self.tell("deliver", length=n, points=n * (n + 1) // 2)
        self.come_back(blocks)

    def activate(self) -> None:
        before, energy, behind = self.me["blocks"].partition("e")
        if not energy:
            self.tell("skip", why="no-energy")
            return
        self.me.update(cells=self.me["cells"][:-1], blocks=before + behind)
        self.me["shield"] += 10
        self.tell("shield", left=self.me["shield"])
        self.come_back("e")

    def come_back(self, kinds: str) -> None:
        for kind in kinds:
            x, y = self.draws.pop(0)
            assert self.at((x, y)) == "empty", "a block returned to a cell that was not empty"
            self.put((x, y), kind)
            self.tell("return", kind=kind, at=[x, y])

    # The next turn (rules 6, 7 and 17).

    def pass_turns(self) -> None:
        pythons = self.position["pythons"]
        self.next_seat()
        if all(python["disqualified"] for python in pythons):
            return
        while self.position["round"] <= self.position["rounds"]:
            python = pythons[self.position["seat"]]
            if not python["disqualified"]:
                return
            python["shield"] = max(0, python["shield"] - 1)
            self.next_seat()

    def next_seat(self) -> None:
        self.position["seat"] += 1
        if self.position["seat"] == len(self.position["pythons"]):
            self.position["seat"] = 0
            self.position["round"] += 1
