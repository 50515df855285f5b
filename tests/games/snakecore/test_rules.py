"""The rules of SnakeCore: a drawn position, answers, and the expected position and events.

A test's name begins with the number of its rule in the game's README.md. `ruling` stands for the rule's **Ruling**.
"""

from __future__ import annotations

from collections import Counter

import pytest
from games.playing import ended
from games.snakecore.drawing import (
    TIMEOUT,
    A,
    B,
    C,
    D,
    back,
    begin,
    bite,
    blocks,
    check,
    deliver,
    eat,
    move,
    out,
    play,
    read,
    shield,
    skip,
    wait,
)

from referee.contract.game import Fault, FaultKind
from referee.games.snakecore.plugin import GAME
from referee.games.snakecore.rules import start

DUEL = """
    A   .   .
    .   .   .
    .   .   B
"""


# -- Field -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "after"),
    [
        ("U", ".  A  . \n .  .  . \n .  .  ."),
        ("L", ".  .  . \n A  .  . \n .  .  ."),
        ("D", ".  .  . \n .  .  . \n .  A  ."),
        ("R", ".  .  . \n .  .  A \n .  .  ."),
    ],
)
def test_01_x_grows_to_the_right_and_y_downwards(letter: str, after: str) -> None:
    check(".  .  . \n .  A  . \n .  .  .", letter, move(A), after=after)


@pytest.mark.parametrize(("corner", "ways_off"), [((0, 0), "UL"), ((2, 0), "UR"), ((0, 2), "DL"), ((2, 2), "DR")])
def test_01_nothing_leaves_the_field(corner: tuple[int, int], ways_off: str) -> None:
    x, y = corner
    rows = [[".", ".", "."], [".", ".", "."], [".", ".", "."]]
    rows[y][x] = "A"
    corner_drawn = "\n".join(" ".join(row) for row in rows)
    for letter in ways_off:
        check(corner_drawn, letter, skip(A, "edge"), after=corner_drawn)


def test_02_a_cell_holds_one_thing() -> None:
    state = begin("W R b e \n A a1 a2* .")
    assert GAME.encode(state.requests()[0]).split()[2:6] == [b"WRbe", b"pbe.", b"....", b"...."]
    assert state.position()["field"] == ["WRbe", "....", "....", "...."]


def test_03_an_eaten_block_keeps_its_kind() -> None:
    """So does a block that is bitten off (rule 11)."""
    check("""
        .   A   e   .   |   .   a1* A   .
        .   .   .   .   |   .   .   .   .
        B   .   .   .   |   B   .   .   .
    """, "R", eat(A, "e"))  # fmt: skip


def test_04_mass_is_conserved() -> None:
    state = begin("""
        A   a1  a2* a3  .
        .   e   .   b   R
        R   .   b   .   e
        b2  b1* B   R   .
        b   e   .   .   .
    """)  # fmt: skip
    before = blocks(state.position())
    for letter in "LARDDRAUULRLRDLUUDRAL":
        play(state, letter)
        assert blocks(state.position()) == before == Counter(b=6, e=5)


# -- Pythons -----------------------------------------------------------------------------------------------------


def test_05_a_python_is_a_head_with_a_chain_or_alone() -> None:
    check(". . . | . . . \n A a1 a2* | A a1 a2* \n B . . | . B .", "NR", wait(A), move(B))


def test_06_seats_move_in_order_and_a_round_is_one_turn_of_each() -> None:
    state = begin("A . . \n . B . \n . . C")
    seen = []
    for _ in range(7):
        seen.append((state.round, state.requests()[0].seat))
        play(state, "N")
    assert seen == [(1, A), (1, B), (1, C), (2, A), (2, B), (2, C), (3, A)]


def test_06_each_seat_gives_a_name_in_round_0() -> None:
    state = start(read(DUEL), 1)
    seen = []
    while state.requests()[0].ask == "getName":
        (request,) = state.requests()
        seen.append((state.round, request.seat, request.ask))
        name = "Kaa" if request.seat == A else ""
        assert state.advance([name]) == [{"event": "named", "seat": request.seat, "name": name}]
    assert seen == [(0, A, "getName"), (0, B, "getName")]
    assert (state.round, state.requests()[0].ask) == (1, "getAction")
    assert [line.name for line in state.current_result().ranking] == ["Kaa", "player 2"]


def test_06_the_game_ends_after_the_last_turn_of_the_last_round() -> None:
    state = begin("round 1 of 2, A to move" + DUEL)
    play(state, "NNN")
    assert ended(state) is None
    assert state.current_result().reason == "interrupted"
    play(state, "N")
    assert state.requests() == ()
    assert ended(state) == ("rounds", 2)


def test_06_most_points_win_and_equal_points_share_a_rank() -> None:
    state = begin("""
        round 9 of 9, D to move
        A   .   .   .
        .   B   .   .
        .   .   C   .
        .   .   .   D
        A: score 3
        B: score 7
        C: score 3
        D: score 1
    """)
    play(state, "N")
    assert _ranking(state) == [(B, 1, 7), (A, 2, 3), (C, 2, 3), (D, 4, 1)]


def _ranking(state) -> list[tuple[int, float, float]]:
    return [(line.seat, line.rank, line.score) for line in state.current_result().ranking]


# -- A turn: the shield clock -------------------------------------------------------------------------------------


def _shown_to(state, asked: int) -> list[int]:
    """The shield counters in the request to a seat, by seat."""
    seats = len(state.board.pythons)
    (request,) = state.requests()
    assert request.seat == asked
    lines = GAME.encode(request).decode().splitlines()[-seats:]
    counters = [int(line.split()[0]) for line in lines]
    return [counters[(seat - asked) % seats] for seat in range(seats)]


def test_07_the_clock_goes_down_at_the_start_of_a_turn_before_the_request() -> None:
    """The position has the counter before the clock goes down, and the request has the counter after it."""
    state = begin(DUEL + "A: shield 3 \n B: shield 5")
    assert state.position()["pythons"][A]["shield"] == 3
    assert _shown_to(state, A) == [2, 5]
    play(state, "N")
    assert state.position()["pythons"][A]["shield"] == 2
    assert _shown_to(state, B) == [2, 4]


def test_07_ruling_after_activation_others_see_10_and_the_owner_then_9() -> None:
    state = begin("""
        A   a1* .
        .   .   .
        .   .   B
    """)
    play(state, "A")
    assert _shown_to(state, B) == [10, 0]
    play(state, "N")
    assert _shown_to(state, A) == [9, 0]


@pytest.mark.parametrize("snake", ["a1* a2  a3  .   .", "a1* a2* a3  a4  .", "a1* a2* a3  a4* a5"])
def test_07_each_energy_block_protects_for_exactly_10_own_moves_the_activation_included(snake: str) -> None:
    """The rival below the first block fails to bite after each of these moves, and bites after the next one."""
    state = begin(f"""
        round 1 of 99, A to move
        A   {snake}
        .   B   .   .   .   .
    """)
    activations = snake.count("*")
    happened = play(state, "AU" * activations + "NU" * (9 * activations + 1))
    bites = [event for event in happened if event["seat"] == B]
    assert bites == [*[skip(B, "shield")] * (10 * activations), bite(B, A, 2, 2)]
    assert happened[0] == shield(A, 10)
    assert (shield(A, 19) in happened) == (activations > 1)  # 10, minus 1 for this turn's clock, plus 10


def test_07_a_shield_of_1_ends_before_the_move() -> None:
    """With 1 left, the python's own turn begins without a shield, so the python can bite itself."""
    check("""
        .   .   .   .   |   .   .   .   .
        .   A   a1  .   |   .   a1  a2  .
        .   a3  a2  .   |   .   A   a3  .
        .   a4  .   .   |   .   b   .   .
        A: shield 1     |
    """, "D", bite(A, A, 2, 0))  # fmt: skip


def test_07_ruling_the_shield_of_a_disqualified_python_goes_down_each_round() -> None:
    state = begin(DUEL + "A: shield 3, timeout \n B: shield 9")
    seen = []
    for _ in range(4):
        seen.append(_shown_to(state, B))
        play(state, "N")
    assert seen == [[2, 8], [1, 7], [0, 6], [0, 5]]


def test_07_ruling_a_disqualified_python_can_be_bitten_after_its_shield_ends() -> None:
    state = begin("""
        .   .   .   .
        A   a1  a2  a3
        .   B   .   .
        A: shield 3
    """)
    assert play(state, "!UUU") == [out(A), skip(B, "shield"), skip(B, "shield"), bite(B, A, 3, 3)]


# -- A turn: actions ----------------------------------------------------------------------------------------------


def test_08_n_waits_and_changes_only_the_clock() -> None:
    check(DUEL + "A: shield 4, score 2", "N", wait(A), after=DUEL + "A: shield 3, score 2")


def test_09_the_body_follows_the_head_and_the_tails_cell_becomes_empty() -> None:
    check("""
        .   A   a1  a2*   |   A   a1  a2* a3
        .   .   .   a3    |
    """, "L", move(A))  # fmt: skip


@pytest.mark.parametrize("stars", [" * ", "*  ", "  *", "** ", " **", "* *", "***", "   "])
def test_09_blocks_keep_their_kinds_when_the_chain_moves(stars: str) -> None:
    s = [star.strip() for star in stars]
    before, after = (f". A a1{s[0]} a2{s[1]} \n . . . a3{s[2]}", f". a2{s[1]} a3{s[2]} . \n . a1{s[0]} . . \n . A . .")
    check(before, "DD", move(A), move(A), after=after)


@pytest.mark.parametrize(("block", "linked"), [("b", "a1"), ("e", "a1*")])
def test_10_an_eaten_block_becomes_the_first_and_the_others_stay(block: str, linked: str) -> None:
    check(f". . . . | . . . . \n {block} A a1 a2* | A {linked} a2 a3*", "L", eat(A, block))


# -- A turn: bites ------------------------------------------------------------------------------------------------


def test_11_ruling_the_victims_chain_breaks_and_the_bitten_block_counts_as_a_point() -> None:
    """The rest becomes independent. The bitten block becomes the first of the biter, whose own blocks stay in place."""
    check("""
        A   a1  a2  a3  a4   |   A   a1  B   b   b
        .   .   B   .   .    |   .   .   b1  .   .
        .   .   b1* .   .    |   .   .   b2* .   .
        .   .   b2  .   .    |   .   .   b3  .   .
                             |   B: score 3
    """, "NU", wait(A), bite(B, A, 3, 3))  # fmt: skip


def test_11_kinds_are_kept_on_both_sides_of_the_break() -> None:
    state = check("""
        A   a1* a2* a3  a4*   |   A   a1* B   b   e
        .   .   B   .   .     |   .   .   b1* .   .
                              |   B: score 3
    """, "NU", wait(A), bite(B, A, 3, 3))  # fmt: skip
    # Each has one energy block now, so each can raise a shield once.
    assert [event["event"] for event in play(state, "AAAA")] == ["shield", "return", "shield", "return", "skip", "skip"]


def test_11_a_bite_into_oneself_breaks_the_chain_and_scores_nothing() -> None:
    check("""
        .   .   .   .   |   .   .   .   .
        .   A   a1* .   |   .   a1  a2* .
        .   a3  a2  .   |   .   A   a3  .
        .   a4* .   .   |   .   e   .   .
    """, "D", bite(A, A, 2, 0))  # fmt: skip
    check("A a1 a2* | a1 A e \n . . . | . . . \n . . . | . . .", "R", bite(A, A, 2, 0))


@pytest.mark.parametrize(
    ("notes", "actions"),
    [
        ("| B: score 2", "NU"),
        ("A: timeout | A: timeout \n | B: score 2", "U"),
        ("B: shield 4 | B: shield 3, score 2", "NU"),
    ],
    ids=["by the head alone", "into a disqualified python", "with a shield of its own"],
)
def test_11_a_bite_into_the_first_block_leaves_only_the_head(notes: str, actions: str) -> None:
    waits = [wait(A)] * actions.count("N")
    check(f"A a1 a2 . | A B b . \n . B . . | . b1 . . \n {notes}", actions, *waits, bite(B, A, 2, 2))


@pytest.mark.parametrize("shielded", ["", "A: shield 2 | A: shield 1"])
def test_12_a_head_may_enter_the_cell_that_its_tail_leaves(shielded: str) -> None:
    check(f". . . . | . . . . \n . A a1* . | . a1* a2 . \n . a3 a2 . | . A a3 . \n {shielded}", "D", move(A))


@pytest.mark.parametrize("shielded", ["", "A: shield 2 | A: shield 1"])
@pytest.mark.parametrize("star", ["", "*"])
def test_12_a_python_of_length_2_swaps_head_and_tail(star: str, shielded: str) -> None:
    check(f". . . | . . . \n A a1{star} . | a1{star} A . \n {shielded}", "R", move(A))


# -- A turn: reactors and shields -----------------------------------------------------------------------------------


def test_13_a_delivery_scores_n_times_n_plus_1_by_2_and_the_head_stays() -> None:
    """Four blocks: 10 points. No other cell is empty, so they return to where the body was."""
    state = begin("""
        R   A   a1  a2
        W   W   W   a3*
        W   W   W   a4
        W   W   W   W
        A: score 5
    """)
    happened = play(state, "L")
    assert happened[0] == deliver(A, 4, 10)
    assert [event["kind"] for event in happened[1:]] == ["b", "b", "e", "b"]
    assert sorted(event["at"] for event in happened[1:]) == [[2, 0], [3, 0], [3, 1], [3, 2]]
    python = state.position()["pythons"][A]
    assert python == {"cells": [[1, 0]], "blocks": "", "shield": 0, "score": 15, "disqualified": None}


@pytest.mark.parametrize(("body", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (8, 36)])
def test_13_points_for_a_body(body: int, points: int) -> None:
    snake = [f"a{k + 1}" for k in range(body)] + ["."] * (8 - body)
    rest = ["W " * 10] * 9
    state = begin("\n".join(["R A " + " ".join(snake), *rest]))
    assert play(state, "L")[0] == deliver(A, body, points)


def test_13_a_delivery_does_not_change_the_shield() -> None:
    check(
        "R A a1 | R A b \n W W W | W W W \n W W W | W W W \n A: shield 6 | A: shield 5, score 1", "L",
        deliver(A, 1, 1), back(A, "b", 2, 0),
    )  # fmt: skip


def test_13_a_delivered_chain_can_be_built_up_again() -> None:
    """The next chain has only its own blocks, and nothing of the old body."""
    check(
        "R A a1* | R A a1* \n W W W | W W W \n W W W | W W W \n | A: score 1", "LRL",
        deliver(A, 1, 1), back(A, "e", 2, 0), eat(A, "e"), move(A),
    )  # fmt: skip


def test_14_activation_uses_one_energy_block_and_adds_10() -> None:
    check(
        "W A a1* | W A e \n W W W | W W W \n W W W | W W W \n A: shield 4 | A: shield 13", "A",
        shield(A, 13), back(A, "e", 2, 0),
    )  # fmt: skip


def test_14_ruling_the_energy_block_nearest_to_the_head_is_used_and_the_chain_closes_up() -> None:
    """Each block behind it moves up by one. The tail's old cell is then the only empty cell for the returning block."""
    check("""
        W   A   a1  a2*   |   W   A   a1  a2
        W   W   W   a3    |   W   W   W   a3*
        W   W   a5  a4*   |   W   W   e   a4
        W   W   W   W     |   W   W   W   W
                          |   A: shield 10
    """, "A", shield(A, 10), back(A, "e", 2, 2))  # fmt: skip


@pytest.mark.parametrize(
    ("drawing", "actions", "why"),
    [
        ("A . \n . .", "U", "edge"),
        ("A W \n . .", "R", "wall"),
        ("A B \n . .", "R", "head"),
        ("A B b1 \n . . . \n . . .", "R", "head"),
        ("A b1 B \n . . . \n . . .", "R", "tail"),
        ("A b2* b1 \n . . B \n . . .", "R", "tail"),
        ("A b2 b1 \n . . B \n . . . \n B: shield 5", "R", "tail"),
        ("A b1 b2 \n . B . \n . . . \n B: shield 1", "R", "shield"),
        ("A a1 . \n a3 a2 . \n a4 . . \n A: shield 2", "D", "shield"),
        ("A a1 . \n . e . \n . . .", "A", "no-energy"),  # rule 14, ruling
        ("A . \n . e", "A", "no-energy"),
    ],
)
def test_15_an_infeasible_action_only_skips_the_turn_and_is_no_violation(drawing: str, actions: str, why: str) -> None:
    state = begin(drawing)
    before = state.position()
    assert play(state, actions) == [skip(A, why)]
    after = state.position()
    before["pythons"][A]["shield"] = max(0, before["pythons"][A]["shield"] - 1)
    assert after["field"] == before["field"]
    assert after["pythons"] == before["pythons"]


# -- A turn: the return of blocks --------------------------------------------------------------------------------


def test_16_blocks_return_at_the_end_of_the_turn_in_chain_order_with_their_kinds() -> None:
    """Each block gets a random cell among those that are empty at that moment, and has its own event."""
    state = begin("""
        R   A   a1  a2* a3
        .   .   .   .   a4*
        W   e   b   .   .
        .   B   b1  .   .
    """)
    happened = play(state, "L")
    assert happened[0] == deliver(A, 4, 10)
    assert [(event["event"], event["kind"]) for event in happened[1:]] == [("return", kind) for kind in "bebe"]
    cells = [tuple(event["at"]) for event in happened[1:]]
    assert len(set(cells)) == 4
    assert not {(0, 0), (1, 0), (0, 2), (1, 2), (2, 2), (1, 3), (2, 3)}.intersection(cells)
    field = state.position()["field"]
    for event, (x, y) in zip(happened[1:], cells, strict=True):
        assert field[y][x] == event["kind"]


def test_16_ruling_cells_freed_in_this_turn_count_so_there_is_always_room() -> None:
    """Only the cells of the body are empty. Over many seeds, each block returns to each of them."""
    seen = set()
    for seed in range(60):
        state = begin("R A a1* \n W W a2 \n W W W", seed)
        seen.add(tuple(tuple(event["at"]) for event in play(state, "L")[1:]))
    assert seen == {((2, 0), (2, 1)), ((2, 1), (2, 0))}


NEARLY_FULL = [["W"] * 20 for _ in range(20)]
NEARLY_FULL[0][:3] = ["R", "A", "a1"]
NEARLY_FULL[7][11] = NEARLY_FULL[13][0] = NEARLY_FULL[19][19] = "."


@pytest.mark.parametrize(
    ("drawing", "empty", "games", "most"),
    [
        ("R A a1* . . \n . . . . . \n . . . . . \n . . . . . \n W W W . W", 19, 6_000, 60),
        ("\n".join(map(" ".join, NEARLY_FULL)), 4, 800, 30),
    ],
)
def test_16_ruling_every_empty_cell_is_equally_likely(drawing: str, empty: int, games: int, most: float) -> None:
    """Chi-square of the cells to which one delivered block returns: with 19 cells, 999 of 1,000 fair draws are below 42.3."""
    counts = Counter(tuple(play(begin(drawing, seed), "L")[1]["at"]) for seed in range(games))
    assert len(counts) == empty
    expected = games / empty
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < most


# -- Disqualification ---------------------------------------------------------------------------------------------


def test_17_a_disqualified_python_stays_and_is_never_asked_again() -> None:
    state = check(
        "round 1 of 9, A to move | round 3 of 9, B to move \n A a1 . | A a1 . \n . . . | . . . \n . . B | . . B \n | A: timeout",
        "!NN",
        out(A), wait(B), wait(B),
    )  # fmt: skip
    assert {request.seat for request in state.requests()} == {B}


def test_17_ruling_a_disqualified_python_keeps_its_points_but_ranks_last_and_shares_no_rank_with_others() -> None:
    state = begin("""
        A   .   .   .
        .   B   .   .
        .   .   C   .
        .   .   .   D
        A: score 90, invalid
        B: score 1
        C: score 1, exit
        D: score 1
    """)
    assert _ranking(state) == [(B, 1, 1), (D, 1, 1), (A, 3, 90), (C, 4, 1)]
    assert [line.disqualified for line in state.current_result().ranking] == [None, None, "invalid", "exit"]


@pytest.mark.parametrize(("actions", "rounds"), [("NN!!", 2), ("!N!", 2), ("N!!", 2), ("NN!N!", 3), ("NNN!!", 3)])
def test_17_ruling_the_game_ends_when_no_player_is_left_and_an_incomplete_round_counts(actions, rounds) -> None:
    state = begin(DUEL)
    play(state, actions)
    assert (ended(state), state.requests()) == (("nobody-left", rounds), ())


def test_17_ruling_no_round_is_played_if_no_player_gives_a_name() -> None:
    state = start(read(DUEL), 1)
    state.advance([TIMEOUT])
    assert ended(state) is None
    state.advance([TIMEOUT])
    assert (ended(state), state.requests()) == (("nobody-left", 0), ())
    assert state.round == 1, "no player is asked for a name any more"


def test_17_ruling_the_last_round_includes_its_disqualified_last_seats() -> None:
    """The turns and shield clocks of disqualified pythons pass until the end of the last round."""
    state = check("""
        round 9 of 9, A to move | round 10 of 9, A to move
        A   .   .               | A   .   .
        .   B   .               | .   B   .
        .   .   C               | .   .   C
        B: shield 4, exit       | B: shield 3, exit
        C: shield 2, exit       | C: shield 1, exit
    """, "N", wait(A))  # fmt: skip
    assert ended(state) == ("rounds", 9)


def test_17_ruling_no_turn_passes_after_the_last_round() -> None:
    """The first seat is disqualified, and its shield clock stops after the last round."""
    check(
        "round 9 of 9, B to move | round 10 of 9, A to move \n A . | A . \n . B | . B \n A: shield 4, exit | A: shield 4, exit",
        "N",
        wait(B),
    )


def test_17_a_python_disqualified_in_the_setup_gets_no_requests() -> None:
    state = start(read("A . . \n . B . \n . . C \n B: invalid"), 1)
    asked = []
    for name in ("a", "c", "N", "N", "N"):
        asked.append((state.requests()[0].ask, state.requests()[0].seat))
        state.advance([name])
    assert asked == [("getName", A), ("getName", C), ("getAction", A), ("getAction", C), ("getAction", A)]


@pytest.mark.parametrize("kind", FaultKind)
def test_18_every_kind_of_fault_disqualifies_at_once(kind: FaultKind) -> None:
    state = begin(DUEL)
    assert state.advance([Fault(kind, "what was seen")]) == [out(A, kind.value, "what was seen")]
    assert state.current_result().ranking[-1].disqualified == kind.value


# -- Start --------------------------------------------------------------------------------------------------------


def test_19_a_game_can_start_from_the_middle_of_another() -> None:
    """The round, seat, shields, points and disqualifications come from the setup."""
    state = check("""
        round 7 of 8, B to move   |   round 9 of 8, A to move
        A   a1  .   .             |   A   a1  .   .
        .   .   .   .             |   .   .   .   .
        B   b1* .   .             |   B   b1* .   .
        .   .   C   .             |   .   .   C   .
        A: shield 2, score 11     |   A: shield 1, score 11
        B: shield 1, score 4      |   B: score 4
        C: score 3, overflow      |   C: score 3, overflow
    """, "NNN", wait(B), wait(A), wait(B))  # fmt: skip
    assert ended(state) == ("rounds", 8)


def test_19_omitted_keys_of_a_setup_default_to_the_start_of_a_game() -> None:
    short = {"size": 2, "rounds": 5, "field": ["..", ".."], "pythons": [{"cells": [[0, 1]]}]}
    python = {"cells": [[0, 1]], "blocks": "", "shield": 0, "score": 0, "disqualified": None}
    assert start(short, 1).position() == {**short, "round": 1, "seat": 0, "pythons": [python]}
