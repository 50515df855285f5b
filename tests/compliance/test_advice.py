"""Diagnoses of answers that are wrong; their advice names the rules of the game."""

from __future__ import annotations

import re

import pytest

from referee import games
from referee.compliance import diagnosis
from referee.games.snakecore.plugin import GAME
from referee.languages import Idioms


@pytest.mark.parametrize("game", games.every(), ids=lambda game: game.name)
def test_advice_on_a_wrong_answer_names_the_rules_of_the_game(game):
    advice = diagnosis.wrong_reply(game, "getAction", b"\n" * 5, Idioms())
    assert advice is not None
    refused = diagnosis.wrong_answer(game, "getAction", "no such step", Idioms())
    assert (advice.fault, refused.fault) == ("wrong-number-of-lines", "wrong-answer")
    for change in (advice.change, refused.change):
        assert re.findall(r"`(referee rules.*?)`", change) == [f"referee rules {game.name}"]


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (b"N\n", None),
        (b"N\r\n", None),
        (b"n\n", "wrong-answer"),
        (b"N\nN\n", "wrong-number-of-lines"),
        (b"N\nnext? ", "debug-print"),
        (b"moves: 3\nN\n", "debug-print"),
        (b"hello\nthere\n", "wrong-number-of-lines"),
        (b"N", "no-newline"),
        (b"N\r", "no-newline"),
        (b"." * 1025, "too-much-output"),
    ],
)
def test_defects_of_an_answer_of_one_line(reply, fault):
    advice = diagnosis.wrong_reply(GAME, "getAction", reply, Idioms())
    assert (None if advice is None else advice.fault) == fault
