"""Round-robin: every group once, or `each` series an entrant."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.formats.rehearsal import (
    entrants,
    favourites,
    groups,
    judged,
    meetings_of_each,
    meetings_of_pairs,
    named,
    next_tour,
    rules,
    run,
    spread,
    void,
)

from referee.errors import UsageError
from referee.tournament.formats.design import fewest
from referee.tournament.formats.past import Past
from referee.tournament.formats.round_robin import RoundRobin
from referee.tournament.model import Competitor, draw


def test_numbers_in_a_key_ascend_by_value() -> None:
    (tour,) = run(RoundRobin(rules(2)), entrants(11))
    assert "2-10/a/0" in {series.key for series in tour.series}


def test_the_schedule_is_a_lot() -> None:
    (tour,) = run(RoundRobin(rules(2)), entrants(6))
    keys = [series.meeting for series in tour.series]
    assert keys == sorted(keys, key=lambda key: draw(11, "schedule", key))
    assert keys != sorted(keys)


@settings(max_examples=20)
@given(st.integers(2, 5), st.integers(0, 4), st.sampled_from(["a", "ab"]), st.integers(1, 2), st.integers(0, 99))
def test_all_groups_meet_and_everyone_has_every_seat(seats: int, more: int, maps: str, repeat: int, seed: int) -> None:
    (tour,) = run(RoundRobin(rules(seats, maps, repeat, seed)), entrants(seats + more))
    met = Counter(series.numbers for series in tour.series)
    assert met == dict.fromkeys(combinations(range(seats + more), seats), len(maps) * repeat)
    for series in tour.series:
        for seat in range(seats):
            assert sorted(seating[seat] for seating in series.seatings) == list(series.numbers)


@pytest.mark.parametrize("left", [[], [2]])
def test_whoever_joins_later_meets_all_groups_too_but_those_that_left(left: list[int]) -> None:
    # 3 and 4 join after the first tour, and 2 may leave. 0, 1 and 2 have met before.
    later = run(RoundRobin(rules(2)), entrants(5, left=left), run(RoundRobin(rules(2)), entrants(3)))
    assert [tour.key for tour in later] == ["t0", "t1"]
    new = {(0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)}
    assert {series.numbers for series in later[1].series} == {pair for pair in new if not set(left) & set(pair)}
    assert later[1].byes == ()


# each = N


@pytest.mark.parametrize(("count", "seats", "maps", "repeat", "each", "meetings", "in_all"), [
    (6, 3, "a", 1, 2, 2, 4),  # 6 * 2 / 3
    (5, 2, "a", 1, 3, 3, 8),  # 15 / 2, rounded up: one plays 4
    (5, 2, "ab", 1, 5, 3, 8),  # 5 series are 3 meetings of 2 series
    (5, 2, "ab", 2, 5, 2, 5),  # or 2 meetings of 4
    (7, 4, "a", 1, 1, 1, 2),  # one plays twice
    (4, 4, "a", 1, 3, 3, 3),  # one group
    (4, 2, "a", 1, 3, 3, 6),  # all groups
    (4, 2, "a", 1, 7, 7, 14),  # twice all groups, and 2 more
])  # fmt: skip
def test_each_is_the_series_of_an_entrant(
    count: int, seats: int, maps: str, repeat: int, each: int, meetings: int, in_all: int
) -> None:
    (tour,) = run(RoundRobin(rules(seats, maps, repeat), each), entrants(count))
    length = len(maps) * repeat
    assert len(tour.series) == in_all * length
    played = meetings_of_each(groups([tour]), range(count))
    assert {series // length for series in played} <= {meetings, meetings + 1}
    assert sum(played) == in_all * seats * length


def test_a_second_meeting_of_a_group_is_its_replay() -> None:
    (tour,) = run(RoundRobin(rules(2, "ab"), each=6), entrants(2))
    assert [series.key for series in tour.series] == ["0-1/a/0", "0-1/b/0", "0-1/a/1", "0-1/b/1", "0-1/a/2", "0-1/b/2"]
    (tour,) = run(RoundRobin(rules(2, "a", repeat=2), each=4), entrants(2))
    assert [series.key for series in tour.series] == ["0-1/a/0", "0-1/a/1", "0-1/a/2", "0-1/a/3"]


@settings(max_examples=20)
@given(st.integers(2, 6), st.integers(0, 20), st.integers(1, 15), st.integers(0, 10**6))
def test_meetings_of_entrants_and_pairs_are_even(seats: int, more: int, each: int, seed: int) -> None:
    count = seats + more
    (tour,) = run(RoundRobin(rules(seats, rng_seed=seed), each), entrants(count))
    met = groups([tour])
    assert len(met) == -(-count * each // seats)
    assert all(len(set(group)) == seats for group in met)
    assert len({series.key for series in tour.series}) == len(met)
    assert spread(meetings_of_each(met, range(count))) <= 1
    assert min(meetings_of_each(met, range(count))) >= each
    assert spread(meetings_of_pairs(met, range(count))) <= 3


def test_even_designs_of_many_entrants() -> None:
    # On average a pair of 200 meets 20 * 3 / 199 times, 0.3, and one of 40 meets 60 * 3 / 39 times, 4.6.
    for count, each in [(200, 20), (40, 60)]:
        (tour,) = run(RoundRobin(rules(4), each), entrants(count))
        assert spread(meetings_of_each(groups([tour]), range(count))) == 0
        assert spread(meetings_of_pairs(groups([tour]), range(count))) <= 2


def test_everyones_meetings_grow_evenly_along_the_schedule() -> None:
    (tour,) = run(RoundRobin(rules(4), each=20), entrants(40))
    for length in range(1, 200):
        assert spread(meetings_of_each(groups([tour])[:length], range(40))) <= 3


@given(
    st.integers(2, 4), st.integers(0, 12), st.integers(1, 8), st.integers(1, 8), st.integers(0, 3), st.integers(0, 99)
)
def test_whoever_joins_later_gets_as_many_meetings_with_old_and_new(
    seats: int, more: int, each: int, joined: int, left: int, seed: int
) -> None:
    count = seats + more + joined
    gone = range(min(left, more + joined))
    format_ = RoundRobin(rules(seats, rng_seed=seed), each)
    tours = run(format_, entrants(count, left=gone), run(format_, entrants(seats + more)))
    assert len(tours) == 2
    assert not any(number in group for group in groups(tours[1:]) for number in gone)
    new = range(seats + more, count)
    assert all(each <= played <= each + 1 for played in meetings_of_each(groups(tours), new))
    assert min(meetings_of_each(groups(tours), range(count))) >= each
    assert len({series.key for tour in tours for series in tour.series}) == len(groups(tours))


@pytest.mark.parametrize("seed", range(5))
def test_two_that_join_late_do_not_only_meet_each_other(seed: int) -> None:
    format_ = RoundRobin(rules(2, rng_seed=seed), each=2)
    late = groups(run(format_, entrants(8), run(format_, entrants(6)))[1:])
    assert sorted(group for group in late if group == (6, 7)) == [(6, 7)]
    assert {6, 7} <= {group[1] for group in late if group[0] < 6}


def test_meetings_that_were_lost_with_a_rival_are_made_up_for() -> None:
    # 4 entrants with 2 meetings each. Those with 3 are void, and it has left: two of the others lack a meeting.
    format_ = RoundRobin(rules(2), each=2)
    (tour,) = run(format_, entrants(4))
    results = {series.key: void(series) if 3 in series.numbers else favourites(series) for series in tour.series}
    lost = [group for group in groups([tour]) if 3 in group]
    assert len(lost) == 2
    again = next_tour(format_, entrants(4, left=[3]), [tour], results)
    assert groups([again]) == [tuple(sorted(number for group in lost for number in group if number != 3))]
    assert format_.next_tour(entrants(4), Past([tour], results)) is None, "void, but all are still there"
    assert format_.next_tour(entrants(4, left=[3]), Past([tour], judged([tour]))) is None, "played before it left"


def test_a_meeting_in_a_later_tour_is_a_replay_too() -> None:
    # 2 has left, and its meetings with 0 and 1 are void: they meet each other again, in the third series on map a.
    format_ = RoundRobin(rules(2, "ab", repeat=2), each=8)
    (tour,) = run(format_, entrants(3))
    results = {series.key: void(series) if 2 in series.numbers else favourites(series) for series in tour.series}
    again = next_tour(format_, entrants(3, left=[2]), [tour], results)
    assert (again.key, again.byes) == ("t1", ())
    assert [series.key for series in again.series] == ["0-1/a/2", "0-1/b/2", "0-1/a/3", "0-1/b/3"]


# Chance, errors, the table


def test_more_series_than_can_be_kept() -> None:
    # 200 * 199 * 198 * 197 / 24
    with pytest.raises(UsageError, match=r"^format.each: .* has 64,684,950 series, .* 1,000,000 .*: set it"):
        RoundRobin(rules(4)).next_tour(entrants(200), Past())
    with pytest.raises(UsageError, match=r"has 4,000,000 series, .*: set it"):
        RoundRobin(rules(2, "ab"), each=2_000_000).next_tour(entrants(4), Past())


# Owners


ADAS: Final = named("ada/a", "ada/b", "ben/a", "ben/b", "cyd")


def test_two_bots_of_one_owner_never_meet_and_all_others_do() -> None:
    #        ada/a 0   ada/b 1   ben/a 2   ben/b 3   cyd 4
    assert set(groups(run(RoundRobin(rules(2)), ADAS))) == {
        (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4),
    }  # fmt: skip
    assert set(groups(run(RoundRobin(rules(3)), ADAS))) == {(0, 2, 4), (0, 3, 4), (1, 2, 4), (1, 3, 4)}


@settings(max_examples=20)
@given(st.lists(st.integers(1, 3), min_size=4, max_size=7), st.integers(2, 4), st.integers(1, 9), st.integers(0, 99))
def test_a_design_seats_no_two_bots_of_one_owner(bots: list[int], seats: int, each: int, seed: int) -> None:
    field = named(*(f"owner{owner}/bot{bot}" for owner, number in enumerate(bots) for bot in range(number)))
    (tour,) = run(RoundRobin(rules(seats, rng_seed=seed), each=each), field)
    for group in groups([tour]):
        assert len({field[number].owner for number in group}) == len(group) == seats
    assert min(meetings_of_each(groups([tour]), range(len(field)))) >= each
    joined = [*field, Competitor(len(field), "owner0/late", "late"), Competitor(len(field) + 1, "late/bot", "bot")]
    later = groups(run(RoundRobin(rules(seats, rng_seed=seed), each=each), joined, [tour])[1:])
    assert later
    for group in later:
        assert len({joined[number].owner for number in group}) == seats


def test_in_a_long_design_all_pairs_of_owners_meet() -> None:
    field = named(*(f"owner{owner}/bot{bot}" for owner in range(6) for bot in range(3)))
    (tour,) = run(RoundRobin(rules(4), each=24), field)
    met = {pair for group in groups([tour]) for pair in combinations(group, 2)}
    assert met == {(a, b) for a, b in combinations(range(18), 2) if field[a].owner != field[b].owner}


def test_a_round_robin_of_too_few_owners() -> None:
    with pytest.raises(UsageError, match=r"^match\.seats: a round-robin with 4 seats needs bots of 4 owners, not of 3"):
        RoundRobin(rules(4)).next_tour(ADAS, Past())


def test_it_is_over_when_too_few_owners_remain() -> None:
    first = run(RoundRobin(rules(3)), ADAS)
    left = [replace(bot, present=bot.name != "cyd") for bot in ADAS]
    assert run(RoundRobin(rules(3)), left, first) == first


def test_as_many_meetings_as_the_one_with_the_fewest_rivals_has_are_a_round() -> None:
    field = named("ada/a", "ada/b", "bob/a", "bob/b", "cyd/a")
    owners = [entrant.owner for entrant in field]
    assert fewest(owners, 2) == 3
    (tour,) = run(RoundRobin(rules(2), each=3 * fewest(owners, 2)), field)
    met = Counter(series.numbers for series in tour.series)
    assert len(met) == 8
    assert set(met.values()) == {3}


def test_the_plan_says_that_bots_of_one_owner_do_not_meet() -> None:
    format_, field = RoundRobin(rules(2)), named("ada/a", "ada/b", "bob/a", "cyd/a")
    assert format_.outline(field) == "every group of 2 of 4 bots meets, but no two bots of one owner"
    field[1] = replace(field[1], present=False)
    assert format_.outline(field) == "every group of 2 of 3 bots meets"
