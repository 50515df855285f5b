"""Workers whose matches deviate."""

from __future__ import annotations

from referee.tournament.cluster.doubles import EVERY, Deviation, Doubles
from referee.tournament.ledger import Match
from referee.tournament.words import Series

MATCH = Match(1, Series("0-1", "duel", 0, ((0, 1), (1, 0))), 0)
OTHER = Match(2, Series("1-2", "duel", 0, ((1, 2), (2, 1))), 0)


def asked(doubles: Doubles, worker: str, *, fits: bool = True) -> bool:
    return doubles.due(worker, lambda _match: fits) is not None


def test_a_new_worker_plays_a_match_of_another_for_each_bot() -> None:
    doubles = Doubles()
    assert not asked(doubles, "a")
    doubles.played("a", MATCH, "x")
    assert not asked(doubles, "a"), "nobody else has played"
    assert not asked(doubles, "b", fits=False)
    double = doubles.due("b", lambda _match: True)
    assert double is not None
    assert (double.match, double.worker, double.digest) == (MATCH, "a", "x")
    assert doubles.judge("b", double, "x") is None
    assert not asked(doubles, "b"), "both bots have been checked"
    doubles.played("a", OTHER, "y")
    again = doubles.due("b", lambda _match: True)
    assert again is not None
    assert (again.match, again.digest) == (OTHER, "y")


def test_a_worker_that_has_played_a_bot_latest_is_checked_too() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    doubles.played("b", MATCH, "y")
    double = doubles.due("b", lambda _match: True)
    assert double is not None
    assert (double.worker, double.digest) == ("a", "x")


def test_later_each_fiftieth_batch_has_a_double() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    assert [number for number in range(1, 3 * EVERY) if asked(doubles, "b")] == [1, EVERY, 2 * EVERY]


def test_a_worker_that_disagrees_is_named_if_the_other_agrees_with_itself() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    first = doubles.due("b", lambda _match: True)
    assert first is not None
    assert doubles.judge("b", first, "y") is None
    again = doubles.due("a", lambda _match: True)
    assert again is not None
    assert again.other == "b"
    assert doubles.judge("a", again, "x") == Deviation(MATCH, "a", "b")
    assert doubles.judge("a", again, "x") is None, "a pair is named once"


def test_bots_that_play_at_random_prove_nothing() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    first = doubles.due("b", lambda _match: True)
    assert first is not None
    doubles.judge("b", first, "y")
    again = doubles.due("a", lambda _match: True)
    assert again is not None
    assert doubles.judge("a", again, "z") is None
