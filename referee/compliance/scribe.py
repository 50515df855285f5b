"""Who sits beside a bot under trial, and who writes down what passes between it and the referee."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from referee.clock import Clock
from referee.game import Answer, Game, Outcome, Position, Request, Step
from referee.players.base import Player

KEPT_OUTPUT: Final = 8 * 1024
"""Bytes that are kept of what came for one request."""


@dataclass(slots=True)
class Scribe:
    """Notes what passes between the referee and the bot: it is a tap, an observer, and sees each request encoded.

    Attributes:
        seat: the bot's.
        requests, asks: each request to it as bytes, and by name. answers: each of its answers.
        came: what it wrote since the last request; lines: the same of each request before, behind what came before the first.
        before: what it had written until the last request, its last bytes.
        put: whether any of the last request was written to it.
        asked_at: when it was put (`time.perf_counter`), None once it is answered.
    """

    seat: int
    requests: list[bytes] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    answers: list[Answer[Any]] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    came: bytes = b""
    before: bytes = b""
    put: bool = False
    asked_at: float | None = None

    def noted(self, game: Game[Any, Any]) -> Game[Any, Any]:
        """The game, with each request to the bot noted as it is encoded."""

        def encode(request: Request[Any]) -> bytes:
            data = game.encode(request)
            if request.seat == self.seat:
                self.requests.append(data)
                self.asks.append(request.ask)
                self.lines.append(self.came)
                self.before = (self.before + self.came)[-KEPT_OUTPUT:]
                self.came, self.put = b"", False
                self.asked_at = time.perf_counter()
            return data

        return replace(game, encode=encode)

    def sent(self, data: bytes) -> None:
        """See `Tap`: what is sent is known already."""
        self.put = True

    def received(self, data: bytes) -> None:
        """See `Tap`."""
        self.came = (self.came + data)[:KEPT_OUTPUT]

    def step(self, step: Step) -> None:
        """See `Observer`."""
        for answer in step.answers:
            if answer.seat == self.seat:
                self.answers.append(answer)
                self.asked_at = None

    def end(self, outcome: Outcome, final: Position) -> None:
        """See `Observer`."""


class Bystander(Player):
    """Answers what the trial says, at once."""

    def __init__(self, game: Game[Any, Any], seat: int, words: Callable[[str], bytes]) -> None:
        self._game, self._seat, self._words = game, seat, words

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """See `Player.ask`."""
        line = self._words(request.ask)
        action = self._game.decode(request.ask, [line])
        return Answer(self._seat, action, line.decode(), 0.0)

    async def end(self, *, grace: float) -> None:
        """See `Player.end`."""
