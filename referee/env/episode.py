"""A match under way, as environments see and play it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from typing_extensions import override

from referee.contract.game import Event, Game, Policy, Request, State
from referee.contract.training import Training
from referee.errors import UsageError

Action: TypeAlias = int | np.integer[Any] | str
Observation: TypeAlias = dict[str, Any]
"""`observation`: the planes or the text. `action_mask`: int8, a 1 for each action that is allowed."""

_INT8: Final = np.dtype(np.int8)
_UINT8: Final = np.dtype(np.uint8)
DISQUALIFIED: Final = "disqualified"
"""The event of a seat that is not asked again in any game."""


def training_of(game: Game[Any, Any]) -> Training:
    """How a game is learnt. Raises: UsageError: it does not say."""
    if game.training is None:
        raise UsageError(f"{game.name} has no environment: the game does not say how it is learnt")
    return game.training()


class Episode:
    """A match under way, as environments see and play it: an episode of learning.

    Attributes:
        house: the players of the house, by seat.
        points, request, allowed: see `Training`.
        advance: plays one step. Returns its events.
    """

    def __init__(
        self, game: Game[Any, Any], state: State[Any, Any], house: Mapping[int, Policy[Any, Any]], text: bool
    ) -> None:
        """A match whose names have been asked. Agents see the text of requests, or planes."""
        training = training_of(game)
        self.state, self.house = state, house
        self._made_of = game, state, house, text
        self._training, self._encode = training, game.encode
        self.points, self.request, self.allowed = training.points, training.request, training.allowed
        self._leaving = training.leaving | {DISQUALIFIED}
        planes = self._planes = None if text else training.planes(state)
        self.advance = state.advance if planes is None else self._advance
        self._shape = () if planes is None else (len(planes.names), planes.rows, planes.columns)

    @override
    def __reduce__(self) -> tuple[object, ...]:
        return Episode, self._made_of

    def seen(self, request: Request[Any], mask: bytearray) -> Observation:
        """An observation: the caller's own, which later steps do not change."""
        planes = self._planes
        content = (
            self._encode(request).decode() if planes is None else np.ndarray(self._shape, _UINT8, planes.seen(request))
        )
        return {"observation": content, "action_mask": np.frombuffer(mask, _INT8)}

    def gone(self, events: Sequence[Event]) -> list[int]:
        """The seats that are never asked again after these events, while others may be."""
        leaving = self._leaving
        return [event["seat"] for event in events if event["event"] in leaving]

    def ending(self) -> tuple[bool, bool]:
        """Of a match that is over: whether it was decided, and whether it only ran out of rounds."""
        limited = self._training.limited(self.state)
        return not limited, limited

    def _advance(self, actions: Sequence[Any]) -> Sequence[Event]:
        events = self.state.advance(actions)
        assert self._planes is not None
        self._planes.follow(events)
        return events
