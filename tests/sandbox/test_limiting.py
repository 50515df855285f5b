"""Limits that the referee sets on another process: all are set, and the referee's own settings do not change."""

import os
import resource
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import get_native_id

import pytest

from referee.sandbox.cells.bubblewrap import Bounds
from referee.sandbox.cells.id_thread import IdThread, Owner
from referee.sandbox.limits import MIB, Limits
from referee.sandbox.uid_pool import borrow_uid

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
LIMITS = Limits(memory=300 * MIB, address_space=900 * MIB, threads=77, files=66, signals=55, cpu=44, file_size=4096)
ALL = {
    "data size": ["314572800"] * 2,
    "address space": ["943718400"] * 2,
    "processes": ["77"] * 2,
    "open files": ["66"] * 2,
    "core file size": ["0"] * 2,
    "file size": ["4096"] * 2,
    "msgqueue size": ["0"] * 2,
    "locked memory": ["65536"] * 2,
    "pending signals": ["55"] * 2,
    "cpu time": ["44", "45"],
}


@contextmanager
def sleeper(**started):
    process = subprocess.Popen(["sleep", "60"], cwd="/", **started)
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def owner():
    with ExitStack() as stack:
        uid = stack.enter_context(borrow_uid())
        yield Owner(IdThread(stack), uid)


def limits_of(pid):
    """The limits of a process that the referee sets, by their names in /proc."""
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]
    limits = {line[:26].removeprefix("Max ").strip(): line[26:].split()[:2] for line in lines}
    return {name: limits[name] for name in ALL}


def own_ids():
    """This thread's real, effective, saved and file system ids, and its capabilities."""
    return ids_of(get_native_id())


def ids_of(thread):
    """The same of any thread of this process."""
    lines = Path(f"/proc/self/task/{thread}/status").read_text().splitlines()
    return [line for line in lines if line.startswith(("Uid:", "Gid:", "CapEff:"))]


def test_all_limits_are_set():
    with sleeper() as pid:
        Bounds(LIMITS).impose(pid)
        assert limits_of(pid) == ALL


@AS_ROOT
def test_root_limits_a_player_of_another_uid(owner):
    with sleeper(user=owner.uid, group=owner.uid, extra_groups=[]) as pid:
        Bounds(LIMITS, owner).impose(pid)
        assert limits_of(pid) == ALL


@AS_ROOT
def test_root_changes_only_its_real_ids(owner, monkeypatch):
    before, seen = own_ids(), []
    monkeypatch.setattr(resource, "prlimit", lambda *_: seen.append(own_ids()))
    Bounds(LIMITS, owner).impose(os.getpid())
    assert len(seen) == len(LIMITS.rlimits())
    uids, gids, capabilities = seen[0]
    assert uids.split()[1:] == [str(owner.uid), "0", "0", "0"]
    assert gids.split()[1:] == [str(owner.uid), "0", "0", "0"]
    assert capabilities == before[2]


@AS_ROOT
def test_all_other_threads_keep_their_ids(owner, monkeypatch):
    before, seen = own_ids(), []

    def in_the_meantime(*_):
        seen.extend(ids_of(int(thread)) for thread in os.listdir("/proc/self/task") if int(thread) != get_native_id())
        seen.append(Path("/proc/self/fd").stat().st_uid)

    waiting = threading.Event()
    other = threading.Thread(target=waiting.wait)
    other.start()
    monkeypatch.setattr(resource, "prlimit", in_the_meantime)
    Bounds(LIMITS, owner).impose(os.getpid())
    waiting.set()
    other.join()
    assert [ids for ids in seen if ids not in (before, 0)] == []
    assert seen.count(before) >= 2 * len(LIMITS.rlimits())


@AS_ROOT
def test_an_error_in_the_thread_is_raised(owner):
    before = own_ids()
    with pytest.raises(ProcessLookupError):
        Bounds(LIMITS, owner).impose(2**22 + 1)
    assert own_ids() == before


def test_a_low_soft_limit_of_processes_is_raised_during_the_start():
    code = (
        "import resource\n"
        "from referee.sandbox.cells.bubblewrap import Bounds\n"
        "from referee.sandbox.limits import Limits\n"
        "_, hard = resource.getrlimit(resource.RLIMIT_NPROC)\n"
        "resource.setrlimit(resource.RLIMIT_NPROC, (50, hard))\n"
        "with Bounds(Limits()).room(): print(resource.getrlimit(resource.RLIMIT_NPROC) == (hard, hard))\n"
        "print(resource.getrlimit(resource.RLIMIT_NPROC) == (50, hard))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.split() == ["True", "True"], run.stderr


def test_limits_higher_than_the_referees_own():
    code = (
        "import os, resource, subprocess, sys\n"
        "from referee.errors import IsolationError\n"
        "from referee.sandbox.cells.bubblewrap import Bounds\n"
        "from referee.sandbox.limits import Limits\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "try: Bounds(Limits(files=65)).impose(os.getpid())\n"
        "except IsolationError as failed: print(failed)\n"
    )
    if int(own_ids()[-1].split()[1], 16) >> 24 & 1:
        pytest.skip("a process with CAP_SYS_RESOURCE may raise limits")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "RLIMIT_NOFILE" in run.stdout, run.stderr
    assert "the referee's own are lower" in run.stdout
