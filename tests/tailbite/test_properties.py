"""Properties of every match of tail-biting snakes, from any legal position and with any answers."""

from __future__ import annotations

from typing import Any

from games.playing import SEEDS, playing
from hypothesis import given
from tailbite.drawing import agrees, named
from tailbite.random_games import answers, positions

from referee import games
from referee.contract.game import Fault
from referee.contract.positions import Position

AVA: Any = games.find("ava")


@given(positions(), answers(), SEEDS)
def test_the_patched_board_equals_one_built_from_the_position(
    position: Position, actions: list[str | Fault], seed: int
) -> None:
    state = named(AVA.start(position, seed))
    for _ in playing(state, actions):
        agrees(state)
        assert all(len(state.board.possible(seat)) > 1 for seat, _, _ in state.requests())
