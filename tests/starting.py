"""Starts single players without a sandbox."""

from typing import Any

import trio
from players.witnessing import Own

from referee.games.snakecore.plugin import GAME
from referee.players.pondering import Pondering
from referee.players.process_player import ProcessPlayer
from referee.players.stream import Tap
from referee.sandbox.cells.bare import BareLaunch


async def started(bot: Any, seat: int, nursery: trio.Nursery, *, tap: Tap | None = None) -> ProcessPlayer:
    """Start a player of SnakeCore."""
    player = ProcessPlayer(BareLaunch(bot), GAME, seat, pondering=Pondering(), own=Own(), tap=tap)
    await player.settle(nursery)
    return player
