"""Workers whose matches deviate."""

from __future__ import annotations

from referee.tournament.cluster.doubles import EVERY, Deviation, Doubles
from referee.tournament.ledger import Match
from referee.tournament.words import Series

MATCH = Match(1, Series("0-1", "duel", 0, ((0, 1), (1, 0))), 0)


def asked(doubles: Doubles, worker: str, *, fits: bool = True) -> bool:
    return doubles.due(worker, lambda _match: fits) is not None


def test_the_first_batch_of_a_worker_has_a_match_of_another() -> None:
    doubles = Doubles()
    assert not asked(doubles, "a")
    doubles.played("a", MATCH, "x")
    assert not asked(doubles, "a"), "nobody else has played"
    assert not asked(doubles, "b", fits=False)
    double = doubles.due("b", lambda _match: True)
    assert double is not None
    assert (double.match, double.worker, double.digest) == (MATCH, "a", "x")
    assert doubles.judge("b", double, "x") is None
    assert [asked(doubles, "b") for _ in range(EVERY)] == [False] * (EVERY - 1) + [True]


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
