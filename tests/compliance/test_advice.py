"""Diagnoses of answers that are wrong; their advice names the rules of the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee import games
from referee.bots import Bot
from referee.compliance.diagnosis import Advisor
from referee.games.egghunt.plugin import GAME as EGGHUNT
from referee.games.snakecore.plugin import GAME

BOT = Bot("bot", (), Path())


@pytest.mark.parametrize("game", games.every(), ids=lambda game: game.name)
def test_advice_on_a_wrong_answer_names_the_rules_of_the_game(game):
    advice = Advisor(game, BOT).wrong_reply("getAction", b"\n" * 5)
    assert advice is not None
    refused = Advisor(game, BOT).wrong_answer("getAction", "no such step")
    assert (advice.fault, refused.fault) == ("wrong-number-of-lines", "wrong-answer")
    for change in (advice.change, refused.change):
        assert re.findall(r"`(referee rules.*?)`", change) == [f"referee rules {game.name}"]


@pytest.mark.parametrize(
    ("game", "reply", "fault", "says"),
    [
        (GAME, b"N\n", None, ""),
        (GAME, b"N\r\n", None, ""),
        (GAME, b"n\n", "wrong-answer", 'expected one of U L D R N A, got "n"'),
        (GAME, b"I go N\n", "wrong-answer", 'expected one of U L D R N A, got "I go N"'),
        (GAME, b"N\nN\n", "wrong-number-of-lines", 'it wrote 2 lines, and the answer has 1: "N", "N"'),
        (GAME, b"N\nnext? ", "debug-print", 'beside its answer "N" it wrote "next? " to stdout'),
        (GAME, b"moves: 3\nN\n", "debug-print", 'beside its answer "N" it wrote "moves: 3" to stdout'),
        (GAME, b"hello\nthere\n", "wrong-number-of-lines", 'it wrote 2 lines, and the answer has 1: "hello", "there"'),
        (GAME, b"N", "no-newline", '"N" came without a line feed at its end'),
        (GAME, b"N\r", "no-newline", r'"N\r" came without a line feed at its end'),
        (GAME, b"." * 1025, "too-much-output", "it wrote a line longer than 1024 bytes"),
        (EGGHUNT, b"9\nN\n", "wrong-number-of-lines", 'it wrote 2 lines, and the answer has 3: "9", "N"'),
        (EGGHUNT, b"9\nN\nme\n1\n2\n", "wrong-number-of-lines", 'it wrote 5 lines, and the answer has 3: "9", "N", "me", "1", …'),
    ],
)  # fmt: skip
def test_defects_of_an_answer(game, reply, fault, says):
    advice = Advisor(game, BOT).wrong_reply("getAction", reply)
    assert ((None, "") if advice is None else (advice.fault, advice.says)) == (fault, says)
