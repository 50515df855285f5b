"""Fields and results for tests of formats: no match is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations

from referee.tournament.formats import Format
from referee.tournament.formats.past import Played
from referee.tournament.words import Competitor, Rules, SeatResult, Series, SeriesResult, Tour, scores

Judge = Callable[[Series, int], Sequence[float]]
"""The places by seat in a match of a series; the match is counted from 0."""


def rules(seats: int, maps: str = "a", repeat: int = 1, rng_seed: int = 11) -> Rules:
    """A map a letter."""
    return Rules(rng_seed, seats, tuple(maps), repeat=repeat)


def entrants(count: int, left: Collection[int] = ()) -> list[Competitor]:
    """`bot0`, `bot1`, …; those that left are not present."""
    return [Competitor(number, f"bot{number}", f"key{number}", present=number not in left) for number in range(count)]


def void(series: Series) -> SeriesResult:
    return SeriesResult(series, ())


def in_order_of_number(series: Series, match: int) -> Sequence[float]:
    """The lower number is ahead."""
    return [sorted(series.seatings[match]).index(number) + 1 for number in series.seatings[match]]


def judged(series: Series, judge: Judge = in_order_of_number) -> SeriesResult:
    matches = []
    for at, seating in enumerate(series.seatings):
        places = judge(series, at)
        rows = zip(seating, places, scores(places), strict=True)
        matches.append(tuple(SeatResult(number, place, score, points=0) for number, place, score in rows))
    return SeriesResult(series, tuple(matches))


def judged_all(history: Iterable[Tour], judge: Judge = in_order_of_number) -> dict[str, SeriesResult]:
    return {series.key: judged(series, judge) for tour in history for series in tour.series}


def run(format_: Format, field: Sequence[Competitor], history: Sequence[Tour] = (), most: int = 1000) -> list[Tour]:
    """All tours: those of the history, and at most so many more until it is over."""
    tours = list(history)
    results = judged_all(tours)
    for _ in range(most):
        tour = format_.next_tour(field, Played(tours, results))
        if tour is None:
            break
        tours.append(tour)
        results |= judged_all([tour])
    return tours


def groups(tours: Iterable[Tour]) -> list[tuple[int, ...]]:
    """The group of each meeting, in the order of the schedule; for one series a meeting."""
    return [series.numbers for tour in tours for series in tour.series]


def meetings_of_each(met: Iterable[Sequence[int]], numbers: Iterable[int]) -> list[int]:
    played = Counter(number for group in met for number in group)
    return [played[number] for number in numbers]


def meetings_of_pairs(met: Iterable[Sequence[int]], numbers: Iterable[int]) -> list[int]:
    played = Counter(pair for group in met for pair in combinations(sorted(group), 2))
    return [played[pair] for pair in combinations(sorted(numbers), 2)]


def spread(counts: Collection[int]) -> int:
    return max(counts, default=0) - min(counts, default=0)
