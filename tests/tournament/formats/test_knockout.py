"""Knockout by its rules: the numbers are those of the module's docstring."""

from collections.abc import Mapping
from itertools import pairwise

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
from referee.tournament.formats.knockout import Knockout
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Rules, Series, SeriesResult, draw

TWO = Rules(11, 2, ("arena",))
FOUR = Rules(11, 4, ("arena",))


def scripted(places: Mapping[str, Mapping[int, float]], otherwise: Judge = favourites) -> Judge:
    """Fixes some series: places of numbers by `<meeting>/<turn>`."""

    def judge(series: Series) -> SeriesResult:
        fixed = places.get(f"{series.meeting}/{series.turn}")
        return placed(series, fixed.__getitem__) if fixed else otherwise(series)

    return judge


def tied(numbers: str) -> dict[int, float]:
    return {int(number): 1.0 for number in numbers}


# 1, 2, 3: the size of rounds.


@pytest.mark.parametrize(
    ("seats", "advance", "count", "rounds"),
    # Of each round: byes, groups; and who is left after it.
    [
        # Two seats: F is the largest power of two. 23 = 16 + 7: 7 pairs, 9 byes.
        (2, None, 2, ["0+1"]),
        (2, None, 3, ["1+1", "0+1"]),
        (2, None, 8, ["0+4", "0+2", "0+1"]),
        (2, None, 23, ["9+7", "0+8", "0+4", "0+2", "0+1"]),
        # Four seats, two go on (the default): F = 4, 8, 16, … 23 = 16 + 7: groups of which 2, 2, 2 and 1 drop out.
        (4, None, 23, ["7+4", "0+4", "0+2", "0+1"]),
        # 7 = 4 + 3: two groups would be needed and there is room for one, of which 3 drop out.
        (4, 2, 7, ["3+1", "0+1"]),
        # Four seats, one goes on: F = 4, 16, 64. 15 = 4 + 11: three groups of which 9 drop out; 6 = 4 + 2.
        (4, 1, 15, ["3+3", "2+1", "0+1"]),
        (4, 1, 5, ["1+1", "0+1"]),
        # Six seats, three go on: 11 = 6 + 5: one group of which 5 drop out.
        (6, None, 11, ["5+1", "0+1"]),
        # Three seats: one of three, the most that is possible. 10 = 9 + 1.
        (3, None, 10, ["7+1", "0+3", "0+1"]),
    ],
)
def test_rounds(seats: int, advance: int | None, count: int, rounds: list[str]) -> None:
    history, _ = tournament(Knockout(Rules(11, seats, ("arena",)), advance), entrants(count), favourites)
    assert [f"{len(tour.byes)}+{len(by_meeting(tour))}" for tour in history] == rounds


def test_groups_are_dealt_in_snake_order_by_seeding_then_number() -> None:
    # Best first: 5 (1), 2 (2), then 0 1 3 4 6 7. Pairs: first and last, second and last but one, …
    tour = next_tour(Knockout(TWO), entrants(8, {5: 1, 2: 2}))
    assert by_meeting(tour) == {"t0-g0": (5, 7), "t0-g1": (2, 6), "t0-g2": (0, 4), "t0-g3": (1, 3)}
    assert (tour.key, tour.byes) == ("t0", ())


def test_each_round_seeds_anew() -> None:
    """Eight, and 7 beats 0: 7 takes no place of 0, but is seeded last and meets the best that is left."""
    history, _ = tournament(Knockout(TWO), entrants(8), scripted({"t0-g0/0": {7: 1, 0: 2}}))
    assert by_meeting(history[1]) == {"t1-g0": (1, 7), "t1-g1": (2, 3)}


@pytest.mark.parametrize(
    ("seats", "advance", "choices"), [(4, 3, "1 or 2"), (4, 4, "1 or 2"), (4, 0, "1 or 2"), (5, 2, "1")]
)
def test_advance_must_divide_the_seats(seats: int, advance: int, choices: str) -> None:
    with pytest.raises(UsageError) as caught:
        Knockout(Rules(11, seats, ("arena",)), advance).next_tour(entrants(9), Past())
    must = f"{seats} seats must be a multiple of it, twice or more"
    assert str(caught.value) == f"format.advance: {must}: set it to {choices}"


# 4: ties.


def test_a_tie_is_played_again() -> None:
    """0 and 3 tie, then 3 wins. The other pair does not play again; r goes on from 1."""
    judge = scripted({"t0-g0/0": tied("03"), "t0-g0/1": {3: 1, 0: 2}})
    history, _ = tournament(Knockout(TWO), entrants(4), judge)
    assert [tour.key for tour in history] == ["t0", "t0r1", "t1"]
    assert [series.key for series in history[1].series] == ["t0-g0/arena/1"]
    assert by_meeting(history[2]) == {"t1-g0": (1, 3)}


def test_twice_at_most_then_the_lot_decides() -> None:
    knockout, field = Knockout(TWO), entrants(4)
    history, results = tournament(knockout, field, by_strength(lambda _: 0))
    assert [tour.key for tour in history] == ["t0", "t0r1", "t0r2", "t1", "t1r1", "t1r2"]
    assert [series.key for series in history[-1].series] == ["t1-g0/arena/2"]
    winners = {min(group, key=lambda number: draw(11, key, number)) for key, group in by_meeting(history[0]).items()}
    assert set(seats_of(history[3])) == winners
    final = by_meeting(history[3])["t1-g0"]
    winner = min(final, key=lambda number: draw(11, "t1-g0", number))
    assert knockout.rank([0, 1, 2, 3], field, Past(history, results))[0] == winner


def test_a_replay_decides_only_between_those_of_one_score() -> None:
    """Places 1 2 2 4, then 0 3 1 2 in the replay: 0 and 3 do not change, 1 goes on before 2."""
    knockout, field = Knockout(FOUR), entrants(8)
    # Snake order: 0 3 4 7 and 1 2 5 6.
    judge = scripted({"t0-g0/0": {0: 1, 3: 2, 4: 2, 7: 4}, "t0-g0/1": {7: 1, 4: 2, 3: 3, 0: 4}})
    history, results = tournament(knockout, field, judge)
    assert [tour.key for tour in history] == ["t0", "t0r1", "t1"]
    assert by_meeting(history[2]) == {"t1-g0": (0, 1, 2, 4)}
    assert knockout.rank(table_order(field), field, Past(history, results)) == [0, 1, 2, 4, 3, 5, 6, 7]


@pytest.mark.parametrize(("places", "again"), [
    ({0: 1, 3: 1, 4: 3, 7: 4}, False),  # both of the first two go on
    ({0: 1, 3: 2, 4: 3, 7: 3}, False),  # both of the last two drop out
    ({0: 1, 3: 2, 4: 2, 7: 4}, True),
    ({0: 1, 3: 1, 4: 1, 7: 4}, True),
    ({0: 1, 3: 2, 4: 2, 7: 2}, True),
])  # fmt: skip
def test_only_a_tie_across_the_line_counts(places: dict[int, float], again: bool) -> None:
    history, _ = tournament(Knockout(FOUR), entrants(8), scripted({"t0-g0/0": places}))
    assert (history[1].key == "t0r1") is again


@pytest.mark.parametrize(("places", "again"), [("1134", True), ("1224", False), ("1222", False), ("1111", True)])
def test_the_line_of_the_final_is_below_the_first(places: str, again: bool) -> None:
    judge = scripted({"t0-g0/0": {number: int(place) for number, place in enumerate(places)}})
    history, _ = tournament(Knockout(FOUR), entrants(4), judge)
    assert [tour.key for tour in history] == ["t0", "t0r1"][: 1 + again]


def test_a_void_meeting_is_a_tie_and_is_played_again() -> None:
    history, results = tournament(Knockout(TWO), entrants(2), lambda it: favourites(it) if it.turn else void(it))
    assert [tour.key for tour in history] == ["t0", "t0r1"]
    assert Knockout(TWO).rank([1, 0], entrants(2), Past(history, results)) == [0, 1]


# 5: third place.


def test_the_losers_of_the_semi_finals_meet() -> None:
    knockout, field = Knockout(TWO, third=True), entrants(8)
    # 3 beats 2 for third place.
    history, results = tournament(knockout, field, scripted({"third/0": {3: 1, 2: 2}}))
    assert by_meeting(history[2]) == {"t2-g0": (0, 1), "third": (2, 3)}
    assert [series.key for series in history[2].series] == ["t2-g0/arena/0", "third/arena/0"]
    assert knockout.rank(table_order(field), field, Past(history, results)) == [0, 1, 3, 2, 4, 5, 6, 7]


def test_a_tie_for_third_place_is_played_again() -> None:
    knockout, field = Knockout(TWO, third=True), entrants(4)
    history, results = tournament(knockout, field, scripted({"third/0": tied("23"), "third/1": {3: 1, 2: 2}}))
    assert [series.key for series in history[2].series] == ["third/arena/1"]
    assert [tour.key for tour in history] == ["t0", "t1", "t1r1"]
    assert knockout.rank(table_order(field), field, Past(history, results)) == [0, 1, 3, 2]


@pytest.mark.parametrize("count", [2, 3])
def test_no_third_place_without_two_losers(count: int) -> None:
    history, _ = tournament(Knockout(TWO, third=True), entrants(count), favourites)
    assert "third" not in by_meeting(history[-1])


def test_third_needs_two_seats() -> None:
    with pytest.raises(
        UsageError, match=r"^format.third: needs two seats, and there are 4: remove it, or set match.seats to 2$"
    ):
        Knockout(FOUR, third=True).next_tour(entrants(8), Past())


# 6: ranks.


def test_the_rank_of_a_whole_tournament() -> None:
    """Four seats, two go on, 12 entrants: d = 4, so that two groups of 4 to 11 play first; then 0 to 7, then four.

    Round 0: 4 7 8 11 and 5 6 9 10, won in this order. Thirds: 8, 9; fourths: 11, 10. Round 1: 0 3 4 7 and 1 2 5 6.
    """
    knockout, field = Knockout(FOUR), entrants(12)
    history, results = tournament(knockout, field, favourites)
    assert [by_meeting(tour) for tour in history] == [
        {"t0-g0": (4, 7, 8, 11), "t0-g1": (5, 6, 9, 10)},
        {"t1-g0": (0, 3, 4, 7), "t1-g1": (1, 2, 5, 6)},
        {"t2-g0": (0, 1, 2, 3)},
    ]
    # The table decides between those with the same place in the same round.
    assert knockout.rank(table_order(field), field, Past(history, results)) == list(range(12))
    reverse = knockout.rank(table_order(field)[::-1], field, Past(history, results))
    assert reverse == [0, 1, 2, 3, 5, 4, 7, 6, 9, 8, 11, 10]
    assert knockout.columns(field, Past(history, results)) == {}


def test_the_rank_while_a_round_is_under_way() -> None:
    """Nothing is decided before the round has ended."""
    knockout, field = Knockout(TWO), entrants(6)
    tour = next_tour(knockout, field)
    results: dict[str, SeriesResult] = {}
    # 0 and 1 have a bye, and go on in any case.
    assert knockout.rank([5, 4, 3, 2, 1, 0], field, Past([tour], results)) == [1, 0, 5, 4, 3, 2]
    results[tour.series[0].key] = favourites(tour.series[0])
    assert knockout.rank([5, 4, 3, 2, 1, 0], field, Past([tour], results)) == [1, 0, 5, 4, 3, 2], "one has played"
    results |= judged([tour], favourites)
    assert knockout.rank([5, 4, 3, 2, 1, 0], field, Past([tour], results)) == [3, 2, 1, 0, 5, 4]


# 7: who comes and goes.


def test_who_joins_later_does_not_play() -> None:
    knockout, field = Knockout(TWO), entrants(4)
    history, results = tournament(knockout, field, favourites)
    late = [*field, Competitor(4, "late", "late", seeding=1)]
    second = knockout.next_tour(late, Past(history[:1], results))
    assert second == history[1]
    assert knockout.rank([4, 3, 2, 1, 0], late, Past(history, results)) == [0, 1, 3, 2, 4]
    assert knockout.rank([4, 3, 2, 1, 0], late, Past(history[:1])) == [3, 2, 1, 0, 4]


@pytest.mark.parametrize(("rules", "count", "places", "gone", "final"), [
    # Groups 0 3 and 1 2.
    (TWO, 4, {}, (), (0, 1)),
    (TWO, 4, {}, (0,), (1, 3)),  # 0 has beaten 3, which goes on
    (TWO, 4, {}, (0, 3), (1, 2)),  # nobody is left of their group: 2 goes on, the best loser
    (TWO, 8, {}, (1, 6), (0, 4)),  # and of several losers 4, which has the lowest number
    (TWO, 4, {}, (3,), (0, 1)),
    (TWO, 4, {"t0-g0/0": {0: 1, 3: 1}}, (0,), (1, 3)),  # a tie is not played again with who has withdrawn
    # Of 0 3 4 7 only 7 is left. 6, third of the other group, goes on before 5, its fourth, but seeded better.
    (FOUR, 8, {"t0-g1/0": {1: 1, 2: 2, 6: 3, 5: 4}}, (0, 3, 4), (1, 2, 6, 7)),
    (FOUR, 5, {}, (0,), (1, 2, 3, 4)),  # the best that dropped out replaces a bye
])  # fmt: skip
def test_who_withdraws_yields_to_the_next_of_its_group(
    rules: Rules, count: int, places: dict[str, dict[int, float]], gone: tuple[int, ...], final: tuple[int, ...]
) -> None:
    knockout, field = Knockout(rules), entrants(count)
    history, results = tournament(knockout, field, scripted(places))
    after = next_tour(knockout, without(field, *gone), history[:1], results)
    assert by_meeting(after)["t1-g0"] == final


def test_the_last_that_is_left_has_won() -> None:
    knockout, field = Knockout(TWO), entrants(4)
    history, results = tournament(knockout, field, favourites)
    left = without(field, 0, 1, 3)
    assert knockout.next_tour(left, Past(history[:1], results)) is None
    assert knockout.rank([2], left, Past(history[:1], results)) == [2]


# Properties.


@settings(max_examples=20)
@given(seats=st.integers(2, 6), extra=st.integers(0, 30), seed=st.integers(0, 2**32), pick=st.integers(0, 9))
def test_every_tournament_ends_with_one_final(seats: int, extra: int, seed: int, pick: int) -> None:
    choices = [on for on in range(1, seats // 2 + 1) if seats % on == 0]
    advance = choices[pick % len(choices)]
    knockout, field = Knockout(Rules(seed, seats, ("arena",)), advance, third=seats == 2), entrants(seats + extra)
    history, results = tournament(knockout, field, by_lot(seed))
    rounds = [tour for tour in history if "r" not in tour.key]
    for number, tour in enumerate(history):
        assert len(seats_of(tour)) == len(set(seats_of(tour)))
        assert all(len(group) == seats for group in by_meeting(tour).values())
        assert tour.key.partition("r")[2] in ("", "1", "2")
        before = {series.key: results[series.key] for tour in history[:number] for series in tour.series}
        assert knockout.next_tour(field, Past(history[:number], before)) == tour
    # All that were in a round and are not in the next one are out, and nobody comes back.
    for former, latter in pairwise(rounds):
        assert set(seats_of(latter)) <= set(seats_of(former))
        left = len(seats_of(latter)) - len(by_meeting(latter).get("third", ()))
        if _is_full(len(seats_of(former)), seats, advance):
            assert left * seats == len(seats_of(former)) * advance
        else:
            assert left < len(seats_of(former))
    assert len(by_meeting(rounds[-1]).keys() - {"third"}) == 1
    order = table_order(field)
    ranked = knockout.rank(order, field, Past(history, results))
    assert sorted(ranked) == order
    assert set(ranked[:seats]) == set(by_meeting(rounds[-1])[f"t{len(rounds) - 1}-g0"])


def _is_full(count: int, seats: int, advance: int) -> bool:
    """Whether a round needs no byes: k, k·b, k·b², …"""
    while count > seats and count % (seats // advance) == 0:
        count //= seats // advance
    return count == seats
