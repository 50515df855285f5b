"""What a format reads from earlier tours. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tournament.words import Competitor, Results, Series, Tour


def meetings(tour: Tour) -> dict[str, list[Series]]:
    """The series of each meeting of a tour, both in the order of the schedule."""
    found: dict[str, list[Series]] = {}
    for series in tour.series:
        found.setdefault(series.meeting, []).append(series)
    return found


def groups(tour: Tour) -> dict[str, tuple[int, ...]]:
    """The numbers of the group of each meeting, ascending."""
    return {series.meeting: series.numbers for series in tour.series}


def members(tour: Tour) -> set[int]:
    """Who plays in a tour or has a bye."""
    return {number for series in tour.series for number in series.numbers} | set(tour.byes)


def ended(tour: Tour, results: Results) -> bool:
    """Whether all its series have ended."""
    return all(series.key in results for series in tour.series)


def present(field: Sequence[Competitor]) -> list[Competitor]:
    """The entrants that still take part."""
    return [entrant for entrant in field if entrant.present]
