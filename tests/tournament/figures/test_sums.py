"""Sums of games and of seats, the cross table, and intervals of means."""

from fractions import Fraction
from itertools import product

import pytest
from tournament.figures.played import A, B, C, D, duels, match, series, void

from referee.tournament.figures.sums import Sums, cross_rows, games_of, seat_bias, share, t_quantile


def cross(results):
    return Sums.of(results, rng_seed=1).pairs


def test_a_match_of_three_has_three_games_but_none_of_an_entrant_with_itself() -> None:
    #   C is first, A and B share the second place
    assert list(games_of(match("C1 A2 B2"))) == [(A, C, 0), (B, C, 0), (A, B, 1)]
    assert list(games_of(match("A1 A2 B3"))) == [(A, B, 2), (A, B, 2)]


def test_the_cross_table_has_a_row_for_each_pair_that_met() -> None:
    results = [series("0-1-2/arena/0", "A1 B2 C3", "B1 C2 A3", "C1 A1 B3"), series("0-3/arena/0", "A1 D1", "D1 A2")]
    #   A-B: won, lost, won      A-C: won, lost, tied      B-C: won, won, lost      A-D: tied, lost
    assert cross_rows(cross(results)) == [
        {"a": A, "b": B, "score": 2.0, "possible": 3},
        {"a": A, "b": C, "score": 1.5, "possible": 3},
        {"a": A, "b": D, "score": 0.5, "possible": 2},
        {"a": B, "b": C, "score": 2.0, "possible": 3},
    ]


def test_copies_of_two_entrants_score_the_mean_of_their_games() -> None:
    #   A's copies are first and third, B's second and fourth: A wins three of four games
    pairs = cross([series("0/arena/0", "A1 B2 A3 B4")])
    assert [(pair.matches, pair.games, pair.halves) for pair in pairs.values()] == [(1, 4, 6)]
    assert cross_rows(pairs) == [{"a": A, "b": B, "score": 0.75, "possible": 1}]


def test_the_share_is_seen_from_both_sides() -> None:
    pairs = cross([*duels("A", "B", "0-1/arena/0"), series("0-2/arena/0", "A1 C2", "C1 A1")])
    assert share(pairs, A, [A, B, C]) == Fraction(7, 8)
    assert share(pairs, C, [A]) == Fraction(1, 4)
    assert share(pairs, B, [C, D]) == Fraction(1, 2), "they never met"


# Seats


def test_each_map_and_seat_has_a_row() -> None:
    results = [
        #         the first seat scores 1 and 1/2: 3/4 of the possible
        series("0-1/arena/0", "A1 B2", "B1 A1"),
        #         0 and 0
        series("0-2/arena/0", "A2 C1", "C2 A1"),
        #         2, 1/2 and 0 of 2: 5/12;   0, 1/2 and 1: 1/4;   1, 2 and 2: 5/6
        series("0-1-2/cross/0", "A1 B3 C2", "B2 C2 A1", "C3 A2 B1"),
        void("1-2/arena/0", "B1 C2", "C2 B1"),
    ]
    rows = seat_bias(Sums.of(results, rng_seed=1).seats)
    assert [(row["map"], row["seat"]) for row in rows] == [*product(["arena"], range(2)), *product(["cross"], range(3))]
    assert [row["series"] for row in rows] == [2, 2, 1, 1, 1]
    assert [row["mean"] for row in rows] == pytest.approx([3 / 8, 5 / 8, 5 / 12, 1 / 4, 5 / 6])
    assert all(row["low"] is None and row["high"] is None for row in rows), "fewer than ten series"


def test_ten_series_have_an_interval() -> None:
    #   the first seat: nine series with 1, one with 0. Mean 0.9, variance (9 · 0.01 + 0.81) / 9 = 0.1, so the standard error
    #   is 0.1, and t(9) is 2.262
    won = [series(f"{number}/arena/0", "A1 B2", "B1 A2") for number in range(9)]
    first, second = seat_bias(Sums.of([*won, series("9/arena/0", "A2 B1", "B2 A1")], rng_seed=1).seats)
    assert (first["series"], second["series"]) == (10, 10)
    assert [first[key] for key in ("low", "mean", "high")] == pytest.approx([0.6738, 0.9, 1.1262], abs=1e-4)
    assert [second[key] for key in ("low", "mean", "high")] == pytest.approx([-0.1262, 0.1, 0.3262], abs=1e-4)


@pytest.mark.parametrize(("freedom", "tabulated", "error"), [
    (1, 12.7062, 3.0),
    (2, 4.3027, 0.14),
    (4, 2.7765, 0.01),
    (6, 2.4469, 0.002),
    (9, 2.2622, 3e-4),
    (39, 2.0227, 1e-4),
])  # fmt: skip
def test_quantiles_agree_with_the_printed_tables(freedom: int, tabulated: float, error: float) -> None:
    assert t_quantile(freedom) == pytest.approx(tabulated, abs=error)
