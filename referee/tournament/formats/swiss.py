"""Swiss: a fixed number of tours in which neighbours in the standing meet. Pure.

1. A tour has as many groups as the entrants fill; the others have a bye: those with the fewest byes so far, then the lowest in
   the standing.
2. The standing adds up score / possible of each tour: a bye is worth a half, a missed tour nothing. Equals are ordered by
   `seeding`, then by the lot of the tour.
3. The groups of the first tour are dealt in snake order. Later ones are neighbours in the standing that have not met, if possible
   (`pairing`). With two seats there is no rematch in the first n/2 tours of n entrants.
4. Entrants join and leave between tours. A newcomer has missed the tours before. If fewer are left than a group needs, the
   tournament is over.
5. The final rank is by the sum over the tours, then as in the table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from typing_extensions import override

from referee.tournament.formats import Format
from referee.tournament.formats.meetings import present
from referee.tournament.formats.pairing import neighbours
from referee.tournament.formats.past import Past, groups, meetings, members, shares
from referee.tournament.model import Competitor, Results, Tour, draw, meeting_of, snake


@dataclass(frozen=True, slots=True)
class Swiss(Format):
    """The settings.

    Attributes:
        tours: None for the default, the binary logarithm of the number of entrants, rounded up, and two more. If entrants join
            or leave, it is that of the largest field so far.
    """

    keys = frozenset({"tours"})
    teams = True
    table_order = "the points of all tours"

    tours: int | None = None

    @override
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        history, results = past.tours, past.results
        entrants = [entrant for entrant in field if entrant.present]
        if len(entrants) < self.rules.seats or len(history) >= self._length(len(entrants), history):
            return None
        number = len(history)
        standing = self._standing(entrants, history, results)
        byes = _byes(standing, history, self.rules.seats)
        players = [number for number in standing if number not in byes]
        if history:
            met = (pair for tour in history for group in groups(tour).values() for pair in combinations(group, 2))
            drawn = neighbours(players, self.rules.seats, Counter(met))
        else:
            drawn = snake(players, len(players) // self.rules.seats)
        series = [it for at, group in enumerate(drawn) for it in meeting_of(self.rules, f"t{number}-g{at}", group)]
        return Tour(f"t{number}", tuple(series), byes)

    @override
    def outline(self, field: Sequence[Competitor]) -> str:
        count = len(present(field))
        return f"{self._length(count, ())} tours of {count} teams"

    @override
    def rank(self, order: Sequence[int], field: Sequence[Competitor], past: Past) -> list[int]:
        points = _tour_points(field, past.tours, past.results)
        return sorted(order, key=lambda number: -points[number])

    @override
    def columns(self, field: Sequence[Competitor], past: Past) -> Mapping[int, Mapping[str, Any]]:
        """`tour_points`: the sum over the tours; `byes`: how many."""
        points, byes = _tour_points(field, past.tours, past.results), _count_byes(past.tours)
        return {number: {"tour_points": float(sum_), "byes": byes[number]} for number, sum_ in points.items()}

    def _length(self, count: int, history: Sequence[Tour]) -> int:
        if self.tours is not None:
            return self.tours
        largest = max([count, *(len(members(tour)) for tour in history)])
        return (largest - 1).bit_length() + 2

    def _standing(self, entrants: Sequence[Competitor], history: Sequence[Tour], results: Results) -> list[int]:
        """Point 2, best first."""
        points = _tour_points(entrants, history, results)
        key = f"t{len(history)}"

        def rank_key(entrant: Competitor) -> tuple[Fraction, float, bytes]:
            return -points[entrant.number], entrant.seeded, draw(self.rules.rng_seed, key, entrant.number)

        return [entrant.number for entrant in sorted(entrants, key=rank_key)]


def _byes(standing: Sequence[int], history: Sequence[Tour], seats: int) -> tuple[int, ...]:
    byes, lowest_first = _count_byes(history), standing[::-1]
    next_first = sorted(lowest_first, key=lambda number: byes[number])
    return tuple(sorted(next_first[: len(standing) % seats]))


def _count_byes(history: Sequence[Tour]) -> Counter[int]:
    return Counter(number for tour in history for number in tour.byes)


def _tour_points(entrants: Sequence[Competitor], history: Sequence[Tour], results: Results) -> dict[int, Fraction]:
    """The sum over the tours, exact. A meeting under way counts by its series that have ended."""
    points = defaultdict[int, Fraction](Fraction)
    for tour in history:
        for number in tour.byes:
            points[number] += Fraction(1, 2)
        for series in meetings(tour).values():
            for number, share in shares(results[entry.key] for entry in series if entry.key in results).items():
                points[number] += share
    return {entrant.number: points[entrant.number] for entrant in entrants}
