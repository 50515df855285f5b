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
from referee.sandbox.meter import Counts, Meter, ProcessWitness, Threads, cpu_clock, run_delay

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


def use(process, seconds):
    """Waits until the process has used this much more CPU time."""
    cpu = cpu_clock(process)
    end = cpu() + seconds
    while cpu() < end:
        pass


def over(process):
    """Kills the process and waits for its end, but does not reap it."""
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def test_the_cpu_clock_agrees_with_the_process():
    clock = cpu_clock(os.getpid())
    assert time.process_time() <= clock() <= time.process_time()


def test_the_cpu_clock_includes_ended_threads():
    spinner = "def spin():\n " + spin(0.05, "thread_time").replace("\n", "\n ") + "\n"
    run = "for _ in range(4):\n t = threading.Thread(target=spin); t.start(); t.join()\n"
    with child(spinner + run + SAYS_WHEN_READY) as process:
        assert cpu_clock(process.pid)() >= 4 * 0.05


def test_the_last_cpu_time_stays_after_the_process_has_ended():
    with child(SAYS_WHEN_READY) as process:
        clock = cpu_clock(process.pid)
        last = clock()
        assert last > 0
    assert clock() >= last
    assert cpu_clock(process.pid)() == 0.0


def test_a_cpu_clock_that_goes_back_belongs_to_another_process(monkeypatch):
    clock = cpu_clock(os.getpid())
    last = clock()
    monkeypatch.setattr("referee.sandbox.meter.clock_gettime", lambda _clock: last / 2)
    assert clock() == last


@pytest.mark.parametrize(
    ("grow", "least", "most"),
    [
        ("held = bytearray(b'x' * (64 << 20))\n", 60, 100),
        ("import mmap\nheld = mmap.mmap(-1, 64 << 20)\nheld.write(b'x' * (64 << 20))\n", 60, 100),
        ("import mmap\nheld = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n", -1, 100),
    ],
    ids=["its own", "shared memory counts", "untouched memory does not count"],
)
def test_memory_that_a_process_holds(grow, least, most):
    with child(SAYS_WHEN_READY + grow + SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        before = meter.memory()
        go_on(process)
        assert least * MIB < meter.memory() - before < most * MIB


def test_the_peak_stays_when_memory_is_freed():
    with child(f"a = bytearray(64 << 20)\ndel a\n{SAYS_WHEN_READY}") as process, closing(Meter(process.pid)) as meter:
        assert meter.memory() < 48 * MIB
        assert 64 * MIB < metering.memory_peak(process.pid) < 128 * MIB
        over(process)
        assert metering.memory_peak(process.pid) is None


def test_the_name_of_a_process_cannot_fake_fields():
    rename = "open('/proc/self/comm', 'w').write('a) Z 9 9')\n"
    with child(rename + SAYS_WHEN_READY) as process, watched(process) as delay:
        while delay.is_ready():
            pass


def test_a_process_that_has_ended_holds_no_memory():
    with child(SAYS_WHEN_READY) as process, closing(Meter(process.pid)) as meter:
        over(process)  # a zombie
        assert meter.memory() is None
        process.wait()
        assert meter.memory() is None
        before = descriptors()
        with closing(Meter(process.pid)) as late:
            assert late.memory() is None
        assert descriptors() == before


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
        assert meter.memory() > 60 * MIB
        go_on(process, "again")


def test_descriptors_are_given_back():
    before = descriptors()
    meter = Meter(os.getpid())
    assert len(descriptors()) == len(before) + 1
    meter.close()
    meter.close()
    assert descriptors() == before
    assert meter.memory() is None


FOREVER = "print('ready', flush=True)\nwhile True: pass\n"


@contextmanager
def watched(process):
    """The run delay of a process from now on."""
    with closing(ProcessWitness(process.pid)) as delay:
        delay.watch(many=True)
        yield delay


def test_two_processes_on_one_core_delay_each_other():
    core = min(os.sched_getaffinity(0))
    with child(FOREVER, core=core) as one, child(FOREVER, core=core), watched(one) as delay:
        before, since = delay.cpu(), time.monotonic()
        use(one.pid, 0.3)
        stood = delay.stood()
        wall, cpu = time.monotonic() - since, delay.cpu() - before
        # It was either running or waiting in the queue; the proportion depends on other programs on that core.
        assert stood > 0.1
        assert 0.5 * wall < stood + cpu < 1.5 * wall
        delay.watch(many=True)
        assert delay.stood() < stood


def test_delay_by_its_own_threads_does_not_count():
    core = min(os.sched_getaffinity(0))
    # Python releases its lock while it hashes a large block, so the threads do not wait for that lock.
    threads = (
        "import hashlib\nblock = bytes(1 << 22)\n"
        "def run():\n while True: hashlib.sha256(block)\n"
        "for _ in range(3): threading.Thread(target=run, daemon=True).start()\n" + SAYS_WHEN_READY
    )
    with child(threads, core=core) as process, watched(process) as delay:
        use(process.pid, 0.4)
        part = delay.stood()
        before, (now, _) = delay._before.others, delay._others()
        stood = max(thread.stood - before[number].stood for number, thread in now.items())
        # Each waited for the two others, which used 0.27 s, however busy the machine was.
        assert stood / S - part > 0.15


def test_a_sleeping_process_has_no_run_delay():
    with child(SAYS_WHEN_READY) as process, watched(process) as delay:
        use(os.getpid(), 0.1)
        assert delay.stood() < 0.05


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
    with child(FOREVER) as process, watched(process) as delay:
        use(process.pid, 0.02)
        process.kill()
        process.wait()
        assert (delay.stood(), delay.is_ready(), delay.threads) == (0, False, 0)
        with watched(process) as late:
            assert (late.stood(), late.is_ready(), late.threads) == (0, False, 0)


def test_descriptors_of_a_run_delay_are_given_back():
    before = descriptors()
    delay = ProcessWitness(os.getpid())
    assert descriptors() != before
    delay.close()
    delay.close()
    assert descriptors() == before
    delay.watch(many=True)
    assert (delay.stood(), delay.is_ready(), delay.threads) == (0, False, 0)


def test_without_schedstat_the_run_delay_is_0(monkeypatch):
    def refuse(path, *_, **__):
        raise FileNotFoundError(path)

    with child(FOREVER) as process:
        monkeypatch.setattr(os, "open", refuse)
        with watched(process) as delay:
            assert (delay.stood(), delay.is_ready()) == (0, False)


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
        part = delay.stood()
        _ran, stood, _ = Path(f"/proc/{process.pid}/schedstat").read_text().split()
        # It waited while the three others ran, which used 0.37 s.
        assert (int(stood) - first.stood) / S - part > 0.15


def seen(first, others=None, complete=True):
    """The threads at one moment, from tuples."""
    threads = {number: Counts(*counts) for number, counts in (others or {}).items()}
    return Threads(None if first is None else Counts(*first), threads, complete)


PART = seen((0, 0), {"2": (1, 1)}, complete=False)


@pytest.mark.parametrize(
    ("before", "now", "used", "delay"),
    [
        pytest.param(seen((0, 0)), seen((2, 9)), 2, 9, id="one thread: all of its waiting counts"),
        pytest.param(seen((5, 7)), seen((7, 9)), 2, 2, id="only what was added in between"),
        pytest.param(seen((0, 0), {"2": (0, 0)}), seen((9, 8), {"2": (5, 99)}), 14, 90, id="less what the other used"),
        pytest.param(seen((0, 0)), seen((9, 8)), 17, 0, id="less what an ended thread used"),
        pytest.param(seen((0, 0)), seen((9, 8)), 30, 0, id="never below 0"),
        pytest.param(seen((0, 0)), seen((1, 1), {"2": (9, 4)}), 10, 3, id="a new thread counts from its beginning"),
        pytest.param(seen((0, 0), {"2": (2, 2)}), seen((0, 0), {"2": (3, 4)}), 3, 0, id="a new thread, an old number"),
        pytest.param(seen((0, 5)), seen(None), 3, 0, id="nothing left to look at"),
        pytest.param(seen(None), seen(None), 0, 0, id="nothing ever seen"),
        pytest.param(seen(None), seen((1, 9)), 1, 0, id="not seen in the beginning"),
        pytest.param(seen((0, 0)), seen((9, 8)), 8, 8, id="a thread's clock is a little ahead of the process's"),
        # Another thread took the place of the first, or may have.
        pytest.param(seen((1, 1), {"2": (5, 90)}), seen((6, 91)), 1, 1, id="its earlier waiting does not count"),
        pytest.param(
            seen((1, 1), {"2": (5, 90), "3": (7, 80)}), seen((8, 95)), 1, 5, id="the ended one with the least"
        ),
        pytest.param(seen((1, 1), {"2": (5, 90)}), seen((3, 20)), 2, 19, id="the ended one had waited longer"),
        pytest.param(seen((5, 9)), seen((3, 8)), 3, 0, id="no thread that was seen: counts never fall"),
        pytest.param(PART, seen((9, 50), {"2": (3, 3)}), 3, 1, id="an unseen thread may have become the first"),
        pytest.param(PART, seen((0, 0), {"3": (3, 50)}), 3, 0, id="an unseen thread may seem to be new"),
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


def test_a_process_with_many_threads_is_watched_only_on_demand(monkeypatch):
    monkeypatch.setattr(metering, "FEW", 3)
    with child(SLEEPERS) as process, closing(ProcessWitness(process.pid)) as witness:
        assert not witness.watch()
        assert witness.watch(many=True)


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
    with child(SAYS_WHEN_READY) as process, closing(ProcessWitness(process.pid)) as delay:
        threads = iter(counts)
        monkeypatch.setattr(ProcessWitness, "threads", property(lambda _: next(threads)))
        delay.watch(many=True)
        assert not delay._before.complete
