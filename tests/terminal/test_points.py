"""The points over a match: small bars in the rows of the seats, and a graph in lines that are free below the board."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.moments.timeline import Timeline
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal import keys as k
from referee.terminal.graph import LEAST, MOST, NARROWEST, graph_lines
from referee.terminal.page import compose
from referee.terminal.palette import DIM, Look
from referee.terminal.sparklines import SAMPLES, Points, sparkline
from referee.terminal.viewer import Viewer

LOOK, ASCII = Look(), Look(colour=False, shades=False, ascii_only=True)
RISING = [float(sample + 1) for sample in range(SAMPLES)]
FLAT = [0.0] * SAMPLES
JUMP = [0.0] * 12 + [24.0] * 12


def complete(saved: Any) -> Points:
    points = Points(Timeline(saved))
    while not points.complete:
        points.take()
    return points


def test_the_points_are_sampled_over_the_whole_match(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk(length=2 * SAMPLES)
    assert complete(saved).scores == [RISING, RISING]
    assert saved.asked == list(range(0, 2 * SAMPLES + 1, 2))


def test_a_long_match_takes_no_more_samples_than_a_short_one(toy: SimpleNamespace) -> None:
    for length in (5, 20_000):
        saved = toy.SavedWalk(length=length)
        complete(saved)
        assert (len(saved.asked[1:]), saved.asked[-1]) == (SAMPLES, length)
    assert complete(toy.SavedWalk(length=0)).scores == [[], []]


def test_players_of_the_house_have_points_too() -> None:
    saved = Replay(load(Path(__file__).parents[1] / "records" / "egghunt.jsonl"))
    points = complete(saved)
    last = [line.score for line in saved.state_at(len(saved.steps)).draw().seats]
    assert [scores[-1] for scores in points.scores] == last
    assert any(score for score, entrant in zip(last, saved.entrants, strict=True) if entrant.house)


def test_steps_that_do_not_follow_from_the_rules_are_left_out(toy: SimpleNamespace) -> None:
    assert complete(toy.SavedWalk(length=SAMPLES, broken_at=5)).scores == [[1, 1, 2, 2], [0, 1, 1, 2]]


def test_all_seats_have_one_scale_from_zero_to_the_highest_score() -> None:
    scores = [RISING, [24.0] * SAMPLES, [0.0] * SAMPLES]
    assert [sparkline(scores, seat, 8, 1.0, LOOK).plain for seat in range(3)] == ["▂▃▄▅▆▇██", "████████", "▁▁▁▁▁▁▁▁"]
    assert sparkline(scores, 0, 8, 1.0, ASCII).plain == ".:-=+*##"
    assert [sparkline([[8.0] * SAMPLES, [4.0] * SAMPLES], seat, 2, 1.0, LOOK).plain for seat in (0, 1)] == ["██", "▅▅"]
    below = [[-4.0] * SAMPLES, [4.0] * SAMPLES, [0.0] * SAMPLES]
    assert [sparkline(below, seat, 3, 1.0, LOOK).plain for seat in range(3)] == ["▁▁▁", "███", "▅▅▅"]


def test_bars_after_the_current_step_are_dim() -> None:
    text = sparkline([RISING], 0, 8, 0.5, LOOK)
    assert [(span.start, span.end) for span in text.spans] == [(0, 4), (4, 8)]
    assert text.spans[1].style == "dim" or text.spans[1].style.dim  # type: ignore[union-attr]


@given(st.lists(st.floats(-1e9, 1e9), max_size=SAMPLES), st.integers(1, SAMPLES), st.floats(0, 1))
def test_a_sparkline_has_its_width(scores: list[float], width: int, part: float) -> None:
    assert sparkline([scores, [0.0]], 0, width, part, LOOK).cell_len == width


def test_the_viewer_shows_them_when_all_are_there_and_there_is_room(toy: SimpleNamespace) -> None:
    viewer = Viewer(toy.SavedWalk(), LOOK, at=100)
    for tick in range(SAMPLES):
        assert not any("points over time" in line.plain for line in viewer.page(200, 50))
        viewer.tick(float(tick))
    assert any("points over time" in line.plain for line in viewer.page(200, 50))
    assert not any("points over" in line.plain for line in viewer.page(50, 24))
    viewer.press(k.HOME)
    row = next(line.plain for line in viewer.page(200, 50) if " bot 1 " in line.plain)
    assert "▁" in row
    assert "█" in row


def test_a_verdict_replaces_the_sparkline(toy: SimpleNamespace) -> None:
    scene = toy.moment(toy.board(5, 5, 4), points=[RISING] * 4, step=12, steps=24)
    rows = [
        line.plain for line in compose(scene, 200, 50, LOOK, ()) if "bot " in line.plain and "bites" not in line.plain
    ]
    assert ["█" in row.split("ms")[-1] for row in rows[1:]] == [True, True, False]


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
