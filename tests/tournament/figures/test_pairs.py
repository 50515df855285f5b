"""The games of two within matches, and the cross table."""

from fractions import Fraction

from tournament.figures.played import A, B, C, D, duels, match, series

from referee.tournament.figures.pairs import cross_rows, games_of, share
from referee.tournament.figures.sums import Sums


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
