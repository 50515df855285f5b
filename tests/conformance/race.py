"""A small game that keeps the contract: a race to twelve points by rolling a die; a 1 eliminates. Broken games are made of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated, Any

from pydantic import Field

from referee.gamekit import (
    Entrant,
    Event,
    Fault,
    FaultName,
    Frame,
    Game,
    InvalidReply,
    Mark,
    Outcome,
    Position,
    Request,
    SeatLine,
    SetupError,
    State,
    Strict,
    TimeControl,
    Tone,
    decode_name,
    disqualified,
    quote,
    rank,
    read,
    shown_name,
)  # fmt: skip

GOAL, TURNS = 12, 40


class Player(Strict):
    score: Annotated[int, Field(ge=0, le=GOAL + 6)] = 0
    disqualified: FaultName | None = None
    lost: bool = False


class Setup(Strict):
    players: Annotated[list[Player], Field(min_length=2, max_length=4)]
    turn: Annotated[int, Field(ge=0, le=TURNS)] = 0


class Race(State["Race", str]):
    """One match; what a request shows is the match itself."""

    def __init__(self, setup: Setup, rng_seed: int) -> None:
        self.seats, self.turn = len(setup.players), setup.turn
        self.scores = [player.score for player in setup.players]
        self.out: list[Any] = [player.disqualified for player in setup.players]
        self.lost = [player.lost for player in setup.players]
        self.names = [""] * self.seats
        self.unnamed = [seat for seat in range(self.seats) if self.plays(seat)]
        self.rng, self.told = Random(rng_seed), list[Any]()

    @property
    def round(self) -> int:
        return 0 if self.unnamed else self.turn + 1

    def requests(self) -> Sequence[Request[Race]]:
        if self.unnamed:
            return [Request(self.unnamed[0], "getName", self)]
        return [] if self.over() else [Request(self.seat, "getAction", self)]

    def advance(self, actions: Sequence[str | Fault]) -> list[Event]:
        seat, action = self.unnamed.pop(0) if (naming := bool(self.unnamed)) else self.seat, actions[0]
        self.turn += not naming
        if isinstance(action, Fault):
            self.out[seat] = action.kind.value
            return [disqualified(seat, action)]
        if naming:
            self.names[seat] = action
            return [{"event": "named", "seat": seat, "name": action}]
        if action == "stay":
            return [{"event": "stay", "seat": seat}]
        die = self.told.pop(0) if self.told else self.rng.randint(1, 6)
        self.scores[seat] += die
        self.lost[seat] = die == 1
        return [{"event": "roll", "seat": seat, "die": die}]

    def follow(self, events: Sequence[Event]) -> None:
        dice = [event.get("die") for event in events if event.get("event") == "roll"]
        self.told = [die for die in dice if type(die) is int and 1 <= die <= 6]

    def current_result(self) -> Outcome:
        reason = "interrupted" if self.requests() else "over"
        names = [shown_name(name, seat) for seat, name in enumerate(self.names)]
        return Outcome(reason, self.turn, rank(self.scores, self.out, names))

    def position(self) -> Position:
        players = zip(self.scores, self.out, self.lost, strict=True)
        keys = ("score", "disqualified", "lost")
        return {"players": [dict(zip(keys, player, strict=True)) for player in players], "turn": self.turn}

    def draw(self) -> Frame:
        rows = [[Mark(f"{min(score, 99):2}", Tone.BODY, seat)] * 3 for seat, score in enumerate(self.scores)]
        lines = [SeatLine(seat, self.names[seat], self.scores[seat], (), self.out[seat]) for seat in range(self.seats)]
        return Frame(f"turn {self.turn}", rows, (), lines, [request.seat for request in self.requests()], ())

    @property
    def seat(self) -> int:
        return next(seat for k in range(self.seats) if self.plays(seat := (self.turn + k) % self.seats))

    def plays(self, seat: int) -> bool:
        return not (self.out[seat] or self.lost[seat])

    def over(self) -> bool:
        return not any(map(self.plays, range(self.seats))) or max(self.scores) >= GOAL or self.turn >= TURNS


def encode(request: Request[Race]) -> bytes:
    return b"getName\n" if request.ask == "getName" else b"getAction\n%d\n" % request.observation.turn


def decode(ask: str, lines: Sequence[bytes]) -> str:
    if ask == "getName":
        return decode_name(lines[0])
    if (word := lines[0].strip()) not in (b"roll", b"stay"):
        raise InvalidReply(f"expected roll or stay, got {quote(lines[0])}")
    return word.decode()


def game_of(kind: type[Race] = Race) -> Game[Race, str]:
    """The game with another class of states."""

    def start(setup: Position, rng_seed: int, _entrants: Sequence[Entrant] = (), /) -> Race:
        return kind(read(Setup, setup, SetupError), rng_seed)

    return Game(
        name="race", title="Race", summary="roll to twelve", rules_version=1, seats=range(2, 5), start=start,
        encode=encode, decode=decode, time=TimeControl(first=15.0, answer=1.0, total=60.0),
    )  # fmt: skip
