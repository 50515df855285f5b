"""Limits and how they are charged. Times are numbers that the test chose: nothing here waits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.clock import TICK, Clock, Stopwatch, TimeControl, seconds


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("inf"), float("nan")])
@pytest.mark.parametrize("name", ["first", "answer", "total"])
def test_a_limit_is_above_nothing_and_finite(name, wrong):
    limits = {"first": 15.0, "answer": 1.0, "total": 120.0, name: wrong}
    with pytest.raises(ValueError, match=f"the {name} time limit must be above 0 s and finite"):
        TimeControl(**limits)


def test_the_first_answer_has_a_limit_of_its_own_then_each_has_the_same():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=None))
    assert clock.limit == 15.0
    for _ in range(1000):
        clock.charge(1.0)
        assert clock.limit == 1.0
    assert clock.left() is None


def test_all_answers_share_the_total_the_first_included():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=16.5))
    clock.charge(15.0)
    assert (clock.limit, clock.left()) == (1.0, 1.5)
    clock.charge(1.0)
    assert (clock.limit, clock.left()) == (0.5, 0.5)
    clock.charge(0.5)
    assert (clock.limit, clock.left()) == (0.0, 0.0)


def test_a_total_below_the_first_limit_holds_from_the_beginning():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=3.0))
    assert clock.limit == 3.0
    assert clock.why(3.0) == "the 3 s for all answers together are used up"


def test_a_clock_tells_which_limit_was_passed():
    clock = Clock(TimeControl(first=15.0, answer=0.5, total=16.2))
    assert clock.why(clock.limit) == "no answer within 15 s"
    clock.charge(15.0)
    assert clock.why(clock.limit) == "no answer within 0.5 s"
    clock.charge(0.5)
    clock.charge(0.5)
    assert clock.why(clock.limit) == "the 16.2 s for all answers together are used up"


@given(st.lists(st.floats(0, 2), max_size=50))
def test_a_clock_adds_up(times):
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=20.0))
    for elapsed in times:
        assert 0 <= clock.limit <= 15.0
        clock.charge(elapsed)
    assert clock.answers == len(times)
    assert clock.used == pytest.approx(sum(times))
    assert clock.slowest == max(times, default=0.0)
    assert clock.left() == max(0.0, 20.0 - clock.used)


# -- a total in CPU time ---------------------------------------------------------------------------------------------

CPU = TimeControl(first=15.0, answer=1.0, total=2.0, kind="cpu")


def test_where_the_total_counts_wall_time_cpu_time_is_no_limit():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=2.0))
    clock.charge(0.5, 100.0)
    assert (clock.used, clock.limit, clock.cpu_limit) == (0.5, 1.0, float("inf"))


def test_a_total_in_cpu_time_leaves_the_answers_their_wall_time():
    clock = Clock(CPU)
    assert (clock.limit, clock.cpu_limit) == (15.0, 2.0)
    clock.charge(14.0, 0.5)
    assert (clock.limit, clock.cpu_limit, clock.left()) == (1.0, 1.5, 1.5)
    clock.charge(0.9, 1.25)
    assert (clock.limit, clock.cpu_limit, clock.left()) == (1.0, 0.25, 0.25)
    assert (clock.used, clock.slowest) == (1.75, 14.0)


def test_when_the_cpu_time_is_used_up_there_is_no_time_left():
    clock = Clock(CPU)
    clock.charge(1.0, 2.5)
    assert (clock.limit, clock.cpu_limit) == (0.0, 0.0)
    assert clock.why(clock.limit) == "the 2 s of CPU time for all answers together are used up"


def test_cpu_time_without_a_total_is_unlimited():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=None, kind="cpu"))
    clock.charge(1.0, 500.0)
    assert (clock.limit, clock.cpu_limit, clock.left()) == (1.0, float("inf"), None)


def test_a_clock_tells_the_time_that_was_passed_from_the_total():
    clock = Clock(CPU)
    assert clock.why(clock.limit) == "no answer within 15 s"
    clock.charge(1.0, 1.5)
    assert clock.why(clock.limit) == "no answer within 1 s", "though 0.5 s of CPU time are left"
    assert clock.why_total() == "the 2 s of CPU time for all answers together are used up"


def test_where_nobody_measured_cpu_time_wall_time_stands_for_it():
    clock = Clock(CPU)
    clock.charge(0.5, None)
    assert clock.used == 0.5


def test_what_is_left_of_a_total_does_not_change_the_limit_of_an_answer_by_itself():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=3.0))
    assert (clock.limit, clock.own_limit()) == (3.0, 15.0)
    clock.charge(2.5)
    assert (clock.limit, clock.own_limit()) == (0.5, 1.0)


def test_limits_are_told_without_zeros_that_say_nothing():
    assert [seconds(value) for value in (1.0, 0.5, 120.0)] == ["1 s", "0.5 s", "120 s"]


# -- the stopwatch ---------------------------------------------------------------------------------------------------

T = 1000.0
"""Where the steady clock happens to stand."""


def test_time_that_is_looked_at_is_charged():
    watch = Stopwatch(T, limit=1.0)
    for step in range(1, 11):
        watch.look(T + step * TICK / 2)
    assert watch.absent == 0.0
    assert watch.elapsed(T + 5 * TICK) == pytest.approx(5 * TICK)


def test_what_passes_between_two_looks_beyond_a_tick_is_the_referees_absence():
    watch = Stopwatch(T, limit=1.0)
    assert watch.look(T + TICK / 2) == pytest.approx(1.0 - TICK / 2)
    assert watch.look(T + 60.0) == pytest.approx(1.0 - TICK / 2 - TICK)
    assert watch.elapsed(T + 60.0) == pytest.approx(TICK / 2 + TICK)


def test_an_absence_does_not_stretch_the_limit_for_what_follows():
    watch = Stopwatch(T, limit=1.0)
    watch.look(T + 60.0)
    now = T + 60.0
    while watch.look(now) > 0:
        now += TICK / 2
    assert now - T - 60.0 == pytest.approx(1.0 - TICK, abs=TICK / 2)


def test_a_stop_before_the_first_look_is_taken_off_too():
    assert Stopwatch(T, limit=1.0).elapsed(T + 60.0) == pytest.approx(TICK)


@given(st.lists(st.floats(0, 5), min_size=1, max_size=40), st.floats(0.05, 15))
def test_whatever_the_gaps_no_more_is_charged_than_passed_and_no_more_than_a_tick_a_look(gaps, limit):
    watch = Stopwatch(T, limit)
    now = T
    for gap in gaps:
        now += gap
        left = watch.look(now)
        assert left <= limit
    elapsed = watch.elapsed(now)
    assert -1e-9 <= elapsed <= now - T + 1e-9
    assert elapsed == pytest.approx(sum(min(gap, TICK) for gap in gaps), abs=1e-6)


def test_each_answer_takes_its_cpu_time_off_what_is_left():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=10.0, kind="cpu"))
    for left in (9.0, 8.0, 7.0):
        clock.charge(1.0, 1.0)
        assert (clock.limit, clock.cpu_limit) == (1.0, left)
