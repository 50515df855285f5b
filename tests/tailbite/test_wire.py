"""The wire format of ava and viper, exactly as their README.md files define it."""

from __future__ import annotations

from typing import Any

import pytest
from tailbite.drawing import named, read

from referee import games
from referee.contract.game import Request
from referee.errors import InvalidReply
from referee.tailbite.sight import FixedSight, Options
from referee.tailbite.wire import encode

AVA: Any = games.find("ava")
VIPER: Any = games.find("viper")
BOTH = pytest.mark.parametrize("game", [AVA, VIPER], ids=["ava", "viper"])
BOARD = """
    .   .   .   .   .
    .   A   a1  .   B
    .   .   a2  .   b1
"""


def test_an_observation_is_the_window_and_the_options_of_the_position() -> None:
    options = {"rating": "max", "failed_and_groups": "ignore", "or_groups": "any"}
    (request,) = named(AVA.start({**read(BOARD), "options": options}, 1)).requests()
    assert request.observation.options == Options(**options)
    assert len(request.observation.window) == 169
    as_it_was = FixedSight(request.observation.window, request.observation.options)
    assert encode(Request(0, "getAction", as_it_was)) == encode(request)


@BOTH
@pytest.mark.parametrize("letters", ["U", "UL", "RDLU", "D"])
@pytest.mark.parametrize("end", [b"", b" ", b"\t", b"\r", b" \t \r", b"   ", b"\r ", b"\t\r "])
def test_letters_may_be_followed_by_blanks_and_one_carriage_return(game: Any, letters: str, end: bytes) -> None:
    assert game.decode("getAction", [letters.encode() + end]) == letters


@pytest.mark.parametrize("letters", ["UU", "ULU", "ULDRU", "LL"])
def test_a_letter_twice_is_a_weight_in_viper_and_invalid_in_ava(letters: str) -> None:
    assert VIPER.decode("getAction", [letters.encode()]) == letters
    with pytest.raises(InvalidReply, match=r"1 to 4 letters of U L D R, all different, got [UL] 2 times"):
        AVA.decode("getAction", [letters.encode()])


@BOTH
@pytest.mark.parametrize("letters", ["UUU", "ULULU", "UULLDDRRU", "R" * 500])
def test_a_letter_three_times_is_invalid_in_both(game: Any, letters: str) -> None:
    with pytest.raises(InvalidReply, match="times") as caught:
        game.decode("getAction", [letters.encode()])
    assert len(str(caught.value)) < 200


@BOTH
@pytest.mark.parametrize(
    "line", [b"", b"\r", b" ", b"u", b"N", b" U", b"U L", b"U\r\r", b"U\r \r", b"U\n", b"U\0", b"UX", b"U,L"]
)
def test_any_other_line_is_invalid_and_its_message_is_printable(game: Any, line: bytes) -> None:
    with pytest.raises(InvalidReply, match=r"expected 1 to [48] letters of U L D R") as caught:
        game.decode("getAction", [line])
    assert str(caught.value).isprintable()
