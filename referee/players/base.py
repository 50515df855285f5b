"""What a match knows of a player: it can be asked, and it can be ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from referee.clock import Clock
from referee.game import Answer, Request


class Player(ABC):
    """A bot in a match. Whatever it does is an `Answer`, never an exception: those are ours."""

    @abstractmethod
    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """Put a request and wait for the answer, no longer than the clock's limit.

        Whether it may be asked again after a fault depends on how long its kind lives, and each kind says so.
        Cancelled: the player is still to be ended.

        Raises:
            HostStalled: no answer came in time, and this machine is to blame for it, not the player.
        """

    @abstractmethod
    async def end(self, *, grace: float) -> None:
        """End the player and leave nothing of it behind; `grace` is the time in seconds it gets to leave by itself.

        May be called more than once, also while it is under way: who comes later waits. Not cancelled midway: it is short.
        """

    def last_words(self, count: int) -> list[str]:
        """The last lines of the player's own log, for its author."""
        return []
