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
from referee.players.process import Launch
from referee.players.process_player import ProcessPlayer
from referee.players.stream import Tap

GRACE: Final = 0.05
"""Seconds that players get to leave by themselves after a match, once their input has ended."""
Hear = Callable[[bytes], None]
"""Gets what a player writes to stderr."""


@asynccontextmanager
async def seated(
    launches: Sequence[Launch],
    game: Game[Any, Any],
    *,
    taps: Sequence[Tap | None] | None = None,
    hears: Sequence[Hear | None] | None = None,
) -> AsyncIterator[list[ProcessPlayer]]:
    """Starts the bots, one a seat, all or none; ends them on the way out as `ending` does.

    Args:
        launches: one a seat.
        game: whose words they speak.
        taps, hears: one a seat, None for a seat without.

    Raises:
        BotError: one of them cannot be started. One error inside comes out as it is, several as a group.
    """
    none = [None] * len(launches)
    players: list[ProcessPlayer] = []
    try:
        async with trio.open_nursery() as logs, ending(players):
            _start(players, launches, game, none if taps is None else taps, none if hears is None else hears, logs)
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


@trio.lowlevel.enable_ki_protection
def _start(
    players: list[ProcessPlayer],
    launches: Sequence[Launch],
    game: Game[Any, Any],
    taps: Sequence[Tap | None],
    hears: Sequence[Hear | None],
    logs: trio.Nursery,
) -> None:
    """Start one after the other, each in the list as soon as it runs: Ctrl-C cannot come in between."""
    for seat, (launch, tap, hear) in enumerate(zip(launches, taps, hears, strict=True)):
        players.append(ProcessPlayer.start(launch, game, seat, logs, tap=tap, hear=hear))


def _bare(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error of a group, which nurseries make of a single one too; cancels beside it are its consequence."""
    failed: BaseException = group.split(trio.Cancelled)[1] or group
    while isinstance(failed, BaseExceptionGroup) and len(failed.exceptions) == 1:
        failed = failed.exceptions[0]
    return group if isinstance(failed, BaseExceptionGroup) else failed
