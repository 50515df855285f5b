"""Ratings: by hand, by a second implementation, and the truth of their intervals."""

import pickle
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import product
from math import log, sqrt
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.figures.fields import Totals, dense_maximum, ladder
from tournament.figures.played import LETTERS, A, B, C, D, duels, field, series, tournaments, void

from referee.tournament.figures.rating import Rating, core_of
from referee.tournament.figures.rating import ratings as of_sums
from referee.tournament.figures.sums import Sums
from referee.tournament.model import Competitor, SeriesResult

ELO = 400 / log(10)


def ratings(
    entrants: Sequence[Competitor], results: Sequence[SeriesResult], *, rng_seed: int, anchor: int | None = None
) -> dict[int, Rating]:
    """The ratings of matches that all have the same number of seats."""
    seats = next((len(match) for result in results for match in result.matches), 2)
    sums = Sums.of(results, rng_seed=rng_seed)
    return of_sums(entrants, sums, seats=seats, anchor=anchor)


# By hand


def test_nobody_has_a_rating_before_the_first_series_that_counts() -> None:
    assert ratings(field(2), [void("0-1/arena/0", "A1 B2")], rng_seed=1) == {}


def test_the_anchor_is_rated_zero() -> None:
    results = [series("0-1/arena/0", "A1 B2", "B2 A1"), series("0-1/arena/1", "A2 B1", "B2 A1")]
    free, anchored = (ratings(field(3), results, rng_seed=1, anchor=anchor) for anchor in (None, B))
    assert anchored[B].rating == 0
    assert anchored[A].rating == pytest.approx(free[A].rating - free[B].rating)
    assert ratings(field(3), results, rng_seed=1, anchor=C) == free, "it has no rating yet"


@pytest.mark.parametrize(("count", "pairs", "core"), [
    (3, [(0, 1), (1, 2), (2, 0)], {0, 1, 2}),
    (3, [(0, 1), (1, 2)], {0}),
    (5, [(0, 1), (1, 0), (2, 3), (3, 4), (4, 2), (0, 2)], {2, 3, 4}),
    (4, [(2, 3), (3, 2), (0, 1), (1, 0)], {0, 1}),
    (4, [(1, 2), (2, 3), (3, 2), (2, 1), (3, 0)], {1, 2, 3}),
    (100_000, [(number, number + 1) for number in range(99_999)], {0}),
], ids=["circle", "chain", "largest", "lowest of two", "beaten", "a long chain"])  # fmt: skip
def test_the_core_is_the_largest_set_linked_both_ways(count: int, pairs: list[tuple[int, int]], core: set[int]) -> None:
    assert core_of(count, pairs) == core


def test_who_met_nobody_but_itself_is_rated() -> None:
    rated = ratings(field(3), [series("0/arena/0", "A1 A2"), *duels("B", "C", "1-2/arena/0")], rng_seed=1)
    assert rated.keys() == {A, B, C}
    assert rated[A].low is None


def test_the_order_of_pairs_does_not_matter() -> None:
    sums, _ = ladder(Random(7), present=16, left=30)
    shuffled = Sums(rng_seed=0)
    shuffled.pairs.update(Random(8).sample(list(sums.pairs.items()), len(sums.pairs)))
    assert of_sums([], shuffled, seats=4) == of_sums([], sums, seats=4)


# Intervals


def test_other_processes_can_do_the_fits() -> None:
    sums, present = ladder(Random(6), present=16, left=30)
    entrants = [Competitor(number, "", "", present=number in present) for number in range(46)]

    def spread(work: Callable[[Totals], list[float]], items: Sequence[Totals]) -> Iterable[list[float]]:
        return [pickle.loads(pickle.dumps(work))(pickle.loads(pickle.dumps(item))) for item in items]

    assert of_sums(entrants, sums, seats=4, spread=spread) == of_sums(entrants, sums, seats=4)


def circle(turns: int) -> list[SeriesResult]:
    """A, B and C beat each other in a circle; D loses to A."""
    return [
        result
        for turn in range(turns)
        for winner, loser, meeting in (("A", "B", "0-1"), ("B", "C", "1-2"), ("C", "A", "0-2"), ("A", "D", "0-3"))
        for result in duels(winner, loser, f"{meeting}/arena/{turn}")
    ]


def test_seven_series_give_no_interval_and_eight_do() -> None:
    few = [series(f"0-1/arena/{turn}", "A1 B2", "B1 A2") for turn in range(8)]
    assert ratings(field(2), few[:7], rng_seed=1)[A].low is None
    assert ratings(field(2), few, rng_seed=1)[A] == Rating(0.0, 0.0, 0.0), "the same without any of them"


def test_outside_the_core_there_is_no_interval() -> None:
    rated = ratings(field(4), circle(10), rng_seed=1)
    assert [rated[number].low is None for number in (A, B, C, D)] == [False, False, False, True]
    assert rated[D].high is None
    beaten = [result for turn in range(10) for result in duels("B", "A", f"0-1/arena/{turn}")]
    rated = ratings(field(2), beaten, rng_seed=1)
    assert [rated[number].low is None for number in (A, B)] == [False, True], "the core is the lowest number alone"


def test_who_plays_in_three_groups_has_no_interval() -> None:
    plays = [series(f"0-1/arena/{turn}", "A1 B2", "B1 A2") for turn in range(9)]
    plays += [series(f"0-2/arena/{turn}", "A1 C2", "C1 A2") for turn in range(3)]
    assert ratings(field(3), plays, rng_seed=1)[C].low is None
    plays.append(series("0-2/arena/3", "A1 C2", "C1 A2"))
    assert ratings(field(3), plays, rng_seed=1)[C].low is not None


def test_the_anchor_is_certain() -> None:
    assert ratings(field(4), circle(10), rng_seed=1, anchor=A)[A] == Rating(0.0, 0.0, 0.0)


# A second implementation


def totals_of(results: Sequence[SeriesResult], numbers: Sequence[int]) -> Totals:
    """The games of each pair, by their places among these numbers, and the halves of the first."""
    totals: Totals = {}
    for result in results:
        for match in result.matches:
            for a, b in product(match, match):
                if a.number < b.number:
                    pair = numbers.index(a.number), numbers.index(b.number)
                    games, halves = totals.get(pair, (0, 0))
                    totals[pair] = games + 1, halves + (a.place <= b.place) + (a.place < b.place)
    return totals


def linked(totals: Totals, numbers: Sequence[int]) -> set[int]:
    """The core, from who reaches whom."""
    took = {(a, b) for (a, b), (_, halves) in totals.items() if halves}
    took |= {(b, a) for (a, b), (games, halves) in totals.items() if halves < 2 * games}
    reaches = {(numbers[a], numbers[b]) for a, b in took} | {(number, number) for number in numbers}
    for via in numbers:
        reaches |= {(a, b) for a in numbers for b in numbers if (a, via) in reaches and (via, b) in reaches}
    cores = [{b for b in numbers if (a, b) in reaches and (b, a) in reaches} for a in numbers]
    return max(cores, key=len)  # the first of the largest


def brute(entrants: Sequence[Competitor], results: Sequence[SeriesResult], rng_seed: int) -> dict[int, Rating]:
    """Ratings and intervals, written as the definition reads."""
    counted = [result for result in results if result.matches]
    numbers = sorted({number for result in counted for number in result.series.numbers})
    if not numbers:
        return {}
    core = linked(totals_of(counted, numbers), numbers)
    weight = 1 / (len(counted[0].matches[0]) - 1)
    present = [entrant.number for entrant in entrants if entrant.present and entrant.number in numbers]
    zero = [number for number in present if number in core] or present or sorted(core)

    def rated(some: Sequence[SeriesResult]) -> dict[int, float]:
        solved = dense_maximum(len(numbers), totals_of(some, numbers), weight)
        strengths = dict(zip(numbers, solved, strict=True))
        return {number: ELO * (strengths[number] - fmean(strengths[two] for two in zero)) for number in numbers}

    def lot(block: int) -> list[int]:
        return sorted(range(40), key=lambda index: sha256(f"{rng_seed}/jackknife/{block}/{index}".encode()).hexdigest())

    group_of = [lot(at // 40)[at % 40] for at in range(len(counted))]
    dealt = sorted(set(group_of))
    g = len(dealt)
    without = [rated([result for result, of in zip(counted, group_of, strict=True) if of != group]) for group in dealt]
    intervals = {}
    for number, value in rated(counted).items():
        h = len({of for result, of in zip(counted, group_of, strict=True) if number in result.series.numbers})
        if number in core and h >= 4 and g >= 8:
            v = (g - 1) / g * sum((one[number] - fmean(two[number] for two in without)) ** 2 for one in without)
            z, nu = 1.959964, min(g - 1, 2 * h - 2)
            t = z + (z**3 + z) / 4 / nu + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / nu**2
            t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / nu**3
            intervals[number] = Rating(value, value - t * sqrt(v), value + t * sqrt(v))
        else:
            intervals[number] = Rating(value)
    return intervals


def same(one: dict[int, Rating], other: dict[int, Rating]) -> None:
    assert one.keys() == other.keys()
    for number in one:
        for ours, theirs in zip(values(one[number]), values(other[number]), strict=True):
            assert (ours is None) == (theirs is None)
            assert ours == pytest.approx(theirs, abs=0.005)


def values(rating: Rating) -> tuple[float | None, ...]:
    return rating.rating, rating.low, rating.high


@settings(max_examples=25)
@given(tournaments(most=14), st.integers(0, 99))
def test_a_second_implementation_agrees(tournament: tuple[list[Competitor], list[SeriesResult]], rng_seed: int) -> None:
    entrants, results = tournament
    same(ratings(entrants, results, rng_seed=rng_seed), brute(entrants, results, rng_seed))


def test_a_second_implementation_agrees_on_more_series_than_groups() -> None:
    rng = Random(5)
    results = [
        series(
            f"0-1-2/arena/{turn}", *(f"A{rng.randint(1, 3)} B{rng.randint(1, 4)} C{rng.randint(2, 4)}" for _ in "12")
        )
        for turn in range(90)
    ]
    results += [series(f"0-1-3/arena/{turn}", "A1 B2 D3", "D2 A1 B3") for turn in range(2)]
    same(ratings(field(4), results, rng_seed=7), brute(field(4), results, 7))


# What an interval promises


def series_between(rng: Random, key: str, one: int, two: int, chance: float) -> SeriesResult:
    """Two matches with 20 % ties; luck by seed makes every second pair of them end alike. `one` expects `chance` a match."""

    def places() -> tuple[int, int]:
        fate = rng.random()
        return (1, 2) if fate < chance - 0.1 else (1, 1) if fate < chance + 0.1 else (2, 1)

    first = places()
    second = first if rng.random() < 0.5 else places()
    a, b = LETTERS[one], LETTERS[two]
    return series(key, f"{a}{first[0]} {b}{first[1]}", f"{b}{second[1]} {a}{second[0]}")


def test_intervals_cover_the_truth_in_95_per_cent() -> None:
    """80 tournaments of five entrants, 80 series each."""
    rng = Random(20)
    covered = intervals = 0
    for rng_seed in range(80):
        truth = [rng.gauss(0, 100) for _ in range(5)]
        centre = fmean(truth)
        results = [
            series_between(rng, f"{one}-{two}/arena/{turn}", one, two, min(0.9, max(0.1, chance)))
            for one in range(5)
            for two in range(one + 1, 5)
            for chance in [1 / (1 + 10 ** ((truth[two] - truth[one]) / 400))]
            for turn in range(8)
        ]
        for number, rating in ratings(field(5), results, rng_seed=rng_seed).items():
            if rating.low is not None and rating.high is not None:
                intervals += 1
                covered += rating.low <= truth[number] - centre <= rating.high
    assert intervals == 400
    assert 0.945 <= covered / intervals <= 0.98
