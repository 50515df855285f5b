"""Plays trials and matches with the bot under test, with the referee's own loop, players and clocks.

1. In a trial the bot has seat 0 and the other seats answer what the trial says. In a match it plays among other bots, and
   the house takes the seats that are left.
2. A trial or match ends at the bot's first fault, even where the rules would let it play on.
3. Requests and output are recorded as bytes, so that a diagnosis can repeat exactly what led to a fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

import trio

from referee import match
from referee.bots import Bot, entrants, filled
from referee.clock import Clock, TimeControl
from referee.compliance.prepared import MemoryPeak, PreparedBot
from referee.compliance.probe_process import only_error
from referee.compliance.recorder import Bystander, TrialRecorder
from referee.game import Entrant, Fault, Game, Position, State, Trial
from referee.players.base import Player
from referee.sandbox import advice
from referee.session import players_of


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fault and what led to it.

    Attributes:
        fault: in the referee's words.
        ask: the name of the last request.
        requests: every request to this process as bytes, the last one included.
        asked: the number of requests in the whole trial or match.
        output: what the bot wrote after the last request.
        limit: for the last answer, in seconds.
        put: False if the bot wrote something before the last request was written to it.
        total: whether the limit for all answers together was exceeded.
        log: the last lines of the bot's stderr.
    """

    fault: Fault
    ask: str
    requests: Sequence[bytes]
    asked: int
    output: bytes
    limit: float
    put: bool
    total: bool
    log: Sequence[str]


@dataclass(frozen=True, slots=True)
class TrialResult:
    """How a trial or match went for the bot.

    Attributes:
        first: seconds until the first answer. times: seconds of each later answer.
        requests: what the bot was asked, as bytes.
        name: the bot's answer to getName; None if it gave none.
        peak: the most memory that the bot held, in bytes; None if it was not measured.
        evidence: of the bot's fault; None without one.
        replaced: answers that the game does not refuse but replaces, each with its replacement.
    """

    first: float
    times: Sequence[float]
    requests: Sequence[bytes]
    name: str | None
    peak: int | None
    evidence: Evidence | None
    replaced: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class TrialRunner:
    """What all trials of one bot have in common. `bot.lifetime` is set."""

    game: Game[Any, Any]
    bot: Bot
    prepared: PreparedBot
    time: TimeControl

    @property
    def lives_a_turn(self) -> bool:
        """Whether each request is put to a process of its own."""
        return self.bot.policy is None and self.bot.lifetime == "turn"

    async def trial(self, trial: Trial, rng_seed: int) -> TrialResult:
        """Play a trial.

        Raises:
            BotError: the bot cannot be started. HostStalled: this machine is too busy.
        """
        seats = self.game.start(trial.setup, rng_seed).seats
        lifetime = "game" if "game" in self.game.lifetimes else self.game.lifetimes[0]
        others = [Entrant("bystander", lifetime) for _ in range(1, seats)]
        state = self.game.start(trial.setup, rng_seed, [*entrants([self.bot]), *others])
        recorder = TrialRecorder(0)
        async with self._seated(recorder, [self.bot]) as (player,):
            bystanders = [Bystander(self.game, seat, trial.bystanders.__getitem__) for seat in range(1, seats)]
            return await self._played(state, [player, *bystanders], recorder)

    async def match(self, setup: Position, bots: Sequence[Bot], seat: int, rng_seed: int) -> TrialResult:
        """Play a match of `bots`, the bot under test at `seat`.

        Raises:
            BotError: a bot cannot be started. HostStalled: this machine is too busy.
        """
        line_up = filled(bots, self.game, self.game.start(setup, rng_seed).seats, rng_seed)
        state = self.game.start(setup, rng_seed, entrants(line_up))
        line_up[seat] = bots[seat]  # `filled` may have renamed it, but this is the one that is prepared
        recorder = TrialRecorder(seat)
        async with self._seated(recorder, line_up) as players:
            return await self._played(state, players, recorder)

    def _seated(self, recorder: TrialRecorder, bots: Sequence[Bot]) -> AbstractAsyncContextManager[list[Player]]:
        taps = [recorder if seat == recorder.seat else None for seat in range(len(bots))]
        return players_of(bots, self.prepared, recorder.recorded(self.game), taps=taps)

    async def _played(self, state: State[Any, Any], players: Sequence[Player], recorder: TrialRecorder) -> TrialResult:
        """Play to the end, or to the bot's first fault."""
        clocks = match.clocks_for(self.time, state.seats)
        peak = MemoryPeak(self.prepared)
        async with only_error() as nursery:
            nursery.start_soon(peak.watch, self.lives_a_turn)
            with trio.CancelScope() as scope:
                recorder.at_fault = scope.cancel
                await match.play(state, players, clocks, observers=[recorder])
            nursery.cancel_scope.cancel()
        evidence = self._evidence(recorder, players[recorder.seat], clocks[recorder.seat])
        good = [answer for answer in recorder.answers if not isinstance(answer.action, Fault)]
        texts = [
            (answer.text or "", self.game.format(answer.action))
            for ask, answer in zip(recorder.asks, good, strict=False)
            if ask != "getName"
        ]
        return TrialResult(
            first=good[0].elapsed if good else 0.0,
            times=[answer.elapsed for answer in good[1:]],
            requests=recorder.requests,
            name=str(good[0].action) if good and recorder.asks[0] == "getName" else None,
            peak=peak.bytes,
            evidence=evidence,
            replaced=[(said, taken) for said, taken in texts if _plain(said) != _plain(taken)],
        )

    def _evidence(self, recorder: TrialRecorder, player: Player, clock: Clock) -> Evidence | None:
        if recorder.fault is None:
            return None
        return Evidence(
            fault=recorder.fault,
            ask=recorder.asks[-1] if recorder.asks else "",
            requests=recorder.requests[-1:] if self.lives_a_turn else recorder.requests,
            asked=len(recorder.requests),
            output=recorder.output,
            limit=self.time.answer if len(recorder.requests) > 1 else self.time.first,
            put=recorder.put,
            total=clock.left() == 0,
            log=player.last_words(advice.LINES),
        )


def _plain(text: str) -> str:
    """An answer without what no game minds: trailing blanks, empty lines at the end, upper case."""
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n").casefold()
