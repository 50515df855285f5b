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


def test_then_once_in_fifty_matches_with_bots_that_were_in_none_first() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    assert asked(doubles, "b") == Double(MATCH, "a", "x")
    doubles.played("a", OTHER, "y")
    doubles.played("a", MATCH, "x")
    batches = [asked(doubles, "b", matches=10) for _ in range(2 * EVERY // 10)]
    assert [batch is not None for batch in batches] == [False, False, False, False, True] * 2
    assert batches[4] == Double(OTHER, "a", "y"), "it has bot 2, and is not the latest"
    assert batches[9] in (Double(MATCH, "a", "x"), Double(OTHER, "a", "y")), "a new round"


def test_a_worker_that_deviates_with_one_bot_is_found_in_a_round_of_all_bots() -> None:
    doubles, bots = Doubles(), range(12)
    for number in bots:  # bot 7 is never in the latest match
        match = ScheduledMatch(1, Series(f"{number}", "duel", 0, ((number, (number + 1) % 12),)), 0)
        doubles.played("a", match, "x")
    seen = set[int]()
    for _ in bots:
        double = asked(doubles, "b")
        assert double is not None
        seen.update(double.match.series.numbers)
    assert seen == set(bots)


def test_a_worker_that_has_played_a_bot_latest_is_checked_too() -> None:
    doubles = Doubles()
    doubles.played("a", MATCH, "x")
    doubles.played("b", MATCH, "y")
    assert asked(doubles, "b") == Double(MATCH, "a", "x")


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
