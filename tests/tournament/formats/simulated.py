"""Tournaments without matches: results are made from strengths or lots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from referee.tournament.formats import Format
from referee.tournament.formats.past import Played
from referee.tournament.words import Competitor, SeatResult, Series, SeriesResult, Tour, scores

Judge = Callable[[Series], SeriesResult]
"""Makes the result of a series."""


def entrants(count: int, seedings: Mapping[int, int] | None = None) -> list[Competitor]:
    """Entrants 0, 1, … named `bot0`, `bot1`, …"""
    return [Competitor(number, f"bot{number}", f"key{number}", (seedings or {}).get(number)) for number in range(count)]


def result(series: Series, *places: Sequence[float], points: Sequence[float] | None = None) -> SeriesResult:
    """A result from the places by seat of each match."""
    assert len(places) == len(series.seatings)
    matches = []
    for seating, match in zip(series.seatings, places, strict=True):
        scored = scores(match)
        final = [0.0] * len(seating) if points is None else points
        matches.append(
            tuple(
                SeatResult(number, place, score, point)
                for number, place, score, point in zip(seating, match, scored, final, strict=True)
            )
        )
    return SeriesResult(series, tuple(matches))


def placed(series: Series, place: Callable[[int], float], points: Callable[[int], float] = lambda _: 0) -> SeriesResult:
    """All matches of a series end with the same place and points for each number."""
    matches = []
    for seating in series.seatings:
        places = [place(number) for number in seating]
        matches.append(
            tuple(
                SeatResult(number, 1 + sum(other < mine for other in places), score, points(number))
                for number, mine, score in zip(seating, places, scores(places), strict=True)
            )
        )
    return SeriesResult(series, tuple(matches))


def void(series: Series) -> SeriesResult:
    return SeriesResult(series, ())


def by_strength(strength: Callable[[int], float], noise: float = 0, seed: int = 0) -> Judge:
    """The stronger is ahead; luck has a normal distribution. Without noise, equal strengths share a place."""

    def judge(series: Series) -> SeriesResult:
        matches = []
        for at, seating in enumerate(series.seatings):
            rng = Random(f"{seed}/{series.match_id(at)}")
            shown = [-strength(number) - (rng.gauss(0, noise) if noise else 0) for number in seating]
            places = [1.0 + sum(other < mine for other in shown) for mine in shown]
            scored = scores(places)
            matches.append(
                tuple(
                    SeatResult(number, place, score, score)
                    for number, place, score in zip(seating, places, scored, strict=True)
                )
            )
        return SeriesResult(series, tuple(matches))

    return judge


def by_lot(seed: int, ties: float = 0.3) -> Judge:
    """Random places, often shared."""

    def judge(series: Series) -> SeriesResult:
        rng = Random(f"{seed}/{series.key}")
        few = rng.random() < ties
        return result(
            series, *([float(int(rng.random() * (2 if few else 9))) for _ in seating] for seating in series.seatings)
        )

    return judge


def play(tour: Tour, judge: Judge, results: dict[str, SeriesResult]) -> None:
    """Adds the results of a tour."""
    for series in tour.series:
        results[series.key] = judge(series)


def tournament(
    format_: Format, field: Sequence[Competitor], judge: Judge, most: int = 500
) -> tuple[list[Tour], dict[str, SeriesResult]]:
    """Plays a whole tournament."""
    history: list[Tour] = []
    results: dict[str, SeriesResult] = {}
    while tour := format_.next_tour(field, Played(history, results)):
        assert len(history) < most, "it does not end"
        play(tour, judge, results)
        history.append(tour)
    return history, results


def groups(tour: Tour) -> dict[str, tuple[int, ...]]:
    """The group of each meeting."""
    return {series.meeting: series.numbers for series in tour.series}


def seats_of(tour: Tour) -> list[int]:
    """Everybody in the meetings of a tour, once for each meeting, and the byes."""
    return sorted([number for group in groups(tour).values() for number in group] + list(tour.byes))


def table_order(field: Sequence[Competitor]) -> list[int]:
    """Stands in for the order of the table: the present entrants, by number."""
    return [entrant.number for entrant in field if entrant.present]


def without(field: Sequence[Competitor], *numbers: int) -> list[Competitor]:
    """The field after some have withdrawn."""
    return [
        Competitor(bot.number, bot.name, bot.content, bot.seeding, bot.present and bot.number not in numbers)
        for bot in field
    ]
