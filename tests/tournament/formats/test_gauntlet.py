"""Gauntlet: champions against all others."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.formats.rehearsal import (
    entrants,
    groups,
    judged,
    meetings_of_each,
    meetings_of_pairs,
    rules,
    run,
    spread,
)

from referee.errors import UsageError
from referee.tournament.formats.gauntlet import Gauntlet
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor


def test_champions_do_not_meet_each_other_and_take_turns() -> None:
    (tour,) = run(Gauntlet(rules(2), ("bot3", "bot0")), entrants(4))
    assert sorted(groups([tour])) == [(0, 1), (0, 2), (1, 3), (2, 3)]
    assert [0 in group for group in groups([tour])] == [True, False, True, False]


@settings(max_examples=15)
@given(st.integers(2, 5), st.integers(1, 3), st.integers(0, 4), st.integers(0, 99))
def test_all_groups_of_the_others_meet_all_champions(seats: int, champions: int, more: int, seed: int) -> None:
    count = champions + seats - 1 + more
    names = tuple(f"bot{number}" for number in range(champions))
    (tour,) = run(Gauntlet(rules(seats, rng_seed=seed), names), entrants(count))
    others = combinations(range(champions, count), seats - 1)
    assert Counter(groups([tour])) == Counter((champion, *group) for group in others for champion in range(champions))
    for series in tour.series:
        for seat in range(seats):
            assert sorted(seating[seat] for seating in series.seatings) == list(series.numbers)


def test_whoever_joins_later_meets_the_champions_too() -> None:
    format_ = Gauntlet(rules(3), ("bot0",))
    tours = run(format_, entrants(5), run(format_, entrants(4)))
    assert sorted(groups(tours[1:])) == [(0, 1, 4), (0, 2, 4), (0, 3, 4)]
    assert tours[1].byes == ()


def test_a_champion_with_new_content_meets_all_others() -> None:
    # The champion is number 0; it is changed, and number 3 from now on.
    format_ = Gauntlet(rules(2), ("bot0",))
    changed = [*entrants(3, left=[0]), Competitor(3, "bot0", "new")]
    tours = run(format_, changed, run(format_, entrants(3)))
    assert sorted(groups(tours)) == [(0, 1), (0, 2), (1, 3), (2, 3)]


def test_a_gauntlet_is_over_without_champions_or_rivals() -> None:
    format_ = Gauntlet(rules(3), ("bot0",))
    history = run(format_, entrants(3))
    assert format_.next_tour(entrants(3, left=[0]), Past(history, judged(history))) is None
    assert format_.next_tour(entrants(3, left=[1]), Past(history, judged(history))) is None


# against: all others are champions


def test_all_but_the_named_ones_are_champions_who_play_against_those() -> None:
    (tour,) = run(Gauntlet(rules(3), against=("bot0", "bot2")), entrants(5))
    assert sorted(groups([tour])) == [(0, 1, 2), (0, 2, 3), (0, 2, 4)]
    named = run(Gauntlet(rules(3), ("bot1", "bot3", "bot4")), entrants(5))
    assert [series.key for series in tour.series] == [series.key for series in named[0].series]


def test_whoever_joins_later_plays_against_the_same() -> None:
    format_ = Gauntlet(rules(3), each=2, against=("bot0", "bot1"))
    tours = run(format_, entrants(5), run(format_, entrants(3)))
    assert groups(tours[:1]) == [(0, 1, 2)] * 2
    assert sorted(groups(tours[1:])) == [(0, 1, 3)] * 2 + [(0, 1, 4)] * 2


# each = N


@pytest.mark.parametrize(("others", "seats", "maps", "repeat", "each", "in_all"), [
    (4, 3, "a", 1, 1, 2),  # 4 * 1 / 2
    (4, 3, "a", 1, 3, 6),  # all groups of 2
    (5, 3, "a", 1, 1, 3),  # one of them twice
    (5, 3, "ab", 1, 3, 5),  # 3 series are 2 meetings of 2 series
    (4, 2, "a", 1, 3, 12),  # with two seats, all others thrice
])  # fmt: skip
def test_each_is_the_series_of_the_others_against_a_champion(
    others: int, seats: int, maps: str, repeat: int, each: int, in_all: int
) -> None:
    (tour,) = run(Gauntlet(rules(seats, maps, repeat), ("bot0",), each), entrants(others + 1))
    assert len(tour.series) == in_all * len(maps) * repeat
    played = meetings_of_each(groups([tour]), range(others + 1))
    assert played[0] == len(tour.series)
    assert min(played[1:]) >= each
    assert spread(played[1:]) <= len(maps) * repeat


@settings(max_examples=15)
@given(st.integers(2, 5), st.integers(1, 3), st.integers(0, 12), st.integers(1, 9), st.integers(0, 10**6))
def test_meetings_of_the_others_are_even(seats: int, champions: int, more: int, each: int, seed: int) -> None:
    count = champions + seats - 1 + more
    names = tuple(f"bot{number}" for number in range(champions))
    (tour,) = run(Gauntlet(rules(seats, rng_seed=seed), names, each), entrants(count))
    met = {champion: [group[1:] for group in groups([tour]) if group[0] == champion] for champion in range(champions)}
    for beside in met.values():
        assert all(set(group) <= set(range(champions, count)) for group in beside)
        assert len(beside) == -(-(count - champions) * each // (seats - 1))
        assert spread(meetings_of_each(beside, range(champions, count))) <= 1
        assert spread(meetings_of_pairs(beside, range(champions, count))) <= 3
        assert beside == met[0], "champions meet the same groups"


def test_a_champion_with_new_content_gets_a_design_of_its_own() -> None:
    # Champions 0 and 1 have met 2 to 7. Then 0 is changed, and number 9 from now on; 8 is new, and has to meet 1 as well.
    format_ = Gauntlet(rules(3), ("bot0", "bot1"), each=3)
    changed = [*entrants(9, left=[0]), Competitor(9, "bot0", "new")]
    tours = run(format_, changed, run(format_, entrants(8)))
    later = groups(tours[1:])
    assert len(later) == 14, "7 * 3 / 2 groups with 9, rounded up, and 3 with 1"
    assert meetings_of_each((group for group in later if 9 in group), range(2, 9)).count(3) >= 6
    assert [group for group in later if 1 in group and 8 in group] == [group for group in later if 1 in group]
    assert min(meetings_of_each((group for group in groups(tours) if 1 in group), range(2, 9))) >= 3


# Chance, errors, the table


@pytest.mark.parametrize(("format_", "count", "message"), [
    (Gauntlet(rules(3), ("bot0", "\x1b[2J")), 5, r"^format.champions: '\\x1b\[2J' is no entrant: name bots that take part"),
    (Gauntlet(rules(2), against=("bot0", "bit1")), 3, r"^format.against: 'bit1' is no entrant \(did you mean 'bot1'\?\): "),
    (Gauntlet(rules(2), ("adder",)), 3, "^format.champions: 'adder' is no entrant: name bots that take part"),
    (Gauntlet(rules(3), ("bot4",)), 5, "^format.champions: .* 0 champions and 4 other bots take part: "),  # bot4 has left
    (Gauntlet(rules(4), against=("bot0", "bot1")), 4,
     "^format.against: a gauntlet with 4 seats needs a champion and 3 other bots, and 2 champions and 2 other bots take part: "),
])  # fmt: skip
def test_gauntlets_that_cannot_be_played(format_: Gauntlet, count: int, message: str) -> None:
    with pytest.raises(UsageError, match=message) as failed:
        format_.next_tour(entrants(count, left=[4]), Past())
    assert [str(failed.value)] == list(format_.mistakes(entrants(count, left=[4])))
    assert "\n" not in str(failed.value)


def test_more_series_than_can_be_kept() -> None:
    # 2 champions, and 199 * 198 * 197 / 6 groups of 199 others
    with pytest.raises(UsageError, match=r"^format.each: this gauntlet has 2,587,398 series, .*: set it"):
        Gauntlet(rules(4), ("bot0", "bot1")).next_tour(entrants(201), Past())
