from dataclasses import replace
from types import SimpleNamespace

from referee.terminal.text import frame_text


def test_a_frame_as_text(toy: SimpleNamespace) -> None:
    assert frame_text(toy.board(6, 5, 2, ["Greedy", "\x1b[31mБи"]), remark="step 47/120") == (
        "round 12 of 300  step 47/120\n"
        "############\n"
        " .1_1.1> . .\n"
        " . . . . . .\n"
        " .2_2.2> . .\n"
        "############\n"
        "seat  name     points  length  energy\n"
        "   1  Greedy        1       0      12  to move\n"
        "   2  \ufffd[31mБи      10       1      12\n"
        "\n"
        "  1>  a head\n"
        "  ()  food\n"
        "  ##  wall\n"
    )


def test_a_frame_as_text_has_no_escape_codes_and_can_be_ascii(toy: SimpleNamespace) -> None:
    text = frame_text(toy.board(31, 31, 8, ["\x1b[0m\x9b1m", "日本"]), ascii_only=True)
    assert text.isascii()
    assert "\x1b" not in text
    assert "disqualified: timeout" in text


def test_seats_to_move_are_marked_unless_all_are_to_move(toy: SimpleNamespace) -> None:
    frame = toy.board(6, 5, 3)
    assert frame_text(frame).count("to move") == 1
    assert frame_text(replace(frame, to_move=[0, 2])).count("to move") == 2
    assert "to move" not in frame_text(replace(frame, to_move=[0, 1, 2]))
    alone = replace(frame, seats=[replace(line, disqualified="exit") for line in frame.seats[:2]] + [frame.seats[2]])
    assert frame_text(replace(alone, to_move=[2])).count("to move") == 1
