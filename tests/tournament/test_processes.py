"""The processes that work on saved games end with the command that started them."""

import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock

import pytest

from referee.errors import RefereeError
from referee.tournament.processes import at_once, on_all_processors

pytestmark = pytest.mark.machine

BUSY = """\
import os
import signal

from referee.tournament.processes import on_all_processors

os.sched_getaffinity = lambda _: {0, 1, 2}


def work(item):
    signal.alarm(100)  # nothing outlives the test
    os.write(1, b"%d\\n" % os.getpid())  # at once: the others write there, too
    signal.pause()


list(on_all_processors(work, range(ITEMS)))
"""


def test_the_results_come_in_the_order_of_the_items() -> None:
    items = range(-999, 999)  # each process gets several at a time
    assert list(on_all_processors(abs, items)) == list(map(abs, items))


@pytest.mark.parametrize(("items", "size"), [(0, 1), (31, 1), (32, 2), (128, 8), (9999, 8)])
def test_each_of_two_processors_gets_items_eight_times_or_more(items: int, size: int) -> None:
    assert at_once(items, 2) == size


def test_what_the_processes_work_with_need_not_go_through_a_pipe() -> None:
    lock = Lock()
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(lock)
    assert list(on_all_processors(lambda item: lock.locked() or item, [1, 2])) == [1, 2]


def test_a_script_needs_no_guard_against_being_imported(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    imports = "from referee.tournament.processes import on_all_processors"
    script.write_text(f"{imports}\nprint(*on_all_processors(abs, [-1, 2]), flush=True)\n")
    assert subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60).stdout == "1 2\n"


def die(_item: int) -> None:
    """End as the kernel ends a process when memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_no_bug_of_the_referee() -> None:
    with pytest.raises(RefereeError, match=r"a process that worked beside this one was killed: .*run again"):
        list(on_all_processors(die, [1, 2]))


@pytest.mark.parametrize("items", [2, 3], ids=["one is idle", "all are busy"])
def test_processes_end_with_a_parent_that_is_killed(items: int) -> None:
    script = BUSY.replace("ITEMS", str(items))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as parent:
        assert parent.stdout is not None
        assert len({parent.stdout.readline() for _ in range(items)}) == items
        parent.kill()
        try:
            assert parent.stdout.read() == b""  # nobody has it open any more
        finally:
            with suppress(ProcessLookupError):
                os.killpg(parent.pid, signal.SIGKILL)
    assert parent.returncode == -signal.SIGKILL
