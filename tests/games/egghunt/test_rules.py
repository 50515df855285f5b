"""The rules of the egg hunt: a drawn position, a turn, and the expected position and events.

A test's name begins with the number of its rule in the game's README.md. `ruling` stands for the rule's **Ruling**.
"""

from __future__ import annotations

import random
from itertools import product

import pytest
from games.egghunt.drawing import (
    FOR_THE_MATCH,
    SEATS,
    TIMEOUT,
    WIDE,
    A,
    B,
    C,
    D,
    area,
    back,
    begin,
    check,
    collect,
    destroy,
    drawn,
    fight,
    line_up,
    named,
    out,
    play,
    read,
    run_on,
    to,
)
from games.playing import ended, shipped

from referee.contract.game import Entrant, Fault, FaultKind
from referee.errors import SetupError
from referee.games.egghunt.plugin import GAME
from referee.games.egghunt.rules import Action, start
from referee.games.egghunt.wire import decode, encode, encode_turn

EASTER = shipped("egghunt")["easter"]
GARDEN = """
    # # # # # #
    # A . o . #
    # . . . . #
    # o . . B #
    # # # # # #
"""


# -- The field -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [7, 8, 13, 20])
def test_01_a_field_has_the_size_eggs_and_players_of_the_rule(players: int) -> None:
    for seed in range(5):
        setup = GAME.maps.setup(EASTER, seats=players, rng_seed=seed)
        rows, side = setup["field"], 3 * players
        assert [len(row) for row in rows] == [side] * side
        assert rows[0] == rows[-1] == "#" * side
        assert all(row[0] == row[-1] == "#" for row in rows)
        assert len(setup["eggs"]) == 4 * players
        assert len(setup["players"]) == players
        things = [tuple(cell) for cell in setup["eggs"] + setup["players"]]
        assert len(set(things)) == 5 * players
        assert set(things) <= area(rows, things[0])


@pytest.mark.parametrize(("seats", "players"), [(1, 7), (6, 7), (7, 7), (8, 8), (64, 64)])
def test_01_house_players_fill_up_to_seven(seats: int, players: int) -> None:
    assert len(GAME.maps.setup(EASTER, seats=seats, rng_seed=1)["players"]) == players


def test_01_house_players_collect_eggs_but_are_not_ranked() -> None:
    entrants = [Entrant("House rabbit", "turn", True), Entrant("b", "turn"), Entrant("c", "turn")]
    state = start(read("A o \n B C"), 1, entrants)
    assert play(state, "A 4 N") == [to(A, 1, 0), collect(A)]
    assert state.position()["scores"] == [1, 0, 0]
    assert [(line.seat, line.rank, line.score) for line in state.current_result().ranking] == [(B, 1, 0), (C, 1, 0)]


def test_01_ruling_a_given_position_may_have_any_shape_and_no_border() -> None:
    state = begin("A . o")
    for direction in (1, 2, 3, 5, 6, 7, 8):
        assert play(state, f"A {direction} A") == []
    assert play(state, "A 4 N") == [to(A, 1, 0)]
    assert encode_turn(state.requests()[0]).decode().splitlines() == ["XXXXX", "XXXXX", "X *oX", "XXXXX", "XXXXX", ""]


# -- Requests and answers ------------------------------------------------------------------------------------------


def test_02_each_player_sees_five_by_five_cells_of_the_same_board() -> None:
    state = begin("""
        # # # # # # #
        # A . o . # #
        # . . . . . #
        # . # B o . #
        # . . . C . #
        # # # # # # #
    """)
    seen = {request.seat: encode_turn(request).decode() for request in state.requests()}
    assert seen == {
        A: "XXXXX\nX####\nX#* o\nX#   \nX# #*\n\n",
        B: "* o #\n     \n #*o \n   * \n#####\n\n",
        C: "    #\n#*o #\n  * #\n#####\nXXXXX\n\n",
    }


@pytest.mark.parametrize(
    ("drawing", "seen"), [("A \n o", "XXXXX XXXXX XX*XX XXoXX XXXXX"), ("o . \n . A", "XXXXX Xo XX X *XX XXXXX XXXXX")]
)
def test_02_cells_outside_a_narrow_field_are_shown_as_x(drawing: str, seen: str) -> None:
    (request,) = begin(drawing).requests()
    *rows, _, _ = encode_turn(request).decode().split("\n")
    assert rows == [seen[at : at + 5] for at in range(0, 30, 6)]


def test_02_a_memory_is_empty_at_first_and_then_the_last_answer() -> None:
    state = begin(GARDEN)
    assert [encode_turn(request).split(b"\n")[5] for request in state.requests()] == [b"", b""]
    play(state, "A 9 N, B 9 N", A="é→🐇 2", B="")
    assert [encode_turn(request).decode().split("\n")[5] for request in state.requests()] == ["é→🐇 2", ""]


@pytest.mark.parametrize(
    ("direction", "cell"),
    [*enumerate([(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (1, 2), (2, 2)], start=1)],
)
def test_03_directions_go_clockwise_from_up_left(direction: int, cell: tuple[int, int]) -> None:
    state = begin(". . . . .\n" * 2 + ". . A . .\n" + ". . . . .\n" + "o . . . .")
    play(state, f"A {direction} N")
    assert state.position()["players"] == [list(cell)]


@pytest.mark.parametrize(
    ("output", "direction", "stance", "memory"),
    [
        ("4", 4, "N", ""),
        ("x\nq\nm", 9, "N", "m"),
        ("4\nA\nm\nmore\nand more", 4, "A", "m"),
        ("4\r\na\r\nm\r\n", 4, "A", "m"),
        ("  4\t\n\tc \n m ", 4, "C", " m "),
        ("", 9, "N", ""),
        ("\n\nm", 9, "N", "m"),
        ("0\nN\n", 9, "N", ""),
        ("10\nN\n", 9, "N", ""),
        ("4 4\nA A\n", 9, "N", ""),
        ("+4\nAttack\n", 9, "N", ""),
        ("٤\nА\n", 9, "N", ""),  # an Arabic four, a Cyrillic A
        ("4\u00a0\nA\u2003\n", 9, "N", ""),
        ("1\nn\n" + "é" * 1025, 1, "N", "é" * 1024),
        ("1\nn\na\u2028b\x0bc\x85d", 1, "N", "a\u2028b\x0bc\x85d"),
    ],
)
def test_03_ruling_every_output_is_an_answer(output: str, direction: int, stance: str, memory: str) -> None:
    assert decode("getAction", output.encode().split(b"\n")) == Action(direction, stance, memory)


def test_03_ruling_invalid_utf_8_becomes_replacement_characters() -> None:
    assert decode("getAction", [b"4\xff", b"A", b"m\xff\xfe" + b"\xe2\x82"]) == (9, "A", "m\ufffd\ufffd\ufffd")


def test_03_ruling_a_carriage_return_inside_a_character_breaks_it() -> None:
    """Otherwise the memory would differ from the saved text, which has U+FFFD for both halves."""
    assert decode("getAction", [b"4", b"A", b"\xc3\r\xa9"]).memory == "\ufffd\ufffd"


@pytest.mark.parametrize("kind", list(FaultKind))
def test_03_ruling_a_fault_counts_as_9_n_and_an_empty_memory(kind: FaultKind) -> None:
    state = begin("A . \n o .", memory=["before"])
    assert state.advance([Fault(kind, "a test")]) == []
    assert state.position() == read("A . \n o .", turn=2)


# -- Lifetimes -----------------------------------------------------------------------------------------------------


def test_04_a_one_turn_player_gives_no_name_and_is_never_disqualified() -> None:
    state = begin(GARDEN, turns=3)
    assert [(request.ask, request.seat) for request in state.requests()] == [("getAction", A), ("getAction", B)]
    for _ in range(3):
        assert play(state, "A !, B !") == []
    assert ended(state) == ("runs", 3)
    assert [(line.name, line.disqualified) for line in state.current_result().ranking] == [("a", None), ("b", None)]


def test_04_players_that_stay_give_names_in_turn_and_then_all_are_due_together() -> None:
    state = start(read(GARDEN), 1, [Entrant("x", "game"), Entrant("b", "turn")])
    assert state.round == 0
    assert [encode(request) for request in state.requests()] == [b"getName\n"]
    assert state.advance(["Hunter"]) == [{"event": "named", "seat": A, "name": "Hunter"}]
    assert state.round == 1
    assert [(request.ask, request.seat) for request in state.requests()] == [("getAction", A), ("getAction", B)]
    assert encode(state.requests()[0]) == b"getAction\n" + encode_turn(state.requests()[0])
    assert [line.name for line in state.current_result().ranking] == ["Hunter", "b"]


def test_04_without_entrants_all_players_stay_for_the_match() -> None:
    state = start(read(GARDEN), 1)
    asked = []
    while state.round == 0:
        (request,) = state.requests()
        asked.append(request.seat)
        state.advance([""])
    assert asked == [A, B]
    assert [line.name for line in state.current_result().ranking] == ["player 1", "player 2"]


def test_04_a_fault_disqualifies_a_player_that_stays() -> None:
    state = begin(GARDEN, lifetime=FOR_THE_MATCH, memory=["m", "n"])
    assert play(state, "A 4 N, B !", A="next") == [out(B), to(A, 2, 1)]
    assert [request.seat for request in state.requests()] == [A]
    assert state.position()["memory"] == ["next", ""]
    assert state.position()["disqualified"] == [None, "timeout"]


def test_04_a_fault_instead_of_a_name_empties_the_memory() -> None:
    setup = {
        "field": ["######", "#    #", "#    #", "######"],
        "eggs": [[4, 1]],
        "players": [[1, 1], [2, 2]],
        "memory": ["a", "b"],
    }
    state = start(setup, 1)
    state.advance([TIMEOUT])
    assert state.position()["memory"] == ["", "b"]
    state.advance([TIMEOUT])
    assert (state.requests(), state.position()["memory"]) == ((), ["", ""])


def test_04_a_disqualified_player_stays_on_the_board_and_still_fights() -> None:
    state = begin("A B o", lifetime=FOR_THE_MATCH)
    play(state, "B !")
    for stance in "ACN":
        winner = {"A": A, "C": B, "N": None}[stance]  # against N
        events = play(state, f"A 4 {stance}")
        losers = [seat for seat in (A, B) if seat == A or seat != winner]
        assert events == [fight(A, B, winner=winner), *[back(seat) for seat in losers]]
        assert drawn(state.position()) == "A B o"


def test_04_a_disqualified_player_is_in_later_runs_and_in_the_mean_of_all() -> None:
    state = seven(runs=2, turns=2)
    play(state, "A 4 N, B !")  # A collects
    play(state, "")
    assert (state.run, state.position()["disqualified"][B]) == (2, "timeout")
    assert B not in [request.seat for request in state.requests()]
    play(state, "")
    play(state, "")
    ranking = {line.seat: line for line in state.current_result().ranking}
    assert (ranking[A].score, ranking[A].rank) == (0.5, 1)
    assert (ranking[B].score, ranking[B].rank, ranking[B].disqualified) == (0, 7, "timeout")


def test_04_a_disqualified_player_keeps_its_eggs_but_ranks_below_the_others() -> None:
    state = begin("A o o \n B . .", lifetime=FOR_THE_MATCH)
    play(state, "A 4 N")
    play(state, "A !")
    assert [(line.seat, line.rank, line.score) for line in state.current_result().ranking] == [(B, 1, 0), (A, 2, 1)]


def test_04_ruling_when_no_player_is_left_the_match_ends_after_the_turn() -> None:
    state = begin(GARDEN, lifetime=FOR_THE_MATCH, turns=9)
    play(state, "A 4 N")
    assert play(state, "A !, B !") == [out(A), out(B)]
    assert ended(state) == ("nobody-left", 2)
    assert state.position()["turn"] == 2


def test_04_ruling_a_match_can_end_before_the_first_turn() -> None:
    state = start(read(GARDEN), 1)
    state.advance([TIMEOUT])
    state.advance([TIMEOUT])
    assert (state.requests(), state.current_result().reason, state.current_result().rounds) == ((), "nobody-left", 0)
    assert start(state.position(), 1).current_result().reason == "nobody-left"


def test_04_ruling_a_one_turn_player_is_always_left() -> None:
    state = start(read(GARDEN), 1, [Entrant("a", "game"), Entrant("b", "turn", True)])
    state.advance([TIMEOUT])
    assert [request.seat for request in state.requests()] == [B]


def test_04_ruling_equal_scores_share_a_rank() -> None:
    state = begin("o A . . B o \n . . C D . o")
    play(state, "A 8 N, B 4 N")
    assert [(line.seat, line.rank) for line in state.current_result().ranking] == [(A, 1), (B, 1), (C, 3), (D, 3)]


# -- Settlement ----------------------------------------------------------------------------------------------------


def test_05_a_step_goes_to_a_blank_cell_and_not_into_a_wall() -> None:
    board = "# # # # # \n # A . B # \n # . # . # \n # o . . # \n # # # # #"
    check(board, "A 5 A, B 2 N", after=board)
    check("A . o | . A o", "A 4 N", to(A, 1, 0))


BEATEN = {("A", "N"): A, ("N", "C"): A, ("C", "A"): A, ("N", "A"): B, ("C", "N"): B, ("A", "C"): B}


@pytest.mark.parametrize(("mine", "theirs"), list(product("ACN", repeat=2)))
def test_05_two_on_a_blank_cell_fight(mine: str, theirs: str) -> None:
    winner = BEATEN.get((mine, theirs))
    ways = {
        A: (". A B", fight(A, B, winner=A), back(B), to(A, 1, 0)),
        B: ("A B .", fight(A, B, winner=B), back(A), to(B, 1, 0)),
        None: ("A . B", fight(A, B), back(A), back(B)),
    }
    after, *events = ways[winner]
    check("A . B \n # # # \n . o .", f"A 4 {mine}, B 8 {theirs}", *events, after=f"{after} \n # # # \n . o .")


@pytest.mark.parametrize(("stances", "event", "eggs"), [("NC", collect(A), 1), ("AN", destroy(A), 0)])
def test_05_a_fight_on_an_egg_that_n_wins_collects_it_and_one_that_a_wins_destroys_it(stances, event, eggs) -> None:
    turn = f"A 4 {stances[0]}, B 8 {stances[1]}"
    state = check("A o B o | . A B o", turn, fight(A, B, winner=A), back(B), to(A, 1, 0), event)
    assert state.position()["scores"] == [eggs, 0]


def test_05_a_fight_on_an_egg_that_c_wins_sends_both_back() -> None:
    check("A o B o | A o B o", "A 4 C, B 8 A", fight(A, B, winner=A), back(A), back(B))


@pytest.mark.parametrize("stance", "ACN")
def test_05_equal_stances_on_an_egg_send_both_back(stance: str) -> None:
    check("A o B o | A o B o", f"A 4 {stance}, B 8 {stance}", fight(A, B), back(A), back(B))


def test_05_a_return_sends_back_the_player_that_moved_to_that_cell() -> None:
    events = [fight(A, B, winner=B), back(A), back(C), back(D), to(B, 1, 0)]
    check("A . B | A B . \n C . . | C . . \n D . o | D . o", "A 4 N, B 8 A, C 2 N, D 2 N", *events)


def test_05_returns_make_no_new_fights() -> None:
    """C moves to the home of A. A lost and returns, so C returns too, although its stance would beat A's."""
    check("A . B | A B . \n C . o | C . o", "A 4 N, B 8 A, C 2 A", fight(A, B, winner=B), back(A), back(C), to(B, 1, 0))


@pytest.mark.parametrize("stances", ["NNN", "ANC", "AAN", "CNN"])
def test_05_three_on_a_cell_all_return(stances: str) -> None:
    turn = f"A 4 {stances[0]}, B 8 {stances[1]}, C 2 {stances[2]}"
    board = "A o B \n . C ."
    check(board, turn, fight(A, B, C), back(A), back(B), back(C), after=board)


def test_05_three_on_the_cell_of_a_player_that_stays_all_return() -> None:
    board = "A B C \n . o ."
    check(board, "A 4 A, B 9 C, C 8 A", fight(A, B, C), back(A), back(B), back(C), after=board)


def test_05_a_player_with_c_on_an_egg_returns_and_so_does_its_follower() -> None:
    check(". B A o | . B A o", "A 4 C, B 4 N", back(A), back(B))


def test_05_a_single_player_on_an_egg() -> None:
    assert check("A o . o | . A . o", "A 4 N", to(A, 1, 0), collect(A)).position()["scores"] == [1]
    assert check("A o . o | . A . o", "A 4 A", to(A, 1, 0), destroy(A)).position()["scores"] == [0]
    check("A o . o | A o . o", "A 4 C", back(A))


def test_05_ruling_players_can_follow_each_other_and_swap_cells() -> None:
    check("A B . o | . A B o", "A 4 N, B 4 N", to(A, 1, 0), to(B, 2, 0))
    check("A B . o | B A . o", "A 4 A, B 8 N", to(A, 1, 0), to(B, 0, 0))
    check("A B | C A \n C o | B o", "A 4 N, B 7 N, C 2 N", to(A, 1, 0), to(B, 0, 1), to(C, 0, 0))


@pytest.mark.parametrize(("mine", "theirs"), list(product("ACN", repeat=2)))
def test_05_ruling_a_player_that_stays_never_moves_in_a_fight(mine: str, theirs: str) -> None:
    winner = BEATEN.get((mine, theirs))
    returning = [B] if winner == A else [A, B]
    events = [fight(A, B, winner=winner), *[back(seat) for seat in returning]]
    check("A B . o | A B . o", f"A 9 {mine}, B 8 {theirs}", *events)


def test_05_ruling_a_player_that_runs_into_a_wall_stays() -> None:
    check("# A B o | # A B o", "A 8 N, B 8 A", fight(A, B, winner=B), back(A), back(B))


def test_05_events_are_ordered_by_kind_and_then_by_seat() -> None:
    check(
        """
        C o A o B . D   |   C A . B . . .
        # # # # # # o   |   # # # # # # D
        """,
        "A 8 N, B 8 A, C 4 C, D 6 N",
        *[fight(A, C, winner=A), back(C), to(A, 1, 0), to(B, 3, 0), to(D, 6, 1), collect(A), collect(D), destroy(B)],
    )


# -- Runs and points -----------------------------------------------------------------------------------------------


def seven(*, lifetime: str = FOR_THE_MATCH, rng_seed: int = 1, **more: object):
    """Seven players in a row with a cell between neighbours. An egg is beside A, and the others are far away."""
    return begin(
        """
        A o . B . C . D . E . F . G
        . . . . . . . . . . . . . .
        o . . . . . . . . . . . . o
        """,
        lifetime=lifetime, rng_seed=rng_seed, **more,
    )  # fmt: skip


def test_06_a_run_ends_when_all_eggs_are_collected_or_destroyed() -> None:
    state = begin("o A o")
    play(state, "A 8 N")
    play(state, "A 4 N")
    assert ended(state) is None
    play(state, "A 4 A")
    assert (ended(state), str(state.current_result().ranking[0].score)) == (("runs", 3), "1")  # not 1.0
    assert (state.position()["turn"], state.position()["eggs"]) == (3, [])


def test_06_a_run_ends_after_25_turns_for_each_player() -> None:
    state = begin("A . \n B o")
    for turn in range(1, 51):
        assert state.round == turn
        play(state, "")
    assert (state.requests(), state.current_result().rounds, state.position()["turn"]) == ((), 50, 50)


def test_06_a_match_is_ten_runs_each_on_a_new_field_with_empty_memories() -> None:
    setup = GAME.maps.setup(EASTER, seats=7, rng_seed=3, rounds=2)
    state = start(setup, 3, line_up(7))
    fields, rounds = [setup["field"]], []
    while state.requests():
        rounds.append(state.round)
        for event in state.advance([Action(9, "N", "m")] * 7):
            if event["event"] == "run":
                position = event["position"]
                assert position == state.position()
                assert (event["run"], position["run"]) == (len(fields) + 1,) * 2
                assert (position["turn"], position["turns"], position["memory"]) == (1, 2, [""] * 7)
                fields.append(position["field"])
    assert rounds == [1, 2] * 10
    assert len({tuple(field) for field in fields}) == 10
    assert (state.current_result().reason, state.current_result().rounds) == ("runs", 20)


def test_06_later_fields_keep_rule_1_and_come_from_the_seed() -> None:
    fields = []
    for rng_seed in (1, 1, 2):
        state = seven(runs=3, turns=1, rng_seed=rng_seed)
        fields.append([play(state, "")[-1]["position"] for _ in range(2)])
    assert fields[0] == fields[1]
    assert fields[0] != fields[2]
    for position in fields[0]:
        assert (len(position["field"]), len(position["eggs"])) == (21, 28)


def test_06_a_match_that_starts_in_a_later_run_has_the_same_fields() -> None:
    state = seven(runs=3, turns=1)
    second = play(state, "")[-1]["position"]
    third = play(state, "")[-1]
    again = named(start(second, 1, line_up(7, FOR_THE_MATCH)))
    assert play(again, "")[-1] == third


def test_06_the_score_is_the_mean_and_the_last_run_is_not_in_the_totals() -> None:
    state = seven(runs=2, turns=1)
    state.follow([run_on(WIDE, runs=2, run=2)])
    assert [event["event"] for event in play(state, "A 4 N")] == ["to", "collect", "run"]
    assert (state.position()["scores"], state.position()["totals"]) == ([0] * 7, [1] + [0] * 6)
    play(state, "B 2 N")
    final = state.position()
    assert (final["run"], final["turn"]) == (2, 1)
    assert (final["scores"][B], final["totals"]) == (1, [1] + [0] * 6)
    scores = [line.score for line in sorted(state.current_result().ranking, key=lambda line: line.seat)]
    assert scores == [0.5, 0.5, 0, 0, 0, 0, 0]


def test_06_ruling_the_mean_includes_runs_that_were_not_played() -> None:
    state = seven(runs=4, turns=9)
    play(state, "A 4 N")
    assert (state.current_result().reason, state.current_result().ranking[0].score) == ("interrupted", 0.25)
    play(state, ", ".join(f"{letter} !" for letter in SEATS[:7]))
    assert (state.current_result().reason, state.current_result().ranking[0].score) == ("nobody-left", 0.25)


def test_06_ruling_in_the_last_turn_the_reason_is_the_end_of_the_runs() -> None:
    state = begin("A . o", lifetime=FOR_THE_MATCH, turns=1)
    play(state, "A !")
    assert state.current_result().reason == "runs"
    state = seven(runs=2, turns=1)
    events = play(state, ", ".join(f"{letter} !" for letter in SEATS[:7]))
    assert (state.current_result().reason, state.run, [event["event"] for event in events]) == (
        "nobody-left", 1, ["disqualified"] * 7,
    )  # fmt: skip


# -- Invariants ----------------------------------------------------------------------------------------------------


def test_07_in_a_whole_match_no_players_share_a_cell_and_no_egg_is_lost() -> None:
    setup = GAME.maps.setup(EASTER, seats=7, rng_seed=5, rounds=30)
    state = start(setup, 5, line_up(7))
    house = [GAME.house(seat, 5) for seat in range(7)]
    chance = random.Random(5)
    gone = 0
    while due := state.requests():
        actions = [house[request.seat].decide(request)._replace(stance=chance.choice("NNAC")) for request in due]
        events = state.advance(actions)
        gone += sum(event["event"] in ("collect", "destroy") for event in events)
        if events and events[-1]["event"] == "run":
            gone = 0
        position = state.position()
        cells = {tuple(cell) for cell in position["players"]}
        assert len(cells) == 7
        assert all(position["field"][y][x] == " " for x, y in cells)
        assert cells.isdisjoint(map(tuple, position["eggs"]))
        assert len(position["eggs"]) + gone == 28


def test_a_wrong_number_of_players_is_an_error() -> None:
    with pytest.raises(SetupError, match="players: 2 in the position, but 3 take part"):
        start(read(GARDEN), 1, line_up(3))
