"""Why a match went as it did: all points have a source, the turning point is the last change of the lead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from analysis.duels import EACH_RECORD, LATE, RECORDS, duel

from referee.analysis import Explanation, explain
from referee.analysis.accounts import OTHER, SeatAccounts, bookings_of
from referee.analysis.explanation import SeatStory, lead_steps, turning_step
from referee.analysis.times import AnswerTime, Times
from referee.contract.clock import TimeControl
from referee.contract.game import Effect
from referee.saved.record import load
from referee.saved.replay import Replay


def balance(story: SeatStory) -> float:
    """The points at the start, and all that was gained and lost since."""
    accounts = [*story.accounts.of("gain"), *story.accounts.of("loss")]
    return story.accounts.start + sum(account.amount for account in accounts if account.points)


@EACH_RECORD
def test_the_sources_add_up_to_the_points_of_the_result(path: Path) -> None:
    saved = Replay(load(path))
    explanation = explain(saved)
    result = saved.record.result
    assert [(story.seat, story.rank, story.score) for story in explanation.seats] == [
        (ranked.seat, ranked.rank, ranked.score) for ranked in result.ranking
    ]
    sources = set()
    for story in explanation.seats:
        assert balance(story) == pytest.approx(story.score)
        assert story.progress[-1] == story.score
        sources |= {account.what for side in ("gain", "loss") for account in story.accounts.of(side)}
    assert OTHER not in sources or sources == {OTHER}, "a game explains all points or none"


@EACH_RECORD
def test_a_game_that_says_nothing_still_has_all_points(path: Path) -> None:
    saved = Replay(load(path))
    saved.game = replace(saved.game, effects=lambda _step, _before, _after: ())
    for story in explain(saved).seats:
        assert balance(story) == pytest.approx(story.score)
        assert {account.what for side in ("gain", "loss") for account in story.accounts.of(side)} <= {OTHER}
        assert not story.accounts.of("nothing")


@EACH_RECORD
def test_from_the_turning_point_on_the_winner_always_leads(path: Path) -> None:
    saved = Replay(load(path))
    turning = explain(saved).turning_point

    def leaders(step: int) -> list[int]:
        ranking = saved.state_at(step).current_result().ranking
        return [ranked.seat for ranked in ranking if ranked.rank == ranking[0].rank]

    last = len(saved.steps)
    if turning is None:
        assert len(leaders(last)) > 1
        return
    assert all(leaders(step) == [turning.seat] for step in range(turning.step, last + 1))
    assert turning.step == 0 or leaders(turning.step - 1) != [turning.seat]


@EACH_RECORD
def test_every_fault_of_the_match_is_found(path: Path) -> None:
    saved = Replay(load(path))
    ranked = {story.seat for story in explain(saved).seats}
    faults = {
        (step.step, answer.seat, answer.fault)
        for step in load(path).steps
        for answer in step.answers
        if answer.fault and answer.seat in ranked
    }
    assert faults
    assert {
        (fault.step, story.seat, fault.kind) for story in explain(saved).seats for fault in story.times.failures
    } == faults


def test_the_lead_is_taken_by_the_first_to_lead_and_by_each_that_was_not_the_last_one_to_lead() -> None:
    leaders = [(0, 1), (0,), (0, 1), (0,), (1,), (1,), (0,), (0,)]
    assert lead_steps(leaders) == [1, 4, 6]
    assert turning_step(leaders) == 6
    assert turning_step(leaders[:3]) is None, "nobody leads at the end"


def test_lost_points_are_one_group_and_each_other_loss_its_own() -> None:
    accounts = SeatAccounts(0, 9)
    for step, kind, what, amount in [
        (1, "points", "tax", -1), (2, "loss", "blocks", 3), (3, "points", "fines", -4), (4, "points", "tax", -1)
    ]:  # fmt: skip
        accounts.book(step, [Effect(0, kind, what, amount)], amount if kind == "points" else 0)
    lost, *others = accounts.losses()
    assert [account.what for account in lost] == ["fines", "tax"]
    assert [[account.what for account in group] for group in others] == [["blocks"]]
    assert [booking.step for booking in bookings_of(lost)] == [1, 3, 4]


def test_a_seat_led_after_a_part_of_the_steps_and_the_setup_is_none() -> None:
    """In this record, the first seat is ahead by a point at the start."""
    saved = Replay(load(next(path for path in RECORDS if path.stem == "ants")))
    rankings = [saved.state_at(step).current_result().ranking for step in range(len(saved.steps) + 1)]
    alone = [first.seat == 0 and first.rank < second.rank for first, second, *_ in rankings]
    (led,) = (story.led for story in explain(saved).seats if story.seat == 0)
    assert alone[0]
    assert led == pytest.approx(sum(alone[1:]) / len(saved.steps))


def test_a_seat_was_as_near_to_a_limit_as_the_largest_part_that_an_answer_took() -> None:
    times = Times(TimeControl(15.0, 0.5, None))
    times.answers += [AnswerTime(1, 3.0, 15.0), AnswerTime(2, 0.2, 0.5)]
    assert times.nearest() == 0.4


def sums_of(explanation: Explanation, seat: int, side: Any) -> dict[str, tuple[float, int]]:
    """The accounts of a seat: the sum, and the number of bookings."""
    (story,) = [story for story in explanation.seats if story.seat == seat]
    return {account.what: (account.amount, len(account.bookings)) for account in story.accounts.of(side)}


def test_deliveries_waits_and_skips_of_a_duel(tmp_path: Path) -> None:
    explanation = explain(duel(tmp_path, "RRRNNU", "LLLLUN", rounds=6))
    assert sums_of(explanation, 0, "gain") == {"deliveries": (3, 1)}
    assert sums_of(explanation, 1, "gain") == {"deliveries": (6, 1)}
    assert sums_of(explanation, 0, "nothing") == {"waited": (2, 2), "skipped (the edge of the field)": (1, 1)}
    assert sums_of(explanation, 1, "nothing") == {"waited": (1, 1)}
    assert [(lead.step, lead.seat) for lead in explanation.leads] == [(7, 0), (10, 1)]
    assert explanation.turning_point == explanation.leads[-1]


def test_a_disqualification_can_be_the_turning_point(tmp_path: Path) -> None:
    explanation = explain(duel(tmp_path, "RRRNNN", "LLLL" + LATE, rounds=6))
    assert (explanation.turning_point.step, explanation.turning_point.seat) == (12, 0)
    assert "Bob is disqualified: timeout" in explanation.turning_point.text
    (fault,) = explanation.seats[-1].times.failures
    assert (fault.step, fault.request, fault.kind, fault.rank, fault.points) == (12, "getAction", "timeout", 1, 6)
    assert explanation.seats[-1].times.nearest() == 1
