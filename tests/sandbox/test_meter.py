"""What a process uses, seen from outside, by real child processes; verdicts by the children's own clocks, not by ours."""

import os
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.sandbox import meter as metering
from referee.sandbox.meter import Look, Meter, Thread, Waiting, asleep, host_part, run_instead

MIB = 1 << 20
SYS_EXIT = {"x86_64": 60}.get(os.uname().machine, 93)  # of one thread
S = 1_000_000_000
SAYS_WHEN_READY = "print('ready', flush=True)\nsys.stdin.readline()\n"


@contextmanager
def child(program, *, core=None):
    """A Python program that has said that it is ready; it goes on for each line, and is killed and reaped at the end."""
    pinned = "" if core is None else f"import os; os.sched_setaffinity(0, {{{core}}})\n"
    with subprocess.Popen(
        [sys.executable, "-S", "-c", pinned + "import sys, threading, time\n" + program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def go_on(process, said="ready"):
    print(file=process.stdin, flush=True)
    assert process.stdout.readline() == f"{said}\n"


def spin(seconds, clock="process_time"):
    return f"end = time.{clock}() + {seconds}\nwhile time.{clock}() < end: pass\n"


def use(meter, seconds):
    """Until the process has used so much more CPU time."""
    end = meter.cpu() + seconds
    while meter.cpu() < end:
        pass


def over(process):
    """Killed, and still to be reaped."""
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def test_cpu_time_is_the_process_s_own():
    program = SAYS_WHEN_READY + spin(0.05) + "print(time.process_time_ns())\n" + SAYS_WHEN_READY
    with child(program) as process, closing(Meter(process.pid)) as meter:
        before = meter.cpu()
        print(file=process.stdin, flush=True)
        own = int(process.stdout.readline()) / S
        assert process.stdout.readline() == "ready\n"
        assert before + 0.05 <= own <= meter.cpu()


def test_cpu_time_of_threads_that_have_ended_counts():
    spinner = "def spin():\n " + spin(0.02, "thread_time").replace("\n", "\n ") + "\n"
    run = "for _ in range(5):\n t = threading.Thread(target=spin); t.start(); t.join()\n"
    with child(SAYS_WHEN_READY + spinner + run + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        before = meter.cpu()
        go_on(process)
        assert meter.cpu() - before >= 0.1


def test_who_sleeps_uses_nothing():
    with child(SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter, closing(Meter(os.getpid())) as own:
        before = meter.cpu()
        use(own, 0.05)
        assert meter.cpu() - before < 0.04


def test_what_is_held_in_memory():
    grow = "held = bytearray(b'x' * (64 << 20))\n"
    with child(SAYS_WHEN_READY + grow + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        before = meter.memory()
        go_on(process)
        after = meter.memory()
        assert 60 * MIB < after.resident - before.resident < 100 * MIB
        assert 60 * MIB < after.data - before.data < 200 * MIB


def test_shared_memory_is_resident_and_no_data():
    grow = "import mmap\nheld = mmap.mmap(-1, 64 << 20)\nheld.write(b'x' * (64 << 20))\n"  # shared, as is its default
    with child(SAYS_WHEN_READY + grow + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        before = meter.memory()
        go_on(process)
        after = meter.memory()
        assert after.resident - before.resident > 60 * MIB
        assert after.data - before.data < 32 * MIB


def test_threads():
    more = "for _ in range(3): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n"
    with child(SAYS_WHEN_READY + more + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        assert meter.threads() == 1
        go_on(process)
        assert meter.threads() == 4


def test_what_is_not_touched_is_data_and_not_resident():
    grow = "import mmap\nheld = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n"
    with child(SAYS_WHEN_READY + grow + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        before = meter.memory()
        go_on(process)
        after = meter.memory()
        assert after.resident - before.resident < 100 * MIB
        assert 1000 * MIB < after.data - before.data < 1100 * MIB


def test_a_name_cannot_feign_fields():
    more = "for _ in range(3): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n"
    rename = "open('/proc/self/comm', 'w').write('a) Z 9 9')\n"
    with child(more + rename + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        assert meter.threads() == 4
        assert int(metering._started(process.pid)) >= int(metering._started(os.getpid())) > 0


def test_a_zombie_has_a_clock_and_no_memory():
    with child(spin(0.02) + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        over(process)
        assert meter.cpu() >= 0.02
        assert meter.cpu() == meter.cpu()
        assert meter.memory() is None
        assert meter.threads() is None


def test_what_is_left_of_a_process_whose_first_thread_ended():
    program = (
        "import ctypes\nheld = bytearray(b'x' * (64 << 20))\n"
        "def answer():\n sys.stdin.readline(); print('again', flush=True); sys.stdin.readline()\n"
        "threading.Thread(target=answer).start()\n"
        "print('ready', flush=True)\n"
        f"ctypes.CDLL(None).syscall({SYS_EXIT}, 0)\n"
    )
    with child(program) as process, closing(Meter(process.pid)) as meter:
        while b"State:\tZ" not in Path(f"/proc/{process.pid}/status").read_bytes():
            pass
        assert meter.memory().resident > 60 * MIB
        assert meter.threads() == 1
        go_on(process, "again")


def test_the_last_value_stays_when_it_is_reaped():
    with child(spin(0.02) + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        last = meter.cpu()
        process.kill()
        process.wait()
        assert last <= meter.cpu() == last
        assert meter.memory() is None
        assert meter.threads() is None


def test_another_process_with_its_number_is_never_read():
    with child(SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter, closing(Meter(os.getpid())) as other:
        last = meter.cpu()
        process.kill()
        process.wait()
        meter._clock = other._clock  # as if the number were handed out again
        assert other.cpu() is not None
        assert meter.cpu() == last


def test_who_is_gone_from_the_beginning():
    with child(SAYS_WHEN_READY) as process:
        process.kill()
        process.wait()
        before = descriptors()
        with closing(Meter(process.pid)) as meter:
            assert (meter.cpu(), meter.memory(), meter.threads()) == (None, None, None)
        assert Waiting(process.pid).stalled() == 0
        assert descriptors() == before


def test_descriptors_are_given_back():
    before = descriptors()
    meter = Meter(os.getpid())
    waiting = Waiting(os.getpid())
    waiting.stalled()
    assert len(descriptors()) == len(before) + 2
    meter.close()
    meter.close()
    assert descriptors() == before
    assert meter.memory() is None


FOREVER = "print('ready', flush=True)\nwhile True: pass\n"


def test_two_on_one_core_keep_each_other_waiting():
    core = min(os.sched_getaffinity(0))
    with child(FOREVER, core=core) as one, child(FOREVER, core=core), closing(Meter(one.pid)) as meter:
        before, since = meter.cpu(), time.monotonic()
        waiting = Waiting(one.pid)
        use(meter, 0.3)
        stalled = waiting.stalled()
        wall, cpu = time.monotonic() - since, meter.cpu() - before
        # It was run or it stood in the queue, nothing else; how much of each depends on what else runs on that core.
        assert stalled > 0.1
        assert 0.5 * wall < stalled + cpu < 1.5 * wall
        waiting._started = b"0"  # as if the number were another process's by now
        assert waiting.stalled() == 0


def test_who_keeps_its_own_threads_waiting_has_no_excuse():
    core = min(os.sched_getaffinity(0))
    # No lock of Python's is in the way: each hashes a large block outside of it.
    threads = (
        "import hashlib\nblock = bytes(1 << 22)\n"
        "def run():\n while True: hashlib.sha256(block)\n"
        "for _ in range(3): threading.Thread(target=run, daemon=True).start()\n" + SAYS_WHEN_READY
    )
    with child(threads, core=core) as process, closing(Meter(process.pid)) as meter:
        waiting = Waiting(process.pid)
        use(meter, 0.4)
        stalled = waiting.stalled()
        before, (now, _) = waiting._before.others, metering._other_threads(process.pid)
        stood = max(thread.stood - before[number].stood for number, thread in now.items())
        # Each waited for the two others, which used 0.27 s, however busy the machine is besides.
        assert stood / S - stalled > 0.15


def test_who_sleeps_is_not_kept_waiting():
    with child(SAYS_WHEN_READY) as process, closing(Meter(os.getpid())) as own:
        waiting = Waiting(process.pid)
        use(own, 0.1)
        assert waiting.stalled() < 0.05


def asleep_by_now(process):
    while metering._is_ready(process.pid):
        pass


def test_who_waits_for_something_is_asleep_all_the_time():
    with child(SAYS_WHEN_READY) as process:
        asleep_by_now(process)
        waiting, began = Waiting(process.pid), time.monotonic()
        while time.monotonic() < began + 0.05:
            pass
        passed = time.monotonic() - began
        assert passed <= waiting.slept() <= time.monotonic() - began + 0.05


def test_what_it_ran_is_not_slept():
    with child(SAYS_WHEN_READY + spin(0.1) + "print('ready', flush=True)\n" + "sys.stdin.readline()") as process:
        asleep_by_now(process)
        began = time.monotonic()
        waiting = Waiting(process.pid)
        go_on(process)
        asleep_by_now(process)
        assert waiting.slept() <= time.monotonic() - began - 0.1


def test_who_computes_is_awake_however_long_it_slept_before():
    with child(SAYS_WHEN_READY + "print('ready', flush=True)\nwhile True: pass") as process:
        asleep_by_now(process)
        waiting = Waiting(process.pid)
        go_on(process)
        assert waiting.slept() == 0


def test_a_process_that_is_reaped_sleeps_no_more():
    with child(SAYS_WHEN_READY) as process:
        waiting = Waiting(process.pid)
    assert waiting.slept() == 0


def test_a_process_that_is_reaped_was_not_kept_waiting():
    with child(FOREVER) as process, closing(Meter(process.pid)) as meter:
        waiting = Waiting(process.pid)
        use(meter, 0.02)
        process.kill()
        process.wait()
        assert waiting.stalled() == 0


def test_a_thread_that_executes_a_program_does_not_bring_its_past_along(monkeypatch):
    """Even where the whole machine is busy with others."""
    core = min(os.sched_getaffinity(0))
    program = (
        "import hashlib, os\nblock, enough = bytes(1 << 20), threading.Event()\n"
        "def run():\n while not enough.is_set(): hashlib.sha256(block)\n"
        "def take_over():\n run(); sys.stdin.readline()\n"
        " os.execv(sys.executable, [sys.executable, '-S', '-c', 'print(\"again\", flush=True); input()'])\n"
        "siblings = [threading.Thread(target=run) for _ in range(3)]\n"
        "threading.Thread(target=take_over).start()\n"
        "for thread in siblings: thread.start()\n"
        "while time.process_time() < 0.5: time.sleep(0.01)\n"
        "enough.set()\n"
        "for thread in siblings: thread.join()\n"
        "print('ready', flush=True)\n"
    )
    monkeypatch.setattr(metering, "run_instead", lambda *_, used: 100 * S)
    monkeypatch.setattr(metering, "monotonic_ns", iter([0, 100 * S]).__next__)
    with child(program, core=core) as process:
        waiting = Waiting(process.pid)
        go_on(process, "again")
        stalled = waiting.stalled()
        now = metering._thread(f"/proc/{process.pid}/task/{process.pid}")
        # It stood while the three others ran, which used 0.37 s.
        assert (now.stood - waiting._before.first.stood) / S - stalled > 0.15
        assert metering._started(process.pid) == waiting._started, "nothing else tells of it"


def test_who_waits_while_nobody_else_is_run_has_no_excuse(monkeypatch):
    core = min(os.sched_getaffinity(0))
    with child(FOREVER, core=core) as one, child(FOREVER, core=core), closing(Meter(one.pid)) as meter:
        waiting = Waiting(one.pid)
        use(meter, 0.1)
        idle = waiting._busy
        monkeypatch.setattr(metering, "_busy", lambda: idle)
        assert waiting.stalled() == 0


@pytest.mark.parametrize("hidden", ["missing", "closed"])
def test_a_machine_that_hides_its_account_has_run_nobody(hidden, monkeypatch):
    errors = {"missing": FileNotFoundError, "closed": PermissionError}

    def refuse(*_):
        raise errors[hidden]

    monkeypatch.setattr(metering, "open", refuse, raising=False)
    assert metering._busy() == {}


def test_the_machines_account(monkeypatch, tmp_path):
    account = tmp_path / "stat"
    account.write_text(
        "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 4 800 900 8 16 32 1 2\ncpu12 5 0 0 0 0 0 0 0 0 0\nintr 7 7 7\ncpu3 1 1 1\n"
    )
    monkeypatch.setattr(metering, "open", lambda _path, mode: account.open(mode), raising=False)
    assert metering._busy() == {0: 63, 12: 5}


def test_the_account_grows_while_somebody_computes():
    before, end = metering._busy(), time.process_time() + 0.1
    while time.process_time() < end:
        pass
    now = metering._busy()
    assert set(now) >= os.sched_getaffinity(0)
    assert sum(now.values()) - sum(before.values()) >= 5


TICK = S // os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    ("before", "now", "processors", "used", "others"),
    [
        pytest.param({0: 5}, {0: 25}, {0}, 0, 19 * TICK, id="less a tick, which may be chance"),
        pytest.param({0: 5, 1: 5}, {0: 25, 1: 35}, {0, 1}, 0, 48 * TICK, id="one for each processor"),
        pytest.param({0: 5, 1: 5}, {0: 25, 1: 35}, {0}, 0, 19 * TICK, id="only those that it may use"),
        pytest.param({0: 5}, {0: 25}, {0}, 4 * TICK, 15 * TICK, id="less what it used itself"),
        pytest.param({0: 5}, {0: 25}, {0}, 30 * TICK, 0, id="never below 0"),
        pytest.param({0: 5}, {0: 5}, {0}, 0, 0, id="an idle machine"),
        pytest.param({0: 5}, {0: 25, 1: 99}, {0, 1, 2}, 0, 19 * TICK, id="a processor that came or went"),
        pytest.param({}, {}, {0}, 0, 0, id="no account"),
    ],
)
def test_what_others_were_run(before, now, processors, used, others):
    assert run_instead(before, now, processors, used=used) == others


def look(first, others=None, complete=True):
    """A look as tuples; who has no start began at 0."""
    threads = {number: Thread(*(*counts, 0)[:3]) for number, counts in (others or {}).items()}
    return Look(None if first is None else Thread(*first, 0), threads, complete)


@pytest.mark.parametrize(
    ("before", "now", "used", "host"),
    [
        pytest.param(look((0, 0)), look((2, 9)), 2, 9, id="one thread, all of its waiting is the host's"),
        pytest.param(look((5, 7)), look((7, 9)), 2, 2, id="only what was added in between"),
        pytest.param(
            look((0, 0), {"2": (0, 0)}),
            look((9, 8), {"2": (5, 99)}),
            14,
            3,
            id="less what the other thread used",
        ),
        pytest.param(look((0, 0)), look((9, 8)), 17, 0, id="less what a thread used that has ended"),
        pytest.param(look((0, 0)), look((9, 8)), 30, 0, id="never below 0"),
        pytest.param(look((0, 0)), look((1, 1), {"2": (9, 4)}), 10, 3, id="a new thread counts from its beginning"),
        pytest.param(
            look((0, 0), {"2": (2, 2, 6)}),
            look((0, 0), {"2": (3, 4, 7)}),
            3,
            4,
            id="a new thread with the number of an old one",
        ),
        pytest.param(look((0, 5)), look(None), 3, 0, id="nothing left to look at"),
        pytest.param(look(None), look(None), 0, 0, id="nothing ever seen"),
        pytest.param(look(None), look((1, 9)), 1, 0, id="not seen in the beginning"),
        pytest.param(look((0, 0)), look((9, 8)), 8, 8, id="a thread's clock is a little ahead of the process's"),
        # Others took the place of the first thread, or may have.
        pytest.param(look((1, 1), {"2": (5, 90)}), look((6, 91)), 1, 1, id="it brought along what it stood before"),
        pytest.param(
            look((1, 1), {"2": (5, 90), "3": (7, 80)}),
            look((8, 95)),
            1,
            5,
            id="of several that are gone the one that makes the least of it",
        ),
        pytest.param(
            look((1, 1), {"2": (5, 90)}), look((3, 20)), 2, 19, id="one that is gone had more: it was not that one"
        ),
        pytest.param(
            look((5, 9), {"2": (5, 90)}),
            look((6, 95), {"2": (0, 0, 7)}),
            1,
            5,
            id="… and a new one has got its number",
        ),
        pytest.param(look((5, 9)), look((3, 8)), 3, 0, id="none of those that were seen: counts never fall"),
        pytest.param(
            look((0, 0), {"2": (1, 1)}, complete=False),
            look((9, 50), {"2": (3, 3)}),
            3,
            1,
            id="one that was overlooked may have become the first",
        ),
        pytest.param(look((0, 0), complete=False), look((0, 0), {"2": (3, 50)}), 3, 0, id="… or seem to be new"),
        # What the threads' counts claim is more than there can have been.
        pytest.param(look((0, 0)), look((20, 999)), 20, 80, id="it ran and stood no longer than what passed"),
        pytest.param(look((0, 0)), look((50, 99)), 5, 95, id="nor did it run longer than its process"),
    ],
)
def test_the_host_s_part(before, now, used, host):
    assert host_part(before, now, used=used, elapsed=100) == host


@pytest.mark.parametrize(
    ("before", "now", "used", "slept"),
    [
        pytest.param(look((0, 0)), look((0, 0)), 0, 100, id="it did nothing"),
        pytest.param(look((0, 0)), look((30, 40)), 30, 30, id="less what it ran and stood"),
        pytest.param(look((5, 6)), look((35, 46)), 30, 30, id="only what was added in between"),
        pytest.param(look((0, 0)), look((60, 50)), 60, 0, id="never below 0"),
        pytest.param(look((0, 0), {"2": (0, 9)}), look((0, 3), {"2": (5, 19)}), 5, 82, id="less what others stood"),
        pytest.param(look((0, 0)), look((0, 0), {"2": (5, 10)}), 5, 85, id="a new one stood from its beginning"),
        pytest.param(
            look((0, 0), {"2": (9, 9, 6)}),
            look((0, 0), {"2": (5, 10, 7)}),
            5,
            85,
            id="… with the number of an old one too",
        ),
        pytest.param(look((0, 0), {"2": (0, 0)}), look((0, 0)), 40, 60, id="less what one ran that has ended"),
        pytest.param(look((0, 50)), look((1, 2)), 1, 99, id="another has become the first one"),
        pytest.param(look((0, 0)), look(None), 1, 99, id="the first one has ended"),
    ],
)
def test_what_it_slept(before, now, used, slept):
    assert asleep(before, now, used=used, elapsed=100) == slept


COUNTS = st.tuples(st.integers(0, 99), st.integers(0, 99))
LOOKS = st.builds(
    look,
    COUNTS,
    st.dictionaries(st.sampled_from("abcd"), st.tuples(st.integers(0, 99), st.integers(0, 99), st.just(0))),
)


@given(LOOKS, LOOKS, st.integers(0, 400), st.integers(0, 400), st.integers(0, 500))
def test_to_use_more_beside_it_never_excuses_more(before, now, used, more, elapsed):
    least = max(used, *(thread.ran for thread in (now.first, *now.others.values())))  # as the process's clock would say
    part = host_part(before, now, used=least, elapsed=elapsed)
    assert 0 <= host_part(before, now, used=least + more, elapsed=elapsed) <= part <= elapsed


@given(LOOKS, LOOKS, st.integers(0, 400), st.integers(0, 400), st.integers(0, 500))
def test_nobody_sleeps_longer_than_it_did_not_run(before, now, used, more, elapsed):
    slept = asleep(before, now, used=used, elapsed=elapsed)
    assert 0 <= slept <= max(0, elapsed - used)
    assert asleep(before, now, used=used + more, elapsed=elapsed) <= slept


@given(LOOKS, st.integers(0, 99), st.integers(0, 99), st.sampled_from("abcd"))
def test_who_takes_over_the_first_thread_gains_nothing(before, ran, stood, heir):
    """Whatever was, and whoever does it: only what it stood since then counts."""
    past = before.others.get(heir, Thread(0, 0, 0))
    now = look((past.ran + ran, past.stood + stood))
    assert host_part(before, now, used=ran, elapsed=1000) <= stood


def test_a_program_with_more_threads_than_are_looked_at(monkeypatch):
    monkeypatch.setattr(metering, "THREADS", 2)
    program = (
        "for _ in range(3): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n" + SAYS_WHEN_READY
    )
    with child(program) as process:
        assert len(metering._other_threads(process.pid)[0]) == 2
        assert not Waiting(process.pid)._before.complete


def test_all_threads_are_seen():
    program = (
        "for _ in range(3): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n" + SAYS_WHEN_READY
    )
    with child(program) as process:
        before = Waiting(process.pid)._before
        assert before.first is not None
        assert len(before.others) == 3
        assert before.complete


def test_threads_that_came_or_went_while_they_were_listed(monkeypatch):
    counts = iter([1, 2])
    monkeypatch.setattr(metering, "_count", lambda _pid: next(counts))
    with child(SAYS_WHEN_READY) as process:
        assert not Waiting(process.pid)._before.complete
