"""A player whose answers come from a person at the keyboard.

1. A `Person` is the channel between the match and a view. The player puts a request there and waits; the view shows it and
   gives the answer. Neither knows the other.
2. A person has no clock, unless the user sets a limit for an answer. Then a late answer is a timeout, as a program's is.
3. The match's limits are for programs, and a saved game has one set of limits. So a person's answers are charged nothing. The
   time that they took counts as time off (`Answer.late`), and is saved as such. A timeout is charged its whole limit.
4. A person may leave. The match cannot go on once that person is asked again, so that raises an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import trio
from typing_extensions import override

from referee.contract.clock import FOREVER, Clock
from referee.contract.game import Answer, Fault, FaultKind, Game, Lifetime, Request
from referee.errors import RefereeError
from referee.players.base import PlayerWithoutProcess, own_name
from referee.players.stream import Tap

INTERRUPTED: Final = 130
"""The exit code of a match that a person has left, as after Ctrl-C."""


class PersonLeft(RefereeError):
    """It is the turn of a person who has left the match."""

    exit_code = INTERRUPTED


@dataclass(slots=True, eq=False)
class Person:
    """A person at the keyboard, in one seat of one match.

    Attributes:
        name: the answer to `getName`. limited: whether the match's limits for one answer hold for this person too.
        request: the request that waits for an answer; None while it is not this person's turn.
        deadline: when that answer must be there, in seconds of trio's clock; infinite without a limit.
    """

    name: str
    limited: bool = False
    request: Request[Any] | None = None
    deadline: float = FOREVER
    _text: str | None = None
    _left: bool = False
    _changed: trio.Event = field(default_factory=trio.Event)

    @property
    def waits(self) -> bool:
        """Whether there is a request that nobody has answered."""
        return self.request is not None and self._text is None

    def answer(self, text: str) -> None:
        """Answer the request that waits; its lines are joined by line feeds. Without a request, do nothing."""
        if self.waits:
            self._text = text
            self._changed.set()

    def leave(self) -> None:
        """Leave the match for good."""
        self._left = True
        self._changed.set()

    async def reply(self, request: Request[Any], limit: float) -> str | None:
        """The answer to a request; None if there is none within `limit` seconds.

        Raises:
            PersonLeft: this person leaves, or has left.
        """
        self.request, self.deadline = request, trio.current_time() + limit
        try:
            with trio.move_on_at(self.deadline):
                while self._text is None and not self._left:
                    self._changed = trio.Event()
                    await self._changed.wait()
            if self._text is None and self._left:
                raise PersonLeft(f"{self.name} left the match")
            return self._text
        finally:
            self.request, self.deadline, self._text = None, FOREVER, None


class HumanPlayer(PlayerWithoutProcess):
    """Asks a person. A fault does not end this player, so the game decides what it costs."""

    def __init__(
        self, game: Game[Any, Any], seat: int, person: Person, *, process: Lifetime = "game", tap: Tap | None = None
    ) -> None:
        super().__init__(game, seat, process=process, tap=tap)
        self._person = person

    @override
    def at_once(
        self, request: Request[Any], clock: Clock, meanwhile: Callable[[], None] | None = None
    ) -> Answer[Any] | None:
        """The name, which needs no key."""
        return own_name(self._game, self._seat, self._person.name) if request.ask == "getName" else None

    @override
    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        if (named := self.at_once(request, clock)) is not None:
            return named
        began = trio.current_time()
        limit = _limit(clock) if self._person.limited else FOREVER
        text = await self._person.reply(request, limit)
        took = trio.current_time() - began
        if text is None:
            fault = Fault(FaultKind.TIMEOUT, clock.why(limit))
            return Answer(self._seat, fault, None, max(took, limit))
        action = self._game.recall(request.ask, text, ())
        answer = Answer(self._seat, action, self._game.format(action), 0.0, None, took)
        self._show(request, answer)
        return answer


def _limit(clock: Clock) -> float:
    """Seconds for the next answer. The limit of a first answer may be shorter, for processes that are started for it."""
    left = clock.left()
    return min(max(clock.own_limit(), clock.control.answer), FOREVER if left is None else left)
