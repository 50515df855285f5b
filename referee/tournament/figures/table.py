"""The table of a tournament.

Its order: percent of the possible score, those without matches last; then the percent in games of two with those of the same
percent, 50 if they never met; then the game's points a match; then fewer faults; then the lot `table`. Percents are compared as
fractions, points to 1e-6. In the order of points, the game's points a match come before all of this, those without matches last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import fsum, inf
from typing import Any, Final

from referee.tournament.figures.pairs import Cross, counted, cross, share
from referee.tournament.figures.rating import Rating
from referee.tournament.figures.times import Histogram
from referee.tournament.words import Competitor, SeatResult, SeriesResult, draw

DIGITS: Final = 6
"""Points a match that agree to this many decimals are the same."""


@dataclass(slots=True)
class Played:
    """What is known of the players of an entrant.

    Attributes:
        called: the last name that one of them answered; None if none did. times: of their answers.
    """

    called: str | None = None
    times: Histogram = field(default_factory=Histogram)


@dataclass(slots=True)
class Total:
    """All series of one entrant that count.

    An entrant that sits in several seats of a match has the score, points and possible score of all of them. The match counts
    once, and so does each kind of fault in it.

    Attributes:
        points: those of each seat. wins: matches in which it was first alone. faults: matches, by the kind of fault.
    """

    matches: int = 0
    series: int = 0
    score: float = 0.0
    possible: int = 0
    points: list[float] = field(default_factory=list)
    wins: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def part(self) -> Fraction | None:
        """The part of the possible score; None without matches."""
        return Fraction(self.score) / self.possible if self.possible else None

    @property
    def mean(self) -> float | None:
        """The game's points a match; None without matches."""
        return fsum(self.points) / self.matches if self.matches else None

    def _add(self, seat: SeatResult, rivals: int) -> None:
        self.score += seat.score
        self.possible += rivals
        self.points.append(seat.points)
        self.wins += seat.score == rivals


def totals(entrants: Iterable[Competitor], results: Iterable[SeriesResult]) -> dict[int, Total]:
    """The totals of all entrants, those that left too, by number."""
    sums = {entrant.number: Total() for entrant in entrants}
    for result in counted(results):
        for number in result.series.numbers:
            sums[number].series += 1
        for match in result.matches:
            rivals = len(match) - 1
            for seat in match:
                sums[seat.number]._add(seat, rivals)
            for number in {seat.number for seat in match}:
                sums[number].matches += 1
            for number, fault in {(seat.number, seat.fault) for seat in match if seat.fault is not None}:
                sums[number].faults[fault] += 1
    return sums


def ordered(
    entrants: Iterable[Competitor], sums: Mapping[int, Total], pairs: Cross, *, rng_seed: int, by_points: bool = False
) -> list[int]:
    """The numbers of the present entrants, best first."""

    def part(number: int) -> tuple[bool, Fraction]:
        part = sums[number].part
        return (part is not None, part or Fraction(0))

    def further(rivals: Sequence[int], number: int) -> tuple[Fraction, float, int, bytes]:
        total = sums[number]
        points = round(total.mean or 0.0, DIGITS)
        return -share(pairs, number, rivals), -points, total.faults.total(), draw(rng_seed, "table", number)

    numbers = sorted((entrant.number for entrant in entrants if entrant.present), key=part, reverse=True)
    order: list[int] = []
    for _, group in groupby(numbers, key=part):
        same = list(group)
        order += sorted(same, key=partial(further, same))
    if by_points:
        means = {number: sums[number].mean for number in order}
        order.sort(key=lambda number: inf if (mean := means[number]) is None else -round(mean, DIGITS))
    return order


def order(entrants: Sequence[Competitor], results: Sequence[SeriesResult], *, rng_seed: int) -> list[int]:
    """The numbers of the present entrants in the order of the table, best first."""
    return ordered(entrants, totals(entrants, results), cross(results), rng_seed=rng_seed)


def table(
    entrants: Sequence[Competitor],
    results: Sequence[SeriesResult],
    *,
    rng_seed: int,
    ratings: Mapping[int, Rating],
    played: Mapping[int, Played],
    by_points: bool = False,
    ranked: Callable[[Sequence[int]], Sequence[int]] | None = None,
    columns: Mapping[int, Mapping[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """The rows of the table, best first, as JSON.

    Args:
        ratings, played: by number; an entrant may be missing.
        by_points: in the order of points, unless `ranked` has another.
        ranked: turns the order of the table into that of the format, if the format has one.
        columns: further columns of the format, by number.
    """
    sums = totals(entrants, results)
    usual = ordered(entrants, sums, cross(results), rng_seed=rng_seed, by_points=by_points)
    known = {entrant.number: entrant for entrant in entrants}
    same: dict[str, list[int]] = {}
    for number in usual:
        same.setdefault(known[number].content, []).append(number)
    return [
        {
            "rank": rank,
            **_who(known[number], same, played.get(number, Played())),
            **_total(sums[number]),
            **_rating(ratings.get(number)),
            **_times(played.get(number, Played()).times),
            **(columns or {}).get(number, {}),
        }
        for rank, number in enumerate(ranked(usual) if ranked else usual, start=1)
    ]


def _who(entrant: Competitor, same: Mapping[str, Sequence[int]], played: Played) -> dict[str, Any]:
    return {
        "number": entrant.number,
        "name": entrant.name,
        "called": played.called,
        "source": entrant.source,
        "twins": sorted(number for number in same[entrant.content] if entrant.content and number != entrant.number),
        "entrant": entrant.content,
    }


def _total(total: Total) -> dict[str, Any]:
    return {
        "matches": total.matches,
        "series": total.series,
        "score": total.score,
        "possible": total.possible,
        "percent": None if total.part is None else float(100 * total.part),
        "points": fsum(total.points),
        "mean": total.mean,
        "wins": total.wins,
        "faults": dict(sorted(total.faults.items())),
    }


def _rating(rating: Rating | None) -> dict[str, Any]:
    if rating is None:
        return {"rating": None, "rating_low": None, "rating_high": None}
    return {"rating": rating.rating, "rating_low": rating.low, "rating_high": rating.high}


def _times(times: Histogram) -> dict[str, Any]:
    return {"p50_ms": times.quantile_ms(0.5), "p99_ms": times.quantile_ms(0.99)}
