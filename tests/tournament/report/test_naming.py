"""What people call matches."""

import pytest
from tournament.report.reports import names_of

from referee.tournament.model import Series
from referee.tournament.report.naming import nth, tour_in_words

NAMES = {0: "Oracle", 1: "Guard", 2: "Worm"}


def test_a_match_is_called_by_its_entrants_its_map_and_its_number_among_theirs_there() -> None:
    first = Series("t0-g0", "arena", 0, ((2, 0, 1), (0, 1, 2)))
    other = Series("t0-g0", "maze", 0, ((2, 0, 1),))
    later = Series("t1-g0", "arena", 0, ((1, 2, 0),))
    words = names_of([first, other], [later])
    assert {match: name.title(NAMES) for match, name in words.items()} == {
        "t0-g0/arena/0#0": "Oracle – Guard – Worm, arena, 1st",
        "t0-g0/arena/0#1": "Oracle – Guard – Worm, arena, 2nd",
        "t0-g0/maze/0#0": "Oracle – Guard – Worm, maze, 1st",
        "t1-g0/arena/0#0": "Oracle – Guard – Worm, arena, 3rd",
    }
    assert [name.tour for name in words.values()] == ["tour 0", "tour 0", "tour 0", "tour 1"]


def test_an_entrant_in_several_seats_is_named_once() -> None:
    (name,) = names_of([Series("0", "arena", 0, ((0, 1, 0, 1),))]).values()
    assert name.title(NAMES) == "Oracle – Guard, arena, 1st"
    assert name.tour == "", "the only tour"


@pytest.mark.parametrize(
    ("key", "words"), [("t0", "tour 0"), ("t12r1", "tour 12, replay 1"), ("p1", "play-off 1"), ("x", "x")]
)
def test_tours_have_words(key: str, words: str) -> None:
    assert tour_in_words(key) == words


def test_numbers_of_an_order_are_english() -> None:
    assert [nth(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th",
    ]  # fmt: skip
