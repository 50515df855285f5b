"""Players that the referee itself runs: a policy, and a bot that forfeits the match."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

from typing_extensions import override

from referee.contract.clock import Clock
from referee.contract.game import Answer, Fault, Game, Lifetime, Policy, Request, tuple_of
from referee.players.base import Player, PlayerWithoutProcess, own_name
from referee.players.stream import Tap


class PolicyPlayer(PlayerWithoutProcess):
    """Never at fault: a policy runs in the referee, so no limit can stop it. An exception in it ends the match."""

    def __init__(
        self,
        game: Game[Any, Any],
        seat: int,
        policy: Policy[Any, Any],
        *,
        process: Lifetime = "game",
        tap: Tap | None = None,
    ) -> None:
        super().__init__(game, seat, process=process, tap=tap)
        self._policy = policy

    @override
    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        return self.at_once(request, clock)

    def at_once(self, request: Request[Any], clock: Clock, meanwhile: Callable[[], None] | None = None) -> Answer[Any]:
        """Decide now. The charge is the time that this took, but never more than the limit; the rest is saved as `late`."""
        if request.ask == "getName":
            answer = own_name(self._game, self._seat, self._policy.name)
        else:
            began = perf_counter()
            action = self._policy.decide(request)
            took = perf_counter() - began
            elapsed = min(took, clock.limit, clock.cpu_limit)
            text = self._game.format(action)
            answer = tuple_of(Answer, (self._seat, action, text, elapsed, None, took - elapsed))
        if self._tap is not None:
            self._show(request, answer)
        return answer


class ForfeitPlayer(Player):
    """A bot that cannot be built or started, in a match that goes on without it. Whatever it is asked, it answers its fault."""

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
