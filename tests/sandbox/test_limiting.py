"""Limits that the referee sets on another process: all are set, and the referee's own settings do not change."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from referee.sandbox.cells.limiting import Bounds
from referee.sandbox.cells.spawner import RootSpawner
from referee.sandbox.limits import MIB, Limits
from referee.sandbox.uid_pool import pooled_uid

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


def limits_of(pid):
    """The limits of a process that the referee sets, by their names in /proc."""
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]
    found = {line[:26].removeprefix("Max ").strip(): line[26:].split()[:2] for line in lines}
    return {name: found[name] for name in ALL}


def test_all_limits_are_set():
    with sleeper() as pid:
        Bounds(LIMITS).impose(pid)
        assert limits_of(pid) == ALL


@AS_ROOT
def test_root_limits_a_player_of_another_uid(tmp_path):
    with ExitStack() as stack:
        pooled, spawner = stack.enter_context(pooled_uid()), RootSpawner(tmp_path, stack)
        pid = stack.enter_context(sleeper(user=pooled, group=pooled, extra_groups=[]))
        Bounds(LIMITS, pooled, spawner).impose(pid)
        assert limits_of(pid) == ALL


def test_a_low_soft_limit_of_processes_is_raised_during_the_start():
    code = (
        "import resource\n"
        "from referee.sandbox.cells.limiting import Bounds\n"
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
        "from referee.sandbox.cells.limiting import Bounds\n"
        "from referee.sandbox.limits import Limits\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "try: Bounds(Limits(files=65)).impose(os.getpid())\n"
        "except IsolationError as failed: print(failed)\n"
    )
    capabilities = re.search(r"CapEff:\t(\w+)", Path("/proc/self/status").read_text())
    assert capabilities is not None
    if int(capabilities[1], 16) >> 24 & 1:
        pytest.skip("a process with CAP_SYS_RESOURCE may raise limits")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "RLIMIT_NOFILE" in run.stdout, run.stderr
    assert "the referee's own are lower" in run.stdout
