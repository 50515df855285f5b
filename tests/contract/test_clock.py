"""Time limits and how clocks are charged. Times are chosen numbers: no test waits."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contract.clock import FOREVER, LOOK, SHORTEST, Clock, Sight, Stopwatch, TimeControl


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("inf"), float("nan")])
@pytest.mark.parametrize("name", ["first", "answer", "total"])
def test_a_limit_must_be_positive_and_finite(name, wrong):
    limits = {"first": 15.0, "answer": 1.0, "total": 120.0, name: wrong}
    with pytest.raises(ValueError, match=f"the {name} time limit must be above 0 s and finite"):
        TimeControl(**limits)


def test_limits_are_changed_one_by_one_and_a_total_can_be_none():
    usual = TimeControl(first=15.0, answer=1.0, total=120.0)
    assert usual.changed(None, None, None) == usual
    assert usual.changed(20.0, None, None, "cpu") == TimeControl(20.0, 1.0, 120.0, "cpu")
    assert usual.changed(None, 2.0, 60.0) == TimeControl(15.0, 2.0, 60.0)
    without = usual.changed(None, None, "none")
    assert without.as_json() == {"first": 15.0, "answer": 1.0, "total": None}
    assert without.changed(None, None, None).total is None
    assert without.changed(None, None, 60.0).total == 60.0


def test_all_answers_including_the_first_share_the_total():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=16.5))
    clock.charge(15.0)
    assert (clock.limit, clock.left()) == (1.0, 1.5)
    clock.charge(1.0)
    assert (clock.limit, clock.left()) == (0.5, 0.5)
    clock.charge(0.5)
    assert (clock.limit, clock.left(), clock.answers) == (0.0, 0.0, 3)


# -- a total in CPU time ---------------------------------------------------------------------------------------------

CPU = TimeControl(first=15.0, answer=1.0, total=2.0, kind="cpu")


@pytest.mark.parametrize(
    ("control", "elapsed", "cpu", "used", "limit", "cpu_limit", "left"),
    [
        (replace(CPU, kind="wall"), 0.5, 100.0, 0.5, 1.0, FOREVER, 1.5),
        (replace(CPU, total=None), 1.0, 500.0, 500.0, 1.0, FOREVER, None),
        (CPU, 1.0, 2.5, 2.5, 0.0, 0.0, 0.0),
        (CPU, 0.5, None, 0.5, 1.0, 1.5, 1.5),
    ],
    ids=["a total in wall time", "no total", "used up", "CPU time not measured"],
)
def test_the_total_counts_wall_or_cpu_time(control, elapsed, cpu, used, limit, cpu_limit, left):
    clock = Clock(control)
    clock.charge(elapsed, cpu)
    assert (clock.used, clock.limit, clock.cpu_limit, clock.left()) == (used, limit, cpu_limit, left)


def test_a_total_in_cpu_time_does_not_change_the_wall_limits_of_answers():
    clock = Clock(CPU)
    assert (clock.limit, clock.cpu_limit) == (15.0, 2.0)
    clock.charge(14.0, 0.25)
    assert (clock.limit, clock.cpu_limit, clock.left()) == (1.0, 1.75, 1.75)
    clock.charge(0.9, 0.25)
    assert (clock.limit, clock.cpu_limit) == (1.0, 1.5), "also while more is left than an answer may take"
    clock.charge(0.9, 1.25)
    assert (clock.limit, clock.cpu_limit, clock.left()) == (1.0, 0.25, 0.25)
    assert (clock.used, clock.slowest) == (1.75, 14.0)


def test_why_and_why_total_distinguish_the_answer_limit_from_the_total():
    clock = Clock(CPU)
    assert clock.why(clock.limit) == "no answer within 15 s"
    clock.charge(1.0, 1.5)
    assert clock.why(clock.limit) == "no answer within 1 s", "although 0.5 s of CPU time are left"
    clock.charge(1.0, 1.0)
    assert clock.why(clock.limit) == clock.why_total() == "the 2 s of CPU time for all answers together are used up"


def test_own_limit_is_the_limit_without_the_total():
    clock = Clock(TimeControl(first=15.0, answer=1.0, total=3.0))
    assert (clock.limit, clock.own_limit()) == (3.0, 15.0)
    assert clock.why(clock.limit) == "the 3 s for all answers together are used up"
    clock.charge(2.5)
    assert (clock.limit, clock.own_limit()) == (0.5, 1.0)


# -- the stopwatch: stolen time --------------------------------------------------------------------------------------

T = 1000.0
"""An arbitrary start time of the steady clock."""


def at(now: float, **seen: float) -> Sight:
    """A sight `now` seconds after the request."""
    return Sight(T + now, **seen)


def watch(limit: float = 1.0, own_limit: float | None = None) -> Stopwatch:
    return Stopwatch(at(0.0), limit, own_limit or limit)


def looked(stopwatch: Stopwatch, *sights: Sight) -> Stopwatch:
    """The stopwatch after looks that found no answer, with a nap after each."""
    for sight in sights:
        stopwatch.look(sight)
        stopwatch.nap()
    return stopwatch


@pytest.mark.parametrize(
    ("sights", "charged"),
    [
        ([at(0.05), at(0.1), at(0.15)], 0.15),
        ([at(0.05, stood=0.02), at(0.1, stood=0.06)], 0.04),
        ([at(0.05), at(0.4, delayed=0.35), at(0.45, delayed=0.35)], 0.45),
        ([at(0.05), at(1.5, still=1.4), at(1.55, still=1.4)], 0.15),
        ([at(0.05), at(0.75, used=0.3, still=0.6)], 0.75 - (0.6 - 0.3)),
        *(([at(0.05), at(0.65, still=0.6, **gap)], 0.05) for gap in ({"stood": 0.6}, {"stood": 0.5}, {"ready": True})),
        ([at(0.05), at(0.85, still=0.8, stops=1)], 0.85),  # the player could run, but had not answered
        ([at(0.05), at(0.5, ready=True), at(1.5, ready=True)], 0.05),
        ([at(0.05), at(0.5, ready=True, used=0.001)], 0.5),
    ],
    ids=[
        "the player runs", "the player waits for a processor", "the referee is delayed", "the machine stands still",
        "the player runs while the referee stands still", "waiting while the machine stands still counts once",
        "also if the kernel has booked a part", "also if it has booked nothing", "the referee alone is stopped",
        "a ready player that has not run waits", "a ready player that has run does not wait",
    ],
)  # fmt: skip
def test_what_is_charged_before_the_answer(sights, charged):
    stopwatch = looked(watch(), *sights)
    assert (stopwatch.charged, stopwatch.stolen) == pytest.approx((charged, sights[-1].now - T - charged))


@pytest.mark.parametrize(
    ("sights", "answer", "charged"),
    [
        ([at(0.05), at(0.15)], at(0.18), 0.18),
        ([at(0.05, stood=0.02), at(0.1, stood=0.06)], at(0.12, stood=0.06), 0.06),
        ([at(0.05), at(0.4, delayed=0.35), at(0.45, delayed=0.35)], at(0.5, delayed=0.35), 0.5),
        ([at(0.05), at(0.45, delayed=0.38)], at(0.46, delayed=0.39), 0.07),
        ([at(0.05, used=0.05), at(0.45, used=0.25, delayed=0.38)], at(0.45, used=0.25, delayed=0.38), 0.27),
        ([], at(0.6, stood=0.3, delayed=0.2), 0.3),
        ([], at(0.6, stood=0.2, delayed=0.3), 0.3),
        ([at(0.05), at(0.2, stood=0.1), at(0.4, stood=0.1, delayed=0.15)], at(0.4, stood=0.1, delayed=0.15), 0.15),
        ([at(0.05), at(1.5, still=1.4), at(1.55, still=1.4)], at(1.6, still=1.4), 0.2),
        ([at(0.05)], at(0.75, still=0.4, delayed=0.2, stood=0.3), 0.15),
    ],
    ids=[
        "the player runs", "the player waits for a processor", "the referee is delayed before the answer",
        "the referee is delayed after the answer", "the player runs during the delay", "the longer of two delays counts",
        "also if it is the referee's", "delays in different gaps are added", "the machine stands still",
        "the machine stands still, and then runs other programs in place of the referee",
    ],
)  # fmt: skip
def test_what_is_charged_with_the_answer(sights, answer, charged):
    """The last look comes before the read that finds the answer."""
    stopwatch = watch()
    for sight in sights:
        stopwatch.look(sight)
        if sight is not sights[-1]:
            stopwatch.nap()
    assert stopwatch.answered(answer)
    assert stopwatch.charged == pytest.approx(charged)


@pytest.mark.parametrize(
    ("away", "charged"),
    [({"busy": 0.3}, 0.1), ({"delayed": 0.2, "busy": 0.3}, 0.1), ({"delayed": 0.3, "busy": 0.2}, 0.1), ({}, 0.4)],
    ids=["busy", "more busy than delayed", "more delayed than busy", "asleep"],
)
def test_a_delayed_or_busy_referee_is_not_charged_to_the_player(away, charged):
    """Sleep of the referee in the kernel is charged, because a player can cause it."""
    stopwatch = watch()
    assert stopwatch.answered(at(0.4, **away))
    assert stopwatch.charged == pytest.approx(charged)


@pytest.mark.parametrize(("stops", "charged"), [(0, 60.0), (1, 0.05)])
def test_a_stop_of_the_referee_is_not_charged_beyond_its_nap(stops, charged):
    stopwatch = watch(100.0)
    stopwatch.look(at(0.0))
    assert stopwatch.nap() == LOOK
    stopwatch.answered(at(60.0, stops=stops))
    assert stopwatch.charged == pytest.approx(charged)


# -- the stopwatch: waits that the kernel has not accounted yet ------------------------------------------------------


def test_the_accounted_wait_replaces_the_estimate():
    """The player slept until shortly before the look, and then waited for 0.02 s."""
    stopwatch = looked(watch(), at(0.05), at(0.1, ready=True))
    assert stopwatch.stolen == pytest.approx(0.05)
    stopwatch.look(at(0.12, used=0.001, stood=0.02))
    assert stopwatch.stolen == pytest.approx(0.02)


def test_a_wait_that_is_accounted_in_parts_is_counted_once():
    """The kernel accounts the wait of a task that moves to another processor's queue, although the task has not run."""
    stopwatch = looked(watch(), at(0.05), at(0.1, ready=True, stood=0.03), at(0.15, ready=True, stood=0.03))
    assert stopwatch.stolen == pytest.approx(0.1)
    stopwatch.look(at(0.2, used=0.001, stood=0.14))
    assert stopwatch.stolen == pytest.approx(0.14)


def test_after_a_wait_of_several_gaps_a_delay_of_the_referee_counts_in_the_last_gap():
    """The player waits from 0.05 to 0.12 s and answers. The referee does not run from then until 0.32 s."""
    stopwatch = looked(watch(), at(0.05), at(0.1, ready=True))
    stopwatch.look(at(0.32, used=0.0, stood=0.07, delayed=0.2))
    stopwatch.answered(at(0.32, used=0.0, stood=0.07, delayed=0.2))
    assert stopwatch.stolen == pytest.approx(0.07 + 0.2 - 0.02)


def test_waits_in_two_gaps_that_are_booked_together_may_count_beside_a_delay():
    """The player sleeps until 0.09 s and waits until 0.12 s: 0.01 and 0.02 s in two gaps, which the kernel books as 0.03 s.

    The referee does not run from 0.12 to 0.32 s. The larger in the second gap is 0.2 s, but nobody knows how to divide the wait.
    """
    stopwatch = looked(watch(), at(0.05), at(0.1, ready=True))
    stopwatch.look(answer := at(0.32, stood=0.03, delayed=0.2))
    stopwatch.answered(answer)
    excess = stopwatch.stolen - (0.01 + 0.2)
    assert excess == pytest.approx(0.02)


# -- the stopwatch: a limit that passes while the player waits -------------------------------------------------------


def test_a_player_that_has_run_and_waits_when_its_limit_passes_is_not_late_yet():
    """It ran until 0.1 s and has waited since. The referee was delayed until 1.2 s."""
    stopwatch = looked(watch(), at(0.05, used=0.05))
    assert stopwatch.look(at(1.2, used=0.1, ready=True)) == pytest.approx(1.0 - 0.1)
    assert (stopwatch.charged, stopwatch.stolen) == pytest.approx((1.2, 0.0)), "nothing is credited before it is booked"
    assert stopwatch.nap() == LOOK
    assert stopwatch.look(at(1.25, used=0.1, ready=True)) == pytest.approx(1.0 - 0.1), "it still waits"
    stopwatch.nap()
    assert stopwatch.look(at(1.3, used=0.12, stood=1.18, ready=True)) == pytest.approx(1.0 - 0.12)
    assert stopwatch.answered(at(1.3, used=0.12, stood=1.18))


def test_a_player_that_slept_is_late_when_it_has_run_again():
    """It sleeps, and puts the referee to sleep for 3 s, but is ready whenever the referee looks."""
    stopwatch = looked(watch(), at(0.05, used=0.01))
    assert stopwatch.look(at(3.0, used=0.02, ready=True)) > 0
    assert not stopwatch.starved
    assert not stopwatch.hopeless
    assert stopwatch.look(at(3.1, used=0.03, ready=True)) <= 0
    assert (stopwatch.charged, stopwatch.stolen) == pytest.approx((3.1, 0.0))


def test_a_player_that_slept_gains_nothing_for_its_answer():
    """The look at 1.05 s cannot tell sleep from a wait. The answer comes 0.01 s later, and no wait was booked."""
    stopwatch = looked(watch(), at(0.05, used=0.01), at(1.05, used=0.02, ready=True))
    assert not stopwatch.answered(at(1.06, used=0.03))
    assert stopwatch.charged == pytest.approx(1.06)


@pytest.mark.parametrize("seen", [{"used": 1.1, "ready": True}, {"used": 0.5}], ids=["it runs", "it sleeps"])
def test_a_player_that_does_not_wait_is_late_when_its_limit_has_passed(seen):
    stopwatch = looked(watch(), at(0.05, used=0.05))
    assert stopwatch.look(at(1.1, **seen)) <= 0


def test_a_player_that_has_used_its_limit_of_cpu_time_is_late_although_it_may_have_waited():
    """It waited for 0.9 s, and its threads have used 1.01 s on several processors. Now it is ready whenever the referee looks."""
    stopwatch = looked(watch(), at(1.45, used=0.99, stood=0.9))
    assert stopwatch.look(at(1.5, used=1.01, stood=0.9, ready=True)) <= 0


@given(
    st.lists(st.tuples(st.floats(0.001, 0.9), st.floats(0.01, 4), st.floats(0, 1)), min_size=1, max_size=20),
    st.sampled_from([0.02, 1.0, 15.0]),
)
def test_a_player_that_runs_lives_at_most_one_look_longer(gaps, limit):
    """It is ready at each look. Gaps: their length, the processors that it used, and the part of the rest that it waited."""
    stopwatch, sight, passed = watch(limit), at(0.0), 0
    for gap, processors, waited in gaps:
        used, stood = gap * processors, max(0.0, gap * (1 - processors)) * waited
        sight = sight._replace(now=sight.now + gap, used=sight.used + used, stood=sight.stood + stood, ready=True)
        if stopwatch.look(sight) <= 0:
            break
        passed = passed + 1 if stopwatch.charged > limit else 0
        assert passed <= 1


# -- the stopwatch: what an innocent player can lose -----------------------------------------------------------------


def test_what_a_player_ran_before_a_delay_of_the_referee_is_subtracted_from_the_delay():
    """It runs until 0.06 s and answers. The referee naps until 0.05 s and is delayed until 0.15 s."""
    stopwatch = watch(limit=0.1)
    assert stopwatch.nap() == 0.05
    assert not stopwatch.answered(at(0.15, used=0.06, delayed=0.1))
    assert stopwatch.charged == pytest.approx(0.06 + 0.05)


# -- the stopwatch: limits -------------------------------------------------------------------------------------------


def test_stolen_time_extends_the_deadline():
    stopwatch = watch(1.0)
    assert stopwatch.look(at(0.9, stood=0.3)) == pytest.approx(0.4)
    assert stopwatch.look(at(1.2, stood=0.3)) == pytest.approx(0.1)
    assert stopwatch.look(at(1.3, stood=0.3)) == pytest.approx(0.0)


@pytest.mark.parametrize(("seconds", "in_time"), [(0.999, True), (1.001, False)])
def test_an_answer_is_in_time_if_it_is_found_in_time(seconds, in_time):
    assert looked(watch(), at(0.05)).answered(at(seconds)) is in_time


def test_naps_are_half_of_the_time_left_and_have_a_maximum():
    stopwatch = watch(1.0)
    assert stopwatch.nap() == LOOK
    stopwatch.look(at(0.98))
    assert stopwatch.nap() == pytest.approx(0.01)
    stopwatch.look(at(1 - 1.5 * SHORTEST))
    assert stopwatch.nap() == pytest.approx(1.5 * SHORTEST)
    assert watch(0.01).nap() == 0.005, "short limits are watched too"


@pytest.mark.parametrize(
    ("limit", "starved", "hopeless"), [(0.01, 0.01, 2.0), (0.5, 0.5, 5.0), (1.0, 1.0, 10.0), (15.0, 2.0, 30.0)]
)
def test_a_player_is_starved_and_then_hopeless_beyond_limits_of_stolen_time(limit, starved, hopeless):
    for stolen in (0.99 * starved, 1.01 * starved, 0.99 * hopeless, 1.01 * hopeless):
        stopwatch = looked(watch(limit), at(stolen, stood=stolen))
        assert stopwatch.starved == (stolen > starved)
        assert stopwatch.hopeless == (stolen > hopeless)


def test_hopeless_does_not_depend_on_the_rest_of_the_total():
    """Otherwise a player that has almost used up its total could make any match void."""
    stopwatch = looked(watch(limit=0.001, own_limit=1.0), at(9.0, stood=9.0))
    assert stopwatch.starved
    assert not stopwatch.hopeless


# -- the stopwatch: properties ---------------------------------------------------------------------------------------

GAPS = {name: st.floats(0, 4 if name in ("used", "stood") else 2) for name in Sight._fields}
GAPS |= {"ready": st.booleans(), "stops": st.integers(0, 1)}
SIGHTS = st.lists(st.builds(Sight, **GAPS), min_size=1, max_size=30)
"""Arbitrary changes from look to look."""


@given(SIGHTS, st.floats(0.01, 15))
def test_cpu_time_is_always_charged(gaps, limit):
    stopwatch, sight = watch(limit), at(0.0)
    for gap in gaps:
        sight = Sight(
            sight.now + gap.now, sight.used + gap.used, sight.stood + gap.stood, gap.ready, sight.delayed + gap.delayed,
            sight.busy + gap.busy, sight.stops + gap.stops, sight.still + gap.still,
        )  # fmt: skip
        stopwatch.look(sight)
        stopwatch.nap()
        wall = sight.now - T
        for _ in range(2):
            assert min(wall, sight.used) - 1e-9 <= stopwatch.charged <= wall + 1e-9
            assert stopwatch.charged + stopwatch.stolen == pytest.approx(wall)
            assert stopwatch.answered(sight) == (stopwatch.charged <= limit)


# -- a simulated scheduler -------------------------------------------------------------------------------------------


def simulated(slots: Sequence[str], needs: int, slot: float, limit: float) -> tuple[Stopwatch, bool | None]:
    """Simulate a player that answers after `needs` slots, and a referee that needs slots to see the answer.

    In each slot the player ("p"), the referee ("r") or another program ("-") runs, or the machine stands still ("="). The
    referee is ready when its nap is over or the answer has been written. If a player stands still on a processor, or a
    referee's nap ends meanwhile, no account of the kernel has that time. Returns the stopwatch, and whether the answer was
    in time (None: it was not seen).
    """
    stopwatch, now = watch(limit), 0.0
    ran = stood = booked = delayed = still = 0
    nap_ends = 0.0
    ready = on_processor = False
    for runs in slots:
        now += slot
        answered = ran >= needs
        wakes = answered or now >= nap_ends - 1e-9
        if runs == "p" and not answered:
            ran, booked = ran + 1, stood
        elif not answered and not (runs == "=" and on_processor):
            stood += 1
        if wakes and runs != "r":
            still, delayed = (still + 1, delayed) if runs == "=" and not ready else (still, delayed + 1)
        if runs != "=":
            ready, on_processor = wakes and runs != "r", runs == "p"
        if runs == "r" and wakes:
            sight = at(
                now, used=ran * slot, stood=booked * slot, ready=ran < needs, delayed=delayed * slot, still=still * slot
            )
            if stopwatch.look(sight) <= 0 and not answered:
                return stopwatch, False
            if answered:
                return stopwatch, stopwatch.answered(sight)
            nap_ends = now + stopwatch.nap()
    return stopwatch, None


@given(st.lists(st.sampled_from("pr-="), max_size=150), st.integers(0, 3))
def test_a_fast_player_is_never_late(slots, needs):
    """A player that needs at most a tenth of its limit is in time, even if it runs rarely and in any order."""
    slot, limit = 0.002, 0.06
    stopwatch, in_time = simulated(slots, needs, slot, limit)
    if not stopwatch.hopeless:
        assert in_time is not False


@pytest.mark.parametrize(
    ("slots", "needs"),
    [
        ("rpp-----------------rpr", 3),  # the referee's nap ends after the fifth slot
        ("rpp-----------------r-----------rpr", 3),
    ],
    ids=["it runs after the look", "it waits on after the look"],
)
def test_a_player_that_waits_beside_a_delayed_referee_is_in_time(slots, needs):
    """Slots of 0.01 s, and a limit of 0.1 s."""
    stopwatch, in_time = simulated(slots, needs, 0.01, 0.1)
    assert in_time
    assert stopwatch.charged <= 0.06


@given(st.lists(st.sampled_from("pr-="), min_size=60, max_size=120))
def test_an_endless_loop_is_late_when_it_has_used_up_its_limit(slots):
    slot, limit = 0.002, 0.02
    stopwatch, in_time = simulated([*slots, *"pr" * 30], 10**6, slot, limit)
    assert in_time is False
    assert stopwatch.charged >= limit


def test_on_a_quiet_machine_nothing_is_stolen():
    stopwatch, in_time = simulated("pr" * 10, 6, 0.001, 1.0)
    assert in_time
    assert stopwatch.stolen <= 0.012
