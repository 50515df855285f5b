"""The pooled uids of a root referee, and what they can reach. Tests that need root run real programs."""

import grp
import os
import pwd
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

import referee.sandbox.uid_pool as module
from referee.errors import IsolationError
from referee.sandbox.tempdir import tempdir
from referee.sandbox.uid_pool import UIDS, borrow_uid, can_reach

ROOT = os.geteuid() == 0
AS_ROOT = pytest.mark.skipif(not ROOT, reason="needs root")
UID = 60_999
IS_VACANT = module._is_vacant


@pytest.fixture
def locks(tmp_path, monkeypatch):
    """Locks for this test only, independent of other matches on this machine."""
    monkeypatch.setattr(module, "_is_vacant", lambda uid: True)
    monkeypatch.setattr(module, "LOCKS", tmp_path / "locks")
    monkeypatch.setattr(os, "getuid", lambda: 0)
    return tmp_path / "locks"


# Which uid.


def test_two_players_never_have_the_same_uid(locks):
    with borrow_uid() as one:
        with borrow_uid() as two:
            assert one != two
            assert {one, two} <= set(UIDS)
        with borrow_uid() as again:
            assert again == two  # it was given back
    with borrow_uid() as first:
        assert first == one


def test_uids_of_another_referee_are_taken(locks):
    program = "import os, sys; from pathlib import Path; import referee.sandbox.uid_pool as module\n"
    program += "module.LOCKS, module._is_vacant, os.getuid = Path(sys.argv[1]), lambda uid: True, lambda: 0\n"
    program += "with module.borrow_uid() as uid: print(uid, flush=True); sys.stdin.read()"
    env = {"PYTHONPATH": str(Path(module.__file__).parents[2])}
    argv = [sys.executable, "-c", program, str(locks)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as other:
        theirs = int(other.stdout.readline())
        with borrow_uid() as uid:
            assert uid != theirs
        other.send_signal(signal.SIGKILL)
        other.wait()
        with borrow_uid() as uid:
            assert uid == theirs  # the kernel released its lock


@AS_ROOT
def test_a_uid_that_still_has_processes_is_skipped(locks, monkeypatch):
    monkeypatch.setattr(module, "_is_vacant", IS_VACANT)
    with borrow_uid() as uid:
        pass
    left = subprocess.Popen(["sleep", "60"], user=uid, group=uid, extra_groups=[])
    try:
        for _ in range(2):  # while the process runs, and while it is a zombie
            with borrow_uid() as other:
                assert other != uid
            os.kill(left.pid, signal.SIGKILL)
            os.waitid(os.P_PID, left.pid, os.WEXITED | os.WNOWAIT)
    finally:
        left.kill()
        left.wait()


def test_without_root_no_uid_is_borrowed(monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    with borrow_uid() as uid:
        assert uid is None


def test_a_borrowed_uid_belongs_to_no_user_and_can_be_used(locks):
    with borrow_uid() as uid:
        with pytest.raises(KeyError):
            pwd.getpwuid(uid)
        with pytest.raises(KeyError):
            grp.getgrgid(uid)
        if ROOT:
            subprocess.run(["true"], user=uid, group=uid, extra_groups=[], check=True)


def test_descriptors_are_given_back(locks):
    before = sorted(os.listdir("/proc/self/fd"))
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(borrow_uid())
        assert len(os.listdir("/proc/self/fd")) == len(before) + 5
    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("database", ["pwd.getpwuid", "grp.getgrgid"])
def test_ids_of_users_and_groups_are_skipped(database, locks, monkeypatch):
    first = UIDS[0]
    where, name = database.split(".")
    real = getattr(sys.modules[where], name)
    monkeypatch.setattr(sys.modules[where], name, lambda uid: uid == first or real(uid))
    module._is_known.cache_clear()
    try:
        with borrow_uid() as uid:
            assert uid == UIDS[1]
    finally:
        module._is_known.cache_clear()


def test_all_uids_in_use(locks, monkeypatch):
    monkeypatch.setattr(module, "UIDS", UIDS[:2])
    before = sorted(os.listdir("/proc/self/fd"))
    why = "^all 2 pooled user ids of this machine are in use: play fewer matches at a time, or not as root$"
    with borrow_uid(), borrow_uid(), pytest.raises(IsolationError, match=why):
        borrow_uid().__enter__()
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_only_the_referees_user_can_reach_the_locks(locks):
    with borrow_uid() as uid:
        assert locks.stat().st_mode & 0o777 == 0o700
        assert os.listdir(locks) == [str(uid)]


UNSAFE = {
    "open to others": lambda locks: (locks.mkdir(), locks.chmod(0o770)),
    "a file": lambda locks: locks.touch(0o700),
    "a link": lambda locks: (locks.with_name("theirs").mkdir(0o700), locks.symlink_to("theirs")),
    "of another": lambda locks: (locks.mkdir(0o700), os.chown(locks, UID, UID)),
}


@pytest.mark.parametrize("unsafe", [pytest.param(name, marks=AS_ROOT if "another" in name else ()) for name in UNSAFE])
def test_an_unsafe_folder_for_locks_is_refused(unsafe, locks):
    UNSAFE[unsafe](locks)
    before = sorted(os.listdir("/proc/self/fd"))
    with pytest.raises(IsolationError, match=r"as a folder of its own \(mode 0700\): make it writable"):
        borrow_uid().__enter__()
    assert not locks.is_dir() or os.listdir(locks) == []
    assert sorted(os.listdir("/proc/self/fd")) == before


# What a uid can reach.


@pytest.fixture
def tree():
    """A file in a folder that every uid can reach."""
    with tempdir() as folder:
        folder.chmod(0o755)
        file = folder / "a" / "b"
        file.parent.mkdir()
        file.touch()
        file.chmod(0o644)
        file.parent.chmod(0o755)
        yield file


@pytest.mark.parametrize(
    ("folder", "file", "reached"),
    [
        (0o755, 0o644, True),
        (0o711, 0o644, True),
        (0o711, 0o604, True),
        (0o700, 0o644, False),
        (0o754, 0o644, False),
        (0o755, 0o640, False),
        (0o755, 0o600, False),
    ],
)
def test_every_mode_on_the_way_counts(folder, file, reached, tree):
    tree.chmod(file)
    tree.parent.chmod(folder)
    assert can_reach(tree, UID) is reached
    if ROOT:
        cat = subprocess.run(["cat", tree], user=UID, group=UID, extra_groups=[], capture_output=True)
        assert (cat.returncode == 0) is reached


@pytest.mark.parametrize(
    ("mode", "to_read", "reached"),
    [(0o755, True, True), (0o711, True, False), (0o711, False, True), (0o744, False, False), (0o744, True, False)],
)
def test_folders_are_read_and_entered(mode, to_read, reached, tree):
    tree.parent.chmod(mode)
    assert can_reach(tree.parent, UID, to_read=to_read) is reached


@AS_ROOT
@pytest.mark.parametrize(
    ("owner", "group", "mode", "reached"),
    [(UID, 0, 0o400, True), (UID, 0, 0o044, False), (0, UID, 0o040, True), (0, UID, 0o604, False), (0, 0, 0o004, True)],
)
def test_the_first_matching_class_of_users_decides(owner, group, mode, reached, tree):
    os.chown(tree, owner, group)
    tree.chmod(mode)
    assert can_reach(tree, UID) is reached
    cat = subprocess.run(["cat", tree], user=UID, group=UID, extra_groups=[], capture_output=True)
    assert (cat.returncode == 0) is reached


def test_the_target_of_a_link_counts(tree):
    link = tree.with_name("link")
    link.symlink_to(tree)
    assert can_reach(link, UID)
    closed = tree.with_name("closed")
    closed.mkdir(0o700)
    (closed / "open").touch()
    link.unlink()
    link.symlink_to(closed / "open")
    assert not can_reach(link, UID)
    loop = tree.with_name("loop")
    loop.symlink_to(loop)
    assert not can_reach(loop, UID)
    assert not can_reach(tree / "nothing", UID)
    assert not can_reach(tree.with_name("nothing"), UID)
