"""A bot under the real rules: the referee's own loop, players and clocks, with everything noted that a diagnosis needs.

1. The bot plays seat 0 of a trial, the other seats answer what the trial says. Or it plays a match among other bots, and what
   seats are left the house takes. All is over at the bot's first fault, also where the rules would let it play on.
2. What it was sent is noted as the game's codec makes it, what it answered as its pipe has it, both since its start: so
   an experiment can put the very same requests again.
3. A bot that stays and does not compute would mostly only use up its limit, which is long for a first answer: after
   `PATIENCE` it is given up. Whether it would have answered is not decided here (`Evidence.gave_up`), and whoever cannot
   confirm it tries again without.
4. A timeout that is the machine's fault is tried again, `RETRIES` times. Then it is handed on as what it is: who computes
   for longer than its limit is too slow on any machine, and an experiment can tell.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final

import trio

from referee import match
from referee.bots import Bot, entrants, filled
from referee.clock import Clock, TimeControl, seconds
from referee.compliance.ready import Peaks, Ready
from referee.compliance.scribe import Bystander, Scribe
from referee.compliance.specimen import at_once
from referee.game import Entrant, Fault, FaultKind, Game, Position, State, Trial
from referee.players.base import Player
from referee.players.fairness import HostStalled, cpu_clock
from referee.sandbox import advice
from referee.session import players_of

PATIENCE: Final = 1.0
"""Seconds after which a bot is looked at whether it computes, for another `IDLE`."""
LOOK: Final = 0.1
IDLE: Final = 0.6
RETRIES: Final = 2


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fault and what led to it.

    Attributes:
        fault: as the referee words it.
        ask: the name of the request that was put last.
        requests: all that were put to this process, the last one included, as bytes. asked: how many were put to the bot.
        came: what came back for the last one.
        before: what it had written all in all before that, its last bytes.
        elapsed, cpu, limit: of the last answer, in seconds.
        put: whether any of the last request was written to it: output that nobody asked for is found before that.
        total: whether it was the limit of all answers together that it passed.
        log: the last lines of its stderr.
        gave_up: it was not waited for to the end (theory, point 3).
        stalled: the machine was too busy to say that it is the bot's fault.
    """

    fault: Fault
    ask: str
    requests: Sequence[bytes]
    asked: int
    came: bytes
    before: bytes
    elapsed: float
    cpu: float | None
    limit: float
    put: bool
    total: bool
    log: Sequence[str]
    gave_up: bool = False
    stalled: HostStalled | None = None


@dataclass(frozen=True, slots=True)
class Showing:
    """How a trial or match went for the bot.

    Attributes:
        first: wall seconds of the first answer; times: of each later one.
        requests: what it was asked.
        name: as it answered it, None where it did not come to that.
        peak: the most memory that it had, in bytes; None where nobody could see it.
        evidence: of its fault, None without one.
        read_otherwise: answers that the game takes for something else than they say, and what for.
    """

    first: float
    times: Sequence[float]
    requests: Sequence[bytes]
    name: str | None
    peak: int | None
    evidence: Evidence | None
    read_otherwise: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Arena:
    """What all trials of a bot have in common; of the bot the lifetime is said."""

    game: Game[Any, Any]
    bot: Bot
    ready: Ready
    time: TimeControl

    @property
    def lives_a_turn(self) -> bool:
        """Whether each request is put to a process of its own."""
        return self.bot.policy is None and self.bot.lifetime == "turn"

    async def trial(self, trial: Trial, rng_seed: int, *, patient: bool = False) -> Showing:
        """Let the bot play a trial.

        Raises:
            BotError: it cannot be started.
        """
        return await self._again(lambda: self._trial(trial, rng_seed, patient))

    async def match(self, setup: Position, bots: Sequence[Bot], seat: int, rng_seed: int) -> Showing:
        """Let it play a match among others, itself at `seat` of `bots`; behind them the house sits down.

        Raises:
            BotError: one of them cannot be started. HostStalled: this machine was too busy for a rival.
        """
        return await self._again(lambda: self._match(setup, bots, seat, rng_seed))

    async def _again(self, play: Callable[[], Awaitable[Showing]]) -> Showing:
        for _ in range(0 if self.lives_a_turn else RETRIES):  # a turn is put again by its player
            showing = await play()
            if showing.evidence is None or showing.evidence.stalled is None:
                return showing
        return await play()

    async def _trial(self, trial: Trial, rng_seed: int, patient: bool) -> Showing:
        seats = self.game.start(trial.setup, rng_seed).seats
        lifetime = "game" if "game" in self.game.lifetimes else self.game.lifetimes[0]
        others = [Entrant("bystander", lifetime) for _ in range(1, seats)]
        state = self.game.start(trial.setup, rng_seed, [*entrants([self.bot]), *others])
        scribe = Scribe(0)
        async with self._seated(scribe, [self.bot]) as (player,):
            bystanders = [Bystander(self.game, seat, trial.bystanders.__getitem__) for seat in range(1, seats)]
            hasty = not patient and not self.lives_a_turn and self.bot.policy is None
            return await self._played(state, [player, *bystanders], scribe, hasty=hasty)

    async def _match(self, setup: Position, bots: Sequence[Bot], seat: int, rng_seed: int) -> Showing:
        line_up = filled(bots, self.game, self.game.start(setup, rng_seed).seats, rng_seed)
        state = self.game.start(setup, rng_seed, entrants(line_up))
        line_up[seat] = bots[seat]  # told apart from others by its name, but this is the one that has been made ready
        scribe = Scribe(seat)
        async with self._seated(scribe, line_up) as players:
            showing = await self._played(state, players, scribe, hasty=False)
        stalled = None if showing.evidence is None else showing.evidence.stalled
        if stalled is not None and stalled.seat != seat:
            raise stalled
        return showing

    def _seated(self, scribe: Scribe, bots: Sequence[Bot]) -> AbstractAsyncContextManager[list[Player]]:
        """The players, with all noted that passes between the referee and the bot."""
        taps = [scribe if seat == scribe.seat else None for seat in range(len(bots))]
        return players_of(bots, self.ready, scribe.noted(self.game), taps=taps)

    async def _played(
        self, state: State[Any, Any], players: Sequence[Player], scribe: Scribe, *, hasty: bool
    ) -> Showing:
        """Play to the end, or to the bot's first fault."""
        clocks = match.clocks_for(self.time, state.seats)
        given_up, stalled, peaks = None, None, Peaks(self.ready)

        async def play() -> None:
            with trio.CancelScope() as scope:
                scribe.at_fault = scope.cancel
                await match.play(state, players, clocks, observers=[scribe])

        try:
            async with at_once() as nursery:
                nursery.start_soon(peaks.watch, self.lives_a_turn)
                if hasty:
                    given_up = await self._impatiently(scribe, play)
                else:
                    await play()
                nursery.cancel_scope.cancel()
        except HostStalled as host:
            stalled = host
        return self._showing(scribe, players[scribe.seat], clocks[scribe.seat], peaks.most, given_up, stalled)

    def _showing(
        self,
        scribe: Scribe,
        player: Player,
        clock: Clock,
        most: int | None,
        given_up: float | None,
        stalled: HostStalled | None,
    ) -> Showing:
        answers = scribe.answers
        last = answers[-1] if answers else None
        fault = scribe.fault
        elapsed, cpu = (last.elapsed, last.cpu) if last is not None else (0.0, None)
        if given_up is not None:
            fault = Fault(FaultKind.TIMEOUT, f"no answer within {given_up:.1f} s, and it does not compute")
            elapsed, cpu = given_up, None
        if stalled is not None:
            fault = Fault(FaultKind.TIMEOUT, f"no answer within {seconds(stalled.stall.limit)}")
            elapsed, cpu = stalled.stall.limit, None
        good = [answer for answer in answers if not isinstance(answer.action, Fault)]
        evidence = None
        if fault is not None:
            first = len(scribe.requests) <= 1
            evidence = Evidence(
                fault=fault,
                ask=scribe.asks[-1] if scribe.asks else "",
                requests=scribe.requests[-1:] if self.lives_a_turn else scribe.requests,
                asked=len(scribe.requests),
                came=scribe.came,
                before=b"" if self.lives_a_turn else scribe.before,
                elapsed=elapsed,
                cpu=cpu,
                limit=self.time.first if first else self.time.answer,
                put=scribe.put,
                total=clock.left() == 0,
                log=player.last_words(advice.LINES),
                gave_up=given_up is not None,
                stalled=stalled,
            )
        name = str(good[0].action) if good and scribe.asks[0] == "getName" else None
        read = [
            (answer.text or "", text)
            for ask, answer in zip(scribe.asks, good, strict=False)
            if ask != "getName" and _plain(text := self.game.format(answer.action)) != _plain(answer.text or "")
        ]
        return Showing(
            first=good[0].elapsed if good else 0.0,
            times=[answer.elapsed for answer in good[1:]],
            requests=scribe.requests,
            name=name,
            peak=most,
            evidence=evidence,
            read_otherwise=read,
        )

    async def _impatiently(self, scribe: Scribe, play: Callable[[], Awaitable[object]]) -> float | None:
        """Play, and give up a bot that waits for more input; the seconds it had then, None when it was not given up."""
        given_up: list[float] = []

        async def look(scope: trio.CancelScope) -> None:
            while True:
                await trio.sleep(LOOK)
                asked_at = scribe.asked_at
                if asked_at is None or time.perf_counter() - asked_at < PATIENCE:
                    continue
                if await self._only_waits(scribe, asked_at):
                    given_up.append(time.perf_counter() - asked_at)
                    scope.cancel()
                    return

        async with at_once() as nursery:
            with trio.CancelScope() as scope:
                nursery.start_soon(look, scope)
                await play()
            nursery.cancel_scope.cancel()
        return given_up[0] if given_up else None

    async def _only_waits(self, scribe: Scribe, asked_at: float) -> bool:
        """Whether the bot does not compute for a while, and has still not answered then."""
        pid = self.ready.pid()
        if pid is None:
            return False
        clock = cpu_clock(pid)
        used = clock()
        await trio.sleep(IDLE)
        return scribe.asked_at == asked_at and clock() - used < IDLE / 10


def _plain(text: str) -> str:
    """An answer without what no game should mind: blanks behind lines, empty lines at the end, capital letters."""
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n").casefold()
