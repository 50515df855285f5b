"""Pig's rules, pure. Numbers in brackets are the rules of README.md.

The seat of a position always has a request: the turns of disqualified players pass together with the turn before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated, Final

from pydantic import Field, model_validator

from referee.contract.frame import Frame
from referee.contract.game import Entrant, Event, Fault, FaultName, Request, State, disqualified
from referee.contract.positions import Position
from referee.contract.ranking import Outcome, rank
from referee.errors import SetupError
from referee.games.pig.view import draw
from referee.text.strict import Strict, read
from referee.text.words import shown_name

SIDES: Final = 6
MAX_SEATS: Final = 6
MAX_GOAL: Final = 10_000
MAX_ROUNDS: Final = 10**6

Points = Annotated[int, Field(ge=0, le=2 * MAX_GOAL)]


class PlayerModel(Strict):
    """One player's points."""

    score: Points = 0
    disqualified: FaultName | None = None


class PositionModel(Strict):
    """A position of a game. The defaults are those of its start."""

    goal: Annotated[int, Field(ge=1, le=MAX_GOAL)]
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS + 1)] = 1
    seat: Annotated[int, Field(ge=0, lt=MAX_SEATS)] = 0
    stake: Points = 0
    players: Annotated[list[PlayerModel], Field(min_length=1, max_length=MAX_SEATS)]

    @model_validator(mode="after")
    def _fits_together(self) -> PositionModel:
        if self.seat >= len(self.players):
            raise ValueError(f"seat: {self.seat} of {len(self.players)} players (they count from 0)")
        if self.round > self.rounds and (self.round, self.seat, self.stake) != (self.rounds + 1, 0, 0):
            raise ValueError(f"round: {self.round} is past the end, {self.rounds} rounds")
        return self


class Pig(State["Pig", str]):
    """One game. Actions are names, then `roll` and `hold`; a request's observation is the state itself."""

    def __init__(self, setup: PositionModel, rng_seed: int) -> None:
        self.goal, self.rounds, self.turn_round = setup.goal, setup.rounds, setup.round
        self.seat, self.stake = setup.seat, setup.stake
        self.scores = [player.score for player in setup.players]
        self.out: list[str | None] = [player.disqualified for player in setup.players]
        self.seats = len(self.scores)
        self.names = [""] * self.seats
        self._rng = Random(rng_seed)
        self._recorded: list[object] = []
        self._unnamed = [seat for seat in range(self.seats) if self.out[seat] is None]
        self._skip()

    @property
    def round(self) -> int:
        """The current round, or 0 until every player has given its name."""
        return 0 if self._unnamed else self.turn_round

    def requests(self) -> Sequence[Request[Pig]]:
        """The next seat without a name or, after the names, the seat to move."""
        if self._unnamed:
            return (Request(self._unnamed[0], "getName", self),)
        return () if self._reason() else (Request(self.seat, "getAction", self),)

    def advance(self, actions: Sequence[str | Fault]) -> Sequence[Event]:
        """One roll, one hold or one name."""
        (action,) = actions
        seat = self._unnamed.pop(0) if (named := bool(self._unnamed)) else self.seat
        events: list[Event]
        if isinstance(action, Fault):
            self.out[seat] = str(action.kind)  # (6)
            events = [disqualified(seat, action)]
            if not named:
                self._pass()
        elif named:
            self.names[seat] = action
            events = [{"event": "named", "seat": seat, "name": action}]
        elif action == "roll":
            die = self._die()
            events = [{"event": "roll", "seat": seat, "die": die}]
            self.stake += die
            if die == 1:  # (3)
                self._pass()
        else:
            self.scores[seat] += self.stake  # (4)
            events = [{"event": "hold", "seat": seat, "points": self.stake}]
            self._pass()
        self._skip()
        return events

    def follow(self, events: Sequence[Event]) -> None:
        """The die is the only random draw in this game."""
        self._recorded = [event.get("die") for event in events if event.get("event") == "roll"]

    def current_result(self) -> Outcome:
        """The ranking by points (5)."""
        names = [shown_name(name, seat) for seat, name in enumerate(self.names)]
        played = self.round if self.requests() else self.turn_round - (self.seat == 0)
        return Outcome(self._reason() or "interrupted", max(0, played), rank(self.scores, self.out, names))

    def position(self) -> Position:
        """This position, as README.md describes it."""
        return {
            "goal": self.goal,
            "rounds": self.rounds,
            "round": self.turn_round,
            "seat": self.seat,
            "stake": self.stake,
            "players": [
                {"score": score, "disqualified": out} for score, out in zip(self.scores, self.out, strict=True)
            ],
        }

    def draw(self) -> Frame:
        """A track for each seat."""
        return draw(
            self.scores, self.out, self.names, goal=self.goal, stake=self.stake, seat=self.seat,
            title=f"round {min(self.turn_round, self.rounds)} of {self.rounds}" if self.round else "names",
            to_move=[request.seat for request in self.requests()],
        )  # fmt: skip

    def _reason(self) -> str | None:
        if all(self.out):
            return "nobody-left"
        if any(score >= self.goal for score in self.scores):
            return "goal"
        return "rounds" if self.turn_round > self.rounds else None

    def _pass(self) -> None:
        self.stake = 0
        self.seat += 1
        if self.seat == self.seats:
            self.seat = 0
            self.turn_round += 1

    def _skip(self) -> None:
        while not self._unnamed and not self._reason() and self.out[self.seat]:
            self._pass()

    def _die(self) -> int:
        match self._recorded.pop(0) if self._recorded else None:
            case int(number) if 1 <= number <= SIDES and number is not True:
                return number
        return 1 + int(self._rng.random() * SIDES)


def start(setup: Position, rng_seed: int, entrants: Sequence[Entrant] = (), /) -> Pig:
    """A game from a position. The entrants make no difference.

    Raises:
        SetupError: the position breaks a rule of the game.
    """
    return Pig(read(PositionModel, setup, SetupError), rng_seed)
