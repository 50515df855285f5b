"""Matches as people are shown them: with the players called by the names that users know them by (`bots.called`).

The match itself, and what is saved of it, has the names that were answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.bots import called
from referee.clock import TimeControl
from referee.frame import Frame
from referee.game import Entrant, Event, Game, Position, Request, State, Step
from referee.ranking import Outcome

if TYPE_CHECKING:
    from referee.replay import Replay


class Called(State[Any, Any]):
    """A match under way that is drawn with those names; all else is the match's own."""

    def __init__(self, state: State[Any, Any], entrants: Sequence[Entrant]) -> None:
        self.seats = state.seats
        self._state, self._entrants = state, entrants

    @property
    def round(self) -> int:
        """See `State.round`."""
        return self._state.round

    def requests(self) -> Sequence[Request[Any]]:
        """See `State.requests`."""
        return self._state.requests()

    def advance(self, actions: Sequence[Any]) -> Sequence[Event]:
        """See `State.advance`."""
        return self._state.advance(actions)

    def foretell(self, events: Sequence[Event]) -> None:
        """See `State.foretell`."""
        self._state.foretell(events)

    def outcome(self) -> Outcome | None:
        """See `State.outcome`."""
        return self._state.outcome()

    def standing(self) -> Outcome:
        """See `State.standing`: the ranking has the names that were answered."""
        return self._state.standing()

    def position(self) -> Position:
        """See `State.position`."""
        return self._state.position()

    def draw(self) -> Frame:
        """See `State.draw`."""
        return called(self._state.draw(), self._entrants)


class CalledReplay:
    """A saved match (`timeline.Saved`) that is drawn with those names."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    @property
    def game(self) -> Game[Any, Any]:
        """See `Saved.game`."""
        return self._replay.game

    @property
    def steps(self) -> Sequence[Step]:
        """See `Saved.steps`."""
        return self._replay.steps

    @property
    def time(self) -> TimeControl:
        """See `Saved.time`."""
        return self._replay.time

    @property
    def title(self) -> str:
        """See `Saved.title`."""
        return self._replay.title

    def state_at(self, k: int) -> Called:
        """See `Saved.state_at`."""
        return Called(self._replay.state_at(k), self._replay.entrants)
