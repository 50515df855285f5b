"""Plays trials and matches with the bot under test, with the referee's own loop, players and clocks.

1. In a trial the bot has seat 0 and the other seats answer what the trial says. In a match it plays among other bots, and
   the house takes the seats that are left.
2. A trial or match ends at the bot's first fault, even where the rules would let it play on. A trial of a bot whose answers are
   processes of their own also ends after `ENOUGH_ANSWERS` answers, and a match in which any bot is like that after twice as many:
   starting and ending a process takes up to half a second, and each of them is new.
3. Requests and output are recorded as bytes (`_Recorder`), so that a diagnosis can repeat exactly what led to a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import trio

from referee.bots import Bot, entrants, with_house
from referee.compliance.probe_process import ProbeProcess, start_probe
from referee.contract.clock import Clock, TimeControl
from referee.contract.game import Fault, Game, Request, State, Step
from referee.contract.positions import Position, Trial
from referee.contract.ranking import points_of
from referee.match import loop
from referee.match.config import Seat
from referee.players.process_player import wiring_of
from referee.players.table import seat_players
from referee.sandbox import advice
from referee.sandbox.opening import Sandbox

OUTPUT_BYTES: Final = 8 * 1024
"""Bytes of output that are kept for each request."""
ENOUGH_ANSWERS: Final = 12
"""Answers after which a bot that lives for a turn has shown how it plays on a board."""


@dataclass(frozen=True, slots=True)
class FaultEvidence:
    """A fault and what led to it.

    Attributes:
        fault: the fault in the referee's words.
        requests: every request to the bot as bytes, as far as it was written.
        answers: how many requests it answered.
        output: what the bot wrote after its last answer.
        limit: the limit of the missing answer, in seconds.
        total: whether the limit for all answers together was exceeded.
        log: the last lines of the bot's stderr.
    """

    fault: Fault
    requests: Sequence[bytes]
    answers: int
    output: bytes
    limit: float
    total: bool
    log: Sequence[str]

    @property
    def last(self) -> bytes:
        """The request without an answer; empty if the bot was at fault before it was written."""
        return self.requests[-1] if len(self.requests) > self.answers else b""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """How a trial or match went for the bot.

    Attributes:
        times: the seconds of each answer. steps: the steps of the match.
        peak: the most memory that the bot held, in bytes; None if it is not known.
        evidence: the evidence of the bot's fault; None without one.
        idle: why its turns came to nothing, with the count of each reason; None if a turn had a use, or the game does not say.
        last: the bytes of its last answer.
    """

    times: Sequence[float]
    steps: int
    peak: int | None
    evidence: FaultEvidence | None
    idle: Mapping[str, int] | None
    last: bytes


@dataclass(frozen=True, slots=True)
class _Bystander:
    """The policy of the other seats: the answers that a trial prescribes."""

    game: Game[Any, Any]
    words: Mapping[str, bytes]
    name: str = "bystander"

    def decide(self, request: Request[Any]) -> Any:
        return self.game.decode(request.ask, self.words[request.ask].split(b"\n"))


@dataclass(slots=True)
class _Recorder:
    """A `Tap` on the bot's streams and an observer of the match, until the end of the trial (theory, point 2). It then calls
    `finish`.

    Attributes:
        most: the number of answers after which the match ends; None for no such number.
    """

    seat: int
    finish: Callable[[], object]
    most: int | None
    fault: Fault | None = None
    ended: bool = False
    steps: int = 0
    requests: list[bytes] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    output: bytes = b""
    last: bytes = b""

    def sent(self, data: bytes) -> None:
        """Part of a request was written to the bot."""
        if self.ended:
            return
        if len(self.requests) == len(self.times):
            self.requests.append(b"")
        self.requests[-1] += data

    def received(self, data: bytes) -> None:
        """The bot wrote something."""
        if not self.ended:
            self.output = (self.output + data)[:OUTPUT_BYTES]

    def logged(self, data: bytes) -> None:
        """Nothing to do: the player keeps its last lines."""

    def step(self, step: Step) -> None:
        """A step was played. A bot that lives for a turn has a name without being asked for it, which is not an answer."""
        self.steps += not self.ended
        for answer in step.answers:
            if answer.seat != self.seat or self.ended:
                continue
            if isinstance(answer.action, Fault):
                self.fault = answer.action
            elif len(self.requests) > len(self.times):
                self.times.append(answer.elapsed)
                self.last, self.output = self.output, b""
            if self.fault is not None or len(self.times) == self.most:
                self.ended = True
                self.finish()


@dataclass(slots=True)
class IdleTurns:
    """Notes why the bot's turns came to nothing, until one of them has a use."""

    game: Game[Any, Any]
    state: State[Any, Any]
    seat: int
    points: Sequence[float]
    reasons: Counter[str] | None = field(default_factory=Counter)

    def step(self, step: Step) -> None:
        """A step was played: the state is the one after it."""
        if self.reasons is None:
            return
        before, self.points = self.points, points_of(self.state.current_result(), self.state.seats)
        if step.round and any(answer.seat == self.seat and answer.text is not None for answer in step.answers):
            own = [effect for effect in self.game.effects(step, before, self.points) if effect.seat == self.seat]
            reasons = [effect.what for effect in own if effect.kind == "nothing"]
            if reasons:
                self.reasons[reasons[0]] += 1
            else:
                self.reasons = None


@dataclass(frozen=True, slots=True)
class TrialRunner:
    """What all trials of one bot have in common. `bot.lifetime` is set."""

    game: Game[Any, Any]
    bot: Bot
    sandbox: Sandbox
    time: TimeControl

    @property
    def stays(self) -> bool:
        """Whether the bot is a process for the whole match."""
        return self.bot.policy is None and self.bot.lifetime == "game"

    def probe(self) -> AbstractAsyncContextManager[ProbeProcess]:
        """A process of the bot outside of any match, with the streams of a match. See `probe_process.start_probe`."""
        return start_probe(self.sandbox, self.bot, wiring_of(self.game))

    async def trial(self, trial: Trial, rng_seed: int) -> TrialResult:
        """Play a trial.

        Raises:
            BotError: the bot cannot be started. HostStalled: this machine is too busy.
        """
        lifetime = "game" if "game" in self.game.lifetimes else self.game.lifetimes[0]
        others = Bot("bystander", (), Path(), lifetime=lifetime, policy=_Bystander(self.game, trial.bystanders))
        seats = self.game.start(trial.setup, rng_seed).seats
        most = ENOUGH_ANSWERS if is_one_shot(self.bot) else None
        return await self._play(trial.setup, [self.bot, *[others] * (seats - 1)], 0, rng_seed, most)

    async def match(self, setup: Position, bots: Sequence[Bot], seat: int, rng_seed: int) -> TrialResult:
        """Play a match of `bots`, the bot under test at `seat`.

        Raises:
            BotError: a bot cannot be started. HostStalled: this machine is too busy.
        """
        line_up = with_house(bots, self.game, self.game.start(setup, rng_seed).seats, rng_seed)
        line_up[seat] = self.bot  # `with_house` may have renamed it, but this is the one that is prepared
        most = 2 * ENOUGH_ANSWERS if any(map(is_one_shot, line_up)) else None
        return await self._play(setup, line_up, seat, rng_seed, most)

    async def _play(
        self, setup: Position, line_up: Sequence[Bot], seat: int, rng_seed: int, most: int | None
    ) -> TrialResult:
        """Play to the end of the trial (theory, point 2)."""
        state = self.game.start(setup, rng_seed, entrants(line_up))
        clocks = [Clock(self.time) for _ in range(state.seats)]
        scope = trio.CancelScope()
        recorder = _Recorder(seat, scope.cancel, most)
        idle = IdleTurns(self.game, state, seat, points_of(state.current_result(), state.seats))
        contenders = [
            Seat(bot).contender(tap=recorder if number == seat else None) for number, bot in enumerate(line_up)
        ]
        async with seat_players(self.sandbox, self.game, contenders) as players:
            with scope:
                await loop.play(state, players, clocks, observers=[idle.step, recorder.step])
            peak, log = players[seat].memory_peak(), players[seat].last_words(advice.LINES)
        answers, evidence = len(recorder.times), None
        if recorder.fault is not None:
            limit = self.time.answer if answers else self.time.first
            total = clocks[seat].left() == 0
            evidence = FaultEvidence(recorder.fault, recorder.requests, answers, recorder.output, limit, total, log)
        return TrialResult(recorder.times, recorder.steps, peak, evidence, idle.reasons, recorder.last)


def is_one_shot(bot: Bot) -> bool:
    """Whether each answer of a bot is a process of its own. Its `lifetime` is set."""
    return bot.policy is None and bot.lifetime == "turn"
