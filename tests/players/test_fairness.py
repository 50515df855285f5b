"""Whose fault a timeout is: the rule as values, and the clock of a process."""

import os
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.players.fairness import LOUD, TOLERANCE, HostStalled, HostWatch, Stall, blame, cpu_clock

QUIET: dict[str, Any] = {"absent": 0.0, "unrun": 0.0, "busy": 0.0, "cpu": 0.0, "processors": 2, "logged": 0}
"""A host that did nothing wrong to a player that did nothing."""


def judged(limit: float = 1.0, **seen: float) -> Stall | None:
    return blame(limit, **{**QUIET, **seen})


# -- the rule --------------------------------------------------------------------------------------------------------


def test_who_had_its_time_is_late_itself():
    assert judged() is None
    assert judged(absent=0.1, unrun=0.1) is None


@pytest.mark.parametrize("limit", [0.2, 1.0, 15.0])
def test_more_than_a_tenth_of_the_limit_is_the_hosts_fault(limit):
    much = 1.01 * TOLERANCE * limit
    assert judged(limit, absent=much) == Stall("referee", much, limit)
    assert judged(limit, unrun=much) == Stall("player", much, limit)
    assert judged(limit, absent=0.98 * much, unrun=0.98 * much) is None


@pytest.mark.parametrize("cpu", [0.6, 2.0])
def test_who_burns_the_processors_has_kept_the_referee_off_them_itself(cpu):
    """Half a second's work of two processors is a quarter of a second in which the referee was not run."""
    assert judged(absent=0.3, cpu=0.2) is not None
    assert judged(absent=0.3, cpu=cpu) is None
    assert judged(absent=0.3, cpu=0.6, processors=8) is not None


def test_one_thread_that_thinks_keeps_nobody_off_two_processors():
    """A referee that was stopped for a second, while its player was busy all the time."""
    assert judged(absent=1.0, cpu=1.0) == Stall("referee", 0.5, 1.0)


def test_work_of_the_referee_is_no_fault_of_the_host():
    assert judged(absent=0.3, busy=0.25) is None
    assert judged(unrun=0.3, busy=0.25) is None, "it runs in the player's place, perhaps because of the player"


def test_who_is_loud_has_no_claim():
    assert judged(absent=10.0, unrun=10.0, logged=LOUD) is not None
    assert judged(absent=10.0, unrun=10.0, logged=LOUD + 1) is None


TIMES = st.floats(0, 30)


@given(
    st.floats(0.01, 15),
    st.fixed_dictionaries({"absent": TIMES, "unrun": TIMES, "busy": TIMES, "cpu": TIMES}),
    st.integers(1, 64),
    st.integers(0, 2 * LOUD),
    st.sampled_from(["busy", "cpu", "logged"]),
    st.floats(0, 10),
)
def test_nothing_that_a_player_can_do_makes_a_case_for_it(limit, seen, processors, logged, effort, more):
    """Whatever was seen: a player that had also used, logged or cost more would not be better off."""
    case = {**seen, "processors": processors, "logged": logged}
    if blame(limit, **case) is None:
        assert blame(limit, **{**case, effort: case[effort] + more}) is None


@given(st.floats(0.01, 15), TIMES, TIMES)
def test_what_is_blamed_on_the_host_was_seen(limit, absent, unrun):
    stall = judged(limit, absent=absent, unrun=unrun)
    if stall is None:
        assert max(absent, unrun) <= TOLERANCE * limit
    else:
        assert stall.seconds == (absent if stall.which == "referee" else unrun)


class Witness:
    """One that has seen `used` seconds and `log` bytes, much of both before the request."""

    def __init__(self) -> None:
        self.used, self.log, self.unrun = 3.0, 2 * LOUD, 0.0

    def cpu(self) -> float:
        return self.used

    def logged(self) -> int:
        return self.log

    def waiting(self) -> "Witness":
        return self

    def stalled(self) -> float:
        return self.unrun


def test_only_what_happened_since_the_request_counts(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    busy = 50.0
    witness = Witness()
    watch = HostWatch(witness, witness.cpu(), lambda: busy)
    assert watch.stall(1.0, 0.2) == Stall("referee", pytest.approx(0.2), 1.0)
    witness.used += 0.3
    assert watch.stall(1.0, 0.2) is None
    witness.used -= 0.3
    busy += 0.15
    assert watch.stall(1.0, 0.2) is None
    busy -= 0.15
    witness.log += LOUD + 1
    assert watch.stall(1.0, 0.2) is None


def test_who_was_never_watched_was_run():
    witness = Witness()
    watch = HostWatch(witness, witness.cpu())
    witness.unrun = 1.0
    assert watch.stall(1.0, 0.0) is None
    watch.begin()
    stall = watch.stall(1.0, 0.0)
    assert stall is not None
    assert stall.which == "player"


@pytest.mark.parametrize(
    ("which", "what"), [("referee", "the referee was kept from running"), ("player", "was not run")]
)
def test_it_is_told_in_one_line_that_names_a_way_out(which, what):
    told = HostStalled(2, Stall(which, 0.4321, 1.0))
    assert (told.seat, told.exit_code) == (2, 1)
    text = str(told)
    assert text.isprintable()
    assert "seat 3" in text
    assert what in text
    assert "0.43 s" in text
    assert "play again" in text


# -- the clock of a process ------------------------------------------------------------------------------------------


def test_it_is_the_clock_that_the_process_sees_itself():
    clock = cpu_clock(os.getpid())
    before = time.process_time()
    read = clock()
    after = time.process_time()
    assert before <= read <= after


def test_all_threads_are_in_it_those_that_have_ended_too():
    program = "import threading, time\n" + (
        "def work():\n    while time.thread_time() < 0.05: pass\n"
        "for _ in range(4):\n    thread = threading.Thread(target=work); thread.start(); thread.join()\n"
        "print(flush=True); input()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert cpu_clock(child.pid)() >= 4 * 0.05


def test_when_the_process_is_gone_its_last_time_stays():
    with subprocess.Popen([sys.executable, "-c", "print(flush=True); input()"], stdin=-1, stdout=-1) as child:
        assert child.stdout is not None
        child.stdout.readline()
        clock = cpu_clock(child.pid)
        last = clock()
        assert last > 0
    assert clock() >= last
    assert cpu_clock(child.pid)() == 0.0


def test_a_clock_that_stands_lower_is_somebody_elses(monkeypatch):
    clock = cpu_clock(os.getpid())
    last = clock()
    monkeypatch.setattr("referee.players.fairness.clock_gettime", lambda _clock: last / 2)
    assert clock() == last
