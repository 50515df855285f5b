"""Properties of every game of SnakeCore, from random positions and with random answers."""

from __future__ import annotations

from itertools import chain, pairwise

from games.playing import SEEDS, named, playing
from games.snakecore.random_games import answers, positions
from hypothesis import given

from referee.contract.game import Fault
from referee.contract.positions import Position
from referee.games.snakecore.rules import ENERGY, start


@given(positions(), answers(), SEEDS)
def test_the_patched_board_equals_one_built_from_the_pythons(
    position: Position, actions: list[str | Fault], seed: int
) -> None:
    """Chains are connected, disjoint and have 1 + blocks cells. The board, owners and empty cells agree with them."""
    state = named(start(position, seed))
    for _ in chain([None], playing(state, actions)):
        held: set[int] = set()
        stride = state.board.stride
        board = bytearray(("\n" * stride + "\n".join(state.board.field_rows()) + "\n" * (stride + 1)).encode())
        owner = bytearray(len(board))
        for seat, python in enumerate(state.board.pythons):
            cells = list(python.cells)
            assert held.isdisjoint(cells)
            assert len(set(cells)) == len(cells) == 1 + len(python.kinds)
            held.update(cells)
            assert all(abs(a - b) in (1, state.board.stride) for a, b in pairwise(cells))
            assert python.energy == list(python.kinds).count(ENERGY)
            for cell, kind in zip(cells, [ord("p"), *python.kinds], strict=True):
                assert board[cell] == ord(".")
                board[cell] = kind
                owner[cell] = seat + 1 if cell != cells[0] else 0
        assert state.board.text == board
        assert state.board.owner == owner
        assert sorted(state.board.empty) == [cell for cell, there in enumerate(board) if there == ord(".")]
        assert [state.board.index_in_empty[cell] for cell in state.board.empty] == list(range(len(state.board.empty)))
