"""The rules of Ants, without I/O: turns, bites and time on the field of field.py.

Numbers in brackets are the rules of README.md.

1. `_turns` lists all ants that have appeared, in the order of their turns. `_turn` is the index of the ant that is due. After
   its action, `_pass_turns` goes on to the next ant that is able and whose team is not disqualified. On the way it counts lost
   turns, ends units and begins new ones.
2. Turns pass only between two requests for actions, never before or while names are asked. So a position is either a moment
   between two such requests, or a setup, which the step of the last name turns into such a moment.
3. When the last team is disqualified, the current unit runs to its end without it, and no other unit begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from random import Random
from typing import Any, Final, NamedTuple

from referee.boards.chance import copied
from referee.contract.frame import Frame
from referee.contract.game import Entrant, Event, Fault, Request, State, disqualified
from referee.contract.positions import Position
from referee.contract.ranking import Outcome, rank
from referee.errors import SetupError
from referee.games.ants.field import ANTS_HERE, FOOD_HERE, WALL, Ant, Field
from referee.games.ants.position import BITTEN, NO_MEMORY, PositionModel
from referee.games.ants.view import draw
from referee.text.strict import read
from referee.text.words import shown_name

TAKE, PUT = 8, 9
_BLANK: Final = NO_MEMORY.encode()


class Action(NamedTuple):
    """An ant's answer: the number of the action (4), whether to mark the cell and with which hue (5), and the new memory (8).

    `memory` is 64 hex digits in lower case.
    """

    kind: int
    mark: bool
    hue: int
    memory: bytes


class Ants(State[Ant | None, Action | str]):
    """One match. Actions are first names, then `Action`s. The observation of a request is the asked ant; None for a name."""

    def __init__(self, setup: PositionModel, rng_seed: int) -> None:
        field = self.field = Field(setup)
        seats = self.seats = len(setup.hills)
        self.units, self.unit, self.ants = setup.units, setup.unit, setup.ants
        self.names = [""] * seats
        self.disqualified: list[str | None] = list(setup.disqualified) or [None] * seats
        self.teams: list[list[Ant]] = [[] for _ in range(seats)]
        for seat, team in enumerate(setup.teams):
            for ant in team:
                self._appear(seat, field.index(*ant.at), ant.food, ant.memory.encode(), ant.disabled)
        self._turns = [ant for team in self.teams for ant in team]
        self._rng = Random(rng_seed)
        self._recorded_victim: object = None
        self._active = self.disqualified.count(None)
        self._unnamed: list[int] = []
        self._due: tuple[Request[Ant | None], ...] = ()
        self._over = setup.next is None
        # In a setup whose unit has not begun yet, the ants that appear in that unit are missing (README.md, Positions).
        self._begun = setup.next != [0, 0] or not any(map(self._lacks, range(seats)))
        self._turn = 0
        if setup.next is not None:
            seat, number = setup.next
            self._turn = sum(map(len, self.teams[:seat])) + number
            self._unnamed = [seat for seat, why in enumerate(self.disqualified) if why is None]
            self._ask_name()

    # -- the contract --------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The current unit; 0 while names are asked."""
        return 0 if self._unnamed else self.unit

    def requests(self) -> Sequence[Request[Ant | None]]:
        """The request to the ant whose turn it is; while names are asked, to the next seat without a name."""
        return self._due

    def advance(self, actions: Sequence[Action | str | Fault]) -> Sequence[Event]:
        """Play one ant's turn by the rules, or take one name."""
        (action,) = actions
        if self._unnamed:
            return self._name(action)
        ant = self._turns[self._turn]
        if isinstance(action, Action):
            events = self._act(ant, action)
        else:
            assert isinstance(action, Fault)
            events = [self._disqualify(ant.seat, action)]
        self._recorded_victim = None
        self._turn += 1
        self._pass_turns(events)
        return events

    def follow(self, events: Sequence[Event]) -> None:
        """Take the bitten ant from the events. Which of several able ants is bitten is the only random choice (6)."""
        bites = [event.get("victim") for event in events if event.get("event") == "bite"]
        self._recorded_victim = bites[0] if bites else None

    def current_result(self) -> Outcome:
        """The ranking by the food on the hills (9). The reason is `units` or `nobody-left`, or `interrupted` during the match."""
        names = [shown_name(name, seat) for seat, name in enumerate(self.names)]
        ranking = rank(self.field.stores(), self.disqualified, names)
        if not self._over:
            return Outcome("interrupted", self.round, ranking)
        return Outcome("units" if self._active else "nobody-left", self.unit, ranking)

    def position(self) -> Position:
        """This moment as a position of README.md."""
        field = self.field
        return {
            "size": field.size, "units": self.units, "unit": self.unit, "ants": self.ants,
            "hills": [field.xy(hill) for hill in field.hills],
            "food": field.food_list(), "smells": field.smell_list(),
            "teams": [[self._ant_position(ant) for ant in team] for team in self.teams],
            "next": self._next(), "disqualified": self.disqualified[:],
        }  # fmt: skip

    def _ant_position(self, ant: Ant) -> Position:
        at = self.field.xy(ant.cell)
        return {"at": at, "food": ant.food, "memory": ant.memory.decode(), "disabled": ant.disabled}

    def draw(self) -> Frame:
        """This moment as a frame: the field and the figures of each seat."""
        title = f"unit {self.unit} of {self.units}" if self.round else "names"
        to_move = [request.seat for request in self._due]
        return draw(self.field, self.teams, self.disqualified, self.names, title=title, to_move=to_move)

    def __deepcopy__(self, memo: dict[int, Any]) -> Ants:
        """A copy that plays on in the same way. Replays keep hundreds of copies, so only what changes is copied."""
        other = memo[id(self)] = copy(self)
        field = other.field = self.field.copy()
        other.names, other.disqualified = self.names[:], self.disqualified[:]
        other.teams = [
            [Ant(field, ant.seat, ant.number, ant.cell, ant.food, ant.memory, ant.disabled) for ant in team]
            for team in self.teams
        ]
        other._turns = [ant for team in other.teams for ant in team]
        other._unnamed = self._unnamed[:]
        other._rng = copied(self._rng)
        if self._due and not self._unnamed:
            other._due = other._turns[other._turn].due
        return other

    # -- names and ends ------------------------------------------------------------------------------------------

    def _ask_name(self) -> None:
        """Ask the next seat without a name. If all seats are disqualified, end the match."""
        if self._unnamed:
            self._due = (Request(self._unnamed[0], "getName", None),)
        else:
            self._nobody_left()

    def _name(self, action: Action | str | Fault) -> list[Event]:
        self._recorded_victim = None
        seat = self._unnamed.pop(0)
        events: list[Event] = []
        if isinstance(action, Fault):
            events.append(self._disqualify(seat, action))
        else:
            assert isinstance(action, str)
            self.names[seat] = action
            events.append({"event": "named", "seat": seat, "name": action})
        if self._unnamed:
            self._ask_name()
        else:
            if self._active and not self._begun:
                self._begin_unit(events)
            self._pass_turns(events)
        return events

    def _disqualify(self, seat: int, fault: Fault) -> Event:
        self.disqualified[seat] = str(fault.kind)
        self._active -= 1
        return disqualified(seat, fault)

    def _nobody_left(self) -> None:
        """Run the current unit to its end, and end the match (9; theory, point 3)."""
        self._over, self._due = True, ()
        if not self._begun:
            self.unit -= 1  # the last unit that began
            return
        for ant in self._turns[self._turn :]:
            if ant.disabled:
                ant.disabled -= 1
        self.field.fade()

    def _next(self) -> list[int] | None:
        if self._over:
            return None
        if not self._begun:
            return [0, 0]
        ant = self._turns[self._turn]
        return [ant.seat, ant.number]

    # -- time ----------------------------------------------------------------------------------------------------

    def _pass_turns(self, events: list[Event]) -> None:
        """Go on from `_turn` to the next ant to ask. Append what happens on the way to the events."""
        if not self._active:
            self._nobody_left()
            return
        turns, turn, disqualified = self._turns, self._turn, self.disqualified
        while True:
            while turn < len(turns):
                ant = turns[turn]
                if ant.disabled:
                    ant.disabled -= 1  # it loses this turn (6)
                elif disqualified[ant.seat] is None:
                    self._turn, self._due = turn, ant.due
                    return
                turn += 1
            self.field.fade()
            if self.unit == self.units:
                self._over, self._due = True, ()
                return
            self.unit += 1
            self._begin_unit(events)
            turns, turn = self._turns, 0

    def _begin_unit(self, events: list[Event]) -> None:
        """Begin a unit. On each hill whose team is not complete, an ant appears (2)."""
        self._begun = True
        events.append({"event": "unit", "unit": self.unit})
        before = len(self._turns)
        for seat, hill in enumerate(self.field.hills):
            if self._lacks(seat):
                ant = self._appear(seat, hill, food=False, memory=_BLANK, disabled=0)
                events.append({"event": "born", "seat": seat, "ant": ant.number})
        if before != sum(map(len, self.teams)):
            self._turns = [ant for team in self.teams for ant in team]

    def _lacks(self, seat: int) -> bool:
        return len(self.teams[seat]) < min(self.unit, self.ants)

    def _appear(self, seat: int, cell: int, food: bool, memory: bytes, disabled: int) -> Ant:
        ant = Ant(self.field, seat, len(self.teams[seat]), cell, food, memory, disabled)
        self.teams[seat].append(ant)
        self.field.enter(seat, cell)
        return ant

    # -- what ants do --------------------------------------------------------------------------------------------

    def _act(self, ant: Ant, action: Action) -> list[Event]:
        """Carry out one action (4). The cell is marked first (5)."""
        kind, mark, hue, memory = action
        field, cell = self.field, ant.cell
        ant.memory = memory
        if mark:
            field.mark(cell, hue)
        if 0 <= kind < 4:
            target = cell + field.steps[kind]
            if field.cells[target] != WALL:
                field.walk(ant, target)
                return [{"event": "move", "seat": ant.seat, "ant": ant.number, "to": [*field.places[target]]}]
        elif 4 <= kind < 8:
            target = cell + field.steps[kind - 4]
            if field.cells[target] & ANTS_HERE & ~(1 << ant.seat):
                return self._bite(ant, target)
        elif kind == TAKE:
            if not ant.food and field.cells[cell] & FOOD_HERE:
                field.take_food(cell)
                ant.food = True
                return [{"event": "take", "seat": ant.seat, "ant": ant.number}]
        elif kind == PUT and ant.food:
            field.add_food(cell)
            ant.food = False
            return [{"event": "put", "seat": ant.seat, "ant": ant.number}]
        return [{"event": "void", "seat": ant.seat, "ant": ant.number}]

    def _bite(self, ant: Ant, target: int) -> list[Event]:
        """Bite at a cell that has at least one enemy (6)."""
        mine = ant.seat
        enemies = [enemy for enemy in self._turns if enemy.cell == target and enemy.seat != mine]
        able = [enemy for enemy in enemies if not enemy.disabled]
        if able:
            victim = self._any_of(able) if len(able) > 1 else able[0]
        else:  # `min` takes the first of equals, and `_turns` is in the order of seats and numbers.
            victim = min(enemies, key=lambda enemy: enemy.disabled + (enemy.seat < mine))
        victim.disabled = BITTEN
        events: list[Event] = [
            {"event": "bite", "seat": mine, "ant": ant.number, "victim": [victim.seat, victim.number]}
        ]
        if victim.food:
            victim.food = False
            self.field.add_food(target)
            events.append({"event": "drop", "seat": victim.seat, "ant": victim.number})
        return events

    def _any_of(self, able: Sequence[Ant]) -> Ant:
        """The recorded one of these ants, or a random one, each equally likely."""
        for ant in able:
            if [ant.seat, ant.number] == self._recorded_victim:
                return ant
        return able[int(self._rng.random() * len(able))]


def start(setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> Ants:
    """Start a match from a position. The entrants are ignored. Raises: SetupError, which names the key that breaks a rule."""
    return Ants(read(PositionModel, setup, SetupError), rng_seed)


def steps(setup: Position) -> int:
    """About how many steps a match from this position has: a name for each seat, and a turn for each ant in each unit left."""
    units = int(setup["units"]) - int(setup.get("unit", 1)) + 1
    return len(setup["hills"]) * (1 + int(setup["ants"]) * units)
