"""The points over a saved match, drawn in lines that are free below the board."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from referee.terminal.graph import LEAST, MOST, NARROWEST, graph_lines
from referee.terminal.page import compose
from referee.terminal.palette import DIM, Look
from referee.terminal.sparklines import SAMPLES

LOOK, ASCII = Look(), Look(colour=False, shades=False, ascii_only=True)
RISING = [float(sample + 1) for sample in range(SAMPLES)]
FLAT = [0.0] * SAMPLES
JUMP = [0.0] * 12 + [24.0] * 12


def drawn(toy: SimpleNamespace, *scores: list[float], width: int = 30, height: int = 8, step: int = 120) -> list[str]:
    scene = toy.moment(toy.board(5, 5, 2), points=scores, step=step, steps=120)
    return [line.plain for line in graph_lines(scene, width, height, LOOK)]


def test_each_seat_has_a_line_of_its_number(toy: SimpleNamespace) -> None:
    assert drawn(toy, RISING, FLAT) == [
        "",
        "points over the match",
        "24 │                      1111",
        "   │                111111",
        "   │          111111",
        "   │    111111",
        " 0 │12122222222222222222222222",
        "   └─────────────────────────┴",
    ]


def test_seats_that_share_a_cell_take_turns_in_it(toy: SimpleNamespace) -> None:
    assert "0 │" + "12" * 13 + "1" in drawn(toy, FLAT, FLAT)
    assert "0 │" + "123" * 9 in drawn(toy, FLAT, FLAT, FLAT)


def test_a_jump_is_joined(toy: SimpleNamespace) -> None:
    assert [line[16:20] for line in drawn(toy, JUMP)[2:7]] == ["  11", "  │", " 1", " │", "1"]


def test_the_axis_marks_the_step_and_what_comes_later_is_dim(toy: SimpleNamespace) -> None:
    scene = toy.moment(toy.board(5, 5, 2), points=[FLAT], step=60, steps=120)
    *_, last, axis = graph_lines(scene, 30, 8, LOOK)
    assert axis.plain == "  └─────────────┴─────────────"
    at = axis.plain.index("┴")
    assert {span.start <= at for span in last.spans if span.style == DIM} == {False}
    assert {span.start <= at for span in last.spans if span.style != DIM} == {True}
    assert [drawn(toy, RISING, step=step)[-1].index("┴") for step in (0, 120)] == [4, 29]


def test_a_graph_of_points_below_zero_has_its_least_at_the_bottom(toy: SimpleNamespace) -> None:
    most, *_, least = (line for line in drawn(toy, [-4.0] * SAMPLES, [4.0] * SAMPLES) if "│" in line)
    assert (most[:5], least[:5]) == (" 4 │2", "-4 │1")


@given(
    st.integers(0, 100), st.integers(0, 60), st.lists(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=SAMPLES), max_size=8),
    st.integers(0, 120), st.sampled_from([LOOK, ASCII]),
)  # fmt: skip
def test_a_graph_never_exceeds_its_room(
    toy: SimpleNamespace, width: int, height: int, scores: list[list[float]], step: int, look: Look
) -> None:
    scores = [line[: min(map(len, scores))] for line in scores]
    lines = graph_lines(toy.moment(toy.board(5, 5, 2), points=scores, step=step, steps=120), width, height, look)
    assert len(lines) <= min(height, MOST)
    assert all(line.cell_len <= width for line in lines)
    assert bool(lines) == (width >= NARROWEST and height >= LEAST and bool(scores))
    assert not look.ascii_only or all(line.plain.isascii() for line in lines)


def test_it_stands_below_the_board_if_lines_are_free_there(toy: SimpleNamespace) -> None:
    scene = toy.moment(toy.board(21, 21, 2), points=[RISING, FLAT], step=60, steps=120)
    shown = {size: [line.plain for line in compose(scene, *size, LOOK, ())] for size in ((120, 40), (80, 24), (50, 60))}
    assert [size for size, page in shown.items() if any("points over the match" in line for line in page)] == [
        (120, 40)
    ]
    assert len(shown[120, 40]) == 40
    without = toy.moment(toy.board(21, 21, 2), step=60, steps=120)
    assert not any("points over the match" in line.plain for line in compose(without, 120, 40, LOOK, ()))
