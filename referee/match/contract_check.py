"""Checks that a game returns what the contract says. Only games of other packages are checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from typing_extensions import override

from referee import games
from referee.contract.frame import Frame
from referee.contract.game import Column, Event, Fault, Game, Request, State
from referee.contract.positions import Position
from referee.contract.ranking import Outcome, Ranked
from referee.errors import MISTAKE, GameError
from referee.text.words import shorten


def checked_state(state: State[Any, Any], game: Game[Any, Any]) -> State[Any, Any]:
    """The state as the loop uses it. What breaks the contract becomes a `GameError` before anything of it is saved."""
    plugin = games.plugin(game.name)
    return state if plugin is None else _Checked(state, f"{MISTAKE} {plugin.name} {plugin.version}")


def checked_game(game: Game[Any, Any]) -> Game[Any, Any]:
    """The game as a match uses it: a request that no bot can read, or what a column cannot add, is a `GameError`."""
    plugin = games.plugin(game.name)
    if plugin is None:
        return game
    blamed = f"{MISTAKE} {plugin.name} {plugin.version}"

    def encode(request: Request[Any]) -> bytes:
        data = game.encode(request)
        if why := wrong_lines(data):
            raise GameError(f"{blamed}: {why}")
        return data

    def checked(column: Column) -> Column:
        def of(event: Event) -> int:
            amount: object = column.of(event)
            if not isinstance(amount, int):
                why = f"has {_quote(amount)} instead of a whole number for {_quote(event)}"
                raise GameError(f"{blamed}: its column {column.title} {why}")
            return amount

        return replace(column, of=of)

    return replace(game, encode=encode, columns=[checked(column) for column in game.columns])


def wrong_lines(data: object) -> str | None:
    """What is wrong with what `encode` returned; None if nothing is. The functions below say the same of other results."""
    if not isinstance(data, bytes):
        return f"`encode` returned {_quote(data)} instead of bytes"
    return None if data.endswith(b"\n") else f"`encode` returned {_quote(data)}, which does not end with a line feed"


def no_requests(due: object) -> str | None:
    """Why what `requests` returned is no list of requests."""
    is_one = isinstance(due, Sequence) and all(isinstance(request, Request) for request in due)
    return None if is_one else f"`requests` returned {_quote(due)} instead of a list of `Request`s"


def wrong_requests(due: Sequence[Request[Any]], seats: int) -> str | None:
    """What is wrong with what `requests` returned."""
    if why := no_requests(due):
        return why
    numbers = [request.seat for request in due]
    if not all(_is_seat(number, seats) for number in numbers) or len(set(numbers)) < len(numbers):
        return (
            f"its requests are for the seats {_quote(numbers)}: each may be asked once, and the seats are {_all(seats)}"
        )
    return None


def no_events(events: object) -> str | None:
    """Why what `advance` returned is no list."""
    return None if isinstance(events, Sequence) else f"`advance` returned {_quote(events)} instead of a list of events"


def wrong_events(events: Sequence[Event], seats: int) -> str | None:
    """What is wrong with what `advance` returned."""
    if why := no_events(events):
        return why
    for event in events:
        if type(event) is not dict or type(event.get("event")) is not str:
            return f"{_quote(event)} is no event: that is an object with `event`, its name"
        if event.get("seat") is not None and not _is_seat(event["seat"], seats):
            return f"its event {_quote(event['event'])} has the seat {_quote(event['seat'])}, and the seats are {_all(seats)}"
    return _wrong_json(list(events), "its events")


def no_result(outcome: object) -> str | None:
    """Why what `current_result` returned is no result that can be saved."""
    if not isinstance(outcome, Outcome) or not all(isinstance(line, Ranked) for line in outcome.ranking):
        return f"`current_result` returned {_quote(outcome)} instead of an `Outcome` with a ranking of `Ranked`"
    if type(outcome.reason) is not str or type(outcome.rounds) is not int:
        return f"the reason and the rounds of its result are {_quote((outcome.reason, outcome.rounds))}"
    for line in outcome.ranking:
        if not all(isinstance(number, int | float) and isfinite(number) for number in (line.rank, line.score)):
            return f"seat {_quote(line.seat)} has the rank {_quote(line.rank)} and the score {_quote(line.score)}"
    return None


def wrong_result(outcome: Outcome, seats: int) -> str | None:
    """What is wrong with what `current_result` returned."""
    if why := no_result(outcome):
        return why
    numbers = [line.seat for line in outcome.ranking]
    if not all(_is_seat(number, seats) for number in numbers) or len(set(numbers)) < len(numbers):
        return f"its ranking is of the seats {_quote(numbers)}: each may be there once, and the seats are {_all(seats)}"
    places = [line.rank for line in outcome.ranking]
    return None if places == sorted(places) else f"its ranking is not the best first: the places are {places}"


def no_position(position: object) -> str | None:
    """Why what `position` returned is no position."""
    return None if isinstance(position, dict) else f"`position` returned {_quote(position)} instead of an object"


def wrong_position(position: object) -> str | None:
    """What is wrong with what `position` returned."""
    return no_position(position) or _wrong_json(position, "its position")


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
        if type(number := self._state.round) is not int:
            self._refuse(f"its round is {_quote(number)} instead of a whole number")
        return number

    @override
    def requests(self) -> Sequence[Request[Any]]:
        due = self._state.requests()
        self._refuse(wrong_requests(due, self.seats))
        return due

    @override
    def advance(self, actions: Sequence[Any | Fault]) -> Sequence[Event]:
        self._steps += 1
        events = self._state.advance(actions)
        self._refuse(wrong_events(events, self.seats))
        return events

    @override
    def current_result(self) -> Outcome:
        outcome = self._state.current_result()
        self._refuse(wrong_result(outcome, self.seats))
        return outcome

    @override
    def position(self) -> Position:
        position = self._state.position()
        self._refuse(wrong_position(position))
        return position

    @override
    def draw(self) -> Frame:
        return self._state.draw()

    def _refuse(self, why: str | None) -> None:
        if why is not None:
            raise GameError(f"{self._game} in step {self._steps}: {why}")


def _all(seats: int) -> str:
    return f"0 to {seats - 1}"


def _is_seat(seat: object, seats: int) -> bool:
    return type(seat) is int and 0 <= seat < seats


def _wrong_json(value: object, what: str) -> str | None:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        same = json.loads(text) == value
    except (RecursionError, TypeError, ValueError) as failed:
        return f"{what} cannot be saved as JSON: {failed}"
    return None if same else f"{what} cannot be saved as JSON: use lists instead of tuples, and texts as keys"


def _quote(value: object) -> str:
    return shorten(repr(value))
