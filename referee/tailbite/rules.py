"""The rules of the tail-biting snakes, without I/O: steps, turns and chance on the board of board.py.

Numbers in brackets are the rules of games/ava/README.md.

1. A step is a list of seats, the order; the first seat is next. A snake that is eaten or disqualified leaves the order (4, 8).
   Skips and forced moves (5) need no request, so they pass as soon as they are next. So the first seat of the order is always
   one that is asked, except in a setup while names are asked.
2. The order is empty both before and after a step. `_begun` tells these moments apart. In a position `moved` does, because a step
   that ends without a move ends the match (6).
3. There are three random choices: the order of a step, the draw among the candidates, and the draw among all possible moves if
   no candidate is possible. Each of them is in an event, and `follow` takes it from there.
4. Every turn needs the number of uneaten snakes and the seats that can still move. Both are stored (`_uneaten`, `_playing`) and
   change when a snake is eaten or disqualified. The requests are made once for each seat; what they show is computed on access.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import asdict
from functools import lru_cache
from random import Random
from typing import Any

from referee.boards.chance import copied, shuffled
from referee.contract.frame import Frame
from referee.contract.game import Event, Fault, Request, State, disqualified
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.tailbite.board import Perspective
from referee.tailbite.position import PositionModel, board_of
from referee.tailbite.ranking import Ranking
from referee.tailbite.sight import FixedSight, Options, Sight
from referee.tailbite.view import draw
from referee.text.words import shown_name


class TailBite(State[Sight, str]):
    """One match. Actions are first names, then the candidate letters of an answer, such as `UUL`."""

    def __init__(self, ranking: Ranking, setup: PositionModel, rng_seed: int) -> None:
        board = self.board = board_of(setup)
        self.seats = len(board.snakes)
        self.options: Options = setup.options.options()
        self.steps, self.step, self.moved, self.order = setup.steps, setup.step, setup.moved, list(setup.order)
        self.names = [""] * self.seats
        self._ranking = ranking
        self._rng = Random(rng_seed)
        self._begun = bool(setup.order) or setup.moved
        self._unnamed = [seat for seat, snake in enumerate(board.snakes) if snake.disqualified is None]
        self._playing = [seat for seat in self._unnamed if board.snakes[seat].eaten is None]
        self._uneaten = [snake.eaten for snake in board.snakes].count(None)
        self._reason: str | None = None
        self._possible = ""
        self._asks = self._questions()
        self._due: tuple[Request[Sight], ...] = ()
        self._recorded_move: str | None = None
        self._recorded_orders: list[object] = []
        if self._playing:
            self._ask_name()
        else:
            self._end("nobody-left")

    # -- the contract --------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The current step; 0 while names are asked."""
        return 0 if self._unnamed else self.step

    def requests(self) -> Sequence[Request[Sight]]:
        """The request to the snake that moves next; while names are asked, to the next seat without a name."""
        return self._due

    def advance(self, actions: Sequence[str | Fault]) -> Sequence[Event]:
        """Play one turn by the rules, or take one name. Then play all that follows without a request."""
        (action,) = actions
        ((seat, _, _),) = self._due
        events: list[Event] = []
        naming = bool(self._unnamed)
        if naming:
            self._unnamed.pop(0)
        if isinstance(action, Fault):
            self._disqualify(seat, action, events)
        elif naming:
            self.names[seat] = action
            events.append({"event": "named", "seat": seat, "name": action})
        else:
            self._answer(seat, action, events)
        if not self._playing:
            self._end("nobody-left")
        elif self._unnamed:
            self._ask_name()
        else:
            self._go_on(events)
        self._recorded_move = None
        self._recorded_orders = []
        return events

    def follow(self, events: Sequence[Event]) -> None:
        """Take the orders and the first move from the events. All other moves are forced."""
        first = events[0] if events else {}
        letter = first.get("to") if first.get("event") == "move" else None
        self._recorded_move = letter if isinstance(letter, str) else None
        self._recorded_orders = [event.get("seats") for event in reversed(events) if event.get("event") == "order"]

    def current_result(self) -> Outcome:
        """The ranking (7, 8), and why the match ended (6, 8)."""
        names = [shown_name(name, seat) for seat, name in enumerate(self.names)]
        rounds = self.step if self._begun and self._reason != "no-moves" else self.step - 1
        return Outcome(self._reason or "interrupted", rounds, self._ranking(self.board.snakes, names))

    def position(self) -> Position:
        """This moment as a position of games/ava/README.md."""
        xy = self.board.xy
        return {
            "size": self.board.size, "steps": self.steps, "step": self.step, "moved": self.moved, "order": self.order[:],
            "snakes": [
                {
                    "cells": [list(xy(cell)) for cell in snake.cells],
                    "eaten": snake.eaten, "disqualified": snake.disqualified,
                }
                for snake in self.board.snakes
            ],
            "options": asdict(self.options),
        }  # fmt: skip

    def draw(self) -> Frame:
        """This moment as a frame: the board and the figures of each seat."""
        title = "names" if self._unnamed else f"round {self.step} of {self.steps}"
        to_move = [request.seat for request in self._due]
        return draw(self.board, self.names, title=title, to_move=to_move, order=self.order)

    def __deepcopy__(self, memo: dict[int, object]) -> TailBite:
        """A copy that plays on in the same way, for those who look ahead. Only what changes is copied."""
        other = memo[id(self)] = copy(self)
        other.board = self.board.copy()
        other.names, other.order, other._recorded_orders = self.names[:], self.order[:], self._recorded_orders[:]
        other._unnamed, other._playing = self._unnamed[:], self._playing[:]
        other._rng = copied(self._rng)
        other._asks = other._questions()
        if self._due and not self._unnamed:
            other._due = other._asks[self._due[0].seat]
        return other

    def _questions(self) -> Sequence[tuple[Request[Sight]]]:
        """What each seat is asked in its turns."""
        sights = [Perspective(self.board, seat, self.options) for seat in range(self.seats)]
        return [(Request(seat, "getAction", sight),) for seat, sight in enumerate(sights)]

    # -- turns ---------------------------------------------------------------------------------------------------

    def _ask_name(self) -> None:
        self._due = (Request(self._unnamed[0], "getName", FixedSight(b"", self.options)),)

    def _disqualify(self, seat: int, fault: Fault, events: list[Event]) -> None:
        self.board.snakes[seat].disqualified = str(fault.kind)
        self._leave(seat)
        events.append(disqualified(seat, fault))

    def _leave(self, seat: int) -> None:
        """Remove a seat from those that can move, in this step too."""
        for seats in (self._playing, self.order):
            if seat in seats:
                seats.remove(seat)

    def _answer(self, seat: int, letters: str, events: list[Event]) -> None:
        fitting = _among(letters, self._possible)
        del self.order[0]
        if fitting:
            self._move(seat, self._draw_letter(fitting), "answer", events)
        else:
            self._move(seat, self._draw_letter(self._possible), "random", events)

    def _draw_letter(self, letters: str) -> str:
        """The recorded one of these letters, or a random one; a letter that occurs twice is twice as likely."""
        if self._recorded_move is not None and self._recorded_move in list(letters):
            return self._recorded_move
        return letters[int(self._rng.random() * len(letters))]

    def _move(self, seat: int, letter: str, how: str, events: list[Event]) -> None:
        self.moved = True
        events.append({"event": "move", "seat": seat, "to": letter, "how": how})
        victim = self.board.move(seat, letter)
        if victim is None:
            return
        events.append({"event": "bite", "seat": seat, "victim": victim})
        snake = self.board.snakes[victim]
        if len(snake.cells) == 1:  # a snake that was already eaten has no cell left now
            snake.eaten = self.step
            self._uneaten -= 1
            self._leave(victim)
            events.append({"event": "eaten", "seat": victim})

    # -- steps ---------------------------------------------------------------------------------------------------

    def _end(self, reason: str) -> None:
        self._reason = reason
        self._due = ()
        self._unnamed.clear()
        self.order.clear()

    def _go_on(self, events: list[Event]) -> None:
        """Play turns and steps until a snake has to be asked or the match is over (5, 6)."""
        board = self.board
        while True:
            if self._uneaten == 1:
                return self._end("last-snake")
            if order := self.order:
                seat = order[0]
                moves = board.possible(seat)
                if len(moves) > 1:
                    self._possible, self._due = moves, self._asks[seat]
                    return None
                del order[0]
                if moves:
                    self._move(seat, moves, "forced", events)
                else:
                    events.append({"event": "skip", "seat": seat})
            elif self._begun and not self.moved:
                return self._end("no-moves")
            elif self._begun and self.step == self.steps:
                return self._end("steps")
            else:
                self._begin_step(events)

    def _begin_step(self, events: list[Event]) -> None:
        """Begin the next step and set its order (2)."""
        self.step += self._begun
        self._begun, self.moved = True, False
        recorded: Any = self._recorded_orders.pop() if self._recorded_orders else None
        is_order = isinstance(recorded, list) and all(type(seat) is int for seat in recorded)
        if is_order and sorted(recorded) == self._playing:
            self.order = list(recorded)
        else:
            self.order = shuffled(self._playing, self._rng)
        events.append({"event": "order", "step": self.step, "seats": list(self.order)})


@lru_cache(maxsize=1024)
def _among(letters: str, moves: str) -> str:
    """The letters of an answer that are possible moves, with repeats. Cached, because answers and moves repeat often."""
    return "".join([letter for letter in letters if letter in moves])
