"""Whether what a game returns is what the contract says: only for games that other packages bring."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from referee import games
from referee.contract.frame import Frame
from referee.contract.game import Event, Fault, Game, Request, State
from referee.contract.positions import Position
from referee.contract.ranking import Outcome
from referee.errors import MISTAKE, GameError
from referee.text.words import shorten


def checked(state: State[Any, Any], game: Game[Any, Any]) -> State[Any, Any]:
    """The state as the loop uses it. What breaks the contract becomes a `GameError` before anything of it is saved."""
    plugin = games.plugin(game.name)
    return state if plugin is None else _Checked(state, f"{MISTAKE} {plugin.name} {plugin.version}")


class _Checked(State[Any, Any]):
    """A state, and how many steps it has played."""

    def __init__(self, state: State[Any, Any], game: str) -> None:
        self.seats = state.seats
        self._state = state
        self._game = game
        self._steps = 0

    @property
    @override
    def round(self) -> int:
        return self._state.round

    @override
    def requests(self) -> Sequence[Request[Any]]:
        due = self._state.requests()
        if len({request.seat for request in due}) < len(due) or not all(map(self._is_seat, (it.seat for it in due))):
            self._refuse(f"its requests are for the seats {shorten(str([request.seat for request in due]))}")
        return due

    @override
    def advance(self, actions: Sequence[Any | Fault]) -> Sequence[Event]:
        self._steps += 1
        events = self._state.advance(actions)
        for event in events:
            if type(event) is not dict or type(event.get("event")) is not str:
                self._refuse(f"{shorten(repr(event))} is no event: that is an object with `event`, its name")
            if not self._is_seat(event.get("seat", 0)) and event["seat"] is not None:
                self._refuse(f"an event is of seat {shorten(repr(event['seat']))}, of {self.seats} from 0")
        self._check_json(events, "its events")
        return events

    @override
    def current_result(self) -> Outcome:
        outcome = self._state.current_result()
        ranked = [line.seat for line in outcome.ranking]
        if len(set(ranked)) != len(ranked) or not all(map(self._is_seat, ranked)):
            self._refuse(f"its ranking is of the seats {shorten(str(ranked))}")
        return outcome

    @override
    def position(self) -> Position:
        position = self._state.position()
        self._check_json(position, "its position")
        return position

    @override
    def draw(self) -> Frame:
        return self._state.draw()

    def _is_seat(self, seat: object) -> bool:
        return type(seat) is int and 0 <= seat < self.seats

    def _check_json(self, value: object, what: str) -> None:
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as failed:
            self._refuse(f"{what} cannot be saved as JSON: {failed}")

    def _refuse(self, why: str) -> None:
        raise GameError(f"{self._game} in step {self._steps}: {why}")
