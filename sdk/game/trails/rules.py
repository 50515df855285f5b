"""The rules, pure. Numbers in brackets are those of README.md.

A match knows no process and no clock. It lists the requests that are due, takes one action or fault for each, and says what
happened. This game has no random choices; a game that has them draws from `random.Random(rng_seed)` and from nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field, model_validator

from referee.gamekit import (
    Entrant,
    Event,
    Fault,
    FaultName,
    Frame,
    Outcome,
    Position,
    Request,
    SetupError,
    State,
    Strict,
    disqualified,
    rank,
    read,
    shown_name,
)
from trails.view import draw

TOGETHER: Final = True
"""Whether all players move at the same moment (2)."""
MOST_SEATS: Final = 4
MOST_CELLS: Final = 60
STEPS: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
FREE: Final = "."


class Rider(Strict):
    """A player: its square, and the round in which it was out; None as long as it rides."""

    x: Annotated[int, Field(ge=0)]
    y: Annotated[int, Field(ge=0)]
    out: Annotated[int, Field(ge=1, le=MOST_CELLS**2)] | None = None
    disqualified: FaultName | None = None


class Setup(Strict):
    """A position. `board` has a text for each row: `.` is free, and a digit is the wall of that seat, from 1."""

    board: Annotated[list[str], Field(min_length=2, max_length=MOST_CELLS)]
    rounds: Annotated[int, Field(ge=1, le=MOST_CELLS**2)]
    round: Annotated[int, Field(ge=1, le=MOST_CELLS**2 + 1)] = 1
    seat: Annotated[int, Field(ge=0, lt=MOST_SEATS)] = 0
    players: Annotated[list[Rider], Field(min_length=2, max_length=MOST_SEATS)]

    @model_validator(mode="after")
    def _fits_together(self) -> Setup:
        letters = {FREE, *(str(seat + 1) for seat in range(len(self.players)))}
        if any(len(row) != len(self.board[0]) or not set(row) <= letters for row in self.board):
            raise ValueError("board: rows of one length, of `.` and the numbers of seats")
        for seat, player in enumerate(self.players):
            if player.y >= len(self.board) or player.x >= len(self.board[0]):
                raise ValueError(f"players.{seat}: not on the board")
        if self.seat >= len(self.players):
            raise ValueError(f"seat: {self.seat} of {len(self.players)} players (they count from 0)")
        return self


class Match(State["Match", str]):
    """One match. Actions are names and directions; a request shows the match itself."""

    def __init__(self, setup: Setup) -> None:
        self.board = [list(row) for row in setup.board]
        self.rounds, self.turn, self.seat = setup.rounds, setup.round, setup.seat
        self.at = [(player.x, player.y) for player in setup.players]
        self.out = [player.out for player in setup.players]
        self.why: list[str | None] = [player.disqualified for player in setup.players]
        self.seats = len(self.at)
        self.names = [""] * self.seats
        self._unnamed = self.riding
        for seat in self.riding:
            self._build(seat)

    @property
    def riding(self) -> list[int]:
        """The seats that are not out."""
        return [seat for seat in range(self.seats) if self.out[seat] is None]

    @property
    def scores(self) -> list[int]:
        """A point for each rival that was out in an earlier round (5)."""
        ends = [self.rounds + 1 if out is None else out for out in self.out]
        return [sum(other < mine for other in ends) for mine in ends]

    @property
    def round(self) -> int:
        """The round of the due requests; 0 while names are asked."""
        return 0 if self._unnamed else self.turn

    def requests(self) -> Sequence[Request[Match]]:
        """Names first, one by one. Then each player that rides or, if they move in turn, the seat to move."""
        if self._unnamed:
            return [Request(self._unnamed[0], "getName", self)]
        if self._reason() is not None:
            return []
        return [Request(seat, "getAction", self) for seat in (self.riding if TOGETHER else [self.seat])]

    def advance(self, actions: Sequence[str | Fault]) -> Sequence[Event]:
        """Take one name, or the moves of all players that were asked."""
        due = [request.seat for request in self.requests()]
        named = bool(self._unnamed)
        events: list[Event] = []
        for seat, action in zip(due, actions, strict=True):
            if isinstance(action, Fault):  # (4)
                self.out[seat], self.why[seat] = self.turn, str(action.kind)
                events.append(disqualified(seat, action))
            elif named:
                self.names[seat] = action
                events.append({"event": "named", "seat": seat, "name": action})
        if named:
            self._unnamed = [seat for seat in self._unnamed[1:] if self.out[seat] is None]
        else:
            moves = zip(due, actions, strict=True)
            events += self._move({seat: action for seat, action in moves if isinstance(action, str)})
            self._pass()
        if not TOGETHER and not self._unnamed:
            self._skip()
        return events

    def current_result(self) -> Outcome:
        """The ranking by points (5)."""
        names = [shown_name(name, seat) for seat, name in enumerate(self.names)]
        played = min(self.turn - (not self.requests() and self.turn > 1), self.rounds) if not self._unnamed else 0
        return Outcome(self._reason() or "interrupted", played, rank(self.scores, self.why, names))

    def position(self) -> Position:
        """This moment, in the form of a setup."""
        players = [
            {"x": x, "y": y, "out": out, "disqualified": why}
            for (x, y), out, why in zip(self.at, self.out, self.why, strict=True)
        ]
        rows = ["".join(row) for row in self.board]
        return {"board": rows, "rounds": self.rounds, "round": self.turn, "seat": self.seat, "players": players}

    def draw(self) -> Frame:
        """This moment as views show it."""
        title = f"round {min(self.turn, self.rounds)} of {self.rounds}" if self.round else "names"
        due = [request.seat for request in self.requests()]
        return draw(self.board, self.at, self.out, self.scores, self.why, self.names, title=title, to_move=due)

    def _move(self, moves: dict[int, str]) -> list[Event]:
        """Move some players at the same moment."""
        goals = {}
        for seat, letter in moves.items():
            (x, y), (right, down) = self.at[seat], STEPS[letter]
            goals[seat] = (x + right, y + down)
        meetings = Counter(goals.values())
        events: list[Event] = []
        for seat, (x, y) in goals.items():
            if self._is_free(x, y) and meetings[x, y] == 1:
                self.at[seat] = (x, y)
                events.append({"event": "moved", "seat": seat, "x": x, "y": y})
            else:  # (3)
                self.out[seat] = self.turn
                events.append({"event": "crashed", "seat": seat, "x": x, "y": y})
        for event in events:
            if event["event"] == "moved":
                self._build(event["seat"])
        return events

    def _is_free(self, x: int, y: int) -> bool:
        return 0 <= y < len(self.board) and 0 <= x < len(self.board[0]) and self.board[y][x] == FREE

    def _build(self, seat: int) -> None:
        x, y = self.at[seat]
        self.board[y][x] = str(seat + 1)

    def _pass(self) -> None:
        """Go on to the next turn."""
        self.seat = 0 if TOGETHER else (self.seat + 1) % self.seats
        self.turn += self.seat == 0

    def _skip(self) -> None:
        while self._reason() is None and self.out[self.seat] is not None:
            self._pass()

    def _reason(self) -> str | None:
        """Why the match is over; None if it is not."""
        if len(self.riding) < 2:
            return "last"
        return "rounds" if self.turn > self.rounds else None


def start(setup: Position, _rng_seed: int, _entrants: Sequence[Entrant] = (), /) -> Match:
    """A match from a position.

    Raises:
        SetupError: the position breaks a rule of the game.
    """
    return Match(read(Setup, setup, SetupError))
