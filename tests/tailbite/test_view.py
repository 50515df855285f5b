"""The view of tail-biting snakes: frames, sentences, what a turn meant, and what each possible move would do."""

from __future__ import annotations

from typing import Any

import pytest
from games.playing import board
from tailbite.drawing import A, B, C, D, begin, bite, eaten, move, order, out, read, skip

from referee import games
from referee.contract.frame import Tone
from referee.contract.game import Event, Step
from referee.tailbite.controls import controls
from referee.tailbite.view import COLUMNS, effects, tell

AVA: Any = games.find("ava")
NAMES = ["Viper", "Boa"]
BOARD = """
    step 3 of 9, B A to move
    A   a1  a2  a3  .
    .   .   .   .   Dx
    .   B   .   .   .
    .   b1  .   C   c1
    C: timeout
    D: eaten 2
"""


def test_a_frame_shows_every_part_in_two_columns() -> None:
    frame = begin(BOARD).draw()
    assert board(frame) == ["1<1.1.1_  ", "        4x", "  2^      ", "  2_  3!3_", "          "]
    assert (frame.title, frame.to_move, frame.figures) == ("round 3 of 9", [B], ("order", "eaten"))
    lines = [(line.name, line.score, line.figures, line.disqualified) for line in frame.seats]
    assert lines == [
        ("a", 4, ("2", "-"), None),
        ("b", 2, ("1", "-"), None),
        ("player 3", 2, ("-", "-"), "timeout"),
        ("d", 0, ("-", "round 2"), None),
    ]
    assert [mark.tone for mark in frame.cells[0]] == [Tone.HEAD, Tone.BODY, Tone.BODY, Tone.TAIL, Tone.EMPTY]
    assert [mark.seat for mark in frame.cells[3]] == [None, B, None, C, C]
    assert (frame.cells[1][4].tone, frame.cells[1][4].seat) == (Tone.TAIL, D)


@pytest.mark.parametrize(("letter", "head"), [("L", "1<"), ("D", "1v"), ("R", "1>"), ("U", "1^")])
def test_a_head_points_in_the_direction_of_its_move(letter: str, head: str) -> None:
    state = begin("""
        .   .   .   .   .
        .   .   .   .   .
        .   .   A   .   .
        .   .   a1  .   .
        B   b1  .   .   .
    """ if letter != "D" else """
        B   b1  .   .   .
        .   .   a1  .   .
        .   .   A   .   .
    """)  # fmt: skip
    state.advance([letter])
    assert head in "".join(board(state.draw()))


def test_bodies_have_stripes_that_stay_in_place_and_an_eaten_snake_is_darker() -> None:
    cells = begin(BOARD).draw().cells
    assert [mark.level for mark in cells[0][:4]] == [1.0, 0.7, 1.0, 1.0]  # head, body, body, tail
    assert cells[1][4].level < 0.5  # what is left of d


def test_titles_while_players_give_names_and_at_the_end() -> None:
    state = AVA.start(read(BOARD), 1)
    assert (state.draw().title, state.draw().to_move) == ("names", [A])
    state = begin("""
        step 9 of 9, A to move
        .   .   .   .   .
        .   A   a1  B   b1
    """)
    state.advance(["U"])
    assert (state.draw().title, state.draw().to_move) == ("round 9 of 9", [])


def test_a_snake_without_cells_is_not_drawn() -> None:
    setup = read(BOARD)
    setup["snakes"][D]["cells"] = []
    assert board(AVA.start(setup, 1).draw())[1] == " " * 10


def test_every_mark_is_in_the_legend() -> None:
    frame = begin(BOARD).draw()
    marks = {mark.text for row in frame.cells for mark in row}
    assert {text[1] for text in marks} - set("<^v ") <= {mark.text[1] for mark, _ in frame.legend}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (bite(A, B), "Viper bites Boa"),
        (eaten(B), "Boa is eaten"),
        (skip(A), "Viper skips: it has no possible move"),
        (move(A, "U"), None),
        (order(3, A, B), None),
        ({"event": "named", "seat": A, "name": "Viper"}, None),
    ],
)
def test_events_in_words(event: dict[str, Any], sentence: str | None) -> None:
    assert tell(event, NAMES) == sentence


def test_columns_count_bites_skips_forced_moves_and_random_moves() -> None:
    events = [bite(A, B), bite(A, C), skip(A), move(A, "U"), move(A, "U", "forced"), move(A, "U", "random"), eaten(A)]
    events += [order(1, A), move(A, "D", "forced"), move(A, "D", "forced"), out(A)]
    sums = {column.title: sum(map(column.of, events)) for column in COLUMNS}
    assert sums == {"bites": 2, "skips": 1, "forced": 3, "random": 1}


def meaning(*events: Event, before: tuple[int, int]) -> list[tuple[int, str, float]]:
    step = Step(9, 2, "getAction", [], events)
    return [(effect.seat, effect.what, effect.amount) for effect in effects(step, before, before)]


def test_a_bite_moves_a_segment_and_an_eaten_snake_loses_its_last_one_too() -> None:
    bitten, last = [(A, "bites", 1), (B, "bitten", -1)], (B, "eaten", -1)
    assert meaning(bite(A, B), before=(4, 4)) == bitten
    assert meaning(bite(A, B), eaten(B), before=(4, 2)) == [*bitten, last]
    assert meaning(bite(A, B), eaten(B), bite(A, B), before=(4, 2)) == [*bitten, last, (A, "bites", 1)]
    assert meaning(bite(A, B), before=(4, 0)) == [(A, "bites", 1)], "what is left of an eaten snake has no points"


def test_turns_without_a_choice() -> None:
    events = move(A, "U", "forced"), move(A, "U", "random"), skip(B)
    assert meaning(*events, before=(4, 4)) == [
        (A, "answered only impossible moves", 1), (B, "skipped without a possible move", 1),
    ]  # fmt: skip


def words(drawing: str) -> dict[str, str]:
    """The words of each answer of the seat to move."""
    state = begin(drawing)
    choices = controls(state, state.requests()[0].seat, ["Ann", "Bob", "Cy"])
    return {control.answer or "": control.words for control in choices}


LATER = "step 3 of 9, A C to move \n"


@pytest.mark.parametrize(
    ("drawing", "down"),
    [
        (". . . . . \n . A a1 a2 . \n . . . . . \n . B b1 b2 .", "move"),
        (". . . . . \n . A a1 a2 . \n . b3 b2 b1 B", "bite Bob, 3 left"),
        (LATER + ". . Bx . . \n . A a1 a2 . \n . c1 . . . \n . C . . . \n B: eaten 2", "eat Cy"),
        (LATER + ". . . . . \n . A a1 a2 . \n . Bx . . . \n . C c1 c2 . \n B: eaten 2", "bite what is left of Bob"),
    ],
)
def test_only_possible_moves_are_offered_and_a_bite_says_what_is_left_of_the_rival(drawing: str, down: str) -> None:
    assert words(drawing) == {"U": "move", "L": "move", "D": down}


def test_what_other_snakes_do_next_stays_open() -> None:
    """B has one way only, so its move follows in the same step of the saved game."""
    drawing = """
        step 1 of 9, A B to move
        .   .   .   .   .
        .   .   .   .   .
        .   A   a1  .   .
        b1  .   a2  .   .
        B   a4  a3  .   .
    """
    assert [event["event"] for event in begin(drawing).foresee(["U"])][:2] == ["move", "move"]
    assert words(drawing) == {"U": "move", "L": "move", "D": "move"}
