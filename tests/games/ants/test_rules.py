"""The rules of Ants: a drawn position, actions, and the expected position. `test_06_…` tests rule 6 of README.md."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from games.ants.drawing import (
    A,
    B,
    C,
    D,
    act,
    ant,
    asked,
    begin,
    bite,
    born,
    check,
    drawn,
    drop,
    move,
    named,
    out,
    play,
    put,
    read,
    take,
    unit,
    void,
)
from games.playing import ended, shipped

from referee.contract.game import Event
from referee.games.ants.maps import MAPS
from referee.games.ants.plugin import GAME
from referee.games.ants.rules import Ants, start

STEP = {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}
BITE = {"^": (0, -1), "<": (-1, 0), "v": (0, 1), ">": (1, 0)}


def names(count: int) -> list[Event]:
    return [{"event": "named", "seat": seat, "name": "abcd"[seat]} for seat in range(count)]


def opened(drawing: str, ants: int | None = None) -> tuple[Ants, list[Event]]:
    """The state after every player has given its name, and the events until then."""
    state = start(read(drawing, ants), 1)
    happened: list[Event] = []
    while (due := state.requests()) and due[0].ask == "getName":
        happened += state.advance(["abcd"[due[0].seat]])
    return state, happened


@pytest.mark.parametrize(
    ("seats", "hills"),
    [(2, [[0, 0], [30, 30]]), (3, [[0, 0], [30, 0], [0, 30]]), (4, [[0, 0], [30, 0], [0, 30], [30, 30]])],
)
def test_01_hills_are_in_the_corners_of_31_cells_a_side(seats: int, hills: list[list[int]]) -> None:
    plain = {"name": "Plain", "description": "Nothing.", "size": 31, "food": {"heaps": 0, "smallest": 1, "largest": 1}}
    setup = MAPS.setup(plain, seats=seats, rng_seed=1)
    assert (setup["size"], setup["units"], setup["ants"], setup["hills"]) == (31, 1000, 10, hills)
    assert start(setup, 1).seats == seats


def test_01_a_cell_holds_any_number_of_ants_and_milligrams() -> None:
    check("""
        a      A0             .    |   a      .                             .
        .      A1,B1,B2,2000  A2   |   .      A0,A1,A2,B0,B1,B2,2000        .
        .      B0             b    |   .      .                             b
    """, "D void L U void", move(A, 0, 1, 1), void(A, 1), move(A, 2, 1, 1), move(B, 0, 1, 1), void(B, 1))  # fmt: skip


def test_01_a_corner_without_a_player_is_a_plain_cell() -> None:
    state = begin("""
        a   .   A0
        .   .   .
        .   .   b
    """)
    play(state, "L")
    assert drawn(state.position()).splitlines()[1].split() == ["a", "A0", "."]


def test_02_ruling_one_ant_appears_on_each_hill_in_each_of_the_first_ten_units_and_acts_at_once() -> None:
    state, happened = opened("unit 1 of 20, A0 to move \n a . . \n . . . \n . . b", ants=10)
    assert happened == [*names(2), unit(1), born(A, 0), born(B, 0)]
    assert asked(state) == (A, 0)
    assert play(state, "R") == [move(A, 0, 1, 0)]
    assert asked(state) == (B, 0)
    assert play(state, "L") == [move(B, 0, 1, 2), unit(2), born(A, 1), born(B, 1)]
    for number in range(3, 21):
        happened = play(state, "void " * 2 * min(number - 1, 10))
        births = [born(A, number - 1), born(B, number - 1)] if number <= 10 else []
        assert [event for event in happened if event["event"] != "void"] == [unit(number), *births]
    assert [len(team) for team in state.position()["teams"]] == [10, 10]


def test_02_no_ants_appear_in_a_unit_that_has_begun() -> None:
    _, happened = opened("unit 3 of 9, A0 to move \n a,A0,A1,A2 . \n B1 b,B0,B2", ants=5)
    assert happened == names(2)


def test_02_missing_ants_appear_when_a_match_starts_from_a_setup() -> None:
    state, happened = opened("unit 3 of 9, A0 to move \n a,A0,A1 . \n B1 b,B0", ants=5)
    assert happened == [*names(2), unit(3), born(A, 2), born(B, 2)]
    assert ant(state, A, 2) == {"at": [0, 0], "food": False, "memory": "0" * 64, "disabled": 0}


def test_03_the_ants_of_a_seat_act_in_order_of_birth_then_the_next_seat_and_then_a_unit_begins() -> None:
    state = begin("""
        a,A2  A1  b,B1
        B2    C0  C1
        c,C2  A0  B0
    """)
    order = []
    for _ in range(10):
        order.append((state.round, *asked(state)))
        play(state, "void")
    assert order == [*[(50, seat, number) for seat in (A, B, C) for number in range(3)], (51, A, 0)]


def test_03_the_world_changes_after_each_turn() -> None:
    """A0 moves next to B0, and B0 bites it in the same unit."""
    check("""
                            |   unit 51 of 99, A1 to move
        a    A0   .    B0   |   a    .    A0/7 B0
        A1   .    .    .    |   .    A1   .    B1
        .    .    .    B1   |   .    .    .    .
        .    .    .    b    |   .    .    .    b
    """, "R R < U", move(A, 0, 2, 0), move(A, 1, 1, 1), bite(B, 0, A, 0), move(B, 1, 3, 1), unit(51))  # fmt: skip


@pytest.mark.parametrize("word", STEP)
def test_04_a_step_goes_to_the_neighbour_cell(word: str) -> None:
    state = begin("a . . \n . A0 . \n . B0 b")
    x, y = 1 + STEP[word][0], 1 + STEP[word][1]
    assert play(state, word) == [move(A, 0, x, y)]
    assert ant(state, A, 0)["at"] == [x, y]


@pytest.mark.parametrize("word", BITE)
def test_04_a_bite_goes_one_cell_far(word: str) -> None:
    dx, dy = BITE[word]
    rows = [["a", ".", ".", ".", "."], *[["."] * 5 for _ in range(3)], [".", ".", ".", ".", "b"]]
    rows[2][2], rows[2 + dy][2 + dx] = "A0", "B0"
    rows[2 + 2 * dy][2 + 2 * dx] = "B1"
    rows[2 - dy][2 - dx] = "B2"
    state = begin("\n".join(" ".join(row) for row in rows) + "\n")
    assert play(state, word)[0] == bite(A, 0, B, 0)


def test_04_an_ant_takes_one_milligram_and_puts_it_down() -> None:
    check(
        "a . . | a . . \n . A0,2 . | . 1 A0,1 \n . B0 b | . B0 b", "take void R void put",
        take(A, 0), void(B, 0), unit(51), move(A, 0, 2, 1), void(B, 0), unit(52), put(A, 0),
    )  # fmt: skip


def test_04_the_last_milligram_leaves_a_plain_cell() -> None:
    check("a . . | a . . \n . A0,1 . | . A0+ . \n . B0 b | . B0 b", "take", take(A, 0))


@pytest.mark.parametrize(
    ("drawing", "word"),
    [
        ("a A0 . \n . . . \n . B0 b", "U"),  # a wall
        ("a . . \n A0 . . \n . B0 b", "L"),
        ("a . . \n . . . \n B0 A0 b", "D"),
        ("a . . \n . . A0 \n . B0 b", "R"),
        ("a . . \n . A0 . \n . B0 b", "take"),  # no food on the cell
        ("a . . \n . A0 4 \n . B0 b", "take"),  # the food is on the next cell
        ("a . . \n . A0+,4 . \n . B0 b", "take"),  # the ant already carries food
        ("a . . \n . A0,4 . \n . B0 b", "put"),  # the ant carries no food
        ("a . . \n . A0 . \n . B0 b", "<"),  # no ant there
        ("a . . \n A1 A0 . \n . B0 b", "<"),  # an ant of the same team
        ("a . . \n A0 . . \n . B0 b", "<"),  # a wall
        ("a . . \n . A0 . \n . B0 b", "void"),
    ],
)
def test_04_an_impossible_action_has_no_effect_and_takes_the_turn(drawing: str, word: str) -> None:
    state = begin(drawing)
    before = state.position()
    assert play(state, word) == [void(A, 0)]
    assert asked(state) != (A, 0)
    assert {**state.position(), "next": before["next"]} == before


def test_04_an_impossible_action_still_sets_smell_and_memory() -> None:
    state = begin("a . . \n . A0 . \n . B0 b")
    state.advance([act("take~9", "ab" * 32)])
    assert state.position()["smells"] == [[1, 1, 9, 100]]
    assert ant(state, A, 0)["memory"] == "ab" * 32


@pytest.mark.parametrize("kind", [10, 11, -1, 2**31 - 1, -(2**31), 256])
def test_04_ruling_any_other_number_is_a_void_action(kind: int) -> None:
    for drawing in ("a . . \n . A0+ . \n . B0 b", "a B0 . \n . A0,3 . \n . . b"):
        state = begin(drawing)
        before = state.position()
        action = GAME.decode("getAction", [f"{kind} 1 5 {'0' * 64}".encode()])
        assert state.advance([action]) == [void(A, 0)]
        assert {**state.position(), "next": [0, 0]} == {**before, "smells": [[1, 1, 5, 100]]}


def test_05_a_mark_is_left_before_the_step_and_fades_at_the_end_of_the_unit() -> None:
    """The worked case: an ant at (5, 5) moves right and marks 7."""
    rows = [["."] * 8 for _ in range(8)]
    rows[0][0], rows[7][7], rows[5][5], rows[6][6] = "a", "b", "A0", "B0"
    state = begin("\n".join(map(" ".join, rows)))
    assert play(state, "R~7") == [move(A, 0, 6, 5)]
    assert state.position()["smells"] == [[5, 5, 7, 100]]
    assert GAME.encode(state.requests()[0]).decode().splitlines()[3] == "7 100 0 0 0 0 0 0"  # B0 senses it from (6, 6)
    play(state, "void")
    assert state.position()["smells"] == [[5, 5, 7, 99]]
    assert GAME.encode(state.requests()[0]).decode().splitlines()[6] == "7 99 0 0 0 0 0 0"
    play(state, "void void")
    assert state.position()["smells"] == [[5, 5, 7, 98]]


def test_05_a_mark_replaces_hue_and_intensity() -> None:
    check("a,A0,~7/30 . | a,~-8/100 A0 \n . b,B0 | . b,B0", "R~-8", move(A, 0, 1, 0))


def test_05_the_hue_stays_at_intensity_zero() -> None:
    state = begin("a . ~7/2 \n . A0 ~0/0 \n . B0 b")
    play(state, "void void")
    assert state.position()["smells"] == [[2, 0, 7, 1], [2, 1, 0, 0]]
    play(state, "void void void void")
    assert state.position()["smells"] == [[2, 0, 7, 0], [2, 1, 0, 0]]
    assert GAME.encode(state.requests()[0]).decode().splitlines()[5].startswith("7 0 ")


def test_06_a_bite_hits_an_able_enemy_and_never_a_friend() -> None:
    """The worked case: an able enemy, one with 3 turns left, and a friend."""
    check("a . . | a . . \n A0 A1,B0,B1/3 . | A0 A1,B0/8,B1/3 . \n . . b | . . b", ">", bite(A, 0, B, 0))
    check("a . . | a . . \n A0 A1,B0/3,B1 . | A0 A1,B0/3,B1/8 . \n . . b | . . b", ">", bite(A, 0, B, 1))


def test_06_if_all_are_disabled_the_bite_hits_the_one_that_is_free_first() -> None:
    """The worked case: 3 turns left and 5."""
    for first, second, victim in ((3, 5, 0), (5, 3, 1)):
        state = begin(f"a . . \n A0 B0/{first},B1/{second} . \n . . b")
        assert play(state, ">") == [bite(A, 0, B, victim)]
        assert ant(state, B, victim)["disabled"] == 8
        play(state, "void")
        assert ant(state, B, victim)["disabled"] == 7  # its turn in this unit is the first one lost


def test_06_an_ant_that_has_acted_is_free_one_unit_later() -> None:
    """B bites a cell with A0 and C0, for example with 4 turns left each. In this unit, A has acted and C has not."""
    drawing = """
        unit 50 of 99, B0 to move
        a   .        b
        B0  A0/{},C0/{}  .
        c   .        .
    """
    for left_a, left_c, victim in ((4, 4, C), (3, 4, A), (4, 5, A), (4, 6, A), (5, 5, C), (8, 8, C)):
        state = begin(drawing.format(left_a, left_c))
        assert play(state, ">")[0] == bite(B, 0, victim, 0), (left_a, left_c)


def test_06_among_equals_the_first_seat_is_bitten_then_the_first_ant() -> None:
    # A's team has acted, so A0 and A1 with one turn less are free at the same time as C0 and C1. The seat decides.
    state = begin("unit 50 of 99, B0 to move \n a . b \n B0 C1/5,C0/5,A1/4,A0/4 . \n c . .")
    assert play(state, ">")[0] == bite(B, 0, A, 0)
    state = begin("unit 50 of 99, C0 to move \n a . b \n C0 B1/5,B0/5,A0/5 . \n c . .")
    assert play(state, ">")[0] == bite(C, 0, A, 0)
    state = begin("unit 50 of 99, D0 to move \n a . b \n D0 C1/5,C0/5 . \n c . d")
    assert play(state, ">")[0] == bite(D, 0, C, 0)


def test_06_several_able_enemies_are_equally_likely() -> None:
    drawing = "a . . \n A0 B0,B1,B2 . \n . . b"
    bitten = Counter(tuple(play(begin(drawing, seed), ">")[0]["victim"]) for seed in range(600))
    assert sorted(bitten) == [(B, 0), (B, 1), (B, 2)]
    assert all(150 < count < 250 for count in bitten.values())


def test_06_food_falls_on_the_victims_cell() -> None:
    state = begin("a A0 . \n . B0+ . \n . . b")
    assert play(state, "v") == [bite(A, 0, B, 0), drop(B, 0), unit(51)]
    assert ant(state, B, 0) == {"at": [1, 1], "food": False, "memory": "0" * 64, "disabled": 7}
    assert state.position()["food"] == [[1, 1, 1]]
    state = begin("a A0 . \n . B0+,3 . \n . . b")
    play(state, "v")
    assert state.position()["food"] == [[1, 1, 4]]


def test_06_when_all_are_disabled_units_pass_without_a_request() -> None:
    state = begin("a,A0/3 ~5/90 \n . b,B0/2")
    assert (state.round, asked(state)) == (52, (B, 0))  # A0 loses 50, 51, 52; B0 loses 50 and 51
    assert state.position()["smells"] == [[1, 0, 5, 88]]
    _, happened = opened("a,A0/3 . \n . b,B0/2")
    assert happened == [*names(2), unit(51), unit(52)]


def test_06_a_disabled_ant_keeps_its_memory_and_acts_again_later() -> None:
    state = begin("a,A0 B0 \n . b")
    state.advance([act("void", "12" * 32)])
    play(state, "<")
    assert ant(state, A, 0) == {"at": [0, 0], "food": False, "memory": "12" * 32, "disabled": 7}
    while asked(state) != (A, 0):
        play(state, "void")
    assert GAME.encode(state.requests()[0]).decode().splitlines()[2] == "12" * 32


def senses(drawing: str) -> list[str]:
    """The lines of the nine cells that the next ant senses."""
    return GAME.encode(begin(drawing).requests()[0]).decode().splitlines()[3:]


def test_07_an_ant_senses_the_nine_cells_around_it_by_rows() -> None:
    assert senses("a,3 B0 . \n 1 A0 A1 \n ~7/50 A2,B1 b") == [
        "0 0 0 0 1 0 1 0", "0 0 0 1 0 0 0 0", "0 0 0 0 0 0 0 0",
        "0 0 0 0 0 0 1 0", "0 0 0 0 0 0 0 0", "0 0 1 0 0 0 0 0",
        "7 50 0 0 0 0 0 0", "0 0 1 1 0 0 0 0", "0 0 0 1 0 1 0 0",
    ]  # fmt: skip


def test_07_an_ant_senses_its_friends_and_not_itself() -> None:
    assert senses("a . . \n . A0 . \n . B0 b")[4] == "0 0 0 0 0 0 0 0"
    assert senses("a . . \n . A0,A1 . \n . B0 b")[4] == "0 0 1 0 0 0 0 0"
    assert senses("a . . \n . A0,B0,2 . \n . . b")[4] == "0 0 0 1 0 0 1 0"


def test_07_cells_outside_the_field_are_walls() -> None:
    wall = "0 0 0 0 0 0 0 1"
    seen = senses("a,A0,~3/9 . . \n . . . \n . B0 b")
    assert seen == [wall] * 4 + ["3 9 0 0 1 0 0 0", "0 0 0 0 0 0 0 0", wall, "0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0"]
    seen = senses("unit 50 of 99, B0 to move \n a . . \n . A0 . \n . . b,B0")
    assert [line == wall for line in seen] == [False, False, True, False, False, True, True, True, True]


def test_07_disabled_ants_are_sensed_as_a_friend_or_an_enemy() -> None:
    assert senses("a . . \n . A0,A1/3 B0/3 \n . . b")[4:6] == ["0 0 1 0 0 0 0 0", "0 0 0 1 0 0 0 0"]
    assert senses("unit 50 of 99, B0 to move \n a,A0 . . \n . B0 . \n . . b")[0] == "0 0 0 1 0 1 0 0"


def test_07_carried_food_is_not_sensed() -> None:
    assert senses("a . . \n . A0 B0+ \n . . b")[5] == "0 0 0 1 0 0 0 0"


def test_08_each_ant_has_its_own_memory_and_it_is_zero_at_birth() -> None:
    state, _ = opened("unit 1 of 20, A0 to move \n a . . \n . . . \n . . b", ants=2)
    memories: dict[tuple[int, int], str] = {}
    chance = Random(3)
    for _ in range(20):
        key = asked(state)
        assert GAME.encode(state.requests()[0]).decode().splitlines()[2] == memories.get(key, "0" * 64)
        memories[key] = "".join(chance.choices("0123456789abcdef", k=64))
        state.advance([act("void", memories[key])])
    assert len(memories) == 4


def test_09_the_score_is_the_food_on_the_own_hill_at_the_end_and_equal_scores_share_a_rank() -> None:
    state = begin("unit 99 of 99, A0 to move \n a,A0+,2 b,B0,7 \n c,C0,3 d,D0,1,A1+")
    play(state, "put" + " void" * 7)
    assert ended(state) == ("units", 99)
    ranking = [(line.seat, line.rank, line.score) for line in state.current_result().ranking]
    assert ranking == [(B, 1, 7), (A, 2, 3), (C, 2, 3), (D, 4, 1)]


def test_09_food_on_hills_can_be_stolen() -> None:
    state = check(
        "unit 50 of 99, B0 to move | \n a,B0,2 A0 . | a,B0+,1 A0 . \n . . . | . . . \n . . b | . . b", "take",
        take(B, 0), unit(51),
    )  # fmt: skip
    assert [(line.seat, line.score) for line in state.current_result().ranking] == [(A, 1), (B, 0)]


def test_09_smells_fade_at_the_end_of_the_last_unit() -> None:
    check(
        "unit 99 of 99, A0 to move | unit 99 of 99, over \n a,A0 . | a,A0,~4/99 . \n . b,B0 | . b,B0,~6/99",
        "void~4 void~6",
        void(A, 0),
        void(B, 0),
    )


def test_09_ruling_disqualified_players_rank_last_by_score_and_their_ants_stay() -> None:
    state = begin("unit 98 of 99, A0 to move \n a,A0,9 b,B0,5 \n c,C0,8 d,D0,7")
    play(state, "! void ! void")
    assert asked(state) == (B, 0)
    play(state, "void void")
    ranking = state.current_result().ranking
    assert [(line.seat, line.rank, line.score) for line in ranking] == [(D, 1, 7), (B, 2, 5), (A, 3, 9), (C, 4, 8)]
    assert [line.disqualified for line in ranking] == [None, None, "timeout", "timeout"]
    assert [len(team) for team in state.position()["teams"]] == [1, 1, 1, 1]


def test_09_ruling_ants_of_a_disqualified_player_still_appear() -> None:
    state, _ = opened("unit 1 of 20, A0 to move \n a . . \n . . . \n . . b", ants=3)
    assert play(state, "! void") == [out(A), void(B, 0), unit(2), born(A, 1), born(B, 1)]
    assert play(state, "void void") == [void(B, 0), void(B, 1), unit(3), born(A, 2), born(B, 2)]


def test_09_ruling_disabled_ants_of_a_disqualified_player_recover() -> None:
    state = begin("a . . \n A0/5 A1 . \n . B0/3 b")
    assert play(state, "!") == [out(A)]
    assert ant(state, A, 0)["disabled"] == 4
    assert play(state, "void void void") == [void(B, 1), unit(51), void(B, 1), unit(52), void(B, 1), unit(53)]
    assert [ant(state, A, k)["disabled"] for k in (0, 1)] == [1, 0]
    assert asked(state) == (B, 0)


def test_09_ruling_ants_of_a_disqualified_player_are_able_or_disabled() -> None:
    state = begin("unit 50 of 99, B0 to move \n a . . \n B0 A0,A1/2 . \n . . b \n A: exit")
    assert play(state, ">")[0] == bite(B, 0, A, 0)
    assert ant(state, A, 0)["disabled"] == 8
    play(state, "void")
    assert [ant(state, A, k)["disabled"] for k in (0, 1)] == [7, 1]
    assert play(state, ">")[0] == bite(B, 0, A, 1)


def test_09_ruling_when_no_player_is_left_the_unit_is_completed() -> None:
    state = begin("a,A0 ~7/50 . \n . B0/5 A1 \n . B1 b")
    assert play(state, "! !") == [out(A), out(B)]
    assert ended(state) == ("nobody-left", 50)
    assert [line.rank for line in state.current_result().ranking] == [1, 1]
    assert drawn(state.position()) == drawn(
        read("unit 50 of 99, over \n a,A0 ~7/49 . \n . B0/4 A1 \n . B1 b \n A: timeout \n B: timeout")
    )


def test_09_ruling_when_no_player_is_left_disabled_ants_recover_in_the_last_unit() -> None:
    state = begin("a . . \n A0 A1/5,A2/1 . \n B2/2 B0/2,B1/6 b")
    play(state, "!")
    assert (state.round, asked(state)) == (52, (B, 0))  # it has lost 50 and 51
    play(state, "!")
    assert state.position()["unit"] == 52
    assert [ant(state, A, k)["disabled"] for k in range(3)] == [0, 2, 0]
    assert [ant(state, B, k)["disabled"] for k in range(3)] == [0, 3, 0]


def test_09_ruling_when_no_player_gives_a_name_no_unit_is_played() -> None:
    state = start(read("unit 1 of 20, A0 to move \n a . \n . b", ants=3), 1)
    assert [*state.advance([act("!")]), *state.advance([act("!")])] == [out(A), out(B)]
    assert ended(state) == ("nobody-left", 0)
    position = state.position()
    assert (position["unit"], position["next"], position["teams"]) == (0, None, [[], []])
    assert start(position, 1).position() == position


def test_10_the_limits() -> None:
    assert GAME.time.as_json() == {"first": 5.0, "answer": 0.5, "total": None}


MEADOW = shipped("ants")["meadow"]


def test_11_the_seed_alone_determines_the_food() -> None:
    places = [str(MAPS.setup(MEADOW, seats=2, rng_seed=seed)["food"]) for seed in (1, 2, 1)]
    assert places[0] == places[2] != places[1]
    assert MAPS.setup(MEADOW, seats=2, rng_seed=1)["food"] == MAPS.setup(MEADOW, seats=4, rng_seed=1)["food"]


def test_11_ruling_seats_can_be_rotated() -> None:
    hills = [MAPS.setup(MEADOW, seats=3, rng_seed=1, rotate=k)["hills"] for k in range(4)]
    assert hills[0] == [[0, 0], [30, 0], [0, 30]]
    assert hills[1] == [[30, 0], [0, 30], [0, 0]]
    assert hills[2] == [[0, 30], [0, 0], [30, 0]]
    assert hills[3] == hills[0]


# -- Names and setups -----------------------------------------------------------------------------------------------


def test_names_come_first_and_an_empty_name_becomes_player_n() -> None:
    state = start(read("a,A0 . \n . b,B0"), 1)
    assert [(request.seat, request.ask) for request in state.requests()] == [(A, "getName")]
    assert state.round == 0
    assert state.advance(["Trail"]) == [{"event": "named", "seat": A, "name": "Trail"}]
    assert state.current_result().reason == "interrupted"
    assert state.advance([""]) == [{"event": "named", "seat": B, "name": ""}]
    assert [line.name for line in state.current_result().ranking] == ["Trail", "player 2"]
    assert state.round == 50


def test_a_player_disqualified_in_the_setup_gets_no_request_for_a_name() -> None:
    state = start(read("a,A0 . \n . b,B0 \n A: exit"), 1)
    assert [request.seat for request in state.requests()] == [B]
    named(state)
    assert asked(state) == (B, 0)


def test_a_match_from_a_final_position_or_without_players_is_over() -> None:
    state = start(read("a,A0 . \n . b,B0 \n A: exit \n B: timeout"), 1)
    assert state.requests() == ()
    assert state.current_result().reason == "nobody-left"
    position = read("unit 99 of 99, over \n a,A0,~7/50 . \n . b,B0/3")
    state = start(position, 1)
    assert state.requests() == ()
    assert state.current_result().reason == "units"
    assert state.position() == position


def test_follow_decides_the_victim_if_the_rules_allow_it() -> None:
    for victim in ([B, 0], [B, 1], [C, 0]):
        state = begin("a . b \n A0 B0,B1,C0,B2/2 . \n c . .")
        event = {"event": "bite", "seat": A, "ant": 0, "victim": victim}
        state.follow([event])
        assert play(state, ">")[0] == event


@pytest.mark.parametrize("victim", [[B, 2], [A, 0], [B, 9], "B0"])
def test_follow_ignores_an_impossible_victim(victim: object) -> None:
    drawing = "a . b \n A0 B0,B1,C0,B2/2 . \n c . ."
    state = begin(drawing)
    state.follow([{"event": "named"}, {"event": "bite", "victim": victim}, {"event": "bite", "victim": [B, 1]}])
    assert play(state, ">") == play(begin(drawing), ">")


def test_follow_of_a_name_does_not_apply_to_the_first_action() -> None:
    drawing = "a . . \n A0 B0,B1,B2,B3 . \n . . b"
    for victim in range(4):
        state = start(read(drawing), 1)
        state.advance(["a"])
        state.follow([{"event": "bite", "victim": [B, victim]}])
        state.advance(["b"])
        assert play(state, ">")[0] == play(begin(drawing), ">")[0]


def test_follow_applies_to_one_step() -> None:
    drawing = "a . . \n A0,A1 B0,B1,B2,B3 . \n . . b"
    for victim in range(4):
        state = begin(drawing)
        state.follow([{"event": "bite", "victim": [B, victim]}])
        play(state, "void")
        assert play(state, ">") == [bite(A, 1, *play(begin(drawing), "void >")[1]["victim"])]
