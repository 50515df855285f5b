"""How a match ended: the ranking, the scores and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ranked:
    """One seat in the ranking. `score` may be a mean; `rank` may be shared or a mean."""

    seat: int
    name: str
    rank: float
    score: float
    disqualified: str | None

    def as_json(self) -> dict[str, Any]:
        """The entry in the result of a saved game."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: the reason, the rounds played (an unfinished one counts) and the ranking, best first."""

    reason: str
    rounds: int
    ranking: Sequence[Ranked]


def rank(scores: Sequence[float], disqualified: Sequence[str | None], names: Sequence[str]) -> list[Ranked]:
    """The ranking by points, best first. Equal points share a rank ("1, 2, 2, 4") and are in the order of seats.

    A disqualified seat keeps its points but ranks below every other.
    """

    def key(seat: int) -> tuple[bool, float]:
        return disqualified[seat] is not None, -scores[seat]

    ranking: list[Ranked] = []
    before: tuple[bool, float] | None = None
    place = 0
    for number, seat in enumerate(sorted(range(len(scores)), key=key), start=1):
        if key(seat) != before:
            before, place = key(seat), number
        ranking.append(Ranked(seat, names[seat], place, scores[seat], disqualified[seat]))
    return ranking


def points_of(outcome: Outcome, seats: int) -> list[float]:
    """The points by seat; 0 for a seat that is not ranked."""
    points = [0.0] * seats
    for ranked in outcome.ranking:
        points[ranked.seat] = ranked.score
    return points
