"""The games of two within matches, and how often each entrant got the better of each other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from referee.tournament.words import SeatResult, SeriesResult


@dataclass(frozen=True, slots=True)
class Pair:
    """All matches of two entrants.

    Attributes:
        matches: how many matches they met in.
        games: how many pairs of their seats there were. It exceeds `matches` if an entrant sat in several seats.
        halves: twice the games that the first of them won, a tie as a half.
    """

    matches: int
    games: int
    halves: int

    @property
    def score(self) -> Fraction:
        """What the first scored: 1, 1/2 or 0 a match, or the mean of the match's games if there were several."""
        return Fraction(self.halves * self.matches, 2 * self.games)


Cross: TypeAlias = Mapping[tuple[int, int], Pair]
"""The pairs that met; the lower number is the first."""


def counted(results: Iterable[SeriesResult]) -> list[SeriesResult]:
    """The series that count, in their order."""
    return [result for result in results if not result.void]


def games_of(match: Sequence[SeatResult]) -> Iterator[tuple[int, int, int]]:
    """The games of a match: two numbers, the lower first, and 2, 1 or 0 for a win, a tie or a loss of the first."""
    for at, seat in enumerate(match):
        for other in match[at + 1 :]:
            if seat.number != other.number:
                halves = 1 if seat.place == other.place else 2 if seat.place < other.place else 0
                if seat.number < other.number:
                    yield seat.number, other.number, halves
                else:
                    yield other.number, seat.number, 2 - halves


def cross(results: Iterable[SeriesResult]) -> dict[tuple[int, int], Pair]:
    """All pairs of entrants that met, those that left too, by number."""
    games: dict[tuple[int, int], int] = {}
    halves: dict[tuple[int, int], int] = {}
    matches: dict[tuple[int, int], int] = {}
    for result in counted(results):
        for match in result.matches:
            met = set()
            for first, second, won in games_of(match):
                pair = first, second
                met.add(pair)
                games[pair] = games.get(pair, 0) + 1
                halves[pair] = halves.get(pair, 0) + won
            for pair in met:
                matches[pair] = matches.get(pair, 0) + 1
    return {pair: Pair(matches[pair], games[pair], halves[pair]) for pair in sorted(games)}


def cross_rows(pairs: Cross) -> list[dict[str, Any]]:
    """The cross table as JSON: `score` is that of `a`, `possible` the number of matches."""
    return [{"a": a, "b": b, "score": float(pair.score), "possible": pair.matches} for (a, b), pair in pairs.items()]


def share(pairs: Cross, number: int, rivals: Iterable[int]) -> Fraction:
    """The part of the possible score that an entrant took off some rivals; 1/2 if it met none of them."""
    score, possible = Fraction(0), 0
    for rival in rivals:
        pair = pairs.get((min(number, rival), max(number, rival)))
        if pair is not None:
            score += pair.score if number < rival else pair.matches - pair.score
            possible += pair.matches
    return score / possible if possible else Fraction(1, 2)
