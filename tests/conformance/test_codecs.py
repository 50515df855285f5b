"""The codec of each game: it reads what it writes, and any bytes from a bot are an action or raise `InvalidReply`."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conformance.playing import line_ups, lines_of, new, random_answers, random_steps, there_and_back, vocabulary
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.contract.game import Game
from referee.errors import InvalidReply


def test_decode_reads_what_format_writes(game: Game[Any, Any]) -> None:
    for ask, actions in vocabulary(game.name).items():
        for action in actions:
            lines = lines_of(game.format(action))
            assert len(lines) == game.reply_lines(ask)
            assert game.decode(ask, lines) == action
            assert game.recall(ask, game.format(action), []) == action


def test_windows_line_ends_are_always_accepted(game: Game[Any, Any]) -> None:
    for ask, actions in vocabulary(game.name).items():
        for action in actions:
            assert game.decode(ask, [line + b"\r" for line in lines_of(game.format(action))]) == action


def test_names_are_read_and_recalled_by_the_rules_of_all_games(game: Game[Any, Any]) -> None:
    """The cases are tested with `words.decode_name` and `words.recall_name`."""
    assert game.decode("getName", ["Питон".encode("cp1251") + b"\r"]) == game.format("Питон") == "Питон"
    assert game.recall("getName", "\ufffd" * 5, [{"event": "named", "seat": 0, "name": "Питон"}]) == "Питон"
    with pytest.raises(InvalidReply, match="a name of 33 characters"):
        game.decode("getName", [b"x" * 33])


@settings(max_examples=150)
@given(data=st.data())
def test_any_bytes_are_an_action_or_an_invalid_reply(game: Game[Any, Any], data: st.DataObject) -> None:
    """A one-turn player may write any number of lines. For other players, the referee reads a fixed number."""
    ask = data.draw(st.sampled_from(sorted(vocabulary(game.name))))
    good = st.sampled_from([lines_of(game.format(action)) for action in vocabulary(game.name)[ask][:50]])
    count = game.reply_lines(ask)
    noise = st.binary(max_size=min(game.reply_cap, 2_000)).filter(lambda line: b"\n" not in line)
    least, most = (1, count + 3) if "turn" in game.lifetimes and ask != "getName" else (count, count)
    lines = data.draw(st.lists(noise, min_size=least, max_size=most))
    if data.draw(st.booleans()):
        lines = list(data.draw(good))
        place = data.draw(st.integers(0, count - 1))
        cut = data.draw(st.integers(0, len(lines[place])))
        lines[place] = lines[place][:cut] + data.draw(noise) + lines[place][cut:]
    try:
        action = game.decode(ask, lines)
    except InvalidReply as refused:
        said = str(refused)
        assert said.isprintable()
    else:
        said = game.format(action)
        if ask != "getName":  # a name in cp1251 may be too long in UTF-8
            assert len(lines_of(said)) == count
            assert game.decode(ask, lines_of(said)) == action
            assert game.recall(ask, said, []) == action
            saved = b"\n".join(lines[:count]).decode(errors="replace")  # as a saved game has it
            assert game.recall(ask, saved, []) == action
    assert len(said) < 10 * game.reply_cap


AWKWARD = (
    *[b"", b"\r", b"\0", b"\xff", b" ", b"\t", b"-", b"9" * 400, b"-" * 400, b"1e999", b"\x1b[2J", b"x" * 1024],
    *["٣".encode(), "\u2028".encode(), "€".encode() * 1500, b"\xed\xa0\x80"],
)
"""Lines that often break parsers: empty, blank, invalid UTF-8, non-ASCII digits, very long."""


@pytest.mark.parametrize("line", AWKWARD, ids=lambda line: repr(line[:12]))
def test_awkward_lines_are_an_action_or_an_invalid_reply(game: Game[Any, Any], line: bytes) -> None:
    """The rules accept every action that the codec accepts, and the position after it can be read."""
    for ask in vocabulary(game.name):
        good = lines_of(game.format(vocabulary(game.name)[ask][0]))
        for lines in ([line] * len(good), *([*good[:k], line, *good[k + 1 :]] for k in range(len(good)))):
            if len(line) > game.reply_cap:
                continue
            try:
                action = game.decode(ask, lines)
            except InvalidReply:
                continue
            assert game.decode(ask, lines_of(game.format(action))) == action
            state = new(game)
            while state.requests()[0].ask != ask:
                state.advance([answer.action for answer in random_answers(game, state, random.Random(1))])
            state.advance([action] * len(state.requests()))
            there_and_back(game, state)


def test_every_request_is_whole_lines_that_begin_with_its_name(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        state = new(game, entrants=line_up)
        for _ in random_steps(game, state, random.Random(15), 100):
            for request in state.requests():
                data = game.encode(request)
                assert data.startswith(request.ask.encode() + b"\n")
                assert data.endswith(b"\n")
                assert b"\r" not in data


def test_a_one_turn_player_gets_the_request_without_its_name(game: Game[Any, Any]) -> None:
    assert ("turn" in game.lifetimes) == (game.encode_turn is not None)
    if game.encode_turn is None:
        return
    state = new(game)
    for _ in random_steps(game, state, random.Random(16), 100):
        for request in state.requests():
            if request.ask != "getName":
                assert request.ask.encode() + b"\n" + game.encode_turn(request) == game.encode(request)
