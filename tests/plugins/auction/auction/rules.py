"""The rules, pure. Numbers in brackets are those of README.md."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
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
    SeatLine,
    SetupError,
    State,
    Strict,
    disqualified,
    pick,
    rank,
    read,
    shown_name,
)

COINS: Final = 100
MOST_VALUE: Final = 20
MOST_ROUNDS: Final = 1000

Coins = Annotated[int, Field(ge=0, le=COINS)]
Value = Annotated[int, Field(ge=1, le=MOST_VALUE)]


class Bidder(Strict):
    """A player; its value in this round, or None to draw one."""

    coins: Coins = COINS
    points: Annotated[int, Field(ge=-COINS, le=MOST_ROUNDS * MOST_VALUE)] = 0
    value: Value | None = None
    disqualified: FaultName | None = None


class Setup(Strict):
    """A position. The defaults are those of the start."""

    players: Annotated[list[Bidder], Field(min_length=2, max_length=6)]
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] = 20
    round: Annotated[int, Field(ge=1, le=MOST_ROUNDS + 1)] = 1

    @model_validator(mode="after")
    def _fits_together(self) -> Setup:
        if self.round > self.rounds + 1:
            raise ValueError(f"round: {self.round} is past the end, {self.rounds} rounds")
        return self


class Auction(State["Auction", int | str]):
    """One match; what a request shows is the match itself, and `encode` keeps the values of others from a seat."""

    def __init__(self, setup: Setup, rng_seed: int) -> None:
        self._rng = Random(rng_seed)
        self.rounds, self.turn = setup.rounds, setup.round
        self.coins = [player.coins for player in setup.players]
        self.points = [player.points for player in setup.players]
        self.out: list[str | None] = [player.disqualified for player in setup.players]
        self.values = [self._value() if player.value is None else player.value for player in setup.players]
        self.seats = len(self.coins)
        self.names = [""] * self.seats
        self._unnamed = self.bidding
        self._recorded: Sequence[object] = ()

    @property
    def bidding(self) -> list[int]:
        """The seats that are not disqualified."""
        return [seat for seat in range(self.seats) if self.out[seat] is None]

    @property
    def round(self) -> int:
        """The round of the due requests; 0 while names are asked."""
        return 0 if self._unnamed else self.turn

    def requests(self) -> Sequence[Request[Auction]]:
        """Everybody at once: names, then bids."""
        if self._unnamed:
            return [Request(seat, "getName", self) for seat in self._unnamed]
        return [] if self._reason() else [Request(seat, "getBid", self) for seat in self.bidding]

    def advance(self, actions: Sequence[int | str | Fault]) -> Sequence[Event]:
        """All names, or all bids of a round."""
        due, naming = self.requests(), bool(self._unnamed)
        events: list[Event] = []
        bids: dict[int, int] = {}
        for request, action in zip(due, actions, strict=True):
            seat = request.seat
            if isinstance(action, Fault):  # (5)
                self.out[seat] = str(action.kind)
                events.append(disqualified(seat, action))
            elif naming:
                self.names[seat] = str(action)
                events.append({"event": "named", "seat": seat, "name": action})
            else:
                bids[seat] = min(int(action), self.coins[seat])
                events.append({"event": "bid", "seat": seat, "coins": bids[seat]})
        self._unnamed = []
        if not naming:
            events += self._sale(bids)
        return events

    def follow(self, events: Sequence[Event]) -> None:
        """The values of a new round are the only random draw."""
        drawn = [event.get("values") for event in events if event.get("event") == "values"]
        values = drawn[0] if drawn else ()
        self._recorded = values if isinstance(values, list) else ()

    def current_result(self) -> Outcome:
        """The ranking by points (6)."""
        names = [shown_name(name, seat) for seat, name in enumerate(self.names)]
        played = min(self.turn - (0 if self.requests() else 1), self.rounds) if not self._unnamed else 0
        return Outcome(self._reason() or "interrupted", max(0, played), rank(self.points, self.out, names))

    def position(self) -> Position:
        """This moment, with the values that only their owners know: whoever plays on from it needs them."""
        players = [
            {"coins": coins, "points": points, "value": value, "disqualified": out}
            for coins, points, value, out in zip(self.coins, self.points, self.values, self.out, strict=True)
        ]
        return {"players": players, "rounds": self.rounds, "round": self.turn}

    def draw(self) -> Frame:
        """A table; there is no board."""
        return self._table(range(self.seats))

    def draw_for(self, seat: int) -> Frame:
        """The values of others are secret (2)."""
        return self._table([seat])

    def _table(self, shown: Collection[int]) -> Frame:
        lines = [
            SeatLine(
                seat,
                shown_name(self.names[seat], seat),
                self.points[seat],
                (str(self.coins[seat]), str(value) if seat in shown else "?"),
                out,
            )
            for seat, (value, out) in enumerate(zip(self.values, self.out, strict=True))
        ]
        title = f"round {min(self.turn, self.rounds)} of {self.rounds}" if self.round else "names"
        return Frame(title, (), ("coins", "value"), lines, [request.seat for request in self.requests()], ())

    def _sale(self, bids: dict[int, int]) -> list[Event]:
        events: list[Event] = []
        if bids:
            winner = min(bids, key=lambda seat: (-bids[seat], seat))
            price = max((bid for seat, bid in bids.items() if seat != winner), default=0)  # (3)
            self.coins[winner] -= price
            self.points[winner] += self.values[winner] - price  # (4)
            events.append({"event": "sold", "seat": winner, "value": self.values[winner], "price": price})
        self.turn += 1
        if self._reason() is None:
            self.values = [self._recalled(seat) or self._value() for seat in range(self.seats)]
            events.append({"event": "values", "values": list(self.values)})
        return events

    def _recalled(self, seat: int) -> int | None:
        """The value in a record that is followed, if the rules allow it."""
        value = self._recorded[seat] if len(self._recorded) == self.seats else None
        return value if type(value) is int and 1 <= value <= MOST_VALUE else None

    def _value(self) -> int:
        return 1 + pick(self._rng, MOST_VALUE)

    def _reason(self) -> str | None:
        if len(self.bidding) < 2:
            return "nobody-left"
        return "rounds" if self.turn > self.rounds else None


def start(setup: Position, rng_seed: int, _entrants: Sequence[Entrant] = (), /) -> Auction:
    """A match from a position. Raises: SetupError."""
    return Auction(read(Setup, setup, SetupError), rng_seed)
