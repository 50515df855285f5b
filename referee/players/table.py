"""The table of a match: its players take their seats all together, and all leave, however the match ends.

1. What drains their logs runs in a nursery that opens before the first one starts and closes after the last one has ended.
2. Programs that stay are started together. Where each turn takes a process, as many run at a time as there are processors:
   more would only wait for each other.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import trio

from referee.game import Game, Lifetime, Policy, Request
from referee.players.base import Player
from referee.players.fairness import OwnTime, own_time
from referee.players.oneshot import OneShotPlayer
from referee.players.policy import PolicyPlayer
from referee.players.pondering import Pondering
from referee.players.process_player import ProcessPlayer
from referee.players.stream import Tap
from referee.sandbox.cells.cell import Launch
from referee.sandbox.opening import Sandbox
from referee.sandbox.program import Program

GRACE: Final = 0.05
"""Seconds that players get to leave by themselves after a match, once their input has ended."""
Hear = Callable[[bytes], None]
"""Gets what a player writes to stderr."""


@runtime_checkable
class _Decides(Protocol):
    """What tells a policy from a program (`isinstance` looks at the names alone)."""

    @property
    def name(self) -> str: ...
    def decide(self, request: Request[Any]) -> Any: ...


Contender: TypeAlias = Program | Policy[Any, Any]
"""What can take a seat: a program to start, or a policy."""


@asynccontextmanager
async def seated(
    sandbox: Sandbox,
    contenders: Sequence[Contender],
    game: Game[Any, Any],
    *,
    lifetimes: Sequence[Lifetime] | None = None,
    pondering: bool = True,
    taps: Sequence[Tap | None] | None = None,
    hears: Sequence[Hear | None] | None = None,
) -> AsyncIterator[list[Player]]:
    """Starts the bots side by side, one a seat, all or none; ends them on the way out as `ending` does.

    Args:
        sandbox: what each program is put into.
        contenders: one a seat.
        game: whose words they speak.
        lifetimes: one a seat, which for policies only says what their taps are shown; None for the game's usual one.
        pondering: whether programs that stay run while it is not their turn.
        taps, hears: one a seat, None for a seat without.

    Raises:
        BotError: one of them cannot be started. IsolationError: the machine cannot isolate it. One error inside comes out
            as it is, several as a group.
    """
    none = [None] * len(contenders)
    players: list[Player] = []
    try:
        with own_time() as own:
            async with trio.open_nursery() as logs, ending(players):
                launches = await _prepared(sandbox, contenders)
                places = trio.CapacityLimiter(len(os.sched_getaffinity(0)))
                table = _Table(game, Pondering(allowed=pondering), own, places)
                table.lay(
                    players,
                    launches,
                    [game.lifetimes[0]] * len(contenders) if lifetimes is None else lifetimes,
                    none if taps is None else taps,
                    none if hears is None else hears,
                )
                async with trio.open_nursery() as starts:
                    for player in players:
                        starts.start_soon(player.settle, logs)
                yield players
    except BaseExceptionGroup as group:
        failed = _bare(group)
        if failed is group:
            raise
    else:
        return
    raise failed  # out here it does not get the group that held it for its context


@asynccontextmanager
async def ending(players: Sequence[Player]) -> AsyncIterator[None]:
    """Ends the players on the way out: with a short grace after a match, at once after a cancel or an error."""
    grace = 0.0
    try:
        yield
        grace = GRACE
    finally:
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(partial(player.end, grace=grace))


async def _prepared(sandbox: Sandbox, contenders: Sequence[Contender]) -> list[Launch | _Decides]:
    """All programs made ready, side by side; policies are."""
    ready: dict[int, Launch | _Decides] = {}

    async def one(seat: int, program: Program) -> None:
        ready[seat] = await sandbox.prepare(program)

    async with trio.open_nursery() as nursery:
        for seat, contender in enumerate(contenders):
            if isinstance(contender, _Decides):
                ready[seat] = contender
            else:
                nursery.start_soon(one, seat, contender)
    return [ready[seat] for seat in range(len(contenders))]


@dataclass(frozen=True, slots=True)
class _Table:
    """What all players of a match have in common."""

    game: Game[Any, Any]
    pondering: Pondering
    own: OwnTime
    places: trio.CapacityLimiter

    @trio.lowlevel.enable_ki_protection
    def lay(
        self,
        players: list[Player],
        launches: Sequence[Launch | _Decides],
        lifetimes: Sequence[Lifetime],
        taps: Sequence[Tap | None],
        hears: Sequence[Hear | None],
    ) -> None:
        """Make one player after the other, each in the list as soon as it runs: Ctrl-C cannot come in between."""
        for seat, (launch, lifetime, tap, hear) in enumerate(zip(launches, lifetimes, taps, hears, strict=True)):
            players.append(self._player(seat, launch, lifetime, tap, hear))

    def _player(
        self, seat: int, launch: Launch | _Decides, lifetime: Lifetime, tap: Tap | None, hear: Hear | None
    ) -> Player:
        if isinstance(launch, _Decides):
            return PolicyPlayer(self.game, seat, launch, process=lifetime, tap=tap)
        if lifetime == "turn":
            return OneShotPlayer(
                launch, self.game, seat, places=self.places, pondering=self.pondering, own=self.own, tap=tap, hear=hear
            )
        return ProcessPlayer.start(
            launch, self.game, seat, tap=tap, hear=hear, pondering=self.pondering, own=self.own
        )  # fmt: skip


def _bare(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error of a group, which nurseries make of a single one too; cancels beside it are its consequence."""
    failed: BaseException = group.split(trio.Cancelled)[1] or group
    while isinstance(failed, BaseExceptionGroup) and len(failed.exceptions) == 1:
        failed = failed.exceptions[0]
    return group if isinstance(failed, BaseExceptionGroup) else failed
