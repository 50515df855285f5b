"""A saved match from its first moment to its last: each moment is what the viewer shows at that step."""

import pytest
from analysis.duels import EACH_RECORD

from referee.moments.moment import moment, moments
from referee.moments.scene import with_names
from referee.moments.timeline import Timeline
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.palette import Look
from referee.terminal.text import frame_at
from referee.terminal.viewer import Viewer


@EACH_RECORD
def test_the_moments_of_a_match_are_its_steps_in_order(path):
    saved = Replay(load(path))
    result = saved.record.result
    shown = list(moments(saved))
    assert [moment.at for moment in shown] == list(range(len(saved.steps) + 1))
    assert [moment.step for moment in shown] == [None, *saved.steps]
    assert [moment.over for moment in shown[-2:]] == [None, result.reason]
    scores = {ranked.seat: ranked.score for ranked in result.ranking}
    assert {line.seat: line.score for line in shown[-1].frame.seats if line.seat in scores} == scores
    assert {seat: rank for seat, rank in enumerate(shown[-1].ranks) if rank is not None} == {
        ranked.seat: ranked.rank for ranked in result.ranking
    }
    assert all(event.step == moment.at for moment in shown for event in moment.events)
    asked = [[(request.ask, request.seat) for request in moment.requests] for moment in shown]
    assert asked == [*([(step.ask, answer.seat) for answer in step.answers] for step in saved.steps), []]


@EACH_RECORD
def test_a_match_that_was_broken_off_says_so_at_its_end_in_every_view(path):
    first, *lines = path.read_bytes().splitlines(keepends=True)
    saved = Replay(load(path, b"".join([first, *lines[: len(lines) // 2]])))
    last = len(saved.steps)
    assert [moment.over for moment in moments(saved)] == [None] * last + ["interrupted"]
    assert frame_at(saved, None)[1] == f"step {last}/{last}, over: interrupted"
    assert frame_at(saved, last - 1)[1] == f"step {last - 1}/{last}"
    assert [Viewer(saved, Look(), at=at).scene().over for at in (last - 1, last)] == [None, "interrupted"]


@EACH_RECORD
def test_a_moment_by_itself_is_the_moment_of_that_step(path):
    saved, other = Replay(load(path)), Replay(load(path))
    at = len(saved.steps) // 2
    alone = moment(Timeline(other), at)
    same = next(moment for moment in moments(saved) if moment.at == at)
    assert alone._replace(requests=()) == same._replace(requests=())
    assert [request[:2] for request in alone.requests] == [request[:2] for request in same.requests]
    assert alone.frame == with_names(saved.state_at(at).draw(), saved.entrants)
    used = [0.0] * len(alone.times)
    for answer in (answer for step in saved.steps[:at] for answer in step.answers):
        used[answer.seat] += answer.elapsed
    assert [time.used for time in alone.times] == pytest.approx(used)
