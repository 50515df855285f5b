"""What is advised leads to the rules of the game that the bot plays, and counts as people do."""

from __future__ import annotations

import re

import pytest

from referee import games
from referee.compliance import diagnosis
from referee.compliance.diagnosis import Diagnosis, Reply
from referee.errors import InvalidReply


def refused(ask: str, lines: object) -> None:
    raise InvalidReply(f"{ask}: {lines}")


def letters(ask: str, lines: list[bytes]) -> None:
    if lines[0] not in {b"U", b"D"}:
        refused(ask, lines)


def wrong(game: str, said: bytes, *, wanted: int = 1) -> Diagnosis:
    """Of an answer to a request of five lines, to be one of two letters."""
    return diagnosis.wrong_reply(Reply(game, "getAction", said, wanted), letters, "it is none", None)


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize(
    ("fault", "said", "wanted"),
    [
        ("wrong-answer", b"X\n", 1),
        ("wrong-number-of-lines", b"X\nY\n", 1),
        ("wrong-number-of-lines", b"X\nY\n", 3),
        ("wrong-number-of-lines", b"U\n" * 5, 1),
    ],
)
def test_who_answers_wrongly_is_sent_to_the_rules_of_the_game(game, fault, said, wanted):
    found = wrong(game, said, wanted=wanted)
    assert found.fault == fault
    assert re.findall(r"`(referee rules.*?)`", found.change) == [f"referee rules {game}"]
