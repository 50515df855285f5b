"""The boards of `referee check` for ava and viper match their titles."""

from __future__ import annotations

from typing import Any

import pytest
from games.playing import named

from referee import games
from referee.tailbite.trials import MANY, trials


def begun(title: str) -> Any:
    """The match on this board, at the first request for a move."""
    (trial,) = (trial for trial in trials() if trial.title == title)
    return named(games.find("viper").start(trial.setup, 1))


def own(title: str) -> Any:
    return begun(title).position()["snakes"][0]


def test_boards_match_their_titles() -> None:
    assert begun("a tiny board").board.size == 5
    assert begun("a large board").board.size == 255
    assert len(own("two segments, so its own tail is barred")["cells"]) == 2
    assert len(own("a long snake")["cells"]) == 300
    ring = begun("a ring, its own tail ahead").position()["snakes"][0]["cells"]
    assert sum(abs(a - b) for a, b in zip(ring[0], ring[-1], strict=True)) <= 2
    out = begun("disqualified rivals").position()["snakes"]
    assert [snake["disqualified"] for snake in out[1:3]] == ["exit", "exit"]
    eaten = begun("eaten rivals").position()["snakes"]
    assert [snake["eaten"] for snake in eaten[1:3]] == [1, 1]
    assert begun("many requests in a row").steps == MANY


@pytest.mark.parametrize(
    ("title", "letters"),
    [
        ("nothing but itself in sight", ".HST"),
        ("in the corner", ".WHST"),
        ("a rival's tail beside the head", ".HSTXYZ"),
        ("heads all around", ".HSTX"),
    ],
)
def test_these_letters_are_in_the_window(title: str, letters: str) -> None:
    seen = set(begun(title).board.window(0).decode())
    assert seen >= set(letters)
    if title == "nothing but itself in sight":
        assert seen == set(letters)
