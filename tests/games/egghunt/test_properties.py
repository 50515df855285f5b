"""Properties of every match of the egg hunt, from random positions and with random answers."""

from __future__ import annotations

from typing import Any

from games.egghunt.drawing import line_up
from games.egghunt.hunts import positions, turns
from hypothesis import given

from referee.contract.positions import Position
from referee.games.egghunt.rules import Action, EggHunt, start
from referee.games.egghunt.settlement import settle


def playing(state: EggHunt, answers: list[list[Any]]) -> Any:
    """Play a match turn by turn, until no player is due. Yields each turn's actions and events."""
    for replies in answers:
        if not state.requests():
            return
        actions = [Action(*answer) for answer in replies[: state.seats]]
        yield actions, state.advance(actions)


@given(positions(), turns())
def test_the_patched_board_equals_one_built_from_the_position(position: Position, answers: list[list[Any]]) -> None:
    state = start(position, 1, line_up(len(position["players"])))
    for _ in playing(state, answers):
        now = state.position()
        rows = [list(row) for row in now["field"]]
        for letter, cells in (("o", now["eggs"]), ("*", now["players"])):
            for x, y in cells:
                rows[y][x] = letter
        stride = max(5, len(rows[0]) + 2)
        margin = "X" * 2 * stride
        wanted = margin + "".join(f"XX{''.join(row)}".ljust(stride, "X") for row in rows) + "XX" + margin
        assert state.board.text.decode() == wanted


def test_settle_accepts_any_numbers_as_cells() -> None:
    settled = settle(homes=[10, 30, 40], targets=[20, 20, 10], stances="NAN", eggs={20})
    assert settled == ([([0, 1], 1)], [0, 2], [], [1])
