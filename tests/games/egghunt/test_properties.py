"""Properties of every match of the egg hunt, from random positions and with random answers."""

from __future__ import annotations

import random
from typing import Any

from games.egghunt.drawing import TIMEOUT, line_up
from games.egghunt.hunts import positions, turns
from games.egghunt.naive import turn
from hypothesis import given
from hypothesis import strategies as st

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
def test_every_turn_agrees_with_the_naive_rules(position: Position, answers: list[list[Any]]) -> None:
    state = start(position, 1, line_up(len(position["players"])))
    before = state.position()
    for actions, events in playing(state, answers):
        wanted, expected = turn(before, actions)
        assert events == expected
        after = state.position()
        assert after == {**wanted, "turn": after["turn"]}
        assert after["turn"] == before["turn"] + bool(state.requests())
        before = after


def test_long_matches_agree_with_the_naive_rules_and_have_every_event() -> None:
    """The boards are so crowded and the matches so long that every kind of fight occurs."""
    seen = set()
    for seed in range(8):
        chance = random.Random(seed)
        cells = [[x, y] for y in range(6) for x in range(6)]
        chance.shuffle(cells)
        setup = {"turns": 60, "field": [" " * 6] * 6, "players": cells[:12], "eggs": cells[12:32]}
        state = start(setup, seed, [*line_up(6), *line_up(6)])
        before = state.position()
        while state.requests():
            actions = [Action(1 + int(chance.random() * 9), chance.choice("AACNN"), "") for _ in range(12)]
            events = state.advance(actions)
            wanted, expected = turn(before, actions)
            assert events == expected
            before = state.position()
            assert before == {**wanted, "turn": before["turn"]}
            seen |= {(e["event"], len(e.get("seats", "")), e.get("winner", 0) is None) for e in events}
    assert {kind for kind, _, _ in seen} == {"fight", "back", "to", "collect", "destroy"}
    assert {(2, True), (2, False), (3, True), (4, True)} <= {(count, drawn) for _, count, drawn in seen}


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


@given(positions(), turns(), st.lists(st.booleans(), min_size=7, max_size=7), st.lists(st.integers(0, 6), max_size=4))
def test_a_player_with_a_fault_stays_put_and_its_lifetime_decides_disqualification(
    position: Position, answers: list[list[Any]], stay: list[bool], failing: list[int]
) -> None:
    seats = len(position["players"])
    entrants = [
        entrant if not stay[seat] else type(entrant)("x", "game") for seat, entrant in enumerate(line_up(seats))
    ]
    state = start(position, 1, entrants)
    while state.round == 0:
        state.advance(["x"])
    for replies in answers:
        before = state.position()
        due = [request.seat for request in state.requests()]
        state.advance([TIMEOUT if seat in failing else Action(*replies[seat]) for seat in due])
        wanted, _ = turn(before, [replies[s] if s in due and s not in failing else (9, "N", "") for s in range(seats)])
        out = ["timeout" if stay[seat] and seat in failing and seat in due else was
               for seat, was in enumerate(before["disqualified"])]  # fmt: skip
        after = state.position()
        assert after == {**wanted, "turn": after["turn"], "disqualified": out}
        assert [request.seat for request in state.requests()] in ([], [s for s in range(seats) if out[s] is None])
        if not state.requests():
            return


def test_settle_accepts_any_numbers_as_cells() -> None:
    settled = settle(homes=[10, 30, 40], targets=[20, 20, 10], stances="NAN", eggs={20})
    assert settled == ([([0, 1], 1)], [0, 2], [], [1])
