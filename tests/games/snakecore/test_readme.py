"""The parts that only SnakeCore's README.md has. `referee.testing` tests the other examples."""

from __future__ import annotations

from games.snakecore.drawing import A, B, begin, play

from referee.games.snakecore.view import WHY
from referee.games.snakecore.wire import encode
from referee.testing.assets import blocks, readme_of


def test_the_table_of_shield_counters_agrees_with_the_rules() -> None:
    state = begin("""
        round 1 of 99, A to move
        A   a1* .
        .   .   .
        .   .   B
    """)
    table = ["your turn   your request shows   you answer   then the others see"]
    for turn in range(1, 12):
        mine = _shield_in(state, A, -2)
        answer = "A" if turn == 1 else "N"
        play(state, answer)
        theirs = _shield_in(state, B, -1)
        play(state, "N")
        table.append(f"{turn:<12}{mine:<21}{answer:<13}{theirs}")
    ((_, block),) = blocks("snakecore", "shield")
    assert block.splitlines() == table


def _shield_in(state, seat: int, line: int) -> str:
    (request,) = state.requests()
    assert request.seat == seat
    return encode(request).decode().splitlines()[line].split()[0]


def test_every_reason_to_skip_is_documented() -> None:
    assert all(f"`{why}`" in readme_of("snakecore") for why in WHY)
