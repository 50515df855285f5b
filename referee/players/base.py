"""The interface of all players: a player can be asked, and it can be ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import trio

from referee.contract.clock import Clock
from referee.contract.game import Answer, Game, Lifetime, Request
from referee.players.stream import Tap
from referee.players.wire import encode_request
from referee.sandbox.log import Log
from referee.text.words import MAX_NAME


class Player(ABC):
    """A bot in a match. Whatever it does becomes an `Answer`; exceptions are errors of the referee or the machine.

    Attributes:
        lifetime: "game" if a fault ends the player, and it must not be asked again; "turn" if it may be asked after a fault.
        log: what its processes wrote to stderr; None without a process.
    """

    lifetime: ClassVar[Lifetime] = "game"
    log: Log | None = None

    async def settle(self, nursery: trio.Nursery) -> None:
        """Wait until the player can be asked. Its background tasks run in `nursery` until it is ended.

        Raises:
            BotError, IsolationError: it cannot be started. The caller still ends it.
        """
        await trio.lowlevel.checkpoint()

    def at_once(
        self, request: Request[Any], clock: Clock, meanwhile: Callable[[], None] | None = None
    ) -> Answer[Any] | None:
        """Put a request, and return the answer if it comes without waiting. This spares a coroutine, which costs as much again.

        If it returns None, call `ask` with the same request to wait for the answer. A player may call `meanwhile` if the answer
        does not come soon, and does not charge that time; if it does not, the caller must do so before it waits.
        """
        return None

    @abstractmethod
    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        """Put a request, or continue one that `at_once` has put, and wait for the answer, at most until the limit.

        After a cancellation, the caller still ends the player.

        Raises:
            Void: this machine is too busy to judge fairly.
        """

    @abstractmethod
    async def end(self, *, grace: float) -> None:
        """End the player and leave nothing of it behind, after `grace` seconds in which it may end by itself.

        May be called several times, also concurrently: later calls wait. Cannot be cancelled midway.
        """

    def last_words(self, count: int) -> list[str]:
        """The last lines of the player's own log, without blank lines, for its author."""
        return [] if self.log is None else self.log.last_lines(count)

    def memory_peak(self) -> int | None:
        """The most memory that the player's process has held, in bytes; None if it is not known."""
        return None


class PlayerWithoutProcess(Player):
    """A policy or a person: nothing has to be ended, and a fault ends nothing."""

    lifetime: ClassVar[Lifetime] = "turn"

    def __init__(self, game: Game[Any, Any], seat: int, *, process: Lifetime = "game", tap: Tap | None = None) -> None:
        """Create the player. The tap gets the bytes that a process of this lifetime would have exchanged in its place."""
        self._game, self._seat, self._process, self._tap = game, seat, process, tap

    async def end(self, *, grace: float) -> None:
        """Do nothing."""

    def _show(self, request: Request[Any], answer: Answer[Any]) -> None:
        if self._tap is not None and (self._process == "game" or request.ask != "getName"):
            self._tap.sent(encode_request(self._game, request, self._process))
            self._tap.received(f"{answer.text}\n".encode(errors="replace"))


def own_name(game: Game[Any, Any], seat: int, name: str) -> Answer[Any]:
    """The answer to `getName` without a process: the bot's own name, shortened if necessary."""
    printable = "".join(c if c >= " " else "?" for c in name)
    action = game.decode("getName", [printable[:MAX_NAME].encode(errors="replace")])
    return Answer(seat, action, game.format(action), 0.0)
