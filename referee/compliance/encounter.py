"""A bot under the real rules: the referee's own loop, players and clocks, with everything noted that a diagnosis needs.

1. The bot plays seat 0 of a trial, the other seats answer what the trial says. Or it plays a match among other bots.
2. What it was sent is noted as the game's codec makes it, what it answered as its pipe has it, both since its start: so
   an experiment can put the very same requests again.
3. A bot that waits for input although its request has been read to the end would only use up its limit, which is long for
   a first answer: after `PATIENCE` it is given up. Whether it would have answered is not decided here (`GaveUp`), and
   whoever cannot confirm it tries again without.
4. A timeout that is the machine's fault is tried again, `RETRIES` times. Then it is handed on as what it is: who computes
   for longer than its limit is too slow on any machine, and an experiment can tell.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import trio

from referee import match
from referee.bots import Bot
from referee.clock import Clock, TimeControl, seconds
from referee.compliance.deeds import is_stuck, peak, unread
from referee.compliance.scribe import Bystander, Scribe
from referee.compliance.specimen import at_once
from referee.game import Fault, FaultKind, Game, Position, Trial
from referee.players.base import Player
from referee.players.fairness import CpuClock, HostStalled
from referee.players.process_player import ProcessPlayer
from referee.players.table import seated
from referee.sandbox import advice
from referee.sandbox.cells.cell import Cell, Launch
from referee.sandbox.limits import Level
from referee.sandbox.opening import Sandbox
from referee.sandbox.program import Program

PATIENCE: Final = 1.0
"""Seconds for which a bot that waits for more input is waited for."""
LOOK: Final = 0.1
RETRIES: Final = 2


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fault and what led to it.

    Attributes:
        fault: as the referee words it.
        ask: the name of the request that was put last.
        requests: all that were put to this process, the last one included, as bytes.
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
        lines: its answers as bytes, with what ends them.
        peak: the most memory that it had, in bytes; None where nobody could see it.
        evidence: of its fault, None without one.
    """

    first: float
    times: Sequence[float]
    requests: Sequence[bytes]
    name: str | None
    lines: Sequence[bytes]
    peak: int | None
    evidence: Evidence | None


class Ready:
    """A sandbox in which the bot under trial has been made ready once, for any number of starts; others as usual.

    Attributes:
        launch: the bot's.
        cell: its last one.
    """

    def __init__(self, sandbox: Sandbox, bot: Program, launch: Launch) -> None:
        self._sandbox, self._bot, self.launch = sandbox, bot, launch
        self.level: Level = sandbox.level
        self.parts = sandbox.parts
        self.cell: Cell | None = None

    async def prepare(self, program: Program) -> Launch:
        """See `Sandbox.prepare`."""
        return self if program is self._bot else await self._sandbox.prepare(program)

    @property
    def name(self) -> str:
        """See `Launch`."""
        return self._bot.name

    def spawn(self) -> Cell:
        """See `Launch`."""
        self.cell = self.launch.spawn()
        return self.cell

    def pid(self) -> int | None:
        """Of the bot's last process."""
        return None if self.cell is None else self.cell.pid


@dataclass(frozen=True, slots=True)
class Arena:
    """What all trials of a bot have in common."""

    game: Game[Any, Any]
    bot: Bot
    ready: Ready
    time: TimeControl

    async def trial(self, trial: Trial, rng_seed: int, *, patient: bool = False) -> Showing:
        """Let the bot play a trial.

        Raises:
            BotError: it cannot be started.
        """
        return await _again(lambda: self._trial(trial, rng_seed, patient))

    async def match(self, setup: Position, bots: Sequence[Bot], seat: int, rng_seed: int) -> Showing:
        """Let it play a match among others, itself at `seat` of `bots`.

        Raises:
            BotError: one of them cannot be started. HostStalled: this machine was too busy for a rival.
        """
        return await _again(lambda: self._match(setup, bots, seat, rng_seed))

    async def _trial(self, trial: Trial, rng_seed: int, patient: bool) -> Showing:
        state = self.game.start(trial.setup, rng_seed)
        scribe = Scribe(0)
        game = scribe.noted(self.game)
        others = [Bystander(self.game, seat, trial.bystanders.__getitem__) for seat in range(1, state.seats)]
        clocks = match.clocks_for(self.time, state.seats)
        given_up, stalled = None, None
        async with seated(self.ready, [self.bot], game, taps=[scribe]) as (player,):
            players: list[Player] = [player, *others]
            try:
                if patient:
                    await match.play(state, players, clocks, observers=[scribe])
                else:
                    given_up = await self._impatiently(
                        scribe, lambda: match.play(state, players, clocks, observers=[scribe])
                    )
            except HostStalled as host:
                stalled = host
            most = self._peak()
        return self._showing(scribe, player, clocks[0], most, given_up, stalled)

    async def _match(self, setup: Position, bots: Sequence[Bot], seat: int, rng_seed: int) -> Showing:
        state = self.game.start(setup, rng_seed)
        scribe = Scribe(seat)
        clocks = match.clocks_for(self.time, state.seats)
        taps = [scribe if k == seat else None for k in range(len(bots))]
        stalled = None
        async with seated(self.ready, bots, scribe.noted(self.game), taps=taps) as players:
            try:
                await match.play(state, players, clocks, observers=[scribe])
            except HostStalled as host:
                stalled = host
            most = self._peak()
        if stalled is not None and stalled.seat != seat:
            raise stalled
        return self._showing(scribe, players[seat], clocks[seat], most, None, stalled)

    def _peak(self) -> int | None:
        pid = self.ready.pid()
        return None if pid is None else peak(pid)

    def _showing(
        self,
        scribe: Scribe,
        player: ProcessPlayer,
        clock: Clock,
        most: int | None,
        given_up: float | None,
        stalled: HostStalled | None,
    ) -> Showing:
        answers = scribe.answers
        last = answers[-1] if answers else None
        fault = last.action if last is not None and isinstance(last.action, Fault) else None
        elapsed, cpu = (last.elapsed, last.cpu) if last is not None else (0.0, None)
        if given_up is not None:
            fault = Fault(FaultKind.TIMEOUT, f"no answer within {given_up:.1f} s, and it waits for more input")
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
                requests=scribe.requests,
                came=scribe.came,
                before=scribe.before,
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
        return Showing(
            first=good[0].elapsed if good else 0.0,
            times=[answer.elapsed for answer in good[1:]],
            requests=scribe.requests,
            name=name,
            lines=[*scribe.lines[1:], scribe.came],
            peak=most,
            evidence=evidence,
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
        """Whether the bot, for some looks, has waited for input and nothing else since it was asked."""
        cell, pid = self.ready.cell, self.ready.pid()
        if cell is None or pid is None:
            return False
        clock = CpuClock(pid)
        used = clock.read()
        for _ in range(6):
            if scribe.asked_at != asked_at or cell.stdin.closed:
                return False
            if not is_stuck(pid) or unread(cell.stdin.fileno()):
                return False
            await trio.sleep(LOOK)
        return clock.read() - used < 0.05


async def _again(play: Callable[[], Awaitable[Showing]]) -> Showing:
    for _ in range(RETRIES):
        showing = await play()
        if showing.evidence is None or showing.evidence.stalled is None:
            return showing
    return await play()
