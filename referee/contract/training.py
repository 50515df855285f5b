"""What programs that learn need of a game: actions by number, what is possible, points at any moment, boards as planes.

1. An action is a number. `Training.answers` has the answer that each number stands for, as a bot would write it. Answers that
   have no number (a memory, several candidate letters) can still be given as text.
2. A *plane* is a board with one number from 0 to 255 for each cell, and shows one kind of thing: where walls are, where rivals
   are. A stack of planes shows what the seat's request shows, and no more.
3. All of this is plain Python and knows no numpy; `referee.env` makes environments from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Planes(Protocol):
    """The planes of one match. `follow` gets the events of every step, so that only what changed is drawn anew.

    Attributes:
        names: what each plane shows.
        rows, columns: the size of a plane, in cells.
    """

    @property
    def names(self) -> Sequence[str]: ...

    @property
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    def follow(self, events: Sequence[Mapping[str, Any]], /) -> None:
        """Take over what a step changed."""

    def seen(self, request: Any) -> bytearray:
        """What a request shows: the planes one after the other, each row by row; the caller's own copy."""


class MovingPlanes:
    """Planes of the cells around a player. They move with it, so nothing stays from step to step."""

    def __init__(self, _state: object) -> None:
        """Nothing of the state is kept."""

    def follow(self, _events: Sequence[Mapping[str, Any]]) -> None:
        """Nothing stays."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a game is learnt. Functions get the game's own state; seats count from 0.

    Attributes:
        answers: the answer that each action stands for, as `Game.format` writes it: to all kinds of requests but `getName`.
        allowed: for the seat to move, a 1 for each action that the rules carry out, and a 0 for one that comes to nothing or
            answers another kind of request. At least one is 1. The array is the caller's own.
        request: the request that a seat would get now; for seats that are not asked, to see how a match ended for them.
        points: the score of every seat now, as in `current_result`, seats of the house included.
        limited: whether a match that is over only ran out of rounds, and could have gone on.
        planes: the planes of a match that is about to begin.
        leaving: the events, besides `disqualified`, after which their seat is never asked again.
    """

    answers: Sequence[str]
    allowed: Callable[[Any, int], bytearray]
    request: Callable[[Any, int], Any]
    points: Callable[[Any], Sequence[float]]
    limited: Callable[[Any], bool]
    planes: Callable[[Any], Planes]
    leaving: frozenset[str] = frozenset()
