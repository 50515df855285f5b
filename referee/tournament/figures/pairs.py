"""The games of two within matches, and how often each entrant got the better of each other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from referee.tournament.words import SeatScore


@dataclass(slots=True)
class PairSums:
    """All matches of two entrants that count.

    Attributes:
        matches: how many matches they met in.
        games: how many pairs of their seats there were. It exceeds `matches` if an entrant sat in several seats.
        halves: twice the games that the first of them won, a tie as a half.
        groups: games and halves in each group of the jackknife, with their weights (`sums`).
    """

    matches: int = 0
    games: int = 0
    halves: int = 0
    groups: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, group: int, halves: int, weight: int) -> None:
        """Add a game, which counts `weight` in its group."""
        self.games += 1
        self.halves += halves
        games, before = self.groups.get(group, (0, 0))
        self.groups[group] = games + weight, before + weight * halves

    @property
    def score(self) -> Fraction:
        """What the first scored: 1, 1/2 or 0 a match, or the mean of the match's games if there were several."""
        return Fraction(self.halves * self.matches, 2 * self.games)


Pairs: TypeAlias = Mapping[tuple[int, int], PairSums]
"""The pairs that met; the lower number is the first."""


def games_of(match: Sequence[SeatScore]) -> Iterator[tuple[int, int, int]]:
    """The games of a match: two numbers, the lower first, and 2, 1 or 0 for a win, a tie or a loss of the first."""
    for at, seat in enumerate(match):
        for other in match[at + 1 :]:
            if seat.number != other.number:
                halves = 1 if seat.place == other.place else 2 if seat.place < other.place else 0
                if seat.number < other.number:
                    yield seat.number, other.number, halves
                else:
                    yield other.number, seat.number, 2 - halves


def cross_rows(pairs: Pairs) -> list[dict[str, Any]]:
    """The cross table as JSON, by number: `score` is that of `a`, `possible` the number of matches."""
    ordered = sorted(pairs.items())
    return [{"a": a, "b": b, "score": float(pair.score), "possible": pair.matches} for (a, b), pair in ordered]


def both_orders(cross: Iterable[Mapping[str, Any]]) -> dict[tuple[int, int], tuple[float, int]]:
    """For both orders of each pair of a cross table: the score of the first against the second, and how often they met."""
    scores = {}
    for pair in cross:
        a, b, score, possible = pair["a"], pair["b"], pair["score"], pair["possible"]
        scores[a, b], scores[b, a] = (score, possible), (possible - score, possible)
    return scores


def share(pairs: Pairs, number: int, rivals: Iterable[int]) -> Fraction:
    """The part of the possible score that an entrant took off some rivals; 1/2 if it met none of them."""
    score, possible = Fraction(0), 0
    for rival in rivals:
        pair = pairs.get((min(number, rival), max(number, rival)))
        if pair is not None:
            score += pair.score if number < rival else pair.matches - pair.score
            possible += pair.matches
    return score / possible if possible else Fraction(1, 2)
