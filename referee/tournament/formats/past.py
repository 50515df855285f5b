"""The past that a format plans its next tour from. Pure.

Most formats read all tours and all results. A format without an end reads running sums, and the standings that it had when it
planned the last tour.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from referee.tournament.figures.rating import ratings
from referee.tournament.figures.sums import Sums
from referee.tournament.model import Competitor, Results, Rules, Series, SeriesResult, Standing, Tour


class Past:
    """Tours and results in memory. The series of all tours have ended, unless a table is made in between."""

    def __init__(self, tours: Sequence[Tour] = (), results: Results | None = None) -> None:
        self._all_tours = tours
        self._all_results = results or {}

    @property
    def tours(self) -> Sequence[Tour]:
        """All tours, in order."""
        return self._all_tours

    @property
    def results(self) -> Results:
        """The series that have ended."""
        return self._all_results

    @property
    def planned(self) -> tuple[int, int]:
        """The numbers of tours and of series."""
        return len(self.tours), sum(len(tour.series) for tour in self.tours)

    @property
    def standings(self) -> Mapping[int, Standing]:
        """What the format remembers, by the number of the entrant."""
        return self.tours[-1].standings if self.tours else {}

    def widths(self, rules: Rules) -> Mapping[int, float]:
        """Half the width of the interval of the rating of each entrant that has one, by number."""
        return widths((), self._sums(), rules.seats)

    def series_of(self, numbers: Collection[int]) -> Mapping[int, int]:
        """How many series of these entrants count, by number. Others may be there too."""
        return {number: sums.series for number, sums in self._sums().entrants.items()}

    def games(self, numbers: Collection[int]) -> Mapping[tuple[int, int], tuple[int, int]]:
        """The games between these entrants that count: two numbers, the lower first; how many, and the halves of the first."""
        pairs = self._sums().pairs.items()
        return {pair: (sums.games, sums.halves) for pair, sums in pairs if set(pair) <= set(numbers)}

    def _sums(self) -> Sums:
        return Sums.of((self.results[series.key] for tour in self.tours for series in tour.series), rng_seed=0)


def widths(field: Sequence[Competitor], sums: Sums, seats: int) -> dict[int, float]:
    """Half the width of each interval."""
    ratings_by_number = ratings(field, sums, seats=seats).items()
    return {number: rating.high - rating.rating for number, rating in ratings_by_number if rating.high is not None}


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


def going_on(
    groups: Iterable[tuple[Sequence[int], int]], byes: Collection[int], present: Collection[int]
) -> tuple[list[int], list[int]]:
    """Who goes on after a round of a knockout or a play-off, and who drops out of it.

    An entrant that withdraws yields to the next of its group. If its group has nobody left for it, the best of all that would
    drop out goes on: by the place in its group, then by number. So withdrawals change the size of a round only if there are too
    few entrants for it.

    Args:
        groups: each in its order, best first, with how many of it go on.
        byes: who goes on without having played.
        present: who still takes part.
    """
    on = [number for number in byes if number in present]
    count = len(byes)
    dropped: list[tuple[int, int]] = []
    for order, line in groups:
        ranking = [number for number in order if number in present]
        count += line
        on += ranking[:line]
        dropped += enumerate(ranking[line:])
    ranked = [number for _, number in sorted(dropped)]
    missing = count - len(on)
    return on + ranked[:missing], ranked[missing:]
