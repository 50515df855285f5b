"""The view of SnakeCore: frames, sentences, what a turn meant, and what each key would do."""

from __future__ import annotations

import pytest
from games.playing import board
from games.snakecore.drawing import A, B, back, begin, bite, deliver, eat, move, play, read, shield, skip, wait

from referee.contract.frame import Tone
from referee.contract.game import Event, Step
from referee.games.snakecore.rules import start
from referee.games.snakecore.view import COLUMNS, controls, effects, tell

NAMES = ["Viper", "Boa"]


def test_a_frame_shows_every_part_in_two_columns() -> None:
    state = begin("""
        round 2 of 9, B to move
        W   R   b   e
        A   a1* a2  a3*
        .   .   .   .
        B   b1  .   .
        A: shield 3, score 5
        B: timeout
    """)
    frame = state.draw()
    assert board(frame) == ["##RR()<>", "1#1*1.1%", "        ", "2<2_    "]
    assert (frame.title, frame.to_move) == ("round 3 of 9", [A])  # the turn of B, which is disqualified, has passed
    assert frame.figures == ("length", "energy", "shield")
    first, second = frame.seats
    assert (first.name, first.score, first.figures, first.disqualified) == ("a", 5, ("4", "2", "3"), None)
    assert (second.name, second.score, second.figures) == ("player 2", 0, ("2", "0", "0"))
    assert second.disqualified == "timeout"
    assert [mark.tone for mark in frame.cells[1]] == [Tone.HEAD, Tone.BODY, Tone.BODY, Tone.TAIL]
    assert [mark.seat for mark in frame.cells[1]] == [A] * 4
    assert all(mark.strong for mark in frame.cells[1])
    assert [mark.tone for mark in frame.cells[0]] == [Tone.WALL, Tone.GOAL, Tone.ITEM, Tone.POWER]


@pytest.mark.parametrize(
    ("drawing", "shown"),
    [
        ("A . \n a1 .", "1^"),
        ("A a1 \n . .", "1<"),
        ("a1 A \n . .", "1>"),
        ("a1 . \n A .", "1v"),
        ("A . \n . .", "1o"),
        ("A . \n . . \n A: shield 1", "1#"),
    ],
)
def test_a_head_points_away_from_its_body(drawing: str, shown: str) -> None:
    assert shown in "".join(board(begin(drawing).draw()))


def test_titles_and_the_seat_to_move() -> None:
    state = start(read("round 1 of 1, A to move \n A . \n . B"), 1)
    assert (state.draw().title, state.draw().to_move) == ("names", [A])
    state.advance(["a"])
    state.advance(["b"])
    assert (state.draw().title, state.draw().to_move) == ("round 1 of 1", [A])
    play(state, "N")
    assert state.draw().to_move == [B]
    play(state, "N")
    assert (state.draw().title, state.draw().to_move) == ("round 1 of 1", [])


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (bite(A, B, 3, 3), "Viper bites 3 off Boa"),
        (bite(A, A, 3, 0), "Viper bites itself and loses 2 blocks"),
        (bite(A, A, 2, 0), "Viper bites itself and loses 1 block"),
        (deliver(B, 4, 10), "Boa delivers 4 for 10 points"),
        (deliver(B, 0, 0), None),
        (shield(A, 19), "Viper raises its shield for 19 turns"),
        (skip(A, "edge"), "Viper skips: the edge of the field"),
        (skip(A, "no-energy"), "Viper skips: no energy block"),
        (move(A), None),
        (wait(A), None),
        (eat(A, "b"), None),
        (back(A, "b", 1, 1), None),
        ({"event": "named", "seat": A, "name": "Viper"}, None),
    ],
)
def test_events_in_words(event: dict, sentence: str | None) -> None:
    assert tell(event, NAMES) == sentence


def test_columns_count_delivered_blocks_and_blocks_bitten_off_rivals() -> None:
    events = [deliver(A, 4, 10), bite(A, B, 3, 3), bite(A, A, 2, 0), eat(A, "e"), deliver(A, 1, 1)]
    assert {column.title: sum(map(column.of, events)) for column in COLUMNS} == {"delivered": 5, "bit off": 3}


def meaning(event: Event) -> list[tuple[int, str, str, float, int | None]]:
    step = Step(9, 2, "getAction", [], [event])
    return [(it.seat, it.kind, it.what, it.amount, it.rival) for it in effects(step, (0, 0), (0, 0))]


@pytest.mark.parametrize(
    ("event", "effects_of_it"),
    [
        (deliver(A, 3, 6), [(A, "points", "deliveries", 6, None)]),
        (deliver(A, 0, 0), [(A, "nothing", "delivered without a body", 1, None)]),
        (bite(A, B, 4, 4), [(A, "points", "bites", 4, B), (B, "loss", "blocks bitten off by rivals", 4, A)]),
        (bite(A, A, 3, 0), [(A, "loss", "blocks lost in bites into itself", 2, None)]),
        (bite(A, A, 1, 0), []),
        (wait(B), [(B, "nothing", "waited", 1, None)]),
        (skip(B, "tail"), [(B, "nothing", "skipped (a rival's tail)", 1, None)]),
        (move(B), []),
    ],
)
def test_what_a_turn_meant(event: Event, effects_of_it: list[tuple[int, str, str, float, int | None]]) -> None:
    assert meaning(event) == effects_of_it


OPEN = ". b . \n . A e \n . W ."
RIVALS = ". . . . \n A b1 B . \n c1 b2 b3 . \n C . . ."
SHIELDED = ". . . . \n . A a1* . \n . b1 B . \n . b2 . . \n B: shield 3"


@pytest.mark.parametrize(
    ("drawing", "answer", "words"),
    [
        (OPEN, "U", "eat a block"),
        (OPEN, "L", "move"),
        (OPEN, "D", "skip: a wall"),
        (OPEN, "R", "eat an energy block"),
        (OPEN, "N", "wait"),
        (OPEN, "A", "skip: no energy block"),
        (RIVALS, "R", "bite 3 off Bob"),
        (RIVALS, "D", "skip: a rival's tail"),
        (RIVALS, "L", "skip: the edge of the field"),
        (SHIELDED, "D", "skip: a shielded block"),
        (SHIELDED, "A", "shield up for 10 turns"),
        ("A a1 . \n a3 a2 . \n a4 a5 .", "D", "bite yourself: lose 2 blocks"),
        ("R A a1 \n . . a2", "L", "deliver 2 for 3 points"),
        ("R A \n . .", "L", "a reactor: nothing to deliver"),
    ],
)
def test_each_key_says_what_its_answer_would_do(drawing: str, answer: str, words: str) -> None:
    choices = {control.answer: control.words for control in controls(begin(drawing), A, ["Ann", "Bob", "Cy"])}
    assert choices[answer] == words
    assert [*choices] == [*"ULDRNA"]
