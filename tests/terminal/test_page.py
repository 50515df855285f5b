import io
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console

from referee.contract.game import Fault, FaultKind
from referee.moments.evidence import Evidence
from referee.moments.scene import Turn
from referee.moments.sentences import Sentence
from referee.terminal import keys as k
from referee.terminal.bindings import label
from referee.terminal.board import Mode, sample
from referee.terminal.help import Help, help_lines
from referee.terminal.live import LIVE_KEYS
from referee.terminal.page import Page, arrange, compose
from referee.terminal.palette import BOLD, Look
from referee.terminal.panel import events_block, legend_lines, panel_lines
from referee.terminal.turn import turn_lines
from referee.terminal.viewer import VIEWER_KEYS

COLOUR, MONO = Look(), Look(colour=False, shades=False)
FEW = Look(shades=False)
ASCII = Look(colour=False, shades=False, ascii_only=True)


def texts(scene: object, width: int, height: int, look: Look = COLOUR) -> list[str]:
    return [line.plain.rstrip() for line in compose(scene, width, height, look, LIVE_KEYS)]  # type: ignore[arg-type]


def open_help() -> Help:
    opened = Help()
    opened.toggle()
    return opened


@pytest.mark.parametrize("look", [COLOUR, MONO, ASCII])
def test_31_by_31_with_four_seats_fits_80_by_40_in_double_mode(toy, look):
    scene = toy.moment(toy.board(31, 31, 4))
    layout = arrange(scene, 80, 40, look)
    assert (layout.mode, layout.beside, layout.board, layout.panel) == (Mode.DOUBLE, False, (64, 33), (80, 7))
    lines = texts(scene, 80, 40, look)
    assert len(lines) == 40
    title, heading, *seats, keys = lines[layout.board[1] :]
    assert title.startswith("round 12 of 300  A against B")
    assert title.endswith("8 steps/s")
    assert heading.split() == ["player", "rank", "points", "length", "energy", "left", "last"]
    assert [line.split()[-1] for line in seats] == ["-", "10ms", "20ms", "timeout"]
    assert keys.startswith("space pause")


@pytest.mark.parametrize("look", [COLOUR, MONO, ASCII])
@pytest.mark.parametrize(("height", "edge"), [(33, True), (32, False)])
def test_the_edge_is_omitted_before_cells_get_smaller(toy, look, height, edge):
    layout = arrange(toy.moment(toy.board(31, 31, 4)), 120, height, look)
    assert (layout.mode, layout.edge, layout.beside) == (Mode.DOUBLE, edge, True)


def test_a_walled_field_has_no_edge(toy):
    frame = toy.board(9, 9, 2)
    cells = [[toy.WALL, *row[1:-1], toy.WALL] for row in frame.cells]
    walled = replace(frame, cells=cells)
    assert arrange(toy.moment(frame), 120, 45, COLOUR).edge
    assert not arrange(toy.moment(walled), 120, 45, COLOUR).edge
    assert not any("│" in line for line in texts(toy.moment(walled), 120, 45))


@pytest.mark.parametrize(
    ("width", "height", "seats", "look", "mode", "beside"),
    [
        (120, 45, 4, COLOUR, Mode.DOUBLE, True),
        (250, 80, 8, COLOUR, Mode.DOUBLE, True),
        (80, 40, 1, COLOUR, Mode.DOUBLE, False),
        (80, 40, 8, COLOUR, Mode.DOUBLE, False),
        (80, 24, 4, COLOUR, Mode.HALF, True),
        (60, 20, 4, COLOUR, Mode.HALF, True),
        (60, 12, 8, COLOUR, Mode.LETTERS, True),
        (40, 30, 4, COLOUR, Mode.HALF, False),
        (40, 12, 8, COLOUR, Mode.LETTERS, False),
        (120, 45, 4, ASCII, Mode.DOUBLE, True),
        (80, 24, 4, MONO, Mode.LETTERS, True),
        (80, 24, 4, FEW, Mode.LETTERS, True),
        (80, 24, 4, ASCII, Mode.LETTERS, True),
    ],
)
def test_mode_and_place_of_the_panel_depend_on_the_size(toy, width, height, seats, look, mode, beside):
    layout = arrange(toy.moment(toy.board(31, 31, seats)), width, height, look)
    assert (layout.mode, layout.beside) == (mode, beside)


@given(
    st.integers(1, 260), st.integers(1, 90), st.integers(0, 8), st.sampled_from([(31, 31), (5, 5), (60, 20), (101, 101)]),
    st.sampled_from([COLOUR, MONO, ASCII]), st.sampled_from([None, 0, 120]), st.booleans(), st.booleans(),
    st.lists(st.text(max_size=60), min_size=9, max_size=9),
)  # fmt: skip
@example(6, 20, 1, (5, 5), COLOUR, None, False, False, [""] * 9)
def test_a_page_never_exceeds_its_terminal(toy, width, height, seats, size, look, steps, helping, failed, words):
    """Names, and everything that a player was sent and wrote, are any words."""
    fault = Fault(FaultKind.EXIT, words[0]) if failed else None
    evidence = Evidence(5, 0, "getAction", words, None if failed else words[:3], fault, 0.2, 1.0, words, words[:5])
    turn = Turn(0, f"{words[8]}, your turn", [([k.UP], "go up")], rows=1, left=40)
    more = {"turn": turn} if steps is None else {"evidence": evidence, "inspected": failed}
    scene = toy.moment(toy.board(*size, seats, words[:8]), steps=steps, **more)
    show = open_help().page if helping else compose
    lines = show(scene, width, height, look, VIEWER_KEYS)
    assert len(lines) <= height
    for line in lines:
        assert line.cell_len <= width
        assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in line.plain)
        assert not look.ascii_only or line.plain.isascii()


@given(st.integers(40, 250), st.integers(12, 80), st.integers(1, 8))
def test_every_seat_and_the_help_key_are_shown_from_40_by_12_up(toy, width, height, seats):
    scene = toy.moment(toy.board(31, 31, seats))
    lines = texts(scene, width, height)
    for seat in range(seats):
        assert any(f" {seat + 1} " in line and f"{10**seat}" in line for line in lines)
    rows_left = arrange(scene, width, height, COLOUR).panel[1] - 1 - seats
    assert rows_left < 1 or any("? help" in line for line in lines)


def test_names_are_escaped_and_not_interpreted_as_markup(toy):
    frame = toy.board(5, 5, 3, ["[bold]Bee[/]", "\x1b[31mevil\x07", ":snake:"])
    out = io.StringIO()
    console = Console(file=out, width=100, height=20, force_terminal=True, color_system=None)
    console.print(Page(compose(toy.moment(frame), 100, 20, COLOUR, ())))
    assert "[bold]Bee[/]" in out.getvalue()
    assert ":snake:" in out.getvalue()
    assert "\ufffd[31mevil\ufffd" in out.getvalue()
    assert "\x1b" not in out.getvalue()
    assert "\x07" not in out.getvalue()


def test_a_page_without_colour_has_no_colour_codes(toy):
    out = io.StringIO()
    console = Console(file=out, width=80, height=40, force_terminal=True, color_system="truecolor", no_color=True)
    console.print(Page(compose(toy.moment(toy.board(31, 31, 4)), 80, 40, MONO, LIVE_KEYS)))
    codes = {part.split("m")[0] for part in out.getvalue().split("\x1b[")[1:]}
    assert codes <= {"0", "1", "2", "4", "7", "1;4", "1;7", "1;2"}


def test_a_disqualified_seat_shows_its_figures_and_its_verdict_instead_of_its_time(toy):
    words = next(line for line in texts(toy.moment(toy.board(5, 5, 4)), 100, 20) if "bot 4" in line)[14:].split()
    assert words[:6] == ["×", "4", "bot", "4", "#4", "1000"]
    assert words[-1] == "timeout"
    assert len(words[6:-1]) == len(toy.board(5, 5, 4).figures)


def test_a_seat_that_is_not_ranked_has_no_rank(toy):
    lines = texts(toy.moment(toy.board(5, 5, 2), ranks=[1, None]), 100, 20)
    assert "2  bot 2      -      10" in next(line for line in lines if "bot 2" in line)


def test_pointers_mark_the_seat_to_move_and_the_followed_seat(toy):
    frame = toy.board(5, 5, 3)
    lines = texts(toy.moment(frame, follow=2), 100, 20)
    assert any("▸ 1  bot 1" in line for line in lines)
    assert any("◆ 3  bot 3" in line for line in lines)
    assert any("  2  bot 2" in line for line in lines)
    over = texts(toy.moment(frame, over="rounds"), 100, 20)
    assert not any("▸" in line for line in over)
    assert any(line.endswith("over: rounds") for line in over)


def test_the_followed_seat_is_shown_where_not_all_have_a_line(toy):
    frame = toy.board(9, 9, 8)
    for followed in range(8):
        lines = texts(toy.moment(frame, follow=followed), 60, 8)
        assert any(f"bot {followed + 1}" in line for line in lines)


def test_the_name_of_the_seat_to_move_is_bold_unless_all_are_to_move(toy):
    frame = toy.board(5, 5, 3)
    frame = replace(frame, seats=[replace(line, disqualified=None) for line in frame.seats])
    for due, bold in (([1], 1), ([0, 1, 2], 0)):
        lines = compose(toy.moment(replace(frame, to_move=due)), 100, 20, COLOUR, ())
        named = [(line, line.plain.index("bot")) for line in lines if "bot" in line.plain and "bites" not in line.plain]
        weights = [
            any(span.start <= x < span.end and getattr(span.style, "bold", False) for span in line.spans)
            for line, x in named
        ]
        assert weights.count(True) == bold


def test_the_texts_of_event_lines_are_aligned(toy):
    events = [
        Sentence(9, 0, "bite", "one", 1),
        Sentence(10, None, "run", "two", 2),
        Sentence(11, 11, "bite", "three", 3),
    ]
    lines = texts(toy.moment(toy.board(5, 5, 2), events=events), 100, 19)
    assert [line[14:] for line in lines if line.endswith(("one", "two", "three"))] == [
        " 9  1 one", "10    two", "11 12 three",
    ]  # fmt: skip
    lines = texts(toy.moment(toy.board(5, 5, 2), events=events[1:2]), 100, 19)
    assert "10 two" in [line[14:] for line in lines]


def test_a_heading_without_enough_room_is_omitted(toy):
    wide, narrow = (texts(toy.moment(toy.board(5, 5, 2)), width, 20)[0] for width in (69, 60))
    assert "A against B" in wide
    assert "A aga" not in narrow


def test_the_times_of_the_last_answers_alone_do_not_make_a_table(toy):
    frame = replace(toy.board(21, 21, 4), figures=())
    frame = replace(frame, seats=[replace(line, figures=()) for line in frame.seats])
    assert not any("last" in line for line in texts(toy.moment(frame), 80, 24))
    assert any("last" in line for line in texts(toy.moment(frame), 110, 45))


def test_without_a_bank_the_time_used_is_shown(toy):
    from referee.moments.timeline import SeatTime

    lines = texts(toy.moment(toy.board(5, 5, 1), times=[SeatTime(3.0, None, None, None)]), 100, 20)
    assert any("used" in line for line in lines)
    assert any("3.00s" in line for line in lines)


def test_a_saved_match_shows_its_progress(toy):
    lines = texts(toy.moment(toy.board(31, 31, 2), step=60, steps=120, paused=True), 120, 45)
    assert lines[0].endswith("step 60/120 · paused")
    assert lines[1].count("━") == lines[1].count("─") == 27


def test_help_names_every_key_and_the_legend(toy):
    lines = [line.plain for line in open_help().page(toy.moment(toy.board(31, 31, 2)), 80, 40, ASCII, VIEWER_KEYS)]
    for row in VIEWER_KEYS:
        assert any(label(row.name, ASCII) in line and row.meaning in line for line in lines)
    assert any("()" in line and "food" in line for line in lines)


def test_a_help_page_that_is_longer_than_the_terminal_scrolls(toy):
    scene, opened = toy.moment(toy.board(31, 31, 2)), open_help()

    def page(*pressed: str) -> list[str]:
        assert all(opened.press(key) for key in pressed)
        lines = [line.plain for line in opened.page(scene, 80, 10, COLOUR, VIEWER_KEYS)]
        assert len(lines) == 10
        return lines

    whole = [line.plain for line in help_lines(scene, 80, 10, COLOUR, VIEWER_KEYS)]
    assert page() == [*whole[:9], "↑ ↓ scroll  ? back"]
    assert page(k.DOWN)[:9] == whole[1:10]
    assert page(k.END) == [*whole[-9:], "↑ ↓ scroll  ? back"]
    assert page(k.DOWN)[:9] == whole[-9:], "it does not scroll beyond the end"
    assert page(k.UP)[:9] == whole[-10:-1]
    assert page(k.HOME)[:9] == page(k.UP, k.UP)[:9] == whole[:9]
    assert page(k.PAGE_DOWN)[:9] == whole[10:19]
    assert {line for step in range(len(whole)) for line in page(k.HOME, *[k.DOWN] * step)} >= set(whole)
    assert not opened.press("n"), "other keys are the view's"
    assert opened.press(k.ESCAPE)
    assert not opened.open
    assert not opened.press(k.DOWN)


def test_the_step_comes_before_the_state_where_the_title_has_no_room_for_both(toy):
    frame = replace(toy.board(31, 31, 2), title="round 47 of 500")
    scene = toy.moment(frame, step=170, steps=1273, paused=True)
    wide, narrow, narrowest = (panel_lines(scene, width, 20, COLOUR, (), Mode.HALF)[0].plain for width in (60, 34, 20))
    assert wide.endswith("step 170/1273 · paused")
    assert narrow == "round 47 of 500      step 170/1273"
    assert narrowest == "round 47 of 500"
    ended = panel_lines(replace(scene, over="rounds"), 34, 20, COLOUR, (), Mode.HALF)[0].plain
    assert ended == "round 47 of 500       over: rounds", "why the match ended comes before the step"


def test_the_event_that_n_went_to_is_bold(toy):
    events = [Sentence(10, 1, "bite", f"event {step}", step) for step in (46, 47)]
    lines = events_block(toy.moment(toy.board(31, 31, 4), events=events, mark=46), 40, 2, COLOUR)
    assert [[span.style for span in line.spans if span.end == len(line)] for line in lines] == [[BOLD], []]


def test_the_event_that_n_went_to_is_whole_if_there_is_room(toy):
    """At 80 × 24, the panel beside a board of 11 × 11 has 54 columns. The reason of a fault is longer."""
    fault = "nameless is disqualified: timeout, no answer within 1 s"
    events = [Sentence(7, 0, "bite", "Biter bites Ёж", 28), Sentence(31, 2, "disqualified", fault, 124)]
    scene = toy.moment(toy.board(11, 11, 4), events=events)
    marked = replace(scene, mark=124)

    def told(scene, most: int) -> list[str]:
        return [line.plain for line in events_block(scene, 54, most, COLOUR)]

    cut = "31 3 nameless is disqualified: timeout, no answer wit…"
    whole = ["31 3 nameless is disqualified: timeout, no answer", "     within 1 s"]
    assert told(scene, 3) == [" 7 1 Biter bites Ёж", cut]
    assert told(marked, 3) == [" 7 1 Biter bites Ёж", *whole]
    assert told(marked, 2) == whole
    assert told(marked, 1) == [cut]
    long = replace(marked, events=[replace(events[1], text=f"{fault} {'and more ' * 20}")])
    assert told(long, 3) == [
        whole[0],
        "     within 1 s and more and more and more and more",
        "     and more and more and more and more and more and…",
    ]
    page = [line.plain for line in compose(marked, 80, 24, COLOUR, ())]
    assert all(any(line.endswith(part) for line in page) for part in whole)


def test_the_keys_of_a_choice_are_bold_below_the_number_of_the_seat():
    turn = Turn(0, "Ann, your turn", [(["Esc"], "back")], rows=1)
    heading, choice = turn_lines(turn, 40, COLOUR)
    assert (heading.plain.rstrip(), choice.plain) == (" 1  Ann, your turn", " Esc  back")
    assert [span.style for span in choice.spans] == [BOLD]


def test_a_line_of_the_legend_has_the_colours_of_its_cell(toy):
    frame = toy.board(9, 9, 2)
    walled = replace(frame, legend=[(toy.WALL, "a wall")])
    (line,) = legend_lines(toy.moment(walled), 40, COLOUR, Mode.DOUBLE)
    swatch = sample(toy.WALL, Mode.DOUBLE, COLOUR)
    assert line.plain == f" {swatch.plain}  a wall"
    assert [(span.start - 1, span.end - 1, span.style) for span in line.spans] == [*swatch.spans]
