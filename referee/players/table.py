"""Starts all players of a match, and ends them all, however the match ends.

1. The tasks that drain their logs run in a nursery that opens before the first player starts and closes after the last has
   ended.
2. Programs that live for the whole match are started together. Of programs that live for one turn, only as many run at a
   time as there are processors: more would only wait for each other.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import trio

from referee.contract.game import Fault, Game, Lifetime, Policy
from referee.errors import BotError, ungrouped
from referee.players.base import Player
from referee.players.fairness import OwnTime, own_time
from referee.players.human import HumanPlayer, Person
from referee.players.oneshot import OneShotPlayer
from referee.players.policy import ForfeitPlayer, PolicyPlayer
from referee.players.pondering import Pondering
from referee.players.process_player import ProcessPlayer
from referee.players.stream import Tap
from referee.sandbox.cells.cell import Launch
from referee.sandbox.opening import Sandbox
from referee.sandbox.program import Program

GRACE: Final = 0.05
"""Seconds after a match in which players may end by themselves, once their input has ended."""


Who: TypeAlias = Program | Policy[Any, Any] | Person | Fault
"""What can take a seat: a program to start, a policy, a person, or the fault of a bot that forfeits."""


@dataclass(frozen=True, slots=True)
class Contender:
    """What takes a seat.

    Attributes:
        lifetime: how long its processes live; None for the game's default. For policies and people, it only decides what is
            tapped.
        tap: gets the bytes that the player reads and writes.
    """

    who: Who
    lifetime: Lifetime | None = None
    tap: Tap | None = None


@asynccontextmanager
async def seat_players(
    sandbox: Sandbox, game: Game[Any, Any], contenders: Sequence[Contender], *, pondering: bool = True
) -> AsyncIterator[list[Player]]:
    """Start the players of a game concurrently, one for each seat, all or none, and end them on the way out.

    Args:
        sandbox: the sandbox that isolates each program.
        contenders: a contender for each seat.
        pondering: whether programs may run while it is not their turn.

    Raises:
        BotError: a bot cannot be started; the error has its seat. IsolationError: the machine cannot isolate a bot.
    """
    players: list[Player] = []
    with ungrouped(), own_time() as own:
        async with trio.open_nursery() as logs, end_players(players):
            launches = await _prepare(sandbox, contenders)
            _create(players, launches, contenders, game, Pondering(allowed=pondering), own)
            async with trio.open_nursery() as starts:
                for seat, player in enumerate(players):
                    starts.start_soon(_settled, seat, player, logs)
            yield players


@asynccontextmanager
async def end_players(players: Sequence[Player]) -> AsyncIterator[None]:
    """End the players on the way out: with a short grace after a match, immediately after a cancellation or an error."""
    grace = 0.0
    try:
        yield
        grace = GRACE
    finally:
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(partial(player.end, grace=grace))


@contextmanager
def _seat_in_errors(seat: int) -> Iterator[None]:
    """Errors about a bot in this context get its seat."""
    try:
        yield
    except BotError as wrong:
        wrong.seat = seat
        raise


async def _settled(seat: int, player: Player, logs: trio.Nursery) -> None:
    with _seat_in_errors(seat):
        await player.settle(logs)


async def _prepare(sandbox: Sandbox, contenders: Sequence[Contender]) -> dict[int, Launch]:
    """Prepare all programs concurrently, by seat; others need no preparation."""
    launches: dict[int, Launch] = {}

    async def prepare(seat: int, program: Program) -> None:
        with _seat_in_errors(seat):
            launches[seat] = await sandbox.prepare(program)

    async with trio.open_nursery() as nursery:
        for seat, contender in enumerate(contenders):
            if isinstance(contender.who, Program):
                nursery.start_soon(prepare, seat, contender.who)
    return launches


@trio.lowlevel.enable_ki_protection
def _create(
    players: list[Player],
    launches: Mapping[int, Launch],
    contenders: Sequence[Contender],
    game: Game[Any, Any],
    pondering: Pondering,
    own: OwnTime,
) -> None:
    """Create the players one after the other. Each is in the list as soon as it runs, safe from Ctrl-C in between."""
    cores = trio.CapacityLimiter(len(os.sched_getaffinity(0)))
    for seat, contender in enumerate(contenders):
        who, tap, lifetime = contender.who, contender.tap, contender.lifetime or game.lifetimes[0]
        player: Player
        with _seat_in_errors(seat):
            if isinstance(who, Fault):
                player = ForfeitPlayer(who)
            elif isinstance(who, Person):
                player = HumanPlayer(game, seat, who, process=lifetime, tap=tap)
            elif not isinstance(who, Program):
                player = PolicyPlayer(game, seat, who, process=lifetime, tap=tap)
            elif lifetime == "turn":
                player = OneShotPlayer(launches[seat], game, seat, places=cores, pondering=pondering, own=own, tap=tap)
            else:
                player = ProcessPlayer(launches[seat], game, seat, tap=tap, pondering=pondering, own=own)
        players.append(player)
