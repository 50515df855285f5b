"""What a format may ask about the tours so far. Pure.

Most formats read all tours and all results. A format without an end asks for running sums, and for what it remembered of
each entrant when it planned the last tour.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from referee.tournament.figures.rating import ratings
from referee.tournament.figures.sums import Sums
from referee.tournament.words import Competitor, Results, Rules, Standing, Tour


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
    ratings_by_number = ratings(field, sums.pairs, sums.entrants, seats=seats).items()
    return {number: rating.high - rating.rating for number, rating in ratings_by_number if rating.high is not None}
