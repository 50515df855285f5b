"""What a format reads from earlier tours. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction

from referee.tournament.words import Results, Series, SeriesResult, Tour


def meetings(tour: Tour) -> dict[str, list[Series]]:
    """The series of each meeting of a tour, both in the order of the schedule."""
    by_meeting: dict[str, list[Series]] = {}
    for series in tour.series:
        by_meeting.setdefault(series.meeting, []).append(series)
    return by_meeting


def groups(tour: Tour) -> dict[str, tuple[int, ...]]:
    """The numbers of the group of each meeting, ascending."""
    return {series.meeting: series.numbers for series in tour.series}


def members(tour: Tour) -> set[int]:
    """Who plays in a tour or has a bye."""
    return {number for series in tour.series for number in series.numbers} | set(tour.byes)


def ended(tour: Tour, results: Results) -> bool:
    """Whether all its series have ended."""
    return all(series.key in results for series in tour.series)


def shares(results: Iterable[SeriesResult]) -> dict[int, Fraction]:
    """The part of the possible score that each entrant took in these series, exact."""
    scored, possible = defaultdict[int, float](float), Counter[int]()
    for result in results:
        possible.update(result.possible())
        for number, score in result.scores().items():
            scored[number] += score  # halves, so nothing is rounded
    return {number: Fraction(score) / possible[number] for number, score in scored.items()}
