"""Tournaments without matches: fields, and results that are made from strengths or lots."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

from referee.tournament.formats import Format
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Results, Rules, SeatScore, Series, SeriesResult, Tour, scores

Judge = Callable[[Series], SeriesResult]
"""Makes the result of a series."""


def rules(seats: int, maps: str = "a", repeat: int = 1, rng_seed: int = 11) -> Rules:
    """A map a letter."""
    return Rules(rng_seed, seats, tuple(maps), repeat=repeat)


def entrants(count: int, seedings: Mapping[int, int] | None = None, *, left: Collection[int] = ()) -> list[Competitor]:
    """Entrants 0, 1, … named `bot0`, `bot1`, …; those that left are not present."""
    return [
        Competitor(number, f"bot{number}", f"key{number}", (seedings or {}).get(number), number not in left)
        for number in range(count)
    ]


def named(*names: str) -> list[Competitor]:
    """Entrants with these names, which say who owns them."""
    return [Competitor(number, name, name) for number, name in enumerate(names)]


def result(
    series: Series, *places: Sequence[float], points: Callable[[int], float] = lambda _number: 0
) -> SeriesResult:
    """A result from the places by seat of each match, and the points of each number."""
    matches = (
        tuple(
            SeatScore(number, place, score, points(number))
            for number, place, score in zip(seating, match, scores(match), strict=True)
        )
        for seating, match in zip(series.seatings, places, strict=True)
    )
    return SeriesResult(series, tuple(matches))


def ranked(figures: Sequence[float]) -> list[float]:
    """Places of figures, the lowest first; equals share one."""
    return [1.0 + sum(other < mine for other in figures) for mine in figures]


def placed(series: Series, place: Callable[[int], float], points: Callable[[int], float] = lambda _: 0) -> SeriesResult:
    """All matches of a series end with the same place and points for each number."""
    return result(series, *(ranked(list(map(place, seating))) for seating in series.seatings), points=points)


def void(series: Series) -> SeriesResult:
    return SeriesResult(series, ())


def by_strength(strength: Callable[[int], float], noise: float = 0, seed: int = 0) -> Judge:
    """The stronger is ahead; luck has a normal distribution. Without noise, equal strengths share a place."""

    def judge(series: Series) -> SeriesResult:
        places = []
        for at, seating in enumerate(series.seatings):
            rng = Random(f"{seed}/{series.match_id(at)}")
            places.append(ranked([-strength(number) - (rng.gauss(0, noise) if noise else 0) for number in seating]))
        return result(series, *places)

    return judge


favourites: Judge = by_strength(lambda number: -number)
"""The lower number always wins."""


def by_lot(seed: int, ties: float = 0.3) -> Judge:
    """Random places, often shared, and points that are often the same."""

    def judge(series: Series) -> SeriesResult:
        rng = Random(f"{seed}/{series.key}")
        few = rng.random() < ties
        places = ([float(int(rng.random() * (2 if few else 9))) for _ in seating] for seating in series.seatings)
        return result(series, *places, points=lambda number: number % 3)

    return judge


def judged(history: Iterable[Tour], judge: Judge = favourites) -> dict[str, SeriesResult]:
    """The results of all series of some tours."""
    return {series.key: judge(series) for tour in history for series in tour.series}


def next_tour(
    format_: Format, field: Sequence[Competitor], history: Sequence[Tour] = (), results: Results | None = None
) -> Tour:
    """The tour that follows; there is one."""
    tour = format_.next_tour(field, Past(history, results or {}))
    assert tour is not None
    return tour


def tournament(
    format_: Format,
    field: Sequence[Competitor],
    judge: Judge = favourites,
    history: Sequence[Tour] = (),
    most: int = 1000,
) -> tuple[list[Tour], dict[str, SeriesResult]]:
    """Plays a tournament after some tours, to its end or so many more tours."""
    tours = list(history)
    results = judged(tours, judge)
    while len(tours) < len(history) + most and (tour := format_.next_tour(field, Past(tours, results))):
        results |= judged([tour], judge)
        tours.append(tour)
    return tours, results


def run(format_: Format, field: Sequence[Competitor], history: Sequence[Tour] = (), most: int = 1000) -> list[Tour]:
    """The tours of a tournament whose favourites win."""
    return tournament(format_, field, favourites, history, most)[0]


def by_meeting(tour: Tour) -> dict[str, tuple[int, ...]]:
    """The group of each meeting."""
    return {series.meeting: series.numbers for series in tour.series}


def groups(tours: Iterable[Tour]) -> list[tuple[int, ...]]:
    """The group of each series, in the order of the schedule."""
    return [series.numbers for tour in tours for series in tour.series]


def seats_of(tour: Tour) -> list[int]:
    """Everybody in the meetings of a tour, once for each meeting, and the byes."""
    return sorted([number for group in by_meeting(tour).values() for number in group] + list(tour.byes))


def meetings_of_each(met: Iterable[Sequence[int]], numbers: Iterable[int]) -> list[int]:
    played = Counter(number for group in met for number in group)
    return [played[number] for number in numbers]


def meetings_of_pairs(met: Iterable[Sequence[int]], numbers: Iterable[int]) -> list[int]:
    played = Counter(pair for group in met for pair in combinations(sorted(group), 2))
    return [played[pair] for pair in combinations(sorted(numbers), 2)]


def spread(counts: Collection[int]) -> int:
    return max(counts, default=0) - min(counts, default=0)


def table_order(field: Sequence[Competitor]) -> list[int]:
    """Stands in for the order of the table: the present entrants, by number."""
    return [entrant.number for entrant in field if entrant.present]


def without(field: Sequence[Competitor], *numbers: int) -> list[Competitor]:
    """The field after some have withdrawn."""
    return [replace(bot, present=bot.present and bot.number not in numbers) for bot in field]
