"""The wire format of Ants, exactly as protocol.md and the game's README.md define it."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from games.ants.drawing import A, begin, play
from games.ants.random_games import answers, positions
from games.playing import SEEDS, named, playing
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InvalidReply
from referee.games.ants.rules import Action, Ants, start
from referee.games.ants.wire import decode, encode, format_action

LETTER = re.compile(rb"^-?\d+ [01] -?\d+ [0-9A-Fa-f]{64}[ \t]*\r?$")
"""An answer as a regular expression. Its numbers must also fit into 32 bits."""


def request(state: Ants) -> str:
    (due,) = state.requests()
    return encode(due).decode()


# -- Requests -----------------------------------------------------------------------------------------------------


def test_the_memory_is_sent_in_small_letters() -> None:
    state = begin("a,A0 . \n . b,B0")
    state.advance([decode("getAction", [b"10 0 0 " + b"AbCdEf01" * 8])])
    play(state, "void")
    assert request(state).splitlines()[2] == "abcdef01" * 8
    assert state.position()["teams"][A][0]["memory"] == "abcdef01" * 8


@given(positions(), answers(), SEEDS)
def test_requests_of_a_match_are_those_of_a_match_from_its_position(position, actions, seed) -> None:
    """Cells that are patched are never stale."""
    state = named(start(position, seed))
    for _ in chain([None], playing(state, actions)):
        if state.requests():
            assert request(state) == request(named(start(state.position(), seed)))


# -- Answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "action"),
    [
        (b"3 1 7 " + b"0" * 64, Action(3, True, 7, b"0" * 64)),
        (b"4 1 20 " + b"aB" * 32, Action(4, True, 20, b"ab" * 32)),
        (b"-1 0 -12 " + b"aB" * 32, Action(-1, False, -12, b"ab" * 32)),
        (b"007 0 -0 " + b"0" * 64, Action(7, False, 0, b"0" * 64)),
        (b"2147483647 1 -2147483648 " + b"0" * 64, Action(2**31 - 1, True, -(2**31), b"0" * 64)),
        (b"3 1 7 " + b"0" * 64 + b" \t \r", Action(3, True, 7, b"0" * 64)),
        (b"3 1 7 " + b"0" * 64 + b"\r", Action(3, True, 7, b"0" * 64)),
    ],
)
def test_a_valid_answer(line: bytes, action: Action) -> None:
    assert decode("getAction", [line]) == action
    assert decode("getAction", [format_action(action).encode()]) == action


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "like 3 1 7 and 64 hex digits; got an empty line"),
        (b"3 1 7 " + b"0" * 65, "64 hex digits"),
        (b"3 1 7 " + b"0" * 63 + b"g", "64 hex digits"),
        (b" 3 1 7 " + b"0" * 64, "expected `action putSmell smell memory`"),
        (b"3 1 7 " + b"0" * 64 + b"\r ", "expected"),
        (b"3 1 7 " + b"0" * 64 + b" x", "expected"),
        (b"2147483648 1 7 " + b"0" * 64, "the action does not fit into 32 bits"),
        (b"-2147483649 1 2147483648 " + b"0" * 64, "the action does not fit into 32 bits"),
        (b"3 1 2147483648 " + b"0" * 64, "the smell does not fit into 32 bits"),
        (b"3 0 -2147483649 " + b"0" * 64, "the smell does not fit into 32 bits"),
        (b"9" * 900 + b" 0 0 " + b"0" * 64, "the action does not fit into 32 bits"),
        (b"9" * 5000 + b" 0 0 " + b"0" * 64, "expected"),  # no player can send it, but a saved game can contain it
        (b"0 0 -" + b"9" * 5000 + b" " + b"0" * 64, "expected"),
    ],
)
def test_an_invalid_answer_is_refused(line: bytes, why: str) -> None:
    with pytest.raises(InvalidReply, match=why) as refused:
        decode("getAction", [line])
    assert len(str(refused.value)) < 400
    assert str(refused.value).isprintable()


NEARLY = st.tuples(
    st.sampled_from([b"3", b"-7", b"-0", b"", b"+1", b"\xc2\xb2"]), st.sampled_from([b"0", b"1", b"2", b""]),
    st.sampled_from([b"0", b"-99", b"x"]), st.sampled_from([b"0" * 64, b"fF" * 32, b"0" * 63]),
    st.sampled_from([b"", b" ", b"\t\t ", b"\r", b" \r", b"\r\r", b"\x0c"]), st.sampled_from([b" ", b" ", b" ", b"  "]),
).map(lambda parts: parts[5].join(parts[:4]) + parts[4])  # fmt: skip


@given(st.one_of(st.binary(max_size=90).filter(lambda line: b"\n" not in line), NEARLY))
def test_exactly_the_answers_that_match_the_expression_are_valid(line: bytes) -> None:
    if LETTER.match(line):
        assert isinstance(decode("getAction", [line]), Action)
    else:
        with pytest.raises(InvalidReply):
            decode("getAction", [line])
