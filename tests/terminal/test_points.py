"""The points over a match: small bars in the rows of the seats."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.moments.timeline import Timeline
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal import keys as k
from referee.terminal.page import compose
from referee.terminal.palette import Look, seat_ink
from referee.terminal.seats import SAMPLES, Points, sparkline
from referee.terminal.viewer import Viewer

LOOK, ASCII = Look(), Look(colour=False, shades=False, ascii_only=True)
RISING = [float(sample + 1) for sample in range(SAMPLES)]


def complete(saved: Any) -> Points:
    points = Points(Timeline(saved))
    while not points.complete:
        points.take()
    return points


def test_the_points_are_sampled_over_the_whole_match(toy):
    saved = toy.SavedWalk(length=2 * SAMPLES)
    assert complete(saved).scores == [RISING, RISING]
    assert saved.asked == list(range(0, 2 * SAMPLES + 1, 2))


def test_a_long_match_takes_no_more_samples_than_a_short_one(toy):
    for length in (5, 20_000):
        saved = toy.SavedWalk(length=length)
        complete(saved)
        assert (len(saved.asked[1:]), saved.asked[-1]) == (SAMPLES, length)
    assert complete(toy.SavedWalk(length=0)).scores == [[], []]


def test_players_of_the_house_have_points_too():
    saved = Replay(load(Path(__file__).parents[1] / "records" / "egghunt.jsonl"))
    points = complete(saved)
    last = [line.score for line in saved.state_at(len(saved.steps)).draw().seats]
    assert [scores[-1] for scores in points.scores] == last
    assert any(score for score, entrant in zip(last, saved.entrants, strict=True) if entrant.house)


def test_steps_that_do_not_follow_from_the_rules_are_left_out(toy):
    assert complete(toy.SavedWalk(length=SAMPLES, broken_at=5)).scores == [[1, 1, 2, 2], [0, 1, 1, 2]]


def test_all_seats_have_one_scale_from_zero_to_the_highest_score():
    scores = [RISING, [24.0] * SAMPLES, [0.0] * SAMPLES]
    assert [sparkline(scores, seat, 8, 1.0, LOOK).plain for seat in range(3)] == ["▂▃▄▅▆▇██", "████████", "▁▁▁▁▁▁▁▁"]
    assert sparkline(scores, 0, 8, 1.0, ASCII).plain == ".:-=+*##"
    assert [sparkline([[8.0] * SAMPLES, [4.0] * SAMPLES], seat, 2, 1.0, LOOK).plain for seat in (0, 1)] == ["██", "▅▅"]
    below = [[-4.0] * SAMPLES, [4.0] * SAMPLES, [0.0] * SAMPLES]
    assert [sparkline(below, seat, 3, 1.0, LOOK).plain for seat in range(3)] == ["▁▁▁", "███", "▅▅▅"]


def test_bars_after_the_current_step_are_dim():
    text = sparkline([RISING], 0, 8, 0.5, LOOK)
    assert [(span.start, span.end) for span in text.spans] == [(0, 4), (4, 8)]
    assert text.spans[0].style == seat_ink(0, LOOK)
    assert text.spans[1].style == "dim" or text.spans[1].style.dim  # type: ignore[union-attr]


@given(st.lists(st.floats(-1e9, 1e9), max_size=SAMPLES), st.integers(1, SAMPLES), st.floats(0, 1))
def test_a_sparkline_has_its_width(scores, width, part):
    assert sparkline([scores, [0.0]], 0, width, part, LOOK).cell_len == width


def test_the_viewer_shows_them_when_all_are_there_and_there_is_room(toy):
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


def test_a_verdict_replaces_the_sparkline(toy):
    scene = toy.moment(toy.board(5, 5, 4), points=[RISING] * 4, step=12, steps=24)
    lines = [line.plain for line in compose(scene, 200, 50, LOOK, ())]
    rows = [line for line in lines if "bot " in line and "bites" not in line]
    assert ["█" in row.split("ms")[-1] for row in rows[1:]] == [True, True, False]
