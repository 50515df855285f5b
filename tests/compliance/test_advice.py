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
    return diagnosis.wrong_reply(Reply(game, "getAction", 5, said, wanted), letters, "it is none", None)


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize(
    ("fault", "said", "wanted"),
    [
        ("wrong-answer", b"X\n", 1),
        ("wrong-answer", b"X\nY\n", 1),
        ("wrong-answer", b"X\nY\n", 3),
        ("answers-every-line", b"U\n" * 5, 1),
    ],
)
def test_who_answers_wrongly_is_sent_to_the_rules_of_the_game(game, fault, said, wanted):
    found = wrong(game, said, wanted=wanted)
    assert found.fault == fault
    assert re.findall(r"`(referee rules.*?)`", found.change) == [f"referee rules {game}"]


@pytest.mark.parametrize(("over", "bytes_"), [(1, "1 byte"), (2, "2 bytes")])
def test_a_name_is_too_long_by_so_much(over, bytes_):
    said = b"x" * (32 + over) + b"\n"
    found = diagnosis.wrong_reply(Reply("ants", "getName", 1, said), refused, "it is none", None)
    assert found.change.startswith(f"Shorten the name by {bytes_}. ")
