"""Ladder: waves of neighbours in strength, led by whoever waits or has played least."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.formats.rehearsal import by_strength, entrants, groups, judged, named, run, tournament

from referee.errors import UsageError
from referee.tournament.formats.ladder import AHEAD, Ladder
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Results, Rules, Standing, Tour

RULES = Rules(11, 2, ("a",))


@dataclass
class Known:
    """All that a ladder knows of a past. There are no games, so strengths do not change."""

    strengths: Mapping[int, float] = field(default_factory=dict)
    played: Mapping[int, int] = field(default_factory=dict)
    since: Mapping[int, int] = field(default_factory=dict)
    credit: Mapping[int, int] = field(default_factory=dict)
    narrow: Mapping[int, float] = field(default_factory=dict)
    known: Collection[int] = ()
    planned: tuple[int, int] = (9, 99)
    tours: Sequence[Tour] = ()
    results: Results = field(default_factory=dict)

    @property
    def standings(self) -> Mapping[int, Standing]:
        return {
            number: Standing(
                self.since.get(number, self.planned[0]), self.credit.get(number, 0), strength, number in self.known
            )
            for number, strength in self.strengths.items()
        }

    def widths(self, rules: Rules) -> Mapping[int, float]:
        return self.narrow

    def series_of(self, numbers: Collection[int]) -> Mapping[int, int]:
        return self.played

    def games(self, numbers: Collection[int]) -> Mapping[tuple[int, int], tuple[int, int]]:
        return {}


def in_steps(count: int, played: Mapping[int, int] | None = None, **more: object) -> Known:
    """Entrant 0 is the strongest. All have played 50 series, but those in `played`."""
    counts = dict.fromkeys(range(count), 50) | dict(played or {})
    return Known({number: -number / 10 for number in range(count)}, counts, **more)


def wave(format_: Ladder, bots: Sequence[Competitor], past: Past | Known) -> Tour:
    tour = format_.next_tour(bots, past)
    assert tour is not None
    return tour


# A wave


@pytest.mark.parametrize(
    ("count", "seats", "expected"),
    [(2, 2, 1), (7, 2, 1), (8, 2, 2), (11, 2, 2), (12, 2, 3), (4, 4, 1), (15, 4, 1), (16, 4, 2), (200, 4, 25)],
)
def test_half_of_the_entrants_play_in_a_wave(count: int, seats: int, expected: int) -> None:
    tour = wave(Ladder(replace(RULES, seats=seats)), entrants(count), Past())
    playing = [number for group in groups([tour]) for number in group]
    assert len(tour.series) == expected
    assert len(set(playing)) == len(playing) == expected * seats, "nobody twice"
    assert {number for number, standing in tour.standings.items() if standing.since == 1} == set(playing)


def test_whoever_has_played_least_leads_and_meets_a_neighbour() -> None:
    # 8 entrants with 2 seats: two groups. 3 leads the first and meets 2 or 4; 6, which is next, meets 5 or 7.
    first, second = groups([wave(Ladder(RULES), entrants(8), in_steps(8, {3: 10, 6: 20}))])
    assert first in [(2, 3), (3, 4)]
    assert second in [(5, 6), (6, 7)]


def test_of_those_that_have_played_least_the_longest_waiting_leads() -> None:
    past = in_steps(5, since={4: 7, 3: 8})
    assert groups([wave(Ladder(RULES), entrants(5), past)]) == [(3, 4)]


def test_whoever_has_waited_n_waves_comes_before_all() -> None:
    # Of 5 entrants, 1 has played least. In wave 9, 4 has waited since wave 5 or wave 4.
    assert 1 in groups([wave(Ladder(RULES), entrants(5), in_steps(5, {1: 0}, since={4: 5}))])[0], "4 waves"
    assert groups([wave(Ladder(RULES), entrants(5), in_steps(5, {1: 0}, since={4: 4}))]) == [(3, 4)]


def test_a_group_is_a_section_of_the_order_of_strength() -> None:
    # 4 leads; with three seats it is in all three places of a section, as the lots of the waves want it.
    format_ = Ladder(replace(RULES, seats=3))
    waves = [wave(format_, entrants(9), in_steps(9, {4: 1}, planned=(number, 0))) for number in range(9)]
    assert {group for group in groups(waves) if 4 in group} == {(2, 3, 4), (3, 4, 5), (4, 5, 6)}


def test_an_entrant_that_has_met_nobody_is_in_the_middle() -> None:
    for seed in range(10):
        bots = entrants(10)
        (group, *_) = groups([wave(Ladder(replace(RULES, rng_seed=seed)), bots, in_steps(9, {9: 0}))])
        assert group in [(4, 9), (3, 9), (5, 9)], "0 to 8 are in the order of their numbers, and 4 is in the middle"


def test_those_that_left_are_drawn_no_more() -> None:
    assert groups([wave(Ladder(RULES), entrants(4, left=[0, 2]), in_steps(4))]) == [(1, 3)]


# Waiting


def test_waiting_is_counted_since_the_last_match_or_since_it_joined() -> None:
    format_ = Ladder(RULES)
    first = wave(format_, entrants(3), Past())
    (playing,) = groups([first])
    (waiting,) = set(range(3)) - set(playing)
    assert {number: standing.since for number, standing in first.standings.items()} == {
        **dict.fromkeys(playing, 1),
        waiting: 0,
    }
    second = wave(format_, entrants(5), Past([first], judged([first])))
    assert [second.standings[number].since for number in (3, 4)] in ([1, 1], [2, 1], [1, 2], [2, 2])


@settings(max_examples=15)
@given(st.integers(2, 4), st.integers(0, 14), st.randoms(use_true_random=False))
def test_nobody_sits_out_more_than_2n_waves(seats: int, more: int, luck: Random) -> None:
    # Whatever the counts of series are: some seem to have played nothing for ever, and would lead all groups.
    count = seats + more
    counts = {number: luck.choice([0, 0, 1000]) for number in range(count)}
    waited = dict.fromkeys(range(count), 0)
    standings: Mapping[int, Standing] = {}
    format_ = Ladder(replace(RULES, seats=seats))
    for number in range(5 * count):
        past = Known(
            {number: luck.uniform(-3, 3) for number in standings},
            counts,
            {number: standing.since for number, standing in standings.items()},
            planned=(number, 0),
        )
        tour = wave(format_, entrants(count), past)
        standings = tour.standings
        playing = Counter(number for series in tour.series for number in series.numbers)
        assert set(playing.values()) == {1}, "nobody twice in a wave"
        for series in tour.series:
            assert [sorted(seat) for seat in zip(*series.seatings, strict=True)] == [list(series.numbers)] * seats
        waited = {number: 0 if number in playing else since + 1 for number, since in waited.items()}
        assert max(waited.values()) <= 2 * count


# Owners and versions


def test_two_bots_of_one_owner_never_meet() -> None:
    bots = named("ada/a", "ada/b", "ada/c", "ben/a", "cy/a", "solo")
    for number in range(30):
        past = in_steps(6, {number % 6: 1}, planned=(number, 0))
        for group in groups([wave(Ladder(replace(RULES, seats=3)), bots, past)]):
            assert sum(number in (0, 1, 2) for number in group) <= 1
            assert len(group) == 3


def test_a_group_that_owners_leave_short_is_filled_from_above() -> None:
    """The leader, 3, is between bots of Xu and Yu on both sides; only Zoe, the strongest, can be the fourth."""
    bots = named("zoe/a", "yu/a", "xu/a", "leader", "xu/b", "yu/b")
    waves = [wave(Ladder(replace(RULES, seats=4)), bots, in_steps(6, {3: 1}, planned=(n, 0))) for n in range(30)]
    assert {group for tour in waves for group in groups([tour])} == {(0, 1, 2, 3), (0, 2, 3, 5)}


def test_an_owner_leads_one_group_of_a_wave() -> None:
    # Ada's three bots have played least. One leads; then Ben's does, although it has played most.
    bots = named("ada/a", "b", "c", "ada/b", "d", "e", "ada/c", "ben/a")
    first, second = groups([wave(Ladder(RULES), bots, in_steps(8, {0: 1, 3: 2, 6: 3, 7: 40}))])
    assert first == (0, 1)
    assert 7 in second


def test_a_field_of_too_few_owners() -> None:
    with pytest.raises(UsageError, match="needs bots of 3 owners, not of 2"):
        Ladder(replace(RULES, seats=3)).next_tour(named("ada/a", "ada/b", "ada/c", "ben/a"), Past())


def test_a_new_version_takes_over_series_and_strength() -> None:
    #  1 was replaced by 4, which has its name
    bots = [*entrants(4, left=[1]), Competitor(4, "bot1", "new")]
    tour = wave(Ladder(RULES), bots, in_steps(4, {1: 90}))
    assert tour.standings[4].credit == 90 - AHEAD
    assert tour.standings[4].strength == -0.1
    again = [*entrants(4, left=[1]), Competitor(4, "bot1", "new", present=False), Competitor(5, "bot1", "newer")]
    past = in_steps(5, {1: 90, 4: 30}, credit={4: 50})
    del past.strengths[1]
    assert wave(Ladder(RULES), again, past).standings[5].credit == 50 + 30 - AHEAD
    hardly = in_steps(4, {1: 9})
    assert wave(Ladder(RULES), bots, hardly).standings[4].credit == 0, "no debt"
    assert wave(Ladder(RULES, ahead=0), bots, hardly).standings[4].credit == 9, "the very place of the old one"


# Rest


def test_whoever_is_known_rests_from_the_next_look_on() -> None:
    # Before wave 64, intervals are looked at: 0, 1 and 2 are narrow. 2 has played 49 series of 2 matches, of the 100 matches.
    format_ = Ladder(RULES, rest=(25, 100))
    past = in_steps(6, {2: 49}, narrow={0: 24.9, 1: 1.0, 2: 1.0, 3: 25.0}, planned=(64, 0), since={0: 3})
    past.strengths = {number: -number for number in range(6)}  # nobody is within 100 points of anybody
    tour = wave(format_, entrants(6), past)
    assert [number for number, standing in tour.standings.items() if standing.known] == [0, 1]
    assert tour.standings[0].since == 64, "who rests does not wait"


def test_who_rests_leads_no_group_but_stays_a_rival() -> None:
    # 0 has played least, but rests. So 2 leads, in all its places of a section, as the lots of the waves want it.
    waves = []
    for number in range(65, 75):
        past = in_steps(6, {0: 49, 2: 49}, known=[0, 1], planned=(number, 0))
        past.strengths = {bot: -bot for bot in range(6)}  # nobody is within 100 points of anybody
        waves.append(wave(Ladder(RULES, rest=(25, 90)), entrants(6), past))
    assert set(groups(waves)) == {(1, 2), (2, 3)}


def test_a_new_entrant_wakes_those_within_100_points() -> None:
    # 1 is new. 100 points are 0.58: so 0 and 2 are awake, and 3 and 4 rest.
    past = in_steps(5, {1: 3}, known=[0, 2, 3, 4], since=dict.fromkeys(range(5), 8))
    past.strengths = {0: 0.5, 1: 0.0, 2: -0.57, 3: -0.58, 4: -0.6}
    tour = wave(Ladder(RULES, rest=(25, 100)), entrants(5), past)
    assert [number for number, standing in tour.standings.items() if standing.since == 9] == [3, 4], "they rest"
    assert set(groups([tour])[0]) <= {0, 1, 2}


@pytest.mark.parametrize(("format_", "asks"), [(Ladder(RULES), []), (Ladder(RULES, rest=(25, 100)), [0, 64])])
def test_intervals_are_asked_for_before_every_64th_wave(format_: Ladder, asks: list[int]) -> None:
    asked = [number for number in (0, 1, 63, 64) if format_.asks_widths(in_steps(4, planned=(number, 0)))]
    assert asked == asks


def test_it_is_over_while_all_rest() -> None:
    past = in_steps(4, known=range(4))
    assert Ladder(RULES, rest=(25, 100)).next_tour(entrants(4), past) is None
    assert Ladder(RULES, rest=(25, 100)).next_tour(entrants(5), past) is not None, "4 is new"


# The end


def test_it_is_over_after_so_many_series() -> None:
    # Waves of two groups on two maps: four series. Of the third wave, one and its group are left.
    format_ = Ladder(Rules(11, 2, ("a", "b")), series=9)
    history = run(format_, entrants(8))
    assert [len(tour.series) for tour in history] == [4, 4, 1]
    assert history[2].series[0].key == "t2-g0/a/0"
    assert sum(standing.since == 3 for standing in history[2].standings.values()) == 2, "the second group does not play"
    assert run(format_, entrants(8, left=range(8)), history) == history


# Strength


def test_the_order_of_strength_comes_out_of_the_games_and_a_newcomer_finds_its_place() -> None:
    """Each bot always beats those that are weaker. 6 joins late; it is the second best."""
    skill = by_strength({0: 9, 1: 7, 2: 6, 3: 5, 4: 4, 5: 3, 6: 8}.__getitem__)
    for seats in (2, 4):
        format_ = Ladder(replace(RULES, seats=seats))
        early, _ = tournament(format_, entrants(6), skill, most=20)
        history, _ = tournament(format_, entrants(7), skill, early, most=20)
        assert 6 in history[20].series[0].numbers, "it has played nothing"
        for tour, order in ((early[-1], [0, 1, 2, 3, 4, 5]), (history[-1], [0, 6, 1, 2, 3, 4, 5])):
            assert sorted(tour.standings, key=lambda number: -tour.standings[number].strength) == order
