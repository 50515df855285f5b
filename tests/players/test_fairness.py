"""Measurements of a player and of the referee during a request, from fakes."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
import trio
from players.witnessing import Own, Witness

from referee.contract.clock import LEAST_ADDED, LOOK, Clock, TimeControl
from referee.players.fairness import HostStalled, OwnTime, Stall, Watch, own_time, stops
from referee.players.faults import late


def watch(witness: Witness | None, own: OwnTime | None = None, **more: object) -> Watch:
    """The watch of a request that was sent at time 0 of the event loop's clock."""
    return Watch(Clock(TimeControl(1.0, 1.0, None)), 0.0, 3.0, witness, own or Own(), now=trio.current_time, **more)


async def nothing(_descriptor: int) -> None:
    await trio.sleep_forever()


async def test_run_delay_since_the_start_of_the_watch_is_subtracted(autojump_clock):
    witness = Witness()
    watching = watch(witness)
    await trio.sleep(0.5)
    witness.delay, witness.used = 0.3, 3.1
    assert watching.look() == pytest.approx(1.0 - 0.2)
    assert watching.answered()
    assert watching.stopwatch.stolen == pytest.approx(0.3)
    assert watching.used() == pytest.approx(0.1)


async def test_a_process_with_many_threads_is_watched_from_the_first_nap_on(autojump_clock):
    witness = Witness(few=False)
    watching = watch(witness)
    assert witness.watched == 0
    await watching.park(nothing, 0)
    assert witness.watched == 1
    await watching.park(nothing, 0)
    assert witness.watched == 1
    assert trio.current_time() == pytest.approx(2 * LOOK)


async def test_readiness_is_checked_only_if_the_process_has_not_run(autojump_clock):
    witness = Witness()
    witness.ready = True
    watching = watch(witness)
    for used, asked in ((3.01, 0), (3.01, 1), (3.02, 1)):
        await trio.sleep(0.01)
        witness.used = used
        watching.look()
        assert witness.asked_if_ready == asked
    assert watching.stopwatch.stolen == 0
    await trio.sleep(0.01)
    watching.look()
    assert watching.stopwatch.stolen == pytest.approx(0.01)


async def test_readiness_is_checked_whenever_the_limit_has_passed(autojump_clock):
    """The player runs, and then waits beside a delayed referee. The kernel books the wait when it ends."""
    witness = Witness()
    witness.ready = True
    watching = watch(witness)
    for now, used, delay, left in ((0.5, 3.5, 0.0, 0.5), (1.6, 3.6, 0.0, 0.4), (1.7, 3.7, 1.0, 0.3)):
        await trio.sleep(now - trio.current_time())
        witness.used, witness.delay = used, delay
        assert watching.look() == pytest.approx(left)
    assert witness.asked_if_ready == 2
    assert watching.answered()


async def test_time_in_the_kernel_is_charged_and_kept_as_evidence(autojump_clock):
    """Only what passed without any CPU time since the look before counts."""
    witness = Witness()
    witness.stuck = True
    watching = watch(witness)
    for used, stuck in ((3.01, 0.0), (3.01, 0.1), (3.01, 0.2), (3.02, 0.2)):
        await trio.sleep(0.1)
        witness.used = used
        watching.look()
        assert watching.stuck == pytest.approx(stuck)
    assert watching.stopwatch.stolen == 0


@pytest.mark.parametrize(("stuck", "waited"), [(0.6, True), (0.4, False)])
async def test_the_message_of_a_timeout_says_if_the_player_waited_in_the_kernel(autojump_clock, stuck, waited):
    watching = watch(Witness())
    watching.stuck = stuck
    words = "no answer within 1 s" + "; for 0.6 s it did not run but waited in the kernel, as for a disk" * waited
    assert late(watching, b"", b"").detail == words


async def test_a_look_right_after_another_is_skipped_unless_the_time_is_up(autojump_clock):
    witness = Witness()
    watching = watch(witness)
    for now, asked in ((0.0005, 0), (0.5, 1), (0.5005, 1), (0.9996, 2), (1.0001, 3)):
        await trio.sleep(now - trio.current_time())
        left = watching.look()
        assert witness.asked_if_ready == asked
        assert (left > 0) == (now < 1.0)


async def test_after_a_skipped_look_an_answer_is_measured_from_the_look_before(autojump_clock):
    """The referee is delayed while there is no answer, then looks twice. The answer is there at the second look."""
    own = Own()
    watching = watch(Witness(), own)
    own.delay = 0.4
    await trio.sleep(0.5)
    watching.look()
    await trio.sleep(0.0001)
    watching.look()
    watching.answered()
    assert watching.stopwatch.stolen == 0


async def test_without_a_witness_all_time_is_charged(autojump_clock):
    watching = watch(None)
    await trio.sleep(0.5)
    assert watching.look() == pytest.approx(0.5)
    assert watching.used() is None


async def test_the_delay_of_the_referee_counts_since_the_event_loop_woke_up(autojump_clock):
    own = Own()
    own.latest, own.delay = 7.0, 7.2
    watching = watch(Witness(), own)
    await trio.sleep(0.3)
    watching.answered()
    assert watching.stopwatch.charged == pytest.approx(0.1)


async def test_time_in_which_the_machine_stood_still_counts_since_the_request(autojump_clock):
    own = Own()
    own.still = 7.0
    watching = watch(Witness(), own)
    await trio.sleep(1.3)
    own.still = 8.2
    assert watching.look() == pytest.approx(0.9)
    assert watching.stopwatch.stolen == pytest.approx(1.2)


async def test_other_work_of_the_referee_counts_while_it_waits_for_this_player(autojump_clock):
    own = Own()
    watching = watch(Witness(), own)
    own.other_work = 5.0  # its own reading and writing, which a player can prolong

    async def draws(_descriptor: int) -> None:
        own.other_work += 0.3
        await trio.sleep(0.04)

    watching.look()
    await watching.park(draws, 0)
    await trio.sleep(0.36)
    watching.answered()
    assert watching.stopwatch.charged == pytest.approx(0.1)


async def test_players_that_are_not_due_are_stopped_once_when_the_stolen_time_reaches_a_limit(autojump_clock):
    called: list[float] = []
    witness = Witness()

    def starved() -> bool:
        called.append(trio.current_time())
        return True

    watching = watch(witness, starved=starved)
    for delay in (0.5, 0.9, 1.0, 1.5):
        await trio.sleep(0.5)
        witness.delay = delay
        watching.look()
    assert called == [1.5]
    assert watching.alone
    assert watching.stall() is None
    await trio.sleep(10 * LEAST_ADDED)
    witness.delay = 11.0
    watching.look()
    assert watching.stall() == Stall(11.0, 1.0, alone=True)


@pytest.mark.parametrize("alone", [True, False])
def test_the_error_of_a_void_match_is_one_line_that_says_what_to_do(alone):
    stalled = HostStalled(2, Stall(10.4321, 1.0, alone))
    assert (stalled.seat, stalled.exit_code) == (2, 1)
    text = str(stalled)
    assert text.isprintable()
    assert "seat 3 had to answer within 1 s, but for 10.4 s this machine ran other programs" in text
    assert ("the other players were stopped" in text) == alone
    assert "play again" in text


# -- the referee's own time ------------------------------------------------------------------------------------------


@pytest.fixture
def sibling() -> Iterator[None]:
    """A process that competes for the one processor that this thread may use."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    with subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=-1) as spinner:
        spinner.stdout.readline()
        yield
        spinner.kill()
    os.sched_setaffinity(0, before)


async def test_time_in_which_another_process_runs_is_delay(sibling):
    with own_time() as own:
        before, since, used = own.delayed(), time.monotonic(), time.thread_time()
        while time.thread_time() < used + 0.2:
            pass
        delayed, passed = own.delayed() - before, time.monotonic() - since
        assert 0.05 < delayed < passed


async def test_sleep_is_not_delay():
    with own_time() as own:
        since, before = time.monotonic(), own.delayed()
        threading.Event().wait(0.3)
        assert own.delayed() - before < time.monotonic() - since - 0.25  # a busy machine lets it run only later


async def test_the_event_loop_is_awake_while_tasks_run_and_not_while_all_wait():
    with own_time() as own:
        await trio.sleep(0.01)
        before = own.awake()
        threading.Event().wait(0.1)  # a task that blocks
        assert own.awake() - before >= 0.1
        before, since = own.awake(), time.perf_counter()
        await trio.sleep(0.2)
        assert own.awake() - before < 0.9 * (time.perf_counter() - since)


@pytest.mark.parametrize(
    ("slept", "delayed", "threads", "still"),
    [
        pytest.param(0.02, 0.0, 0.0, 0.0, id="an event ends it"),
        pytest.param(0.055, 0.0, 0.0, 0.0, id="coarse timer"),
        pytest.param(1.25, 0.0, 0.0, 1.2, id="the machine stood still"),
        pytest.param(1.25, 0.3, 0.0, 0.9, id="and ran other programs"),
        pytest.param(0.35, 0.3, 0.0, 0.0, id="only these"),
        pytest.param(0.35, 0.0, 0.3, 0.0, id="another thread held Python's lock"),
    ],
)
def test_a_sleep_that_ends_too_late_without_run_delay(monkeypatch, slept, delayed, threads, still):
    now = [10.0]
    monkeypatch.setattr("referee.players.fairness.perf_counter", lambda: now[0])
    monkeypatch.setattr("referee.players.fairness.process_time", lambda: now[0] > 10.0 and threads)
    monkeypatch.setattr(OwnTime, "delayed", lambda _own: now[0] > 10.0 and delayed)
    own = OwnTime()
    own.before_io_wait(0.05)
    now[0] += slept
    own.after_io_wait(0.05)
    own.close()
    assert own.still == pytest.approx(still)


async def test_matches_in_one_event_loop_share_their_own_time_and_the_last_closes_it():
    before = os.listdir("/proc/self/fd")
    first, second = own_time(), own_time()
    own = first.__enter__()
    assert second.__enter__() is own
    first.__exit__(None, None, None)
    assert len(os.listdir("/proc/self/fd")) == len(before) + 1
    assert own.delayed() > 0 or own.awake() > 0
    second.__exit__(None, None, None)
    assert os.listdir("/proc/self/fd") == before
    with own_time() as another:
        assert another is not own


def test_a_stop_is_counted_when_it_ends_and_an_earlier_signal_handler_still_runs():
    program = (
        "import os, signal\nheard = []\nsignal.signal(signal.SIGCONT, lambda *_: heard.append(1))\n"
        "from referee.players.fairness import stops\ncount = stops()\n"
        "os.kill(os.getpid(), signal.SIGCONT)\nassert stops() is count\nprint(count[0], len(heard))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "1 1\n"
    assert signal.getsignal(signal.SIGCONT) is not None
    assert stops() is stops()
