"""A second, simple implementation of Ants, written from the rules only: a reference for the fast one.

A position is the JSON of README.md. Every lookup is a search, and only the position is kept between two turns. If a bite
chooses at random among several able ants, the caller passes the victim that the other implementation drew.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from referee.contract.game import Event, Fault
from referee.contract.positions import Position
from referee.games.ants.rules import Action

STEPS = [(0, -1), (-1, 0), (0, 1), (1, 0)]


def turn(position: Position, action: Action | Fault, chance: list[int] | None) -> tuple[Position, list[Event]]:
    """The position and events after the due ant's turn. `chance` is the bitten ant, [seat, number], if any."""
    game = _Turn(deepcopy(position), chance)
    game.play(action)
    game.pass_turns()
    return game.position, game.events


def request(position: Position) -> str:
    """The getAction request of the next ant."""
    seat, number = position["next"]
    me = position["teams"][seat][number]
    lines = ["getAction", str(int(me["food"])), me["memory"]]
    x, y = me["at"]
    around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    lines += [" ".join(map(str, _senses(position, seat, number, *cell))) for cell in around]
    return "".join(line + "\n" for line in lines)


def _senses(position: Position, seat: int, number: int, x: int, y: int) -> list[int]:
    if not (0 <= x < position["size"] and 0 <= y < position["size"]):
        return [0, 0, 0, 0, 0, 0, 0, 1]
    smell = next(([hue, strength] for a, b, hue, strength in position["smells"] if (a, b) == (x, y)), [0, 0])
    here = [(s, k) for s, team in enumerate(position["teams"]) for k, ant in enumerate(team) if ant["at"] == [x, y]]
    hill = position["hills"].index([x, y]) if [x, y] in position["hills"] else None
    flags = [
        any(s == seat and k != number for s, k in here),
        any(s != seat for s, _ in here),
        hill == seat,
        hill not in (None, seat),
        any((a, b) == (x, y) for a, b, _ in position["food"]),
        False,
    ]
    return [*smell, *map(int, flags)]


class _Turn:
    def __init__(self, position: Position, chance: list[int] | None) -> None:
        self.position = position
        self.chance = chance
        self.seat, self.number = position["next"]
        self.me: dict[str, Any] = position["teams"][self.seat][self.number]
        self.events: list[Event] = []

    def tell(self, event: str, **more: object) -> None:
        self.events.append({"event": event, "seat": self.seat, "ant": self.number, **more})

    # The contents of cells.

    def lay(self, key: str, cell: list[int], *what: int) -> None:
        """Replace a cell's entry, in order of y, then x. Without `what`, remove it."""
        rest = [entry for entry in self.position[key] if entry[:2] != cell]
        rest += [[*cell, *what]] if what else []
        self.position[key] = sorted(rest, key=lambda entry: (entry[1], entry[0]))

    def food(self, cell: list[int]) -> int:
        return sum(amount for x, y, amount in self.position["food"] if [x, y] == cell)

    def lay_food(self, cell: list[int], more: int) -> None:
        amount = self.food(cell) + more
        self.lay("food", cell, *([amount] if amount else []))

    # An action (rules 4 to 6).

    def play(self, action: Action | Fault) -> None:
        if isinstance(action, Fault):
            self.position["disqualified"][self.seat] = action.kind.value
            self.events.append(
                {"event": "disqualified", "seat": self.seat, "why": action.kind.value, "detail": action.detail}
            )
            return
        self.me["memory"] = action.memory.decode()
        at = self.me["at"]
        if action.mark:
            self.lay("smells", at, action.hue, 100)
        if action.kind in range(8):
            dx, dy = STEPS[action.kind % 4]
            goal = [at[0] + dx, at[1] + dy]
            if action.kind >= 4:
                self.bite(goal)
            elif all(0 <= c < self.position["size"] for c in goal):
                self.me["at"] = goal
                self.tell("move", to=goal)
            else:
                self.tell("void")
        elif action.kind == 8 and not self.me["food"] and self.food(at):
            self.lay_food(at, -1)
            self.me["food"] = True
            self.tell("take")
        elif action.kind == 9 and self.me["food"]:
            self.lay_food(at, 1)
            self.me["food"] = False
            self.tell("put")
        else:
            self.tell("void")

    def bite(self, goal: list[int]) -> None:
        there = [
            [seat, number]
            for seat, team in enumerate(self.position["teams"])
            for number, ant in enumerate(team)
            if seat != self.seat and ant["at"] == goal
        ]
        if not there:
            self.tell("void")
            return
        able = [key for key in there if not self.ant(key)["disabled"]]
        if len(able) > 1:
            assert self.chance in able, "the bitten ant must be one of the able ones"
            victim = self.chance
        elif able:
            (victim,) = able
        else:
            victim = min(there, key=lambda key: (self.ant(key)["disabled"] + (key[0] < self.seat), key))
        self.tell("bite", victim=victim)
        self.ant(victim)["disabled"] = 8
        if self.ant(victim)["food"]:
            self.ant(victim)["food"] = False
            self.lay_food(goal, 1)
            self.events.append({"event": "drop", "seat": victim[0], "ant": victim[1]})

    def ant(self, key: list[int]) -> dict[str, Any]:
        ant: dict[str, Any] = self.position["teams"][key[0]][key[1]]
        return ant

    # The next ant (rules 2, 3, 5 and 9).

    def pass_turns(self) -> None:
        here = [self.seat, self.number]
        while True:
            rest = [[s, k] for s, team in enumerate(self.position["teams"]) for k in range(len(team)) if [s, k] > here]
            for key in rest:
                if self.ant(key)["disabled"]:
                    self.ant(key)["disabled"] -= 1
                elif not self.position["disqualified"][key[0]]:
                    self.position["next"] = key
                    return
            for smell in self.position["smells"]:
                smell[3] = max(0, smell[3] - 1)
            if self.position["unit"] == self.position["units"] or all(self.position["disqualified"]):
                self.position["next"] = None
                return
            self.position["unit"] += 1
            self.events.append({"event": "unit", "unit": self.position["unit"]})
            for seat, team in enumerate(self.position["teams"]):
                if len(team) < min(self.position["unit"], self.position["ants"]):
                    self.events.append({"event": "born", "seat": seat, "ant": len(team)})
                    hill = self.position["hills"][seat]
                    team.append({"at": hill[:], "food": False, "memory": "0" * 64, "disabled": 0})
            here = [-1, -1]
