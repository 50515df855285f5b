from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.text import Text

from referee.contract.frame import Frame, Mark, Tone
from referee.terminal.board import Mode, draw_board, focus_of, modes, needs_edge, sample, size_in
from referee.terminal.palette import EDGE_PIXEL, Look, cell_style, letter_style

COLOUR, MONO = Look(), Look(colour=False, shades=False)
FEW = Look(shades=False)
ASCII = Look(ascii_only=True)


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def frame_of(rows: list[list[Mark]]) -> Frame:
    return Frame("", rows, (), (), (), ())


@pytest.mark.parametrize(
    ("look", "ways"),
    [
        (COLOUR, (Mode.DOUBLE, Mode.HALF, Mode.LETTERS)),
        (MONO, (Mode.DOUBLE, Mode.LETTERS)),
        (FEW, (Mode.DOUBLE, Mode.LETTERS)),
        (ASCII, (Mode.DOUBLE, Mode.LETTERS)),
    ],
)
def test_half_blocks_need_256_colours_and_unicode(look, ways):
    assert modes(look) == ways


@pytest.mark.parametrize("style_of", [cell_style, letter_style])
def test_each_of_eight_seats_has_a_colour_of_its_own_on_a_terminal_with_16(style_of):
    seats = dict[int, set[int]]()
    for seat in range(8):
        marks = [Mark("1.", tone, seat, level=level) for tone in (Tone.HEAD, Tone.BODY) for level in (1.0, 0.6)]
        seats[seat] = {style_of(mark, FEW).bgcolor.downgrade(ColorSystem.STANDARD).number for mark in marks}
    assert all(len(colours) == 1 for colours in seats.values())
    assert len(set.union(*seats.values())) == 8


def test_double_mode_shows_marks_unchanged(toy):
    assert plain(draw_board(toy.board(8, 5, 2), 80, 24, COLOUR, Mode.DOUBLE, edge=True)) == [
        "┌────────────────┐",
        "│################│",
        "│  1_1.1>        │",
        "│        ()<>RR  │",
        "│  2_2.2>        │",
        "│################│",
        "└────────────────┘",
    ]


def test_floor_has_dots_if_it_has_no_background_colour(toy):
    drawn = draw_board(toy.board(4, 3, 1), 80, 24, MONO, Mode.DOUBLE)
    assert plain(drawn) == ["########", " .1_1.1>", "########"]


def test_letters_distinguish_seats_and_items(toy):
    drawn = draw_board(toy.board(8, 5, 2), 8, 5, MONO, Mode.LETTERS)
    assert plain(drawn) == ["########", ".111....", "....(<R.", ".222....", "########"]
    hill = frame_of(
        [[Mark("1H", Tone.GOAL, 0), Mark("2o", Tone.HEAD, 1), Mark("10", Tone.HEAD, 9), Mark("%3", Tone.ITEM)]]
    )
    assert plain(draw_board(hill, 8, 5, COLOUR, Mode.LETTERS)) == ["H20%"]


@pytest.mark.parametrize("look", [COLOUR, MONO])
def test_a_head_has_another_style_than_its_body_in_letters_mode(toy, look):
    row = draw_board(toy.board(8, 5, 1), 8, 5, look, Mode.LETTERS)[1]
    tail, body, head = (next((span.style for span in row.spans if span.start <= x < span.end), None) for x in (1, 2, 3))
    assert row.plain == ".111...."
    assert len({tail, body, head}) == 3
    assert head.bold
    assert head.reverse or look.colour


DRAWN = ["┌──────┐", "│1.1>  │", "│    ()│", "└──────┘"]


def open_field(toy: SimpleNamespace) -> Frame:
    return frame_of([[Mark("1.", Tone.BODY, 0), Mark("1>", Tone.HEAD, 0), toy.FLOOR], [toy.FLOOR, toy.FLOOR, toy.ITEM]])


def test_an_edge_is_needed_unless_walls_surround_the_field(toy):
    w, f = toy.WALL, toy.FLOOR
    assert not needs_edge(frame_of([[w, w, w], [w, f, w], [w, w, w]]))
    for x, y in ((1, 0), (0, 1), (2, 1), (1, 2)):
        rows = [[w, w, w], [w, f, w], [w, w, w]]
        rows[y][x] = f
        assert needs_edge(frame_of(rows))
    assert not needs_edge(frame_of([]))


def test_an_edge_is_a_line_around_the_field(toy):
    frame = open_field(toy)
    assert size_in(Mode.DOUBLE, frame, True) == (8, 4)
    assert plain(draw_board(frame, 8, 4, COLOUR, Mode.DOUBLE, edge=True)) == DRAWN
    assert plain(draw_board(frame, 8, 4, ASCII, Mode.DOUBLE, edge=True)) == [
        "+------+",
        "|1.1>  |",
        "|    ()|",
        "+------+",
    ]
    assert size_in(Mode.LETTERS, frame, True) == (5, 4)
    assert plain(draw_board(frame, 9, 9, MONO, Mode.LETTERS, edge=True)) == ["┌───┐", "│11.│", "│..(│", "└───┘"]


def test_without_room_for_an_edge_dots_show_the_extent_of_the_field(toy):
    assert plain(draw_board(open_field(toy), 6, 2, COLOUR, Mode.DOUBLE)) == ["1.1> .", " . .()"]


def test_an_edge_of_half_blocks_is_half_a_line_thick(toy):
    frame = open_field(toy)
    assert size_in(Mode.HALF, frame, True) == (5, 2)
    upper, lower = draw_board(frame, 5, 2, COLOUR, Mode.HALF, edge=True)
    assert [span.style.color.name for span in upper.spans[1:3]] == [EDGE_PIXEL] * 2
    assert upper.plain[0] == upper.plain[-1] == lower.plain[0] == " "
    corners = (upper.spans[0], upper.spans[-1], lower.spans[0])
    assert {span.style.bgcolor.name for span in corners} == {EDGE_PIXEL}


@pytest.mark.parametrize(
    ("focus", "shown"),
    [
        ((0, 0), ["┌──", "│..", "│.."]),
        ((4, 0), ["──┐", "..│", "..│"]),
        ((2, 1), ["...", "...", "..."]),
        ((4, 4), ["..│", "..│", "──┘"]),
    ],
)
def test_the_edge_scrolls_with_the_cells(toy, focus, shown):
    frame = frame_of([[toy.FLOOR] * 5 for _ in range(5)])
    assert plain(draw_board(frame, 3, 3, MONO, Mode.LETTERS, focus=focus, edge=True)) == shown


def test_half_blocks_put_two_rows_into_one_line(toy):
    head = Mark("1>", Tone.HEAD, 0)
    drawn = draw_board(frame_of([[toy.WALL, head], [toy.WALL, toy.FLOOR], [head, toy.WALL]]), 2, 2, COLOUR, Mode.HALF)
    assert plain(drawn) == [" ▀", "▀▀"]
    assert [span.style.bgcolor is None for span in drawn[1].spans] == [True, True]


def test_adjacent_cells_of_one_style_are_one_span(toy):
    drawn = draw_board(toy.board(8, 5, 1), 80, 24, COLOUR, Mode.DOUBLE)
    assert [len(line.spans) for line in drawn] == [1, 4, 5, 1, 1]


@pytest.mark.parametrize(
    ("focus", "width", "height", "shown"),
    [
        ((2, 2), 3, 3, ["..#", ".1.", "#.."]),
        ((2, 2), 5, 1, ["#.1.#"]),
        ((0, 4), 3, 2, [".#.", "#.."]),
        ((4, 0), 2, 9, ["##", "#.", ".#", "..", "##"]),
        (None, 1, 1, ["1"]),
    ],
)
def test_the_focus_is_in_the_middle_if_the_edges_allow_it(toy, focus, width, height, shown):
    w, f, head = toy.WALL, toy.FLOOR, Mark("1>", Tone.HEAD, 0)
    frame = frame_of([[w, w, w, w, w], [f, f, f, w, f], [w, f, head, f, w], [f, w, f, f, f], [w, f, f, w, w]])
    assert plain(draw_board(frame, width, height, MONO, Mode.LETTERS, focus=focus)) == shown


def test_the_focus_is_the_head_of_the_followed_seat_or_of_the_seat_to_move(toy):
    frame = toy.board(9, 9, 3)
    assert focus_of(frame, None) == (3, 1)
    assert focus_of(frame, 2) == (3, 5)
    assert focus_of(frame, 7) is None
    body_only = frame_of([[toy.FLOOR, Mark("1.", Tone.BODY, 0)]])
    assert focus_of(body_only, 0) == (1, 0)
    assert focus_of(body_only, None) is None


sizes = st.integers(1, 60)


@given(sizes, sizes, st.integers(0, 90), st.integers(0, 50), st.sampled_from([COLOUR, MONO, FEW, ASCII]), st.data())
def test_a_board_never_exceeds_its_size(toy, across, down, width, height, look, data):
    frame = toy.board(across, down, 3)
    mode = data.draw(st.sampled_from(modes(look)))
    edge = data.draw(st.booleans())
    drawn = draw_board(frame, width, height, look, mode, focus=(across // 2, down // 2), edge=edge)
    assert len(drawn) <= height
    assert all(line.cell_len <= width for line in drawn)
    assert not look.ascii_only or all(line.plain.isascii() for line in drawn)


@pytest.mark.parametrize("mode", list(Mode))
def test_an_empty_frame_has_no_lines(mode):
    assert draw_board(frame_of([]), 80, 24, COLOUR, mode) == []


@pytest.mark.parametrize("mode", list(Mode))
def test_a_legend_sample_is_two_columns(toy, mode):
    assert all(sample(mark, mode, COLOUR).cell_len == 2 for mark in (toy.ITEM, toy.WALL, Mark("1>", Tone.HEAD, 0)))


@pytest.mark.parametrize("look", [COLOUR, MONO])
def test_a_legend_sample_looks_like_the_cell(look):
    for mark in (Mark("1>", Tone.HEAD, 0), Mark("1_", Tone.TAIL, 0)):
        cell = draw_board(frame_of([[mark]]), 1, 1, look, Mode.LETTERS)[0]
        shown = sample(mark, Mode.LETTERS, look)
        assert (shown.plain[0], shown.spans[0].style) == (cell.plain, cell.spans[0].style)


def test_half_blocks_distinguish_the_parts_of_a_seat():
    marks = [Mark("1x", tone, 0) for tone in (Tone.HEAD, Tone.BODY, Tone.TAIL, Tone.GOAL)]
    marks.append(Mark("1x", Tone.HEAD, 0, strong=True))
    assert len({sample(mark, Mode.HALF, COLOUR).spans[0].style for mark in marks}) == len(marks)
