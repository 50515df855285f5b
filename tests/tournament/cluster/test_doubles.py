"""Workers whose matches deviate."""

from referee.tournament.cluster.doubles import EVERY, Double, Doubles
from referee.tournament.model import Series
from referee.tournament.schedule_tables import ScheduledMatch

MATCH = ScheduledMatch(1, Series("0-1", "duel", 0, ((0, 1), (1, 0))), 0)
OTHER = ScheduledMatch(2, Series("1-2", "duel", 0, ((1, 2), (2, 1))), 0)


def asked(doubles: Doubles, worker: str, *, fits: bool = True, matches: int = EVERY) -> Double | None:
    """The double beside a batch, by default one that is large enough for a double to be due."""
    return doubles.due(worker, matches, lambda _match: fits)


def test_beside_its_first_batch_a_worker_plays_a_match_of_another() -> None:
    doubles = Doubles()
    assert asked(doubles, "a", matches=1) is None
    doubles.played("a", MATCH, "x")
    assert asked(doubles, "a", matches=1) is None, "nobody else has played"
    assert asked(doubles, "b", matches=1, fits=False) is None
    double = asked(doubles, "b", matches=1)
    assert double == Double(MATCH, "a", "x")
    assert not doubles.deviates("b", double, "x")


def test_then_once_in_fifty_matches_it_plays_the_latest_match_of_another() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    assert asked(doubles, "b") == Double(MATCH, "a", "x")
    doubles.played("a", OTHER, "y")
    doubles.played("b", MATCH, "z")
    batches = [asked(doubles, "b", matches=10) for _ in range(2 * EVERY // 10)]
    assert batches == [None, None, None, None, Double(OTHER, "a", "y")] * 2


def test_a_worker_that_disagrees_is_named_if_the_other_agrees_with_itself() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    first = asked(doubles, "b")
    assert first is not None
    assert not doubles.deviates("b", first, "y")
    again = asked(doubles, "a", matches=1)
    assert again == Double(MATCH, "a", "x", other="b")
    assert doubles.deviates("a", again, "x")
    assert not doubles.deviates("a", again, "x"), "a pair is named once"


def test_bots_that_play_at_random_prove_nothing() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    first = asked(doubles, "b")
    assert first is not None
    doubles.deviates("b", first, "y")
    again = asked(doubles, "a", matches=1)
    assert again is not None
    assert not doubles.deviates("a", again, "z")
