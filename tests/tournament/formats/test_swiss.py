"""Swiss by its rules: the numbers are those of the module's docstring."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.formats.rehearsal import (
    Judge,
    by_lot,
    by_meeting,
    by_strength,
    entrants,
    favourites,
    next_tour,
    placed,
    seats_of,
    tournament,
    void,
    without,
)

from referee.tournament.formats.past import Past
from referee.tournament.formats.swiss import Swiss
from referee.tournament.model import Competitor, Rules, Series, SeriesResult, Tour, lot

TWO = Rules(11, 2, ("arena",))
FOUR = Rules(11, 4, ("arena", "crossroads"), repeat=2)


def seeded(count: int) -> list[Competitor]:
    """Number 0 is the best by seeding."""
    return entrants(count, {number: number + 1 for number in range(count)})


def tour_points(
    format_: Swiss, field: list[Competitor], history: list[Tour], results: dict[str, SeriesResult]
) -> list[float]:
    columns = format_.columns(field, Past(history, results))
    return [columns[competitor.number]["tour_points"] for competitor in field]


# 1 and 2: byes and the standing.


def test_a_whole_tournament_by_hand() -> None:
    """Five entrants, seeded 0 to 4; the lower number always wins. Default: ⌈log2 5⌉ + 2 = 5 tours.

    | tour | bye | pairs    | points after it (0 to 4) |
    |------|-----|----------|--------------------------|
    | 0    | 4   | 03 12    | 1  1  0  0  ½            | snake order of 0 1 2 3 in two groups
    | 1    | 3   | 01 42    | 2  1  1  ½  ½            | standing 0 1 4 2 3: the bye goes to the lowest that has had none, 3
    | 2    | 2   | 04 13    | 3  2  1½ ½  ½            | standing 0 1 2 3 4: the bye goes to 2; 0 has met 1 and 3
    | 3    | 1   | 02 34    | 4  2½ 1½ 1½ ½            | standing 0 1 2 3 4: 1 is the lowest without a bye but 0
    | 4    | 0   | 14 23    | 4½ 3½ 2½ 1½ ½            | the last bye: 0. 1 has met 2 and 3, so it gets 4
    """
    swiss, field = Swiss(TWO), seeded(5)
    history, results = tournament(swiss, field, favourites)
    assert [tour.byes for tour in history] == [(4,), (3,), (2,), (1,), (0,)]
    assert [list(by_meeting(tour).values()) for tour in history] == [
        [(0, 3), (1, 2)],
        [(0, 1), (2, 4)],
        [(0, 4), (1, 3)],
        [(0, 2), (3, 4)],
        [(1, 4), (2, 3)],
    ]
    expected = [
        [1, 1, 0, 0, 0.5],
        [2, 1, 1, 0.5, 0.5],
        [3, 2, 1.5, 0.5, 0.5],
        [4, 2.5, 1.5, 1.5, 0.5],
        [4.5, 3.5, 2.5, 1.5, 0.5],
    ]
    for tours, points in enumerate(expected, 1):
        assert tour_points(swiss, field, history[:tours], results) == points
    assert all(column["byes"] == 1 for column in swiss.columns(field, Past(history, results)).values())


def test_the_first_tour_is_dealt_by_seeding_in_snake_order() -> None:
    # Best first: 3 1 0 2, then those without a seeding by the lot of the tour. Snake order in two groups: 0 1 1 0 0 1 1 0.
    field = entrants(8, {3: 1, 1: 2, 0: 3, 2: 4})
    drawn = lot(11, "t0", [4, 5, 6, 7])
    tour = next_tour(Swiss(FOUR), field)
    assert by_meeting(tour) == {
        "t0-g0": tuple(sorted([3, 2, drawn[0], drawn[3]])),
        "t0-g1": tuple(sorted([1, 0, drawn[1], drawn[2]])),
    }


def two_share_the_second_place(series: Series) -> SeriesResult:
    return placed(series, lambda number: (1, 2, 2, 4)[number])


def void_in_the_arena(series: Series) -> SeriesResult:
    return void(series) if series.map == "arena" else placed(series, float)


@pytest.mark.parametrize(("rules", "judge", "points"), [
    # Places 1, 2, 2, 4 are the scores 3, 1½, 1½, 0 of 3, over all series and seatings of the meeting.
    (FOUR, two_share_the_second_place, [1, 0.5, 0.5, 0]),
    # Two series: one void, which is a tie of all, and one that 0 wins: (½ + 1) / 2.
    (Rules(11, 2, ("arena", "crossroads")), void_in_the_arena, [0.75, 0.25]),
])  # fmt: skip
def test_a_tour_is_worth_score_by_possible_of_its_meeting(rules: Rules, judge: Judge, points: list[float]) -> None:
    swiss, field = Swiss(rules, tours=1), seeded(rules.seats)
    assert tour_points(swiss, field, *tournament(swiss, field, judge)) == points


def test_thirds_add_up_exactly() -> None:
    """Four seats, three tours: 0 scores 1, 1, 1 of 3, and 1 scores 3, 0, 0. Both have exactly one point, so the table decides."""
    swiss = Swiss(Rules(11, 4, ("arena",), seatings="one"), tours=3)
    field = seeded(4)
    places = {"t0": (3, 1, 2, 4), "t1": (3, 4, 2, 1), "t2": (3, 4, 1, 2)}
    history, results = tournament(swiss, field, lambda series: placed(series, places[series.meeting[:2]].__getitem__))
    assert tour_points(swiss, field, history, results)[:2] == [1, 1]
    assert swiss.rank([1, 0, 2, 3], field, Past(history, results)) == [2, 3, 1, 0]


def test_part_of_a_tour_counts_in_the_table() -> None:
    swiss, field = Swiss(TWO), seeded(4)
    tour = next_tour(swiss, field)
    ended = tour.series[0]
    results = {ended.key: placed(ended, lambda number: -number)}
    # 0 and 3 have played, and 3 has won.
    assert tour_points(swiss, field, [tour], results) == [0, 0, 0, 1]
    assert swiss.rank([0, 1, 2, 3], field, Past([tour], results)) == [3, 0, 1, 2]


# 3: rematches.


@pytest.mark.parametrize("count", [*range(4, 10), 15, 16, 23, 24])
def test_two_seats_have_no_rematch_in_the_first_half(count: int) -> None:
    judges = [
        favourites,
        by_strength(lambda number: number),  # upsets only
        by_strength(lambda _: 0),  # ties only
        by_strength(lambda number: number % 2),  # two camps
        by_strength(lambda number: -number, noise=count),
        by_lot(count),
    ]
    for judge in judges:
        history, _ = tournament(Swiss(TWO, tours=count // 2), seeded(count), judge)
        assert len(history) == count // 2
        met = [group for tour in history for group in by_meeting(tour).values()]
        assert len(set(met)) == len(met)


def test_later_tours_pair_neighbours_in_the_standing() -> None:
    """16 entrants whose favourites win: in the second tour winners meet winners, in the third those with two wins meet."""
    history, _ = tournament(Swiss(TWO, tours=3), seeded(16), favourites)
    assert list(by_meeting(history[1]).values())[:4] == [(0, 1), (2, 3), (4, 5), (6, 7)]
    assert list(by_meeting(history[2]).values())[:2] == [(0, 2), (4, 6)]


# 4: who comes and goes.


def test_a_newcomer_has_missed_the_tours_before() -> None:
    swiss, field = Swiss(TWO, tours=3), seeded(4)
    history, results = tournament(Swiss(TWO, tours=2), field, favourites)
    joined = [*field, Competitor(4, "late", "late")]
    tour = next_tour(swiss, joined, history, results)
    # It is last, and has the fewest byes like all others: the bye is its.
    assert tour.byes == (4,)
    assert swiss.columns(joined, Past([*history, tour], results))[4] == {"tour_points": 0.5, "byes": 1}


def test_too_few_are_left() -> None:
    field = seeded(4)
    history, results = tournament(Swiss(TWO, tours=1), field, favourites)
    assert Swiss(TWO, tours=4).next_tour(without(field, 0, 1, 2), Past(history, results)) is None


@pytest.mark.parametrize(("count", "tours"), [(2, 3), (4, 4), (5, 5), (8, 5), (9, 6), (23, 7), (200, 10)])
def test_the_default_number_of_tours(count: int, tours: int) -> None:
    assert Swiss(TWO).next_tour(entrants(count), Past([Tour("t", ())] * (tours - 1), {})) is not None
    assert Swiss(TWO).next_tour(entrants(count), Past([Tour("t", ())] * tours, {})) is None


def test_the_default_is_that_of_the_largest_field() -> None:
    """Nine entrants have six tours. The last is played even if one has left."""
    field = seeded(9)
    history, results = tournament(Swiss(TWO), field, favourites)
    assert len(history) == 6
    assert Swiss(TWO).next_tour(without(field, 8), Past(history[:5], results)) is not None


# 5, and whole tournaments.


@settings(max_examples=15)
@given(seats=st.integers(2, 5), extra=st.integers(0, 12), seed=st.integers(0, 2**32))
def test_nobody_plays_twice_in_a_tour_and_byes_are_even(seats: int, extra: int, seed: int) -> None:
    count = seats + extra
    swiss, field = Swiss(Rules(seed, seats, ("arena",)), tours=6), entrants(count)
    history, results = tournament(swiss, field, by_lot(seed))
    for tours, tour in enumerate(history, 1):
        assert seats_of(tour) == list(range(count))
        assert len(tour.byes) == count % seats
        byes = [column["byes"] for column in swiss.columns(field, Past(history[:tours], results)).values()]
        assert max(byes) - min(byes) <= 1
        # What a meeting is worth adds up to half of its seats.
        assert sum(tour_points(swiss, field, history[:tours], results)) == pytest.approx(tours * count / 2)
