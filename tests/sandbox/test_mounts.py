"""What a root referee shows to its players, seen by real programs."""

import os
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

import referee.sandbox.cells.mounts as module
from referee.errors import IsolationError
from referee.sandbox.cells.id_thread import IdThread, Owner
from referee.sandbox.cells.mounts import Mounts, can_mount
from referee.sandbox.limits import Limits
from referee.sandbox.program import Program
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import tempdir
from referee.sandbox.uid_pool import borrow_uid

ROOT = os.geteuid() == 0
AS_ROOT = pytest.mark.skipif(not ROOT, reason="needs root")
BWRAP = Path("/usr/bin/bwrap")
PYTHON = Path(sys.executable).resolve()
BASE = Path(sys.base_prefix).resolve()


@pytest.fixture
def stack():
    """Releases at the end what mounts take.

    These tests use the machine's real locks: so no other test's processes count as theirs.
    """
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def folder(stack):
    return stack.enter_context(tempdir())


@pytest.fixture
def uid(stack):
    return stack.enter_context(borrow_uid())


@pytest.fixture
def run(stack, uid):
    """Runs a program as a player with these mounts."""
    thread = IdThread(stack)

    def run(mounts, *argv):
        call = partial(subprocess.run, argv, env={}, cwd="/", capture_output=True, text=True, start_new_session=True)
        return Owner(thread, uid, mounts.namespace).start(call)

    return run


def test_an_ordinary_user_needs_no_mounts(folder, stack, tmp_path):
    mounts = Mounts(folder, stack, None)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    assert mounts.reachable(closed) == closed  # the player runs as the user and reaches the same files
    mounts.show()
    assert mounts.namespace is None


@AS_ROOT
def test_a_hidden_folder_cannot_be_shown_if_root_may_not_mount(folder, stack, uid, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "can_mount", lambda: False)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    mounts = Mounts(folder, stack, uid)
    assert mounts.reachable(Path("/usr")) == Path("/usr")
    with pytest.raises(IsolationError, match="closed cannot be shown to players: the referee runs as root"):
        mounts.reachable(closed)


@pytest.fixture
def cell(folder, stack, uid, tmp_path, run):
    """Runs a copy of a Python program as a root referee does: under a pooled uid, in namespaces."""

    def run_in_a_cell(program):
        source = tmp_path / "source"
        source.mkdir(mode=0o700)
        (source / "main.py").write_text(program)
        stage(Program("kaa", (), source), folder / "bot", Limits())
        mounts = Mounts(folder, stack, uid)
        binds = []
        for path in (BASE, Path("/usr"), *map(Path, ("/lib", "/lib64"))):
            if path.exists():
                binds += ["--ro-bind", str(mounts.reachable(path)), str(path)]
        mounts.show()
        apart = ["--unshare-user", "--unshare-pid", "--unshare-net", "--uid", "65534", "--gid", "65534"]
        argv = [str(BWRAP), *apart, "--die-with-parent", "--cap-drop", "ALL", *binds]
        argv += ["--ro-bind", str(folder / "bot"), "/bot", "--remount-ro", "/"]
        argv += [str(PYTHON), "-I", "-B", "/bot/main.py"]
        return run(mounts, *argv)

    return run_in_a_cell


IN_A_CELL = [AS_ROOT, pytest.mark.skipif(not BWRAP.exists(), reason="needs bubblewrap")]


def in_a_cell(test):
    for mark in IN_A_CELL:
        test = mark(test)
    return test


@in_a_cell
def test_an_interpreter_in_a_closed_folder_runs(cell):
    ran = cell("import os, sys; print(os.getuid(), os.getgid(), os.getgroups(), sys.base_prefix)")
    assert (ran.stdout, ran.stderr) == (f"65534 65534 [] {BASE}\n", "")


def own_mounts():
    return Path("/proc/self/mountinfo").read_text()


@in_a_cell
def test_only_players_see_a_bound_folder_until_the_end(folder, uid, tmp_path, run):
    if not can_mount():
        pytest.skip("root may not mount here")
    hidden = tmp_path / "it's hidden"
    hidden.mkdir(mode=0o755)
    (hidden / "x").write_text("found\n")
    before, descriptors = own_mounts(), os.listdir("/proc/self/fd")
    with ExitStack() as stack:
        mounts = Mounts(folder, stack, uid)
        shown = mounts.reachable(hidden)
        assert shown.parent == folder
        mounts.show()
        for _ in range(2):
            cat = run(mounts, "/usr/bin/cat", shown / "x")
            assert (cat.stdout, cat.stderr) == ("found\n", "")
        assert own_mounts() == before
        assert os.listdir(shown) == []
    assert os.listdir("/proc/self/fd") == descriptors
    assert not shown.exists()


@AS_ROOT
def test_players_mounts_have_no_sys(folder, stack, uid, run):
    if not can_mount():
        pytest.skip("root may not mount here")
    mounts = Mounts(folder, stack, uid)
    mounts.show()
    seen = run(mounts, "/usr/bin/cat", "/proc/self/mountinfo")
    assert "/proc " in seen.stdout
    assert "/sys" not in seen.stdout


@in_a_cell
def test_a_failed_bind_is_an_isolation_error(folder, stack, uid, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    mounts = Mounts(folder, stack, uid)
    mounts.reachable(hidden)
    hidden.rmdir()
    before = os.listdir("/proc/self/fd")
    why = (
        r"^The referee runs as root and could not hand players to another user \(mount .*hidden: No such file.*\): start it "
        "as an ordinary user, or in a container with --cap-add SETUID --cap-add SETGID --cap-add SYS_ADMIN$"
    )
    with pytest.raises(IsolationError, match=why):
        mounts.show()
    assert os.listdir("/proc/self/fd") == before
