"""The wire format of the egg hunt, exactly as protocol.md and the game's README.md define it, and the board that it reads."""

from __future__ import annotations

from typing import Any

import pytest
from games.egghunt.drawing import begin, line_up
from games.egghunt.hunts import positions, turns
from hypothesis import given

from referee.contract.positions import Position
from referee.games.egghunt.plugin import GAME
from referee.games.egghunt.rules import Action, start
from referee.games.egghunt.wire import encode, encode_turn


@pytest.mark.parametrize("memory", ["", "x", " two  blanks ", "é→🐇", "\x00\x1b\x7f\u2028\ufeff", "X" * 1024])
def test_a_memory_is_the_sixth_line_in_utf_8(memory: str) -> None:
    (request,) = begin("A o", memory=[memory]).requests()
    assert encode_turn(request) == b"XXXXX\nXXXXX\nXX*oX\nXXXXX\nXXXXX\n" + memory.encode() + b"\n"
    assert encode(request) == b"getAction\n" + encode_turn(request)


def test_the_number_of_lines_in_a_reply_and_the_limits() -> None:
    assert (GAME.reply_lines("getName"), GAME.reply_lines("getAction"), GAME.reply_cap) == (1, 3, 65536)
    assert (GAME.time.first, GAME.time.answer, GAME.time.total) == (5.0, 5.0, None)
    assert tuple(GAME.lifetimes) == ("turn", "game")


@given(positions(), turns())
def test_the_patched_board_equals_one_built_from_the_position(position: Position, answers: list[list[Any]]) -> None:
    state = start(position, 1, line_up(len(position["players"])))
    for replies in answers:
        if not state.requests():
            break
        state.advance([Action(*answer) for answer in replies[: state.seats]])
        now = state.position()
        rows = [list(row) for row in now["field"]]
        for letter, cells in (("o", now["eggs"]), ("*", now["players"])):
            for x, y in cells:
                rows[y][x] = letter
        stride = max(5, len(rows[0]) + 2)
        margin = "X" * 2 * stride
        wanted = margin + "".join(f"XX{''.join(row)}".ljust(stride, "X") for row in rows) + "XX" + margin
        assert state.board.text.decode() == wanted
