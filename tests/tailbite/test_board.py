"""The board: cells, windows, and moves that patch a few cells."""

from __future__ import annotations

from typing import Any

from games.playing import SEEDS, playing
from hypothesis import given
from tailbite.drawing import A, B, agrees, named, read
from tailbite.random_games import answers, positions

from referee import games
from referee.contract.positions import Position
from referee.tailbite.board import Board
from referee.tailbite.position import board_of, read_position
from referee.tailbite.sight import possible

CROWDED = """
    A   a1  a2  .   .
    .   .   a3  .   Dx
    .   B   .   c2  c1
    b2  b1  .   .   C
    C: exit
    D: eaten 1
"""


def board(drawing: str) -> Board:
    return board_of(read_position(read(drawing)))


def rows(window: bytes) -> list[str]:
    return [window[at : at + 13].decode() for at in range(0, 169, 13)]


def test_a_window_shows_own_parts_enemies_parts_and_border() -> None:
    field = ["WWWWWXYY..WWW", "WWWWW..Z.ZWWW", "WWWWW.H.ZYWWW", "WWWWWTS..XWWW", "WWWWW.....WWW"]
    assert rows(board(CROWDED).window(B)) == [*["W" * 13] * 4, *field, *["W" * 13] * 4]


def test_a_window_from_a_corner_shows_six_cells_and_no_more() -> None:
    snakes = [([(0, 0), (0, 1)], None, None), ([(6, 6), (5, 6)], None, None), ([(7, 0), (6, 0)], None, None)]
    seen = rows(Board(9, snakes).window(A))
    assert seen[:6] == ["W" * 13] * 6
    assert seen[6] == "WWWWWWH.....Z"
    assert seen[7] == "WWWWWWT......"
    assert seen[12] == "WWWWWW.....ZX"


@given(positions())
def test_possible_moves_can_be_seen_in_the_window(position: Position) -> None:
    fresh = board_of(read_position(position))
    for seat, snake in enumerate(position["snakes"]):
        if snake["eaten"] is None:
            assert fresh.possible(seat) == possible(fresh.window(seat))


AVA: Any = games.find("ava")


@given(positions(), answers(), SEEDS)
def test_the_patched_board_equals_one_built_from_the_position(position, actions, seed) -> None:
    state = named(AVA.start(position, seed))
    for _ in playing(state, actions):
        agrees(state)
        assert all(len(state.board.possible(seat)) > 1 for seat, _, _ in state.requests())
