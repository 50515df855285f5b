"""Who sits beside a bot under trial, and who writes down what passes between it and the referee."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from referee.clock import Clock
from referee.game import Answer, Fault, Game, Position, Request, Step
from referee.players.base import Player
from referee.ranking import Outcome

KEPT_OUTPUT: Final = 8 * 1024
"""Bytes that are kept of what came for one request."""


@dataclass(slots=True)
class Scribe:
    """Notes what passes between the referee and the bot: it is a tap, an observer, and sees each request encoded.

    Attributes:
        seat: the bot's.
        requests, asks: each request to it as bytes, and by name. answers: each of its answers.
        came: what it wrote since the last request.
        before: what it had written until the last request, its last bytes.
        put: whether any of the last request was written to it.
        asked_at: when it was put (`time.perf_counter`), None once it is answered.
        fault: its first one, behind which nothing is noted any more; `at_fault` is called when it comes.
    """

    seat: int
    at_fault: Callable[[], object] = lambda: None
    fault: Fault | None = None
    requests: list[bytes] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    answers: list[Answer[Any]] = field(default_factory=list)
    came: bytes = b""
    before: bytes = b""
    put: bool = False
    asked_at: float | None = None

    def noted(self, game: Game[Any, Any]) -> Game[Any, Any]:
        """The game, with each request to the bot noted as it is encoded, for whichever kind of process."""

        def noting(encode: Callable[[Request[Any]], bytes]) -> Callable[[Request[Any]], bytes]:
            def noted(request: Request[Any]) -> bytes:
                data = encode(request)
                if request.seat == self.seat and self.fault is None:
                    self._note(request.ask, data)
                return data

            return noted

        turn = None if game.encode_turn is None else noting(game.encode_turn)
        return replace(game, encode=noting(game.encode), encode_turn=turn)

    def sent(self, data: bytes) -> None:
        """See `Tap`: what is sent is known already."""
        if self.fault is None:
            self.put = True

    def received(self, data: bytes) -> None:
        """See `Tap`."""
        if self.fault is None:
            self.came = (self.came + data)[:KEPT_OUTPUT]

    def step(self, step: Step) -> None:
        """See `Observer`: answers to requests that were put; no process is asked for the name of a bot that lives for a turn."""
        for answer in step.answers:
            if answer.seat == self.seat and self.fault is None and len(self.answers) < len(self.requests):
                self.answers.append(answer)
                self.asked_at = None
                if isinstance(answer.action, Fault):
                    self.fault = answer.action
                    self.at_fault()

    def end(self, outcome: Outcome, final: Position) -> None:
        """See `Observer`."""

    def _note(self, ask: str, data: bytes) -> None:
        self.requests.append(data)
        self.asks.append(ask)
        self.before = (self.before + self.came)[-KEPT_OUTPUT:]
        self.came, self.put = b"", False
        self.asked_at = time.perf_counter()


class Bystander(Player):
    """Answers what the trial says, at once."""

    def __init__(self, game: Game[Any, Any], seat: int, words: Callable[[str], bytes]) -> None:
        self._game, self._seat, self._words = game, seat, words

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """See `Player.ask`."""
        words = self._words(request.ask)
        return Answer(self._seat, self._game.decode(request.ask, words.split(b"\n")), words.decode(), 0.0)

    async def end(self, *, grace: float) -> None:
        """See `Player.end`."""
