from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from referee.game import Frame, Mark, Tone
from referee.view.board import Mode, draw_board, focus_of, mode_for, sample
from referee.view.palette import BLACK, SEAT_COLOURS, WHITE, Look, ink_on

COLOUR, MONO = Look(), Look(colour=False, shades=False)
FEW = Look(shades=False)
ASCII = Look(ascii_only=True)


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def frame_of(rows: list[list[Mark]]) -> Frame:
    return Frame("", rows, (), (), (), ())


@pytest.mark.parametrize(
    ("width", "height", "look", "mode"),
    [
        (62, 31, COLOUR, Mode.DOUBLE),
        (62, 31, MONO, Mode.DOUBLE),
        (61, 31, COLOUR, Mode.HALF),
        (62, 30, COLOUR, Mode.HALF),
        (31, 16, COLOUR, Mode.HALF),
        (31, 15, COLOUR, Mode.LETTERS),
        (30, 40, COLOUR, Mode.LETTERS),
        (61, 31, MONO, Mode.LETTERS),
        (61, 31, FEW, Mode.LETTERS),
        (61, 31, ASCII, Mode.LETTERS),
    ],
)
def test_double_if_it_fits_else_half_blocks_else_letters(
    toy: SimpleNamespace, width: int, height: int, look: Look, mode: Mode
) -> None:
    assert mode_for(toy.board(31, 31, 4), width, height, look) is mode


def test_double_shows_marks_as_they_are(toy: SimpleNamespace) -> None:
    drawn = draw_board(toy.board(8, 5, 2), 80, 24, COLOUR)
    assert plain(drawn.lines) == [
        "################",
        "  1_1.1>        ",
        "        ()<>RR  ",
        "  2_2.2>        ",
        "#" * 16,
    ]


def test_blank_floor_has_dots_where_no_ground_shows_it(toy: SimpleNamespace) -> None:
    assert plain(draw_board(toy.board(4, 3, 1), 80, 24, MONO).lines) == ["########", " .1_1.1>", "########"]


def test_letters_tell_heads_bodies_and_things(toy: SimpleNamespace) -> None:
    drawn = draw_board(toy.board(8, 5, 2), 8, 5, MONO)
    assert drawn.mode is Mode.LETTERS
    assert plain(drawn.lines) == ["########", ".11A....", "....(<R.", ".22B....", "########"]


def test_half_blocks_put_two_rows_into_one_line(toy: SimpleNamespace) -> None:
    head = Mark("1>", Tone.HEAD, 0)
    drawn = draw_board(frame_of([[toy.WALL, head], [toy.WALL, toy.FLOOR], [head, toy.WALL]]), 2, 2, COLOUR)
    assert plain(drawn.lines) == [" ▀", "▀▀"]
    assert [span.style.bgcolor is None for span in drawn.lines[1].spans] == [True, True]


def test_neighbours_of_one_style_are_one_span(toy: SimpleNamespace) -> None:
    drawn = draw_board(toy.board(8, 5, 1), 80, 24, COLOUR)
    assert [len(line.spans) for line in drawn.lines] == [1, 4, 5, 1, 1]


def test_the_window_keeps_the_focus_in_its_middle_as_far_as_the_edges_allow(toy: SimpleNamespace) -> None:
    frame = toy.board(30, 30, 1)
    assert draw_board(frame, 11, 5, MONO, focus=(15, 15)).window == (10, 13, 11, 5)
    assert draw_board(frame, 11, 5, MONO, focus=(1, 29)).window == (0, 25, 11, 5)
    assert draw_board(frame, 40, 5, MONO, focus=(1, 29)).window == (0, 25, 30, 5)


def test_the_focus_is_the_head_of_the_seat_followed_or_to_move(toy: SimpleNamespace) -> None:
    frame = toy.board(9, 9, 3)
    assert focus_of(frame, None) == (3, 1)
    assert focus_of(frame, 2) == (3, 5)
    assert focus_of(frame, 7) is None
    body_only = frame_of([[toy.FLOOR, Mark("1.", Tone.BODY, 0)]])
    assert focus_of(body_only, 0) == (1, 0)
    assert focus_of(body_only, None) is None


sizes = st.integers(1, 60)


@given(sizes, sizes, st.integers(0, 90), st.integers(0, 50), st.sampled_from([COLOUR, MONO, FEW, ASCII]))
def test_no_board_is_larger_than_its_room(
    toy: SimpleNamespace, across: int, down: int, width: int, height: int, look: Look
) -> None:
    frame = toy.board(across, down, 3)
    drawn = draw_board(frame, width, height, look, focus=(across // 2, down // 2))
    assert len(drawn.lines) <= height
    assert all(line.cell_len <= width for line in drawn.lines)
    assert not look.ascii_only or all(line.plain.isascii() for line in drawn.lines)


def test_an_empty_frame_is_no_lines() -> None:
    assert draw_board(frame_of([]), 80, 24, COLOUR).lines == []


@pytest.mark.parametrize("mode", list(Mode))
def test_a_legend_sample_is_two_columns(toy: SimpleNamespace, mode: Mode) -> None:
    assert all(sample(mark, mode, COLOUR).cell_len == 2 for mark in (toy.ITEM, toy.WALL, Mark("1>", Tone.HEAD, 0)))


def test_ink_is_readable_on_every_seat() -> None:
    assert [ink_on(colour) for colour in SEAT_COLOURS] == [BLACK] * 5 + [WHITE] + [BLACK] * 2
