"""The rules of SnakeCore, without I/O: turns, points and chance on the board of board.py.

Numbers in brackets are the rules of README.md.

1. The shield counter (7) goes down when the turn's answer comes in. The request already shows the player the value after that.
   So in a position between two turns, the counter has not gone down yet, as README.md says.
2. The turns of disqualified pythons pass as soon as they are next, and their shield counters go down. So the seat to move in a
   position is never a disqualified one. These turns do not pass while names are asked, or when every player is disqualified.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from random import Random
from typing import Final

from referee.boards.chance import copied
from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Frame
from referee.contract.game import Entrant, Event, Fault, Request, State, disqualified
from referee.contract.positions import Position
from referee.contract.ranking import Outcome, rank
from referee.errors import SetupError
from referee.games.snakecore.board import EDGE, EMPTY, ENERGY, KIND, REACTOR, WALL, Board, Python
from referee.games.snakecore.position import PositionModel
from referee.games.snakecore.view import draw
from referee.text.strict import read
from referee.text.words import shown_name

SHIELD_TURNS: Final = 10


class SnakeCore(State["SnakeCore", str]):
    """One match. Actions are first names, then the letters `U L D R N A`. The observation of a request is this state.

    Attributes:
        round: the current round; 0 while names are asked.
        turn_round: the round of the next turn, even while names are asked.
    """

    round = 0

    def __init__(self, setup: PositionModel, rng_seed: int) -> None:
        board = self.board = Board(setup)
        seats = self.seats = len(board.pythons)
        self.rounds, self.turn_round, self.seat = setup.rounds, setup.round, setup.seat
        self.names = [""] * seats
        self._steps: dict[object, int] = {letter: dy * board.stride + dx for letter, (dx, dy) in DIRECTIONS.items()}
        self._rng = Random(rng_seed)
        self._recorded: list[object] = []
        self._unnamed = [seat for seat, python in enumerate(board.pythons) if python.disqualified is None]
        self._active = len(self._unnamed)
        self._asks = self._questions()
        self._due: tuple[Request[SnakeCore], ...] = ()
        self._settle()

    # -- the contract --------------------------------------------------------------------------------------------

    def requests(self) -> Sequence[Request[SnakeCore]]:
        """The request to the seat that moves next; while names are asked, to the next seat without a name."""
        return self._due

    def advance(self, actions: Sequence[str | Fault]) -> Sequence[Event]:
        """Play one turn by the rules, or take one name."""
        (action,) = actions
        if self._unnamed:
            return self._name(action)
        seat = self.seat
        python = self.board.pythons[seat]
        if python.shield:  # (7)
            python.shield -= 1
        if (step := self._steps.get(action)) is not None:
            events = self._move(seat, python, step)
        elif action == "N":
            events = [{"event": "wait", "seat": seat}]
        elif action == "A":
            events = self._activate(seat, python)
        else:
            assert isinstance(action, Fault)
            events = [self._disqualify(seat, action)]
        self._pass_turn()
        # A shortcut for `_settle`: no python is disqualified, so no turn has to pass.
        if self._active == self.seats and self.round <= self.rounds:
            self._due = self._asks[self.seat]
        else:
            self._settle()
        return events

    def follow(self, events: Sequence[Event]) -> None:
        """Take the cells of returning blocks from the events. They are the only random choices in this game."""
        self._recorded = [event.get("at") for event in reversed(events) if event.get("event") == "return"]

    def current_result(self) -> Outcome:
        """The ranking by points (17). The reason is `rounds` or `nobody-left` (6, 17), or `interrupted` during the match."""
        pythons = self.board.pythons
        names = [shown_name(name, seat) for seat, name in enumerate(self.names)]
        ranking = rank([python.score for python in pythons], [python.disqualified for python in pythons], names)
        if self._due:
            reason, rounds = "interrupted", self.round
        elif self.turn_round > self.rounds:
            reason, rounds = "rounds", self.rounds
        else:
            # The round of the last turn that began: `seat` and `turn_round` already describe the next turn.
            reason, rounds = "nobody-left", self.turn_round - 1 if self.seat == 0 else self.turn_round
        return Outcome(reason, rounds, ranking)

    def position(self) -> Position:
        """This moment as a position of README.md."""
        board = self.board
        pythons = [
            {
                "cells": [list(board.xy(cell)) for cell in python.cells], "blocks": bytes(python.kinds).decode(),
                "shield": python.shield, "score": python.score, "disqualified": python.disqualified,
            }
            for python in board.pythons
        ]  # fmt: skip
        return {
            "size": board.size, "rounds": self.rounds, "round": self.turn_round, "seat": self.seat,
            "field": board.field_rows(), "pythons": pythons,
        }  # fmt: skip

    def draw(self) -> Frame:
        """This moment as a frame: the board and the figures of each seat."""
        title = f"round {min(self.turn_round, self.rounds)} of {self.rounds}" if self.round else "names"
        return draw(self.board, self.names, title=title, to_move=[request.seat for request in self._due])

    def __deepcopy__(self, memo: dict[int, object]) -> SnakeCore:
        """A copy that plays on in the same way, for those who look ahead. Only what changes is copied."""
        other = memo[id(self)] = copy(self)
        other.board = self.board.copy()
        other.names, other._unnamed, other._recorded = self.names[:], self._unnamed[:], self._recorded[:]
        other._rng = copied(self._rng)
        other._asks = other._questions()
        other._due = tuple(Request(seat, ask, other) for seat, ask, _ in self._due)
        return other

    def _questions(self) -> tuple[tuple[Request[SnakeCore]], ...]:
        """What each seat is asked in its turns."""
        return tuple((Request(seat, "getAction", self),) for seat in range(self.seats))

    # -- turns ---------------------------------------------------------------------------------------------------

    def _name(self, action: str | Fault) -> list[Event]:
        seat = self._unnamed.pop(0)
        if isinstance(action, Fault):
            events = [self._disqualify(seat, action)]
        else:
            self.names[seat] = action
            events = [{"event": "named", "seat": seat, "name": action}]
        self._settle()
        return events

    def _disqualify(self, seat: int, fault: Fault) -> Event:
        self.board.pythons[seat].disqualified = str(fault.kind)
        self._active -= 1
        return disqualified(seat, fault)

    def _pass_turn(self) -> None:
        self.seat += 1
        if self.seat == self.seats:
            self.seat = 0
            self.turn_round += 1
            self.round = self.turn_round

    def _settle(self) -> None:
        """Find the next seat to ask. The turns of disqualified pythons pass here, and their shield counters go down (7)."""
        if not self._active:
            self._due = ()
            self.round = self.turn_round
        elif self._unnamed:
            self._due = (Request(self._unnamed[0], "getName", self),)
        else:
            self.round = self.turn_round
            while self.turn_round <= self.rounds and (python := self.board.pythons[self.seat]).disqualified is not None:
                if python.shield:
                    python.shield -= 1
                self._pass_turn()
            self._due = self._asks[self.seat] if self.turn_round <= self.rounds else ()

    def _move(self, seat: int, python: Python, step: int) -> list[Event]:
        board, cells = self.board, python.cells
        target = cells[0] + step
        there = board.text[target]
        if there == EMPTY or (there in KIND and target == cells[-1]):  # (9), (12)
            board.crawl(seat, python, target)
            return [{"event": "move", "seat": seat}]
        if there in KIND:
            victim = board.owner[target] - 1
            if victim < 0:  # (10)
                board.grow(seat, python, target, there)
                return [{"event": "eat", "seat": seat, "kind": KIND[there]}]
            return [self._bite(seat, python, victim, target)]
        if there == REACTOR:
            return self._deliver(seat, python)
        why = "edge" if there == EDGE else "wall" if there == WALL else "head"
        return [{"event": "skip", "seat": seat, "why": why}]

    def _bite(self, seat: int, python: Python, victim_seat: int, target: int) -> Event:
        victim = self.board.pythons[victim_seat]
        if target == victim.cells[-1]:  # (15): a rival's tail; going to the own tail is a move
            return {"event": "skip", "seat": seat, "why": "tail"}
        if victim.shield:
            return {"event": "skip", "seat": seat, "why": "shield"}
        length, kind = self.board.cut(victim, target)
        self.board.grow(seat, python, target, kind)
        points = 0 if victim_seat == seat else length  # (11)
        python.score += points
        return {"event": "bite", "seat": seat, "victim": victim_seat, "length": length, "points": points}

    def _deliver(self, seat: int, python: Python) -> list[Event]:
        kinds = self.board.clear(python)
        length = len(kinds)
        points = length * (length + 1) // 2  # (13)
        python.score += points
        events: list[Event] = [{"event": "deliver", "seat": seat, "length": length, "points": points}]
        events += [self._return(seat, kind) for kind in kinds]
        return events

    def _activate(self, seat: int, python: Python) -> list[Event]:
        if not python.energy:
            return [{"event": "skip", "seat": seat, "why": "no-energy"}]
        self.board.close_up(python)  # (14)
        python.shield += SHIELD_TURNS
        return [{"event": "shield", "seat": seat, "left": python.shield}, self._return(seat, ENERGY)]

    def _return(self, seat: int, kind: int) -> Event:
        """Return a block to a random empty cell; all empty cells are equally likely (16)."""
        empty = self.board.empty
        cell = self._recorded_cell() or empty[int(self._rng.random() * len(empty))]
        self.board.put(cell, kind)
        return {"event": "return", "seat": seat, "kind": KIND[kind], "at": list(self.board.xy(cell))}

    def _recorded_cell(self) -> int | None:
        """The next recorded cell; None if there is none, or if it is not an empty cell of the field."""
        n = self.board.size
        match self._recorded.pop() if self._recorded else None:
            case [int(x), int(y)] if 0 <= x < n and 0 <= y < n:
                cell = (y + 1) * self.board.stride + x
                return cell if self.board.text[cell] == EMPTY else None
        return None


def start(setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> SnakeCore:
    """Start a match from a position. The entrants are ignored. Raises: SetupError, which names the key that breaks a rule."""
    return SnakeCore(read(PositionModel, setup, SetupError), rng_seed)


def steps(setup: Position) -> int:
    """About how many steps a match from this position has: a name for each seat, and a turn for each seat in each round."""
    return (int(setup["rounds"]) + 1) * len(setup["pythons"])
