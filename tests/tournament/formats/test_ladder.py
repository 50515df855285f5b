"""Ladder: waves of neighbours in rating, led by whoever waits or is least known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import log, log10, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.formats.rehearsal import entrants, groups, judged, judged_all, run

from referee.errors import UsageError
from referee.tournament.formats import Format
from referee.tournament.formats.ladder import Estimate, Ladder, Standings, waits
from referee.tournament.words import Competitor, Rules, Series, SeriesResult, Tour

RULES = Rules(11, 2, ("a",))


def told(estimates: Mapping[int, Estimate]) -> Standings:
    """Ratings that do not depend on results."""
    return lambda _field, _played: estimates


nobody_is_rated = told({})


def in_steps(count: int, width: Callable[[int], float | None] = lambda _: 50) -> dict[int, Estimate]:
    """Entrant 0 is rated 0, and each further one 10 less."""
    return {number: (-10.0 * number, width(number)) for number in range(count)}


def wave(format_: Ladder, field: Sequence[Competitor], history: Sequence[Tour] = ()) -> Tour:
    tour = format_.next_tour(field, history, judged_all(history))
    assert tour is not None
    return tour


def played(groups: Iterable[Iterable[int]], count: int) -> Tour:
    """A wave with these groups of `count` entrants."""
    series = tuple(
        Series(f"t-g{place}", "a", 0, (tuple(group), tuple(reversed(tuple(group)))))
        for place, group in enumerate(groups)
    )
    playing = {number for one in series for number in one.numbers}
    return Tour("t", series, tuple(number for number in range(count) if number not in playing))


# A wave


@pytest.mark.parametrize(
    ("count", "seats", "expected"),
    [(2, 2, 1), (7, 2, 1), (8, 2, 2), (11, 2, 2), (12, 2, 3), (4, 4, 1), (15, 4, 1), (16, 4, 2), (200, 4, 25)],
)
def test_half_of_the_entrants_play_in_a_wave(count: int, seats: int, expected: int) -> None:
    tour = wave(Ladder(replace(RULES, seats=seats), nobody_is_rated), entrants(count))
    playing = [number for group in groups([tour]) for number in group]
    assert len(tour.series) == expected
    assert sorted([*playing, *tour.byes]) == list(range(count)), "nobody twice, and the others have a bye"


def test_keys_of_waves_and_meetings() -> None:
    format_ = Ladder(Rules(11, 2, ("a", "b"), repeat=2), nobody_is_rated)
    history = run(format_, entrants(8), most=3)
    assert [tour.key for tour in history] == ["t0", "t1", "t2"]
    meeting = ["a/0", "b/0", "a/1", "b/1"]
    assert [one.key for one in history[2].series] == [f"t2-g{group}/{key}" for group in (0, 1) for key in meeting]
    assert history[2].series[0].numbers == history[2].series[3].numbers


def test_the_widest_interval_leads_and_meets_a_neighbour() -> None:
    # 8 entrants with 2 seats: two groups. 3 leads the first and meets 2 or 4; 6, which is next, meets 5 or 7.
    widths = {3: 90, 6: 80}
    format_ = Ladder(RULES, told(in_steps(8, lambda number: widths.get(number, 50))))
    first, second = groups([wave(format_, entrants(8))])
    assert first in [(2, 3), (3, 4)]
    assert second in [(5, 6), (6, 7)]


def test_whoever_has_no_interval_comes_before_the_widest() -> None:
    format_ = Ladder(RULES, told(in_steps(5, lambda number: None if number == 4 else 1000 - number)))
    assert groups([wave(format_, entrants(5))]) == [(3, 4)]


def test_of_those_without_an_interval_the_longest_waiting_leads() -> None:
    # Nobody has an interval. 4 has waited for two waves, 2 and 3 for one.
    history = [played([(2, 3)], 5), played([(0, 1)], 5)]
    assert wave(Ladder(RULES, told(in_steps(5, lambda _: None))), entrants(5), history).series[0].numbers == (3, 4)


def test_whoever_has_waited_n_waves_comes_before_all() -> None:
    # Of 5 entrants, 4 has waited 5 waves, and 1 has no interval.
    format_ = Ladder(RULES, told(in_steps(5, lambda number: None if number == 1 else 50)))
    history = [played([(0, 1)], 5), played([(2, 3)], 5)] * 2
    assert 1 in groups([wave(format_, entrants(5), history)])[0], "4 has waited 4 waves"
    history.append(played([(0, 1)], 5))
    assert groups([wave(format_, entrants(5), history)]) == [(3, 4)]


def test_a_leader_that_already_plays_is_passed_over() -> None:
    # 0 leads, and 1, the next widest, is the only neighbour. Then 6 leads with 5 or 7.
    format_ = Ladder(RULES, told(in_steps(8, lambda number: {0: 90, 1: 80, 6: 70}.get(number, 50))))
    first, second = groups([wave(format_, entrants(8))])
    assert first == (0, 1)
    assert second in [(5, 6), (6, 7)]


def test_a_group_is_a_section_of_the_order_of_rating() -> None:
    # 4 leads; with three seats it is in all three places of a section, as the lots of the waves want it.
    format_ = Ladder(replace(RULES, seats=3), told(in_steps(9, lambda number: 90 if number == 4 else 50)))
    met = set()
    history: list[Tour] = []
    for _ in range(9):
        history.append(wave(format_, entrants(9), history))
        met |= {group for group in groups(history[-1:]) if 4 in group}
    assert met == {(2, 3, 4), (3, 4, 5), (4, 5, 6)}


def test_free_neighbours_close_the_gap_that_others_leave() -> None:
    # 3 leads with 2 or 4. Then 0 leads with 1, and 7 or 5, 6 of those that are left.
    widths = {3: 99, 2: 98, 4: 97}
    format_ = Ladder(RULES, told(in_steps(8, lambda number: widths.get(number, 50))))
    first, second = groups([wave(format_, entrants(8))])
    assert (first, second) in [((2, 3), (1, 4)), ((2, 3), (4, 5)), ((3, 4), (1, 2)), ((3, 4), (2, 5))]


def test_an_entrant_without_a_rating_is_in_the_middle() -> None:
    # 0 to 8 are rated 0, -10, … -80, and 0 to 3 have left: the middle is -60, where 6 is. 9 is new, so it leads.
    for seed in range(10):
        format_ = Ladder(replace(RULES, rng_seed=seed), told(in_steps(9)))
        (group,) = groups([wave(format_, entrants(10, left=range(4)))])
        assert group in [(5, 9), (6, 9), (7, 9)]


def test_those_that_left_are_drawn_no_more() -> None:
    format_ = Ladder(RULES, told(in_steps(4, lambda number: 100 - number)))
    assert groups([wave(format_, entrants(4, left=[0, 2]))]) == [(1, 3)]


# Waiting


def test_waiting_is_counted_since_the_last_match() -> None:
    history = [played([(0, 1)], 3), played([(0, 2)], 3), played([(0, 2)], 5)]
    # 3 and 4 joined in the third wave.
    assert waits(range(6), history) == {0: 0, 1: 2, 2: 0, 3: 1, 4: 1, 5: 0}
    assert waits(range(3), []) == {0: 0, 1: 0, 2: 0}


@given(st.integers(2, 4), st.integers(0, 14), st.randoms(use_true_random=False))
def test_nobody_sits_out_more_than_2n_waves(seats: int, more: int, luck: Random) -> None:
    # Any ratings and intervals: some have no interval for ever, and would lead all groups.
    count = seats + more
    forever = set(luck.sample(range(count), luck.randrange(count + 1)))

    def standings(_field: object, _played: object) -> dict[int, Estimate]:
        return {
            number: (luck.uniform(-500, 500), None if number in forever else luck.random()) for number in range(count)
        }

    waited = dict.fromkeys(range(count), 0)
    for tour in run(Ladder(replace(RULES, seats=seats), standings), entrants(count), most=5 * count):
        playing = Counter(number for one in tour.series for number in one.numbers)
        assert set(playing.values()) == {1}, "nobody twice in a wave"
        assert set(tour.byes) == set(range(count)) - set(playing)
        for one in tour.series:
            assert [sorted(seat) for seat in zip(*one.seatings, strict=True)] == [list(one.numbers)] * seats
        waited = {number: 0 if number in playing else since + 1 for number, since in waited.items()}
        assert max(waited.values()) <= 2 * count


# The end


def test_it_goes_on_without_end() -> None:
    assert len(run(Ladder(RULES, nobody_is_rated), entrants(4), most=50)) == 50


def test_it_is_over_after_so_many_series() -> None:
    # Waves of two groups on two maps: four series. Of the third wave, one and its group are left.
    format_ = Ladder(Rules(11, 2, ("a", "b")), nobody_is_rated, series=9)
    history = run(format_, entrants(8))
    assert [len(tour.series) for tour in history] == [4, 4, 1]
    assert history[2].series[0].key == "t2-g0/a/0"
    assert len(history[2].byes) == 6, "the second group does not play"
    assert run(format_, entrants(8, left=range(8)), history) == history


def test_fewer_entrants_than_seats() -> None:
    with pytest.raises(UsageError, match="A ladder with 2 seats needs 2 entrants, and there is 1: add bots"):
        Ladder(RULES, nobody_is_rated).next_tour(entrants(3, left=[0, 1]), [], {})


def test_the_table_is_in_the_order_of_ratings_and_those_without_come_last() -> None:
    format_: Format = Ladder(RULES, lambda _field, _played: {0: (10.0, None), 1: (40.0, 5.0)})
    assert format_.ranked([2, 0, 1, 3], entrants(4), [], {}) == [1, 0, 2, 3]
    assert format_.columns(entrants(3), [], {}) == {}


# Chance and simulations


def test_the_order_of_the_results_is_ignored() -> None:
    seen = []

    def standings(_field: object, results: Sequence[SeriesResult]) -> dict[int, Estimate]:
        seen.append([one.series.key for one in results])
        return {}

    format_ = Ladder(RULES, standings)
    history = run(format_, entrants(9), most=5)
    results = list(judged_all(history).items())
    tours = [format_.next_tour(entrants(9), history, dict(order)) for order in (results, results[::-1])]
    assert tours[0] == tours[1] is not None
    assert seen[-1] == seen[-2] == [one.key for tour in history for one in tour.series]


def test_chance_is_the_seeds_and_nothing_elses() -> None:
    def met(seed: int) -> list[tuple[int, ...]]:
        return groups(run(Ladder(replace(RULES, rng_seed=seed), nobody_is_rated), entrants(9), most=5))

    assert met(1) == met(1) != met(2)


def fitted(field: Sequence[Competitor], results: Sequence[SeriesResult]) -> dict[int, Estimate]:
    """Ratings of the Bradley-Terry model, with one drawn game of each against 0; an interval from four series on."""
    won: Counter[int] = Counter()
    games: Counter[tuple[int, int]] = Counter()
    series = Counter(number for one in results for number in one.series.numbers)
    for seat, other in (pair for one in results for match in one.matches for pair in combinations(match, 2)):
        games[seat.number, other.number] += 1
        games[other.number, seat.number] += 1
        won[seat.number if seat.place < other.place else other.number] += 1
    strength = dict.fromkeys(series, 1.0)
    for _ in range(100):
        expected = {number: 1 / (strength[number] + 1) for number in series}
        for (one, other), count in games.items():
            expected[one] += count / (strength[one] + strength[other])
        strength = {number: (won[number] + 0.5) / expected[number] for number in series}
    return {
        number: (400 * log10(strength[number]), 1000 / sqrt(count) if count >= 4 else None)
        for number, count in series.items()
    }


def lucky(seed: int, ratings: Mapping[int, float]) -> Callable[[Series, int], Sequence[float]]:
    """The order of a match: ratings with luck, such that the chance to beat a rival is the logistic one."""

    def judge(series: Series, match: int) -> Sequence[float]:
        rng = Random(f"{seed} {series.match_id(match)}")
        drawn = [ratings[number] - 400 * log10(-log(rng.random())) for number in series.seatings[match]]
        return [sorted(drawn, reverse=True).index(mine) + 1 for mine in drawn]

    return judge


def contest(
    format_: Ladder, field: Sequence[Competitor], ratings: Mapping[int, float], waves: int, history: Sequence[Tour] = ()
) -> list[Tour]:
    tours = list(history)
    results = judged_all(tours, lucky(5, ratings))
    for _ in range(waves):
        tour = format_.next_tour(field, tours, results)
        assert tour is not None
        tours.append(tour)
        results |= {one.key: judged(one, lucky(5, ratings)) for one in tour.series}
    return tours


@pytest.mark.parametrize(("count", "seats", "apart", "waves"), [(8, 2, 150, 100), (12, 4, 120, 60)])
def test_the_order_of_strength_comes_out(count: int, seats: int, apart: int, waves: int) -> None:
    field = Random(3).sample(range(count), count)  # the entrants from the best on
    ratings = {number: -float(apart * place) for place, number in enumerate(field)}
    history = contest(Ladder(replace(RULES, seats=seats), fitted), entrants(count), ratings, waves)
    estimates = fitted(entrants(count), list(judged_all(history, lucky(5, ratings)).values()))
    assert sorted(field, key=lambda number: -estimates[number][0]) == field
    played = Counter(number for group in groups(history) for number in group)
    assert max(played.values()) <= 2 * min(played.values()), "intervals shrink alike"
    late = [abs(field.index(a) - field.index(b)) for group in groups(history[10:]) for a, b in combinations(group, 2)]
    assert sum(places <= 2 for places in late) > 0.7 * len(late), "a third to a half, if groups were drawn by lot"


def test_two_sections_of_a_field_stay_linked() -> None:
    # Pairs of equals, 100 apart from the next: the nearest of all is always the same. They meet others nevertheless.
    estimates: dict[int, Estimate] = {number: (-100.0 * (number // 2), 50) for number in range(8)}
    met = set(groups(run(Ladder(RULES, told(estimates)), entrants(8), most=60)))
    order = [{number, number + 1} for number in range(0, 8, 2)]
    for upper, lower in pairwise(order):
        assert any(set(group) & upper and set(group) & lower for group in met)


def test_a_newcomer_finds_its_place() -> None:
    # Six bots, 150 apart; the seventh joins after 40 waves and is the second best.
    ratings = {number: -150.0 * number for number in range(6)} | {6: -75.0}
    format_ = Ladder(RULES, fitted)
    history = contest(format_, entrants(7), ratings, 50, contest(format_, entrants(6), ratings, 40))
    assert 6 in history[40].series[0].numbers, "it has no interval"
    estimates = fitted(entrants(7), list(judged_all(history, lucky(5, ratings)).values()))
    assert sorted(estimates, key=lambda number: -estimates[number][0])[:3] == [0, 6, 1]


def test_the_luck_of_these_simulations_is_logistic() -> None:
    # 200 better: 1 / (1 + 10^-0.5) = 0.76 of the matches.
    series = Series("m", "a", 0, ((0, 1),) * 2000)
    judge = lucky(5, {0: 200, 1: 0})
    assert sum(judge(series, match)[0] == 1 for match in range(2000)) / 2000 == pytest.approx(0.76, abs=0.03)
