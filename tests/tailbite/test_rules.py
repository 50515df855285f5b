"""The rules that ava and viper share. Each test has a drawn position, answers, events, and the position after them.

The numbers are those of the rules in both games' README.md. Rules of a single game have their tests in tests/games.
"""

from __future__ import annotations

from collections import Counter
from math import factorial
from typing import Any

import pytest
from games.playing import ended
from tailbite.drawing import TIMEOUT, A, B, C, D, asked, begin, bite, check, drawn, eaten, move, order, out, read, skip

from referee import games

AVA: Any = games.find("ava")


# -- The board -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("letter", "cell"), [("U", [2, 1]), ("L", [1, 2]), ("D", [2, 3])])
def test_01_x_grows_to_the_right_and_y_downwards(letter: str, cell: list[int]) -> None:
    state = begin("""
        .   .   .   .   .
        .   .   .   .   .
        .   .   A   a1  .
        .   .   .   .   .
        b1  B   .   .   .
    """)
    state.advance([letter])
    assert state.position()["snakes"][A]["cells"] == [cell, [2, 2]]


@pytest.mark.parametrize(
    ("before", "ways"),
    [
        ("A  a1 . \n .  .  . \n b1 B  .", "D"),
        ("a1 A  . \n .  .  . \n b1 B  .", "DR"),
        (".  .  . \n A  .  . \n a1 b1 B", "UR"),
        ("b1 .  . \n B  a1 A \n .  .  .", "UD"),
    ],
)
def test_01_nothing_leaves_the_field(before: str, ways: str) -> None:
    assert AVA.start(read(before), 1).board.possible(A) == ways


# -- Steps -----------------------------------------------------------------------------------------------------------

OPEN = """
    step 1 of 9, A B C to move
    .   .   .   .   .   .   .
    .   A   .   .   .   B   .
    .   a1  .   .   .   b1  .
    .   .   .   .   .   .   .
    .   .   .   .   .   .   .
    .   C   c1  .   .   .   .
"""


def test_02_all_move_once_in_a_step_in_the_drawn_order() -> None:
    check(OPEN,
        ("U", [move(A, "U")]),
        ("L", [move(B, "L")]),
        ("D", [move(C, "D"), order(2, C, A, B)]),
        ("R", [move(C, "R")]),
        after="""
        step 2 of 9, A B to move, moved
        .   A   .   .   .   .   .
        .   a1  .   .   B   b1  .
        .   .   .   .   .   .   .
        .   .   .   .   .   .   .
        .   .   .   .   .   .   .
        .   .   .   .   .   .   .
        .   c1  C   .   .   .   .
    """)  # fmt: skip


def test_02_a_setup_without_an_order_gets_one_with_the_last_name() -> None:
    state = AVA.start({**read(OPEN), "order": []}, 1)
    steps = [state.advance(["x"]) for _ in range(3)]
    assert [[event["event"] for event in events] for events in steps] == [["named"], ["named"], ["named", "order"]]
    drawn_order = steps[-1][-1]
    assert drawn_order == order(1, *drawn_order["seats"])
    assert sorted(drawn_order["seats"]) == [A, B, C]
    assert state.position()["order"] == drawn_order["seats"]


def test_02_all_orders_are_equally_likely() -> None:
    drawn_orders = Counter(tuple(begin(OPEN.replace("A B C", "nobody"), seed).order) for seed in range(600))
    assert len(drawn_orders) == factorial(3)
    assert min(drawn_orders.values()) > 70


def test_02_a_snake_sees_the_moves_of_earlier_snakes() -> None:
    state = begin("""
        .   .   .   .   .
        .   a1  A   .   .
        .   .   .   B   .
        .   .   .   b1  .
    """)
    state.advance(["R"])
    (request,) = state.requests()
    assert (request.seat, chr(request.observation.window[5 * 13 + 6])) == (B, "X")


def test_02_an_order_omits_eaten_and_disqualified_snakes() -> None:
    state = begin("""
        step 4 of 9, nobody to move
        .   .   .   .   .
        A   a1  .   .   Cx
        .   .   .   .   .
        .   d1  D   .   .
        .   .   .   B   b1
        B: exit
        C: eaten 2
    """)
    assert sorted(state.order) == [A, D]


# -- Possible moves --------------------------------------------------------------------------------------------------


def test_03_a_head_may_enter_the_cell_that_its_tail_leaves() -> None:
    check("""
                             |   step 1 of 9, B to move, moved
        .   .   .   .   .    |   .   .   .   .   .
        .   A   a1  .   .    |   .   a1  a2  .   .
        .   a3  a2  .   .    |   .   A   a3  .   .
        .   .   .   .   .    |   .   .   .   .   .
        .   .   .   B   b1   |   .   .   .   B   b1
    """, ("D", [move(A, "D")]))  # fmt: skip


def test_03_a_snake_of_length_2_may_not_enter_its_own_tail() -> None:
    state = begin("""
        .   .   .   .   .
        .   A   a1  .   .
        .   .   .   .   .
        .   .   .   .   .
        .   .   B   b1  .
    """)
    assert state.board.possible(A) == "ULD"
    (event,) = state.advance(["R"])
    assert (event["how"], event["to"] in "ULD") == ("random", True)


def test_03_heads_and_bodies_block_a_move_and_tails_do_not() -> None:
    state = begin("""
        .   .   B   b1  .
        .   .   .   b2  .
        C   c1  A   D   d1
        .   .   a1  .   .
        .   .   a2  .   .
    """)
    assert state.board.possible(A) == "UL"
    state.advance(["U"])
    assert state.board.possible(A) == "LR"  # the head of B above, its tail on the right


def test_03_the_last_segment_of_an_eaten_snake_is_a_tail() -> None:
    state = begin("""
        .   .   .   .   .
        .   .   Cx  .   .
        b1  B   A   a1  .
        C: eaten 1
    """)
    assert state.board.possible(A) == "UD"


# -- Biting ----------------------------------------------------------------------------------------------------------

WORKED = """
    step 1 of 9, A to move, moved
    a2  a1  A   b2  .
    .   .   .   b1  .
    .   .   .   B   .
"""


def test_04_the_biter_is_one_longer_and_a_victim_left_with_one_segment_is_eaten() -> None:
    state = check(WORKED,
        ("R", [move(A, "R"), bite(A, B), order(2, A, B)]),
        ("D", [move(A, "D"), bite(A, B), eaten(B)]),
        after="""
        step 2 of 9, nobody to move, moved
        a4  a3  a2  a1  .
        .   .   .   A   .
        .   .   .   Bx  .
        B: eaten 2
    """)  # fmt: skip
    assert ended(state) == ("last-snake", 2)
    assert [(line.seat, line.score) for line in state.current_result().ranking] == [(A, 5), (B, 0)]


LEFT_OVER = """
    step 3 of 9, A B to move
    .   .   .   .   .
    a1  A   Cx  .   .
    .   .   .   .   .
    .   b1  B   .   .
    C: eaten 2
"""


def test_04_biting_the_last_segment_of_an_eaten_snake_removes_it() -> None:
    check(LEFT_OVER, ("R", [move(A, "R"), bite(A, C)]), after="""
        step 3 of 9, B to move, moved
        .   .   .   .   .
        a2  a1  A   .   .
        .   .   .   .   .
        .   b1  B   .   .
        C: eaten 2
    """)  # fmt: skip


def test_04_an_eaten_snake_never_moves_and_gets_no_requests() -> None:
    state = begin(LEFT_OVER)
    seen = set()
    while state.requests():
        seen.add(asked(state))
        state.advance(["UD"])
        if state.position()["snakes"][C]["cells"] == []:
            break
        assert state.position()["snakes"][C]["cells"] == [[2, 1]]
    assert seen == {A, B}


def test_04_an_eaten_snake_loses_its_turn_in_the_step() -> None:
    check("""
        step 5 of 9, A B C to move   |   step 5 of 9, C to move, moved
        .   .   .   .   .            |   .   .   .   .   .
        a1  A   b1  B   .            |   a2  a1  A   Bx  .
        .   .   .   .   .            |   .   .   .   .   .
        .   c1  C   .   .            |   .   c1  C   .   .
                                     |   B: eaten 5
    """, ("R", [move(A, "R"), bite(A, B), eaten(B)]))  # fmt: skip


def test_04_a_biter_can_be_bitten_in_the_same_step() -> None:
    """A bites B, then C bites A."""
    state = begin("""
        step 1 of 9, A B C to move
        .   .   .   .   .   .   .
        .   a2  a1  A   b2  .   .
        .   C   .   .   b1  .   .
        .   c1  .   .   B   .   .
        .   c2  .   .   .   .   .
    """)
    state.advance(["R"])
    state.advance(["D"])
    assert state.advance(["U"])[:2] == [move(C, "U"), bite(C, A)]
    assert [len(snake.cells) for snake in state.board.snakes] == [3, 2, 4]


# -- No choice -------------------------------------------------------------------------------------------------------


def test_05_a_snake_without_a_possible_move_skips_and_a_single_one_is_forced() -> None:
    """B is shut in and skips. C has only one move. Neither gets a request."""
    check("""
        step 1 of 9, A B C to move   |   step 2 of 9, A B C to move
        B   a4  a5  a6  .            |   B   a5  a6  .   .
        b1  a3  a2  a1  .            |   b1  a4  a3  a2  .
        b2  .   .   A   .            |   b2  .   .   a1  .
        .   .   .   .   .            |   .   .   .   A   C
        .   .   c2  c1  C            |   .   .   .   c2  c1
    """, ("D", [move(A, "D"), skip(B), move(C, "U", "forced"), order(2, A, B, C)]))  # fmt: skip


def test_05_whole_steps_pass_without_a_request() -> None:
    """A follows its own tail and B stays shut in, so the match ends with the last name."""
    state = AVA.start(read("""
            step 1 of 3, A B to move
            A   a1  b4
            a3  a2  b3
            B   b1  b2
    """), 1)  # fmt: skip
    state.advance(["a"])
    events = [{"event": "named", "seat": B, "name": "b"}, move(A, "D", "forced"), skip(B)]
    events += [order(2, A, B), move(A, "R", "forced"), skip(B)]
    events += [order(3, B, A), skip(B), move(A, "U", "forced")]
    state.follow(events)
    assert state.advance(["b"]) == events
    assert ended(state) == ("steps", 3)


def test_05_a_forced_move_may_be_a_bite() -> None:
    """The only way out of the corner leads over the tail of A."""
    check("""
        step 1 of 9, C B to move   |   step 2 of 9, B C to move
        B   a1  A   .   .          |   b1  B   Ax  .   .
        b1  .   .   .   .          |   b2  .   .   .   .
        b2  .   .   .   .          |   b3  .   .   .   .
        .   .   .   .   .          |   .   .   .   C   .
        .   .   c1  C   .          |   .   .   .   c1  .
                                   |   A: eaten 1
    """, ("U", [move(C, "U"), move(B, "R", "forced"), bite(B, A), eaten(A), order(2, B, C)]))  # fmt: skip


def test_05_a_player_with_a_choice_cannot_skip() -> None:
    """A player that names no possible move makes a random one."""
    ways = Counter()
    for seed in range(200):
        state = begin(OPEN.replace("A B C", "A"), seed)
        (event, *_) = state.advance(["D"])
        assert (event["event"], event["how"]) == ("move", "random")
        ways[event["to"]] += 1
    assert set(ways) == {"U", "L", "R"}
    assert min(ways.values()) > 40


# -- The end ---------------------------------------------------------------------------------------------------------


def test_06_one_uneaten_snake_ends_the_match_in_the_middle_of_a_step() -> None:
    state = check("""
        step 7 of 9, A B to move   |   step 7 of 9, nobody to move, moved
        .   .   .   .   .          |   .   .   .   .   .
        a1  A   b1  B   .          |   a2  a1  A   Bx  .
        .   .   .   .   .          |   .   .   .   .   .
        .   .   .   .   .          |   .   .   .   .   .
        .   .   .   Cx  .          |   .   .   .   Cx  .
        C: eaten 3                 |   B: eaten 7
                                   |   C: eaten 3
    """, ("R", [move(A, "R"), bite(A, B), eaten(B)]))  # fmt: skip
    assert ended(state) == ("last-snake", 7)
    assert state.requests() == ()


def test_06_a_setup_with_one_uneaten_snake_ends_after_the_names() -> None:
    state = AVA.start(read("""
            step 3 of 9, A to move
            A   a1  .
            .   .   .
            .   Bx  .
            B: eaten 2
    """), 1)  # fmt: skip
    assert [state.advance([name])[0]["event"] for name in "ab"] == ["named", "named"]
    assert (ended(state), state.requests()) == (("last-snake", 3), ())
    assert state.position()["order"] == []


SHUT_IN = """
    step 3 of 9, nobody to move
    A   a1  a2
    B   b1  b2
    C   c1  c2
"""
"""Each head has only heads and bodies around it."""


def test_06_a_whole_step_without_a_move_ends_the_match_and_is_not_counted() -> None:
    state = AVA.start(read(SHUT_IN), 5)
    for name in "ab":
        state.advance([name])
    _, first, *skips = state.advance(["c"])
    assert first == order(3, *first["seats"])
    assert skips == [skip(seat) for seat in first["seats"]]
    assert ended(state) == ("no-moves", 2)
    assert drawn(state.position()) == drawn(read(SHUT_IN))


def test_06_ruling_a_last_step_without_a_move_ends_with_no_moves() -> None:
    state = begin(SHUT_IN.replace("3 of 9", "3 of 3"))
    assert ended(state) == ("no-moves", 2)


@pytest.mark.parametrize(("moved", "rounds", "last"), [(", moved", 3, 4), ("", 2, 3)])
def test_06_the_key_moved_tells_whether_a_step_under_way_has_a_move(moved: str, rounds: int, last: int) -> None:
    state = begin(SHUT_IN.replace("nobody to move", "B to move" + moved))
    assert (ended(state), state.position()["step"]) == (("no-moves", rounds), last)


def test_06_ruling_an_empty_order_behind_a_step_with_a_move_means_the_next_step_or_the_end() -> None:
    state = AVA.start(read(OPEN.replace("1 of 9, A B C to move", "4 of 9, nobody to move, moved")), 1)
    state.advance(["a"])
    state.advance(["b"])
    assert state.advance(["c"])[-1] == order(5, *state.order)
    state = begin(OPEN.replace("1 of 9, A B C to move", "9 of 9, nobody to move, moved"))
    assert ended(state) == ("steps", 9)


def test_06_the_step_limit_ends_the_match() -> None:
    state = check(OPEN.replace("1 of 9", "9 of 9"),
        ("U", [move(A, "U")]),
        ("U", [move(B, "U")]),
        ("L", [move(C, "L")]),
        after="""
        step 9 of 9, nobody to move, moved
        .   A   .   .   .   B   .
        .   a1  .   .   .   b1  .
        .   .   .   .   .   .   .
        .   .   .   .   .   .   .
        .   .   .   .   .   .   .
        C   c1  .   .   .   .   .
    """)  # fmt: skip
    assert ended(state) == ("steps", 9)


# -- Disqualified ----------------------------------------------------------------------------------------------------


def test_08_a_disqualified_snake_stays_and_gets_no_more_requests() -> None:
    state = check(OPEN,
        (TIMEOUT, [out(A)]),
        ("U", [move(B, "U")]),
        ("L", [move(C, "L"), order(2, B, C)]),
        after="""
            step 2 of 9, B C to move
            .   .   .   .   .   B   .
            .   A   .   .   .   b1  .
            .   a1  .   .   .   .   .
            .   .   .   .   .   .   .
            .   .   .   .   .   .   .
            C   c1  .   .   .   .   .
            A: timeout
    """)  # fmt: skip
    assert asked(state) == B


def test_08_ruling_a_disqualified_snake_can_be_bitten_and_eaten() -> None:
    state = check("""
        step 2 of 9, B to move   |   step 2 of 9, nobody to move, moved
        .   .   .   .   .        |   .   .   .   .   .
        A   a1  B   b1  .        |   Ax  B   b1  b2  .
        A: exit                  |   A: eaten 2, exit
    """, ("L", [move(B, "L"), bite(B, A), eaten(A)]))  # fmt: skip
    assert ended(state) == ("last-snake", 2)


def test_08_a_disqualified_snake_counts_as_uneaten_so_the_match_continues() -> None:
    state = begin("""
        .   .   .   .   .
        A   a1  .   B   b1
    """)
    state.advance([TIMEOUT])
    assert (asked(state), ended(state)) == (B, None)
    state.advance(["U"])
    assert (state.position()["step"], asked(state)) == (2, B)


def test_08_the_match_ends_at_once_when_no_player_is_left() -> None:
    state = check(OPEN,
        ("U", [move(A, "U")]),
        (TIMEOUT, [out(B)]),
        (TIMEOUT, [out(C), order(2, A)]),
        (TIMEOUT, [out(A)]),
        after="""
            step 2 of 9, nobody to move
            .   A   .   .   .   .   .
            .   a1  .   .   .   B   .
            .   .   .   .   .   b1  .
            .   .   .   .   .   .   .
            .   .   .   .   .   .   .
            .   C   c1  .   .   .   .
            A: timeout
            B: timeout
            C: timeout
    """)  # fmt: skip
    assert ended(state) == ("nobody-left", 2)


def test_08_an_eaten_snake_does_not_keep_a_match_going() -> None:
    state = begin("""
        step 2 of 9, A B to move
        .   .   .   .   .
        A   a1  .   B   b1
        .   .   .   .   .
        .   .   Cx  .   .
        C: eaten 1
    """)
    state.advance([TIMEOUT])
    state.advance([TIMEOUT])
    assert ended(state) == ("nobody-left", 2)


def test_08_a_disqualification_is_not_a_move() -> None:
    """A could move but does not answer, and B is shut in."""
    state = check("""
                     |   step 1 of 9, nobody to move
        .   A   a1   |   .   A   a1
        .   a3  a2   |   .   a3  a2
        .   b1  B    |   .   b1  B
                     |   A: timeout
    """, (TIMEOUT, [out(A), skip(B)]))  # fmt: skip
    assert ended(state) == ("no-moves", 0)


def test_no_step_is_played_if_every_player_fails_at_its_name() -> None:
    state = AVA.start({**read(OPEN), "order": []}, 1)
    assert [event for _ in range(3) for event in state.advance([TIMEOUT])] == [out(A), out(B), out(C)]
    assert (ended(state), state.position()["step"]) == (("nobody-left", 0), 1)


def test_an_interrupted_match_reports_the_current_step() -> None:
    state = begin(OPEN.replace("1 of 9", "4 of 9"))
    assert (state.current_result().reason, state.current_result().rounds, state.round) == ("interrupted", 4, 4)


# -- Chance ----------------------------------------------------------------------------------------------------------


def test_one_of_the_candidates_is_drawn_by_weight() -> None:
    drawn_moves = Counter()
    for seed in range(300):
        state = begin(OPEN.replace("A B C", "A"), seed, "ava")
        drawn_moves[state.advance(["UDUL"])[0]["to"]] += 1  # D is not possible
    assert set(drawn_moves) == {"U", "L"}
    assert drawn_moves["U"] > 1.5 * drawn_moves["L"]


def test_follow_decides_draws_that_the_rules_allow() -> None:
    for to in "UL":
        state = begin(OPEN)
        state.follow([move(A, to)])
        assert state.advance(["ULD"]) == [move(A, to)]
    for seats in ([C, A, B], [B, C, A]):
        state = begin(OPEN.replace("A B C", "A"))
        state.follow([move(A, "U"), order(2, *seats)])
        assert state.advance(["U"]) == [move(A, "U"), order(2, *seats)]


@pytest.mark.parametrize(
    "forged",
    [
        [],
        [{"event": "move", "to": "R"}],
        [{"event": "move", "to": ["U"]}],
        [{"event": "move", "to": "UL"}],
        [{"event": "order", "seats": [A, B]}],
        [{"event": "order", "seats": [A, B, B]}],
        [{"event": "order", "seats": [[], {}, None]}],
        [{"event": "order", "seats": "012"}],
        [{}, {"event": None}],
    ],
)
def test_follow_ignores_events_that_the_rules_do_not_allow(forged: list[dict[str, Any]]) -> None:
    state, undisturbed = begin(OPEN.replace("A B C", "A")), begin(OPEN.replace("A B C", "A"))
    state.follow(forged)
    assert state.advance(["UL"]) == undisturbed.advance(["UL"])


def test_follow_applies_to_one_answer_only() -> None:
    for seed in range(8):
        state, undisturbed = begin(OPEN, seed), begin(OPEN, seed)
        state.follow([move(A, "U"), order(2, B, C, A)])
        undisturbed.follow([move(A, "U")])
        assert state.advance(["UL"]) == undisturbed.advance(["UL"]) == [move(A, "U")]
        for letters in ("UL", "UDL"):
            assert state.advance([letters]) == undisturbed.advance([letters])


def test_follow_does_not_apply_to_the_next_player() -> None:
    seen = set()
    for seed in range(30):
        state = begin(OPEN, seed)
        state.follow([move(A, "U")])
        state.advance(["UL"])
        seen.add(state.advance(["UL"])[0]["to"])
    assert seen == {"U", "L"}
