"""What all formats have in common: a schedule depends on the seed, the field and earlier results, and on nothing else."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.formats.rehearsal import (
    by_lot,
    entrants,
    judged,
    next_tour,
    rules,
    seats_of,
    table_order,
    tournament,
    without,
)

from referee.tournament.formats import Format
from referee.tournament.formats.compare import Compare
from referee.tournament.formats.develobear import Develobear
from referee.tournament.formats.gauntlet import Gauntlet
from referee.tournament.formats.knockout import Knockout
from referee.tournament.formats.ladder import Ladder
from referee.tournament.formats.past import Past
from referee.tournament.formats.round_robin import RoundRobin
from referee.tournament.formats.swiss import Swiss
from referee.tournament.model import Competitor, Rules, SeriesResult, Tour

OF_TEAMS = [
    pytest.param(Swiss, id="swiss"),
    pytest.param(Knockout, id="knockout"),
    pytest.param(lambda rules: Develobear(rules, runs=1, deduct_after=3), id="develobear"),
]
"""Formats with tours until the end, and with an order of their own."""
every_format = pytest.mark.parametrize(
    "make",
    [
        pytest.param(RoundRobin, id="round-robin"),
        pytest.param(lambda rules: RoundRobin(rules, each=5), id="round-robin, each"),
        pytest.param(lambda rules: Gauntlet(rules, ("bot0",)), id="gauntlet"),
        pytest.param(lambda rules: Gauntlet(rules, ("bot0",), each=3), id="gauntlet, each"),
        pytest.param(Ladder, id="ladder"),
        *OF_TEAMS,
    ],
)


@every_format
def test_chance_is_the_seeds_and_nothing_elses(make: Callable[[Rules], Format]) -> None:
    def schedule(seed: int) -> list[str]:
        tours, _ = tournament(make(rules(4, rng_seed=seed)), entrants(9), by_lot(1), most=3)
        return [f"{series.key} {series.seatings}" for tour in tours for series in tour.series]

    assert schedule(1) == schedule(1) != schedule(2)


@every_format
def test_a_meeting_is_all_maps_as_often_as_repeat_says(make: Callable[[Rules], Format]) -> None:
    format_ = make(rules(4, "ab", repeat=2))
    tour = next_tour(format_, entrants(9))
    meeting = ["a/0"] if isinstance(format_, Develobear) else ["a/0", "b/0", "a/1", "b/1"]  # its runs are tours
    keys = [series.key.removeprefix(f"{series.meeting}/") for series in tour.series]
    assert keys == meeting * (len(keys) // len(meeting))
    assert keys


@every_format
def test_the_order_in_which_matches_end_is_ignored(make: Callable[[Rules], Format]) -> None:
    """Four more join those formats that have one tour only."""
    format_, field = make(rules(4)), entrants(13)
    history, results = tournament(format_, field[:9], by_lot(1), most=2)
    reverse = dict(reversed(results.items()))
    field = field if format_.fixed else field[:9]
    assert next_tour(format_, field, history, results) == next_tour(format_, field, history, reverse)
    order = table_order(field)
    ranks = format_.rank(order, field, Past(history, results))
    assert ranks == format_.rank(order, field, Past(history, reverse))
    assert format_.teams or ranks == order, "the order of percent"


@pytest.mark.parametrize(("format_", "count", "plan"), [
    (RoundRobin(rules(4)), 4, "all 4 bots in each match"),
    (RoundRobin(rules(4)), 9, "every group of 4 of 9 bots meets"),
    (RoundRobin(rules(4), each=2), 9, "at least 2 series of each of 9 bots"),
    (Gauntlet(rules(3), ("A", "B")), 9, "A and B against every group of 2 of the others"),
    (Gauntlet(rules(3), against=("A", "B")), 9, "each other bot against every group of 2 of A and B"),
    (Gauntlet(rules(3), against=("A", "B"), each=4), 9, "at least 4 series of each other bot with A and B"),
    (Swiss(rules(2)), 9, "6 tours of 9 teams"),
    (Knockout(rules(2)), 9, "rounds of 9, 8, 4, 2 teams"),
    (Develobear(rules(4)), 20, "tours until 8 of 20 teams are left, then a play-off of 8"),
    (Develobear(rules(4)), 9, "tours until 4 of 9 teams are left, then a play-off of 4"),
    (Develobear(rules(4), field=6), 9, "tours until 6 of 9 teams are left, then a play-off of 4"),
    (Develobear(rules(4)), 4, "a play-off of 4 teams at once, without tours"),
    (Ladder(rules(2)), 9, "waves of neighbours in rating among 9 bots, without an end"),
    (Ladder(rules(2), series=50), 9, "waves of neighbours in rating among 9 bots, until 50 series are played"),
    (Compare.of(rules(2), {"most": 50}, entrants(2)), 2, "series until the test is sure, 50 at the most"),
])  # fmt: skip
def test_the_plan_counts_those_that_are_present(format_: Format, count: int, plan: str) -> None:
    assert format_.outline(entrants(count + 1, left=[count])) == plan


@pytest.mark.parametrize("make", OF_TEAMS)
@settings(max_examples=12)
@given(extra=st.integers(0, 20), seed=st.integers(0, 999), data=st.data())
def test_whoever_comes_and_goes(make: Callable[[Rules], Format], extra: int, seed: int, data: st.DataObject) -> None:
    """Only those that are present have a seat or a bye, all of them have a rank, and there is an end."""
    format_, field = make(rules(4, rng_seed=seed)), entrants(4 + extra)
    history: list[Tour] = []
    results: dict[str, SeriesResult] = {}
    while tour := format_.next_tour(field, Past(history, results)):
        seats = seats_of(tour)
        assert set(seats) <= set(table_order(field))
        assert seats == table_order(field) or not isinstance(format_, Swiss)
        results |= judged([tour], by_lot(seed))
        history.append(tour)
        if data.draw(st.booleans()):
            field = [*field, Competitor(len(field), "late", "late")]
        field = without(field, *data.draw(st.sets(st.sampled_from(range(len(field))), max_size=2)))
        assert sorted(format_.rank(table_order(field), field, Past(history, results))) == table_order(field)
    assert len(history) < 60
