"""A player whose bot cannot be built or started, in a match that goes on without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from typing_extensions import override

from referee.contract.clock import Clock
from referee.contract.game import Answer, Fault, Lifetime, Request
from referee.players.base import Player


class ForfeitPlayer(Player):
    """Has no process. Whatever it is asked, the answer is its fault, and nothing is charged."""

    lifetime: ClassVar[Lifetime] = "turn"

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    @override
    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        return self.at_once(request, clock)

    def at_once(self, request: Request[Any], clock: Clock, meanwhile: Callable[[], None] | None = None) -> Answer[Any]:
        """The fault."""
        return Answer(request.seat, self._fault, None, 0.0)

    async def end(self, *, grace: float) -> None:
        """Do nothing."""
