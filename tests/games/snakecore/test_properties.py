"""Properties of every game of SnakeCore, from random positions and with random answers."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain, pairwise

from games.playing import SEEDS, named, playing
from games.snakecore.naive import turn
from games.snakecore.random_games import answers, crowded, positions
from hypothesis import given

from referee.contract.game import Fault
from referee.contract.positions import Position
from referee.games.snakecore.rules import ENERGY, start


@given(positions(), answers(), SEEDS)
def test_every_turn_agrees_with_the_naive_rules(position: Position, actions: list[str | Fault], seed: int) -> None:
    state = named(start(position, seed))
    before = state.position()
    for action, events in playing(state, actions):
        draws = [event["at"] for event in events if event["event"] == "return"]
        assert turn(before, action, draws) == (state.position(), events)
        before = state.position()


def test_long_games_agree_with_the_naive_rules_and_have_every_event() -> None:
    """The boards are so crowded and the games so long that each event and each `why` occurs."""
    seen: Counter[str] = Counter()
    for seed in range(6):
        chance = random.Random(seed)
        state = named(start(crowded(chance, size=8, seats=4, rounds=150), seed))
        before = state.position()
        while state.requests():
            action = chance.choices("ULDRNA", [6, 6, 6, 6, 1, 2])[0]
            events = state.advance([action])
            draws = [event["at"] for event in events if event["event"] == "return"]
            assert turn(before, action, draws) == (state.position(), events)
            before = state.position()
            seen.update(event["event"] + " " + event.get("why", "") for event in events)
    assert {word.strip() for word in seen} == {
        "move", "wait", "eat", "bite", "deliver", "shield", "return",
        "skip edge", "skip wall", "skip head", "skip tail", "skip shield", "skip no-energy",
    }  # fmt: skip


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
