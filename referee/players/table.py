"""The table of a match: its players take their seats all together, and all leave, however the match ends.

What drains their logs runs in a nursery that opens before the first one starts and closes after the last one has ended.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import trio

from referee.game import Game
from referee.players.base import Player
from referee.players.process_player import ProcessPlayer
from referee.players.stream import Tap
from referee.sandbox.cells.cell import Launch
from referee.sandbox.opening import Sandbox
from referee.sandbox.program import Program

GRACE: Final = 0.05
"""Seconds that players get to leave by themselves after a match, once their input has ended."""
Hear = Callable[[bytes], None]
"""Gets what a player writes to stderr."""


@asynccontextmanager
async def seated(
    sandbox: Sandbox,
    programs: Sequence[Program],
    game: Game[Any, Any],
    *,
    pondering: bool = True,
    taps: Sequence[Tap | None] | None = None,
    hears: Sequence[Hear | None] | None = None,
) -> AsyncIterator[list[ProcessPlayer]]:
    """Starts the bots side by side, one a seat, all or none; ends them on the way out as `ending` does.

    Args:
        sandbox: what each of them is put into.
        programs: one a seat.
        game: whose words they speak.
        pondering: whether they run while it is not their turn.
        taps, hears: one a seat, None for a seat without.

    Raises:
        BotError: one of them cannot be started. IsolationError: the machine cannot isolate it. One error inside comes out
            as it is, several as a group.
    """
    none = [None] * len(programs)
    players: list[ProcessPlayer] = []
    try:
        async with trio.open_nursery() as logs, ending(players):
            launches = await _prepared(sandbox, programs)
            _spawn(players, launches, game, none if taps is None else taps, none if hears is None else hears, pondering)
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


async def _prepared(sandbox: Sandbox, programs: Sequence[Program]) -> list[Launch]:
    """All bots made ready, side by side."""
    ready: list[Launch | None] = [None] * len(programs)

    async def one(seat: int) -> None:
        ready[seat] = await sandbox.prepare(programs[seat])

    async with trio.open_nursery() as nursery:
        for seat in range(len(programs)):
            nursery.start_soon(one, seat)
    return [launch for launch in ready if launch is not None]


@trio.lowlevel.enable_ki_protection
def _spawn(
    players: list[ProcessPlayer],
    launches: Sequence[Launch],
    game: Game[Any, Any],
    taps: Sequence[Tap | None],
    hears: Sequence[Hear | None],
    pondering: bool,
) -> None:
    """Start one after the other, each in the list as soon as it runs: Ctrl-C cannot come in between."""
    for seat, (launch, tap, hear) in enumerate(zip(launches, taps, hears, strict=True)):
        players.append(ProcessPlayer.start(launch, game, seat, tap=tap, hear=hear, pondering=pondering))


def _bare(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error of a group, which nurseries make of a single one too; cancels beside it are its consequence."""
    failed: BaseException = group.split(trio.Cancelled)[1] or group
    while isinstance(failed, BaseExceptionGroup) and len(failed.exceptions) == 1:
        failed = failed.exceptions[0]
    return group if isinstance(failed, BaseExceptionGroup) else failed
