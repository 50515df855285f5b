"""The Develobear tournament by its rules: the numbers are those of the module's docstring."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.formats.rehearsal import (
    Judge,
    by_lot,
    by_meeting,
    entrants,
    favourites,
    judged,
    next_tour,
    placed,
    seats_of,
    table_order,
    tournament,
    void,
    without,
)

from referee.errors import UsageError
from referee.tournament.formats.develobear import Develobear, usual_field
from referee.tournament.formats.past import Past, members
from referee.tournament.model import Competitor, Results, Rules, Series, SeriesResult, Tour, draw, lot, snake

RULES = Rules(11, 4, ("arena",), seatings="one")
SMALL = Develobear(RULES, runs=1, field=4)
"""A round a match, four in the play-off."""

History = list[Tour]
Ended = dict[str, SeriesResult]


def column(
    format_: Develobear, key: str, field: list[Competitor], history: History, results: Results
) -> dict[int, Any]:
    return {number: row[key] for number, row in format_.columns(field, Past(history, results)).items()}


def stage(history: History) -> History:
    return [tour for tour in history if tour.key.startswith("t")]


def play_tour(format_: Develobear, field: list[Competitor], history: History, results: Ended, judge: Judge) -> Tour:
    tour = next_tour(format_, field, history, results)
    results |= judged([tour], judge)
    history.append(tour)
    return tour


def guided(
    format_: Develobear, field: list[Competitor], tours: int, wanted: Callable[[int, Mapping[int, int]], int | None]
) -> tuple[History, Ended]:
    """Plays tours in which number 0 comes where it is wanted (0 is first), and the others are kept near 0 points.

    Args:
        wanted: place of number 0 from the tour and the points before it.
    """
    history: History = []
    results: Ended = {}
    for number in range(tours):
        points = column(format_, "tour_points", field, history, results)

        def judge(
            series: Series, points: Mapping[int, int] = points, index: int | None = wanted(number, points)
        ) -> SeriesResult:
            order = sorted(series.numbers, key=lambda team: points[team])
            if 0 in order and index is not None:
                order.remove(0)
                order.insert(index, 0)
            return placed(series, order.index)

        play_tour(format_, field, history, results, judge)
    return history, results


# 1: the draw.


def test_a_tour_is_drawn_by_its_lot() -> None:
    field = entrants(40)
    tour = next_tour(SMALL, field)
    drawn = lot(11, "t0", range(40))
    assert by_meeting(tour) == {f"t0-g{group}": tuple(sorted(drawn[4 * group : 4 * group + 4])) for group in range(10)}
    assert (tour.key, tour.byes) == ("t0", ())


def test_byes_are_for_those_with_the_fewest_first_in_their_lot() -> None:
    """Seven teams: three byes a tour. After two tours six have had one; the next is for the seventh, and two of the others."""
    history, results = tournament(SMALL, entrants(7), by_lot(1))
    first, second, third = (set(tour.byes) for tour in history[:3])
    assert first == set(lot(11, "t0/bye", range(7))[:3])
    assert second == set(lot(11, "t1/bye", set(range(7)) - first)[:3])
    (last,) = set(range(7)) - first - second
    assert third == {last, *lot(11, "t2/bye", first | second)[:2]}
    assert column(SMALL, "byes", entrants(7), history[:3], results)[last] == 1
    # The others are in the order of the tour's lot without them.
    assert by_meeting(history[1]) == {"t1-g0": tuple(sorted(set(range(7)) - second))}


@pytest.mark.parametrize(("seatings", "runs", "lengths"), [
    ("rotations", 30, [4] * 7 + [2]),
    ("rotations", 4, [4]),
    ("rotations", 3, [3]),
    ("all", 30, [24, 6]),
    ("one", 3, [1] * 3),
])  # fmt: skip
def test_a_round_is_a_seating_of_a_series(seatings: Any, runs: int, lengths: list[int]) -> None:
    """Round i is seating i mod m of series ⌊i/m⌋; the last series may be short. `repeat` is not used."""
    format_ = Develobear(Rules(11, 4, ("arena", "crossroads"), seatings, repeat=5), runs, field=4)
    tour = next_tour(format_, entrants(8))
    match = [series for series in tour.series if series.meeting == "t0-g1"]
    assert [len(series.seatings) for series in match] == lengths
    keys = [f"t0-g1/{('arena', 'crossroads')[number % 2]}/{number // 2}" for number in range(len(lengths))]
    assert [series.key for series in match] == keys
    assert all(series.numbers == match[0].numbers for series in match)


# 2: places of a match.


def match_points(places: Sequence[Sequence[float] | None], finals: Sequence[Sequence[float]] = ()) -> list[int]:
    """The tour points of a group of four by its numbers, from the places and final scores of each round; None is void."""
    format_, field = Develobear(RULES, runs=len(places), field=4), entrants(8)
    tour = next_tour(format_, field)
    match = [series for series in tour.series if series.meeting == "t0-g0"]
    group = match[0].numbers
    results = {}
    for at, series in enumerate(match):
        by_number = dict(zip(group, places[at] or (), strict=False))
        points = dict(zip(group, finals[at] if finals else (0,) * 4, strict=True))
        results[series.key] = placed(series, by_number.__getitem__, points.__getitem__) if by_number else void(series)
    column_ = column(format_, "tour_points", field, [tour], results)
    return [column_[number] for number in group]


@pytest.mark.parametrize(("places", "finals", "points"), [
    pytest.param([(1, 2, 4, 3), (2, 1, 3, 4), (2, 3, 1, 4)], [(1, 2, 3, 4)] * 3, [2, 1, -1, -2], id="places"),
    pytest.param([(1, 1, 1, 1)] * 2, [(1, 2, 3, 4), (2, 10, 4, 5)], [-2, 2, -1, 1], id="then scores"),
    pytest.param([(1, 2, 2, 4), (4, 1, 3, 2)], (), [1, 2, -1, -2], id="shared places are the mean: 5, 3½, 5½, 6"),
    pytest.param([None, (4, 3, 2, 1)], (), [-2, -1, 1, 2], id="a void round is a tie of all"),
    pytest.param([None, None], (), [0, 0, 0, 0], id="no round counts"),
])  # fmt: skip
def test_the_points_of_a_match(places: list[Any], finals: list[Any], points: list[int]) -> None:
    assert match_points(places, finals) == points


def test_a_match_counts_once_all_its_rounds_are_played() -> None:
    format_, field = Develobear(RULES, runs=2, field=4), entrants(8)
    tour = next_tour(format_, field)
    results = judged([tour], favourites)
    del results["t0-g0/arena/1"]
    points = column(format_, "tour_points", field, [tour], results)
    assert [[points[team] for team in group] for group in by_meeting(tour).values()] == [[0] * 4, [2, 1, -1, -2]]


def test_equal_sums_of_fractions_are_decided_by_the_lot() -> None:
    level = [(1, 1, 1, 1)] * 2
    assert match_points(level, [(0.1, 0.3, 0.1, 0.3), (0.2, 0, 0.2, 0)]) == match_points(level)


def test_a_void_round_does_not_count_in_the_record() -> None:
    """The first of one group was first in its only round, that of the other first and second: records 1 and 5/6."""
    format_, field = Develobear(RULES, runs=2, field=4), entrants(8)
    tour = next_tour(format_, field)
    first, second = by_meeting(tour).values()
    places = {"t0-g0/arena/1": (1, 2, 3, 4), "t0-g1/arena/0": (1, 2, 3, 4), "t0-g1/arena/1": (2, 3, 4, 1)}
    results = {
        series.key: placed(series, dict(zip(series.numbers, places[series.key], strict=True)).__getitem__)
        if series.key in places
        else void(series)
        for series in tour.series
    }
    assert format_.rank(table_order(field), field, Past([tour], results))[:2] == [first[0], second[0]]


# 3: who drops out.


def at_minus_7(tour: int, _points: Mapping[int, int]) -> int:
    """Fourth, fourth, fourth, third: −7. Then second and third by turns: −6, −7."""
    return 3 if tour < 3 else 2 if tour == 3 else 1 + tour % 2


def test_after_tour_28_a_team_at_minus_7_is_out() -> None:
    field = entrants(8)
    history, results = guided(SMALL, field, 28, at_minus_7)
    before = column(SMALL, "tour_points", field, history[:27], results)
    assert before[0] == -6
    points = column(SMALL, "tour_points", field, history, results)
    assert points[0] == -10  # -7 after the tour, and 3 less by the deduction
    assert sum(points.values()) == -3 * 8
    assert column(SMALL, "out", field, history, results) == {0: 27} | dict.fromkeys(range(1, 8))
    after = next_tour(SMALL, field, history, results)
    assert seats_of(after) == [1, 2, 3, 4, 5, 6, 7]


def test_a_tour_under_way_drops_nobody() -> None:
    """Number 0 has −10 while the other group of its tour still plays."""
    field = entrants(8)
    history, results = guided(SMALL, field, 5, lambda _tour, _points: 3)
    other = next(series for series in history[-1].series if 0 not in series.numbers)
    under_way = {key: value for key, value in results.items() if key != other.key}
    assert column(SMALL, "tour_points", field, history, under_way)[0] == -10
    assert column(SMALL, "out", field, history, under_way)[0] is None
    assert SMALL.rank(table_order(field), field, Past(history, under_way))[-1] == 0


# 4: the end of the stage.


@pytest.mark.parametrize(
    ("count", "field"),
    [(4, 4), (5, 4), (7, 4), (8, 4), (9, 4), (15, 4), (16, 8), (20, 8), (31, 8), (32, 16), (33, 32), (200, 32)],
)
def test_the_play_off_of_a_small_contest_is_at_most_half_of_its_teams(count: int, field: int) -> None:
    """32 where more than 32 start; otherwise the largest of 16, 8, 4 that is at most half, and 4 below 8."""
    assert usual_field(count) == field
    tour = next_tour(Develobear(RULES, runs=1), entrants(count))
    assert tour.key == ("p0" if count == 4 else "t0")


def test_the_play_off_is_for_so_many_as_started_also_after_teams_withdrew() -> None:
    """Of 16 teams 8 are left: the play-off begins with all of them, not later with half of them."""
    format_, field = Develobear(RULES, runs=1), entrants(16)
    history, results = tournament(format_, field, favourites, most=1)
    assert next_tour(format_, without(field, *range(8)), history, results).key == "p0"


# 5, 6: `test_a_whole_tournament`.
# 7: who comes and goes.


def test_a_team_that_joins_later_begins_with_0_points_in_the_next_tour() -> None:
    field = entrants(8)
    history, results = guided(SMALL, field, 2, lambda _tour, _points: None)
    late = [*field, Competitor(8, "late", "late")]
    assert SMALL.columns(late, Past(history, results))[8] == {"tour_points": 0, "byes": 0, "out": None}
    tour = play_tour(SMALL, late, history, results, favourites)
    assert {*seats_of(tour), *tour.byes} == set(range(9))
    points = column(SMALL, "tour_points", late, history, results)
    assert points[8] == (0 if 8 in tour.byes else -2)  # the favourites have lower numbers
    assert sum(points.values()) == 0


def test_a_team_that_joins_after_the_stage_does_not_play_and_ranks_last() -> None:
    """The last tour has left four teams: the play-off begins with them."""
    field = entrants(8)
    history, results = tournament(SMALL, field, favourites)
    last = len(stage(history))
    late = [*field, Competitor(8, "late", "late")]
    after = next_tour(SMALL, late, history[:last], results)
    assert (after.key, 8 in seats_of(after)) == ("p0", False)
    assert SMALL.rank([8, *range(8)], late, Past(history, results))[-1] == 8


def test_a_team_that_comes_back_in_the_stage_goes_on_with_its_points() -> None:
    field = entrants(12)
    history, results = guided(SMALL, field, 2, lambda _tour, _points: 0)
    play_tour(SMALL, without(field, 0), history, results, favourites)
    before = column(SMALL, "tour_points", field, history, results)
    assert before[0] == 4  # first in two tours
    assert 0 not in members(history[-1])
    tour = next_tour(SMALL, field, history, results)
    assert 0 in members(tour)


def test_who_withdraws_leaves_room_for_who_would_drop_out() -> None:
    """Five teams for four seats; number 0 is at −10, but another one withdraws."""
    field = entrants(8)
    history, results = guided(SMALL, field, 5, lambda _tour, _points: 3)
    after = next_tour(SMALL, without(field, 1, 2, 3, 4), history, results)
    assert by_meeting(after) == {"p0-g0": (0, 5, 6, 7)}


def test_who_withdraws_from_the_play_off_yields_to_the_next_of_its_group() -> None:
    format_, field = Develobear(RULES, runs=1, field=8), entrants(8)
    history, results = tournament(format_, field, favourites)
    one, other = by_meeting(history[0]).values()
    left = without(field, one[0])
    after = next_tour(format_, left, history[:1], results)
    assert seats_of(after) == sorted([one[1], one[2], *other[:2]])
    past = Past([history[0], after], results | judged([after], favourites))
    assert format_.rank(table_order(field), left, past)[4] == one[0]


def test_too_few_are_left() -> None:
    format_, field = Develobear(RULES, runs=1, field=8), entrants(8)
    history, results = tournament(format_, field, favourites)
    left = without(field, *range(5))
    assert format_.next_tour(left, Past(history[:1], results)) is None
    assert sorted(format_.rank([5, 6, 7], left, Past(history[:1], results))) == [5, 6, 7]


@pytest.mark.parametrize(("changes", "message"), [
    ({"rules": Rules(1, 2, ("arena",))}, "match.seats: a Develobear tournament has 4: set it to 4"),
    ({"field": 3}, "format.field: must be 4 or more"),
])  # fmt: skip
def test_settings_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Develobear(**({"rules": RULES} | changes)).next_tour(entrants(40), Past())
    assert str(caught.value) == message


# Properties.


def order_of(format_: Develobear, tour: Tour, key: str, results: Results) -> list[int]:
    """The teams of a match by the book, best first: sum of places, final scores, lot."""
    match = [results[series.key] for series in tour.series if series.meeting == key]
    seats = [seat for ended in match for run in ended.matches for seat in run]

    def rank_key(team: int) -> tuple[float, float, bytes]:
        own = [seat for seat in seats if seat.number == team]
        lot_ = draw(format_.rules.rng_seed, key, team)
        return sum(4 - seat.score for seat in own), -sum(seat.points for seat in own), lot_

    return sorted(by_meeting(tour)[key], key=rank_key)


@settings(max_examples=30)
@given(
    count=st.integers(4, 40),
    room=st.integers(4, 20),
    runs=st.integers(1, 5),
    out=st.integers(-10, -1),
    since=st.integers(1, 6),
    seed=st.integers(0, 999),
)
def test_a_whole_tournament(count: int, room: int, runs: int, out: int, since: int, seed: int) -> None:
    """Plays by the book, side by side with the format."""
    format_ = Develobear(Rules(seed, 4, ("arena",)), runs, out=out, deduct_after=since, field=room)
    field = entrants(count)
    history, results = tournament(format_, field, by_lot(seed))
    left, points, byes = set(range(count)), dict.fromkeys(range(count), 0), dict.fromkeys(range(count), 0)
    scores: dict[int, list[float]] = {team: [] for team in left}
    reached: dict[int, tuple[int, int, int]] = {}  # tour or round, check, place; the best have the highest

    def seeded(team: int) -> tuple[int, Fraction, bytes]:
        record = Fraction(sum(scores[team])) / len(scores[team]) if scores[team] else Fraction(-1)
        return -points[team], -record, draw(seed, "stage", team)

    def by_rank(reached: Mapping[int, tuple[int, int, int]]) -> list[int]:
        return sorted(reached, key=lambda team: ([-part for part in reached[team]], seeded(team)))

    def ranked(history: History, results: Results) -> list[int]:
        return format_.rank(table_order(field), field, Past(history, results))

    for number, tour in enumerate(stage(history)):
        assert format_.next_tour(field, Past(history[:number], results)) == tour
        # Nobody twice and nobody forgotten; byes are even.
        assert seats_of(tour) == sorted(left)
        assert len(left) > room
        assert len(tour.byes) == len(left) % 4
        for team in tour.byes:
            byes[team] += 1
        assert all(byes[team] <= min(byes[other] for other in left) + 1 for team in tour.byes)
        for key in by_meeting(tour):
            for team, worth in zip(order_of(format_, tour, key, results), (2, 1, -1, -2), strict=True):
                points[team] += worth
        for seat in (seat for series in tour.series for run in results[series.key].matches for seat in run):
            scores[seat.number].append(seat.score)
        # The check after the tour, then that after the deduction; the best of those at the limit stay if there is room.
        check = {team: 0 for team in left if points[team] <= out}
        safe = left - check.keys()
        if number + 1 in range(since, 999, 3) and len(safe) > room:
            for team in safe:
                points[team] -= 3
            check |= {team: 1 for team in safe if points[team] <= out}
        at_limit = sorted(check, key=lambda team: (-check[team], seeded(team)))
        dropped = at_limit[max(room - len(left - check.keys()), 0) :]
        reached |= {team: (number, check[team], 0) for team in dropped}
        columns = format_.columns(field, Past(history[: number + 1], results))
        assert {team: row["tour_points"] for team, row in columns.items()} == points
        assert {team: row["byes"] for team, row in columns.items()} == byes
        assert {team: columns[team]["out"] for team in left} == dict.fromkeys(left) | dict.fromkeys(dropped, number)
        left -= set(dropped)
    tours, going = len(stage(history)), sorted(left, key=seeded)
    size = 1 << (len(going).bit_length() - 1)
    reached |= dict.fromkeys(going[size:], (tours, 0, 0))
    for number, tour in enumerate(history[tours:]):
        assert list(by_meeting(tour).values()) == [tuple(sorted(group)) for group in snake(going[:size], size // 4)]
        so_far, rest = history[: tours + 1 + number], results.keys() - {tour.series[-1].key}
        under_way = reached | dict.fromkeys(going[:size], (tours + 1 + number, 0, 0))
        assert ranked(so_far, {key: results[key] for key in rest}) == by_rank(under_way)
        orders = [order_of(format_, tour, key, results) for key in by_meeting(tour)]
        reached |= {team: (tours + 1 + number, 0, -at) for order in orders for at, team in enumerate(order)}
        going, size = sorted((team for order in orders for team in order[:2]), key=seeded), size // 2
        going_on = dict.fromkeys(going if size > 2 else (), (tours + 2 + number, 0, 0))
        assert ranked(so_far, results) == by_rank(reached | going_on)
    assert size == 2, "the last round was one group"
    columns = format_.columns(field, Past(history, results))
    outs = {team: min(tour, tours - 1) if tours and tour <= tours else None for team, (tour, _, _) in reached.items()}
    assert {team: row["out"] for team, row in columns.items()} == outs
