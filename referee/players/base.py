"""What a match knows of a player: it can be asked, and it can be ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import trio

from referee.clock import Clock
from referee.game import Answer, Game, Lifetime, Request
from referee.names import MAX_NAME_BYTES


class Player(ABC):
    """A bot in a match. Whatever it does is an `Answer`, never an exception: those are ours.

    Attributes:
        lifetime: how long what answers lives. Whom one fault has ended must not be asked again ("game"); who is another
            for each request may be, and remembers nothing of the request before ("turn").
    """

    lifetime: ClassVar[Lifetime] = "game"

    async def settle(self, nursery: trio.Nursery) -> None:
        """Wait until it can be asked; what goes on beside it then runs in `nursery`, until it is ended.

        Raises:
            BotError, IsolationError: it cannot be started. It is still to be ended.
        """
        await trio.lowlevel.checkpoint()

    def at_once(
        self, request: Request[Any], clock: Clock, meanwhile: Callable[[], None] | None = None
    ) -> Answer[Any] | None:
        """Put a request, and return the answer where it is there without any waiting.

        None: `ask` is to be called with the same request and goes on from here. It is for what costs next to nothing, where
        a coroutine would be half of it. `meanwhile` is to be called once the request is put, and is not charged to the
        player; where it was not, whoever gave it calls it before anything else happens.
        """
        return None

    @abstractmethod
    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """Put a request, or go on with the one that `at_once` has put, and wait for the answer, no longer than the limit.

        Cancelled: the player is still to be ended.

        Raises:
            Void: this machine is no place to judge on.
        """

    @abstractmethod
    async def end(self, *, grace: float) -> None:
        """End the player and leave nothing of it behind; `grace` is the time in seconds it gets to leave by itself.

        May be called more than once, also while it is under way: who comes later waits. Not cancelled midway: it is short.
        """

    def last_words(self, count: int) -> list[str]:
        """The last lines of the player's own log, for its author."""
        return []


def own_name(game: Game[Any, Any], seat: int, name: str) -> Answer[Any]:
    """The answer to `getName` where no process is asked: the bot's own name, or as much of it as a name may have."""
    printable = "".join(c if c >= " " else "?" for c in name)
    cut = printable.encode(errors="replace")[:MAX_NAME_BYTES].decode(errors="ignore")
    action = game.decode("getName", [cut.encode()])
    return Answer(seat, action, game.format(action), 0.0)
