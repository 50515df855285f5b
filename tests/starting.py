"""Starts single players without a sandbox."""

from collections.abc import Callable
from typing import Any

import trio

from referee.games.snakecore.plugin import GAME
from referee.players.process_player import ProcessPlayer
from referee.sandbox.cells.bare import BareLaunch


async def started(
    bot: Any, seat: int, nursery: trio.Nursery, *, hear: Callable[[bytes], None] | None = None
) -> ProcessPlayer:
    """Start a player of SnakeCore."""
    player = ProcessPlayer(BareLaunch(bot), GAME, seat, hear=hear)
    await player.settle(nursery)
    return player
