"""Real child processes, measured from outside. Expected times come from the children's clocks, not from ours."""

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
from referee.sandbox.meter import Counts, Meter, RunDelay, Threads, run_delay

pytestmark = pytest.mark.machine

MIB = 1 << 20
SYS_EXIT = {"x86_64": 60}.get(os.uname().machine, 93)  # of one thread
S = 1_000_000_000
SAYS_WHEN_READY = "print('ready', flush=True)\nsys.stdin.readline()\n"


@contextmanager
def child(program, *, core=None):
    """A Python program that is ready. Each line on stdin resumes it. It is killed and reaped at the end."""
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


def go_on(process, line="ready"):
    print(file=process.stdin, flush=True)
    assert process.stdout.readline() == f"{line}\n"


def spin(seconds, clock="process_time"):
    return f"end = time.{clock}() + {seconds}\nwhile time.{clock}() < end: pass\n"


def use(meter, seconds):
    """Waits until the process has used this much more CPU time."""
    end = meter.cpu() + seconds
    while meter.cpu() < end:
        pass


def over(process):
    """Kills the process and waits for its end, but does not reap it."""
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def test_cpu_time_agrees_with_the_clock_of_the_process():
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


def test_a_sleeping_process_uses_no_cpu_time():
    with child(SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter, closing(Meter(os.getpid())) as own:
        before = meter.cpu()
        use(own, 0.05)
        assert meter.cpu() - before < 0.04


def test_memory_that_a_process_holds():
    grow = "held = bytearray(b'x' * (64 << 20))\n"
    with child(SAYS_WHEN_READY + grow + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        before = meter.memory()
        go_on(process)
        after = meter.memory()
        assert 60 * MIB < after.resident - before.resident < 100 * MIB
        assert 60 * MIB < after.data - before.data < 200 * MIB


def test_the_peak_stays_when_memory_is_freed():
    with child(f"a = bytearray(64 << 20)\ndel a\n{SAYS_WHEN_READY}") as process, closing(Meter(process.pid)) as meter:
        assert meter.memory().resident < 48 * MIB
        assert 64 * MIB < metering.memory_peak(process.pid) < 128 * MIB
        over(process)
        assert metering.memory_peak(process.pid) is None


def test_shared_memory_is_resident_but_not_data():
    grow = "import mmap\nheld = mmap.mmap(-1, 64 << 20)\nheld.write(b'x' * (64 << 20))\n"  # shared by default
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


def test_untouched_memory_is_data_but_not_resident():
    grow = "import mmap\nheld = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n"
    with child(SAYS_WHEN_READY + grow + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        before = meter.memory()
        go_on(process)
        after = meter.memory()
        assert after.resident - before.resident < 100 * MIB
        assert 1000 * MIB < after.data - before.data < 1100 * MIB


def test_the_name_of_a_process_cannot_fake_fields():
    more = "for _ in range(3): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n"
    rename = "open('/proc/self/comm', 'w').write('a) Z 9 9')\n"
    with child(more + rename + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        assert meter.threads() == 4
        with closing(RunDelay(process.pid)) as delay:
            while delay.is_ready():
                pass


def test_a_zombie_has_a_clock_and_no_memory():
    with child(spin(0.02) + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        over(process)
        assert meter.cpu() >= 0.02
        assert meter.cpu() == meter.cpu()
        assert meter.memory() is None
        assert meter.threads() is None


def test_a_process_whose_first_thread_ended_is_still_measured():
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


def test_the_last_cpu_time_stays_after_a_process_is_reaped():
    with child(spin(0.02) + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        last = meter.cpu()
        process.kill()
        process.wait()
        assert last <= meter.cpu() == last
        assert meter.memory() is None
        assert meter.threads() is None


def test_another_process_with_the_same_pid_is_never_read():
    with child(SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter, closing(Meter(os.getpid())) as other:
        last = meter.cpu()
        process.kill()
        process.wait()
        meter._clock = other._clock  # as if the pid were reused
        assert other.cpu() is not None
        assert meter.cpu() == last


def test_a_process_that_ended_before_the_meter_opened():
    with child(SAYS_WHEN_READY) as process:
        process.kill()
        process.wait()
        before = descriptors()
        with closing(Meter(process.pid)) as meter:
            assert (meter.cpu(), meter.memory(), meter.threads()) == (None, None, None)
        assert descriptors() == before


def test_descriptors_are_given_back():
    before = descriptors()
    meter = Meter(os.getpid())
    assert len(descriptors()) == len(before) + 2
    meter.close()
    meter.close()
    assert descriptors() == before
    assert meter.memory() is None


FOREVER = "print('ready', flush=True)\nwhile True: pass\n"


@contextmanager
def watched(process):
    """The run delay of a process from now on."""
    with closing(RunDelay(process.pid)) as delay:
        delay.restart()
        yield delay


def test_two_processes_on_one_core_delay_each_other():
    core = min(os.sched_getaffinity(0))
    with (
        child(FOREVER, core=core) as one,
        child(FOREVER, core=core),
        closing(Meter(one.pid)) as meter,
        watched(one) as delay,
    ):
        before, since = meter.cpu(), time.monotonic()
        use(meter, 0.3)
        stood = delay.seconds()
        wall, cpu = time.monotonic() - since, meter.cpu() - before
        # It was either running or waiting in the queue; the proportion depends on other programs on that core.
        assert stood > 0.1
        assert 0.5 * wall < stood + cpu < 1.5 * wall
        delay.restart()
        assert delay.seconds() < stood


def test_delay_by_its_own_threads_does_not_count():
    core = min(os.sched_getaffinity(0))
    # Python releases its lock while it hashes a large block, so the threads do not wait for that lock.
    threads = (
        "import hashlib\nblock = bytes(1 << 22)\n"
        "def run():\n while True: hashlib.sha256(block)\n"
        "for _ in range(3): threading.Thread(target=run, daemon=True).start()\n" + SAYS_WHEN_READY
    )
    with child(threads, core=core) as process, closing(Meter(process.pid)) as meter, watched(process) as delay:
        use(meter, 0.4)
        part = delay.seconds()
        before, (now, _) = delay._before.others, delay._others()
        stood = max(thread.stood - before[number].stood for number, thread in now.items())
        # Each waited for the two others, which used 0.27 s, however busy the machine was.
        assert stood / S - part > 0.15


def test_a_sleeping_process_has_no_run_delay():
    with child(SAYS_WHEN_READY) as process, closing(Meter(os.getpid())) as own, watched(process) as delay:
        use(own, 0.1)
        assert delay.seconds() < 0.05


def test_a_running_process_is_ready_and_a_sleeping_one_is_not():
    with child(SAYS_WHEN_READY + "print('ready', flush=True)\nwhile True: pass") as process, watched(process) as delay:
        while delay.is_ready():
            pass  # it goes to sleep, or this never ends
        go_on(process)
        assert delay.is_ready()


def test_a_running_second_thread_makes_a_process_ready():
    program = "def spin():\n while True: pass\nthreading.Thread(target=spin, daemon=True).start()\n" + SAYS_WHEN_READY
    with child(program) as process, watched(process) as delay:
        assert any(delay.is_ready() for _ in range(1000))


def test_an_ended_process_has_no_run_delay_and_is_not_ready():
    with child(FOREVER) as process, closing(Meter(process.pid)) as meter, watched(process) as delay:
        use(meter, 0.02)
        process.kill()
        process.wait()
        assert (delay.seconds(), delay.is_ready(), delay.threads) == (0, False, 0)
        with watched(process) as late:
            assert (late.seconds(), late.is_ready(), late.threads) == (0, False, 0)


def test_descriptors_of_a_run_delay_are_given_back():
    before = descriptors()
    delay = RunDelay(os.getpid())
    assert descriptors() != before
    delay.close()
    delay.close()
    assert descriptors() == before
    delay.restart()
    assert (delay.seconds(), delay.is_ready(), delay.threads) == (0, False, 0)


def test_without_schedstat_the_run_delay_is_0(monkeypatch):
    def refuse(path, *_, **__):
        raise FileNotFoundError(path)

    with child(FOREVER) as process:
        monkeypatch.setattr(os, "open", refuse)
        with watched(process) as delay:
            assert (delay.seconds(), delay.is_ready()) == (0, False)


def test_the_past_of_a_thread_that_executes_a_program_does_not_count():
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
    with child(program, core=core) as process, watched(process) as delay:
        first = delay._before.first
        go_on(process, "again")
        part = delay.seconds()
        _ran, stood, _ = Path(f"/proc/{process.pid}/schedstat").read_text().split()
        # It waited while the three others ran, which used 0.37 s.
        assert (int(stood) - first.stood) / S - part > 0.15


def seen(first, others=None, complete=True):
    """The threads at one moment, from tuples."""
    threads = {number: Counts(*counts) for number, counts in (others or {}).items()}
    return Threads(None if first is None else Counts(*first), threads, complete)


@pytest.mark.parametrize(
    ("before", "now", "used", "delay"),
    [
        pytest.param(seen((0, 0)), seen((2, 9)), 2, 9, id="one thread: all of its waiting counts"),
        pytest.param(seen((5, 7)), seen((7, 9)), 2, 2, id="only what was added in between"),
        pytest.param(
            seen((0, 0), {"2": (0, 0)}), seen((9, 8), {"2": (5, 99)}), 14, 90, id="less what the other thread used"
        ),
        pytest.param(seen((0, 0)), seen((9, 8)), 17, 0, id="less what an ended thread used"),
        pytest.param(seen((0, 0)), seen((9, 8)), 30, 0, id="never below 0"),
        pytest.param(seen((0, 0)), seen((1, 1), {"2": (9, 4)}), 10, 3, id="a new thread counts from its beginning"),
        pytest.param(
            seen((0, 0), {"2": (2, 2)}), seen((0, 0), {"2": (3, 4)}), 3, 0, id="a new thread with an old one's number"
        ),
        pytest.param(seen((0, 5)), seen(None), 3, 0, id="nothing left to look at"),
        pytest.param(seen(None), seen(None), 0, 0, id="nothing ever seen"),
        pytest.param(seen(None), seen((1, 9)), 1, 0, id="not seen in the beginning"),
        pytest.param(seen((0, 0)), seen((9, 8)), 8, 8, id="a thread's clock is a little ahead of the process's"),
        # Another thread took the place of the first, or may have.
        pytest.param(seen((1, 1), {"2": (5, 90)}), seen((6, 91)), 1, 1, id="its earlier waiting does not count"),
        pytest.param(
            seen((1, 1), {"2": (5, 90), "3": (7, 80)}),
            seen((8, 95)),
            1,
            5,
            id="of several ended threads, the one that gives the smallest delay",
        ),
        pytest.param(
            seen((1, 1), {"2": (5, 90)}),
            seen((3, 20)),
            2,
            19,
            id="an ended thread had waited longer: it was not that one",
        ),
        pytest.param(seen((5, 9)), seen((3, 8)), 3, 0, id="no thread that was seen: counts never fall"),
        pytest.param(
            seen((0, 0), {"2": (1, 1)}, complete=False),
            seen((9, 50), {"2": (3, 3)}),
            3,
            1,
            id="an unseen thread may have become the first",
        ),
        pytest.param(
            seen((0, 0), complete=False), seen((0, 0), {"2": (3, 50)}), 3, 0, id="an unseen thread may seem to be new"
        ),
        pytest.param(seen((0, 0)), seen((50, 99)), 5, 99, id="it ran no longer than its process"),
    ],
)
def test_the_run_delay(before, now, used, delay):
    assert run_delay(before, now, used=used) == delay


COUNTS = st.tuples(st.integers(0, 99), st.integers(0, 99))
SEEN = st.builds(seen, COUNTS, st.dictionaries(st.sampled_from("abcd"), COUNTS))


@given(SEEN, SEEN, st.integers(0, 400), st.integers(0, 400))
def test_more_cpu_time_of_other_threads_never_increases_the_delay(before, now, used, more):
    least = max(used, *(thread.ran for thread in (now.first, *now.others.values())))  # as the process's clock would say
    part = run_delay(before, now, used=least)
    assert 0 <= run_delay(before, now, used=least + more) <= part


@given(SEEN, st.integers(0, 99), st.integers(0, 99), st.sampled_from("abcd"))
def test_a_thread_that_replaces_the_first_gains_nothing(before, ran, stood, heir):
    """Only its waiting since then counts, whichever thread it is."""
    past = before.others.get(heir, Counts(0, 0))
    now = seen((past.ran + ran, past.stood + stood))
    assert run_delay(before, now, used=ran) <= stood


SLEEPERS = "for _ in range(3): threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n" + SAYS_WHEN_READY


def test_all_threads_are_seen():
    with child(SLEEPERS) as process, watched(process) as delay:
        assert delay.threads == 4
        assert delay._before.first is not None
        assert len(delay._before.others) == 3
        assert str(process.pid) not in delay._before.others
        assert delay._before.complete


def test_a_program_with_more_threads_than_are_read(monkeypatch):
    monkeypatch.setattr(metering, "THREADS", 2)
    with child(SLEEPERS) as process, watched(process) as delay:
        assert len(delay._before.others) == 2
        assert not delay._before.complete


@pytest.mark.parametrize("counts", [(1, 2), (2, 1), (3, 4)])
def test_threads_that_start_or_end_while_they_are_listed(monkeypatch, counts):
    with child(SAYS_WHEN_READY) as process, closing(RunDelay(process.pid)) as delay:
        threads = iter(counts)
        monkeypatch.setattr(RunDelay, "threads", property(lambda _: next(threads)))
        delay.restart()
        assert not delay._before.complete
