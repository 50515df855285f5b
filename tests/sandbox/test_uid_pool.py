"""A root referee's pooled uids, and what they can reach; what needs root is run for real, by real programs."""

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
from referee.sandbox.uid_pool import UIDS, can_reach, mapped_uids, pooled_uid

ROOT = os.geteuid() == 0
AS_ROOT = pytest.mark.skipif(not ROOT, reason="needs root")
UID = 60_999
IS_VACANT = module._is_vacant


@pytest.fixture
def locks(tmp_path, monkeypatch):
    """Locks for this test only, independent of other matches on this machine."""
    monkeypatch.setattr(module, "_is_vacant", lambda uid: True)
    folders = (tmp_path / "locks", tmp_path / "other")
    monkeypatch.setattr(module, "_LOCKS", folders)
    return folders


# Which uid.


def test_two_never_have_the_same(locks):
    with pooled_uid() as one:
        with pooled_uid() as two:
            assert one != two
            assert {one, two} <= set(UIDS)
        with pooled_uid() as again:
            assert again == two  # it was given back
    with pooled_uid() as first:
        assert first == one


def test_another_referee_s_are_taken(locks):
    program = (
        "import sys; from pathlib import Path; import referee.sandbox.uid_pool as module\n"
        "module._LOCKS, module._is_vacant = (Path(sys.argv[1]),), lambda uid: True\n"
        "with module.pooled_uid() as uid: print(uid, flush=True); sys.stdin.read()"
    )
    env = {"PYTHONPATH": str(Path(module.__file__).parents[2])}
    argv = [sys.executable, "-c", program, str(locks[0])]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as other:
        theirs = int(other.stdout.readline())
        with pooled_uid() as uid:
            assert uid != theirs
        other.send_signal(signal.SIGKILL)
        other.wait()
        with pooled_uid() as uid:
            assert uid == theirs  # the kernel gave it back


def test_one_that_still_has_processes_is_passed_over(locks, monkeypatch):
    if os.getuid() != 0:
        pytest.skip("only root starts something as another user")
    monkeypatch.setattr(module, "_is_vacant", IS_VACANT)
    with pooled_uid() as uid:
        pass
    left = subprocess.Popen(["sleep", "60"], user=uid, group=uid, extra_groups=[])
    try:
        for _ in range(2):  # while it lives, and when it is dead and nobody has buried it
            with pooled_uid() as other:
                assert other != uid
            os.kill(left.pid, signal.SIGKILL)
            os.waitid(os.P_PID, left.pid, os.WEXITED | os.WNOWAIT)
    finally:
        left.kill()
        left.wait()


def test_it_is_nobody_s_and_can_be_used(locks):
    with pooled_uid() as uid:
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
            stack.enter_context(pooled_uid())
        assert len(os.listdir("/proc/self/fd")) == len(before) + 5
    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("database", ["pwd.getpwuid", "grp.getgrgid"])
def test_users_and_groups_keep_theirs(database, locks, monkeypatch):
    first = mapped_uids()[0]
    where, name = database.split(".")
    real = getattr(sys.modules[where], name)
    monkeypatch.setattr(sys.modules[where], name, lambda uid: uid == first or real(uid))
    module._is_known.cache_clear()
    try:
        with pooled_uid() as uid:
            assert uid == mapped_uids()[1]
    finally:
        module._is_known.cache_clear()


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """/etc/subuid, /etc/subgid and the maps of a user namespace, as a test writes them."""
    uids, gids, subuid, subgid = (tmp_path / name for name in ("uids", "gids", "subuid", "subgid"))
    uids.write_text("         0          0 4294967295\n")
    gids.write_text("         0          0 4294967295\n")
    monkeypatch.setattr(module, "_MAPS", (uids, gids))
    monkeypatch.setattr(module, "_SUBIDS", (subuid, subgid))
    mapped_uids.cache_clear()
    yield {"uids": uids, "gids": gids, "subuid": subuid, "subgid": subgid}
    mapped_uids.cache_clear()


def test_all_of_them_where_nothing_is_said(tables):
    assert mapped_uids() == list(UIDS)
    assert len(UIDS) == 478


@pytest.mark.parametrize("table", ["subuid", "subgid"])
def test_what_is_handed_out_for_containers_is_not_taken(table, tables):
    tables[table].write_text("# kaa\nkaa:100000:65536\nbagheera:60000:1000\n\nbaloo\nx:y:z\n")
    assert mapped_uids() == list(range(61000, 61184))


@pytest.mark.parametrize("table", ["uids", "gids"])
def test_only_what_the_user_namespace_has(table, tables):
    tables[table].write_text("         0       1000          1\n         1     100000      60710\n")
    assert mapped_uids() == list(range(60706, 60711))


def test_a_container_without_them(tables, locks):
    tables["uids"].write_text("         0       1000          1\n")
    with pytest.raises(
        IsolationError, match=r"needs pooled user ids from 60706 to 61183, and here is none: run it as an ord"
    ):
        pooled_uid().__enter__()


def test_all_in_use(tables, locks):
    before = sorted(os.listdir("/proc/self/fd"))
    tables["uids"].write_text("60706 60706 2\n")
    with (
        pooled_uid(),
        pooled_uid(),
        pytest.raises(IsolationError, match="all 2 pooled user ids of this machine are in use"),
    ):
        pooled_uid().__enter__()
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_locks_lie_where_nobody_else_gets(locks):
    with pooled_uid() as uid:
        assert locks[0].stat().st_mode & 0o777 == 0o700
        assert os.listdir(locks[0]) == [str(uid)]
    before = sorted(os.listdir("/proc/self/fd"))
    for spoil in (lambda: locks[0].chmod(0o770), lambda: (locks[0].rename(locks[0].with_name("x")), locks[0].touch())):
        spoil()
        with pooled_uid() as uid:
            assert os.listdir(locks[1]) == [str(uid)]
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_link_is_no_place_for_locks(locks, tmp_path):
    (tmp_path / "theirs").mkdir(0o700)
    for path in locks:
        path.symlink_to(tmp_path / "theirs")
    before = sorted(os.listdir("/proc/self/fd"))
    with pytest.raises(IsolationError, match=r"as a folder of its own \(mode 0700\): make one of them writable"):
        pooled_uid().__enter__()
    assert os.listdir(tmp_path / "theirs") == []
    assert sorted(os.listdir("/proc/self/fd")) == before


@AS_ROOT
def test_another_s_folder_is_no_place_for_locks(locks):
    locks[0].mkdir(0o700)
    os.chown(locks[0], UID, UID)
    with pooled_uid() as uid:
        assert os.listdir(locks[1]) == [str(uid)]


# What a uid can reach.


@pytest.fixture
def tree():
    """A file in a folder in a folder that any uid gets to."""
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
def test_the_first_that_fits_decides(owner, group, mode, reached, tree):
    os.chown(tree, owner, group)
    tree.chmod(mode)
    assert can_reach(tree, UID) is reached
    cat = subprocess.run(["cat", tree], user=UID, group=UID, extra_groups=[], capture_output=True)
    assert (cat.returncode == 0) is reached


def test_where_a_link_leads_counts(tree):
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


def test_root_reaches_everything(tree):
    tree.chmod(0)
    tree.parent.chmod(0o700)
    assert can_reach(tree, 0)
