"""Records what passes between the referee and the bot under test, and answers for the other seats of a trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from typing_extensions import override

from referee.clock import Clock
from referee.game import Answer, Fault, Game, Position, Request, Step
from referee.players.base import Player
from referee.ranking import Outcome

KEPT_OUTPUT: Final = 8 * 1024
"""Bytes of output that are kept for each request."""


@dataclass(slots=True)
class TrialRecorder:
    """A `Tap` on the bot's streams and an `Observer` of the match.

    Attributes:
        seat: the bot's.
        at_fault: called at the bot's first fault. Nothing is recorded after it.
        fault: the bot's first fault.
        requests, asks: each request to the bot as bytes, and by name.
        answers: each answer of the bot.
        output: what the bot wrote since the last request.
        put: whether any of the last request has been written to the bot.
    """

    seat: int
    at_fault: Callable[[], object] = lambda: None
    fault: Fault | None = None
    requests: list[bytes] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    answers: list[Answer[Any]] = field(default_factory=list)
    output: bytes = b""
    put: bool = False

    def recorded(self, game: Game[Any, Any]) -> Game[Any, Any]:
        """The game, with each request to the bot recorded as it is encoded."""

        def recording(encode: Callable[[Request[Any]], bytes]) -> Callable[[Request[Any]], bytes]:
            def record(request: Request[Any]) -> bytes:
                data = encode(request)
                if request.seat == self.seat and self.fault is None:
                    self.requests.append(data)
                    self.asks.append(request.ask)
                    self.output, self.put = b"", False
                return data

            return record

        turn = None if game.encode_turn is None else recording(game.encode_turn)
        return replace(game, encode=recording(game.encode), encode_turn=turn)

    def sent(self, data: bytes) -> None:
        """Part of a request was written to the bot."""
        if self.fault is None:
            self.put = True

    def received(self, data: bytes) -> None:
        """The bot wrote something."""
        if self.fault is None:
            self.output = (self.output + data)[:KEPT_OUTPUT]

    def step(self, step: Step) -> None:
        """A step was played. A bot that lives for a turn has a name without being asked for it: that is no answer."""
        for answer in step.answers:
            if answer.seat == self.seat and self.fault is None and len(self.answers) < len(self.requests):
                self.answers.append(answer)
                if isinstance(answer.action, Fault):
                    self.fault = answer.action
                    self.at_fault()

    def end(self, outcome: Outcome, final: Position) -> None:
        """The match is over."""


class Bystander(Player):
    """Gives the answers that a trial prescribes, immediately."""

    def __init__(self, game: Game[Any, Any], seat: int, words: Callable[[str], bytes]) -> None:
        self._game, self._seat, self._words = game, seat, words

    @override
    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        words = self._words(request.ask)
        return Answer(self._seat, self._game.decode(request.ask, words.split(b"\n")), words.decode(), 0.0)

    @override
    async def end(self, *, grace: float) -> None:
        pass
