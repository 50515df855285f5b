"""A root referee's spawner thread, with real programs."""

import json
import os
import subprocess
import sys
import threading
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

import referee.sandbox.cells.spawner as module
from referee.errors import IsolationError
from referee.sandbox.cells.spawner import RootSpawner, Spawner
from referee.sandbox.cells.spawning import spawn
from referee.sandbox.tempdir import tempdir
from referee.sandbox.uid_pool import pooled_uid

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def stack():
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def place(stack):
    return stack.enter_context(tempdir())


@pytest.fixture
def uid(stack):
    """A pooled uid. These tests use the machine's real locks, so no other test's processes count as theirs."""
    return stack.enter_context(pooled_uid())


@pytest.fixture
def spawner(place, stack):
    return RootSpawner(place, stack)


@pytest.fixture
def output(spawner, uid):
    """Runs a program as a player is started; returns what it prints."""

    def run(*argv, **also):
        task = partial(subprocess.run, argv, env={}, cwd="/", capture_output=True, text=True, check=True, **also)
        return spawner.run_as(uid, task).stdout

    return run


def ids_of(thread):
    """A thread's real, effective, saved and file system ids, and its capabilities."""
    lines = Path(f"/proc/self/task/{thread}/status").read_text().splitlines()
    return [line for line in lines if line.startswith(("Uid:", "Gid:", "CapEff:"))]


def test_an_ordinary_users_players_reach_what_the_user_reaches(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    assert Spawner().can_show(closed)
    assert Spawner().reachable(closed) == closed
    assert Spawner().run_as(None, os.getuid) == os.getuid()


# -- ids --

TELLS = """
import json, os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({
    "uid": os.getresuid(), "gid": os.getresgid(), "groups": os.getgroups(),
    "capabilities": [status[which].strip() for which in ("CapInh", "CapPrm", "CapEff", "CapAmb")],
}))
"""


@AS_ROOT
def test_a_program_has_the_players_ids_and_no_groups_or_capabilities(output, uid):
    told = json.loads(output("/usr/bin/python3", "-I", "-c", TELLS))
    assert (told["uid"], told["gid"], told["groups"]) == ([uid] * 3, [uid] * 3, [])
    assert told["capabilities"] == ["0" * 16] * 4


@AS_ROOT
def test_all_other_threads_keep_their_ids(spawner, uid):
    waiting = threading.Event()
    other = threading.Thread(target=waiting.wait)
    other.start()
    try:
        before = ids_of(threading.get_native_id())

        def seen():
            others = {int(task) for task in os.listdir("/proc/self/task")} - {threading.get_native_id()}
            return {thread: ids_of(thread) for thread in others}

        found = spawner.run_as(uid, seen)
        assert found[threading.get_native_id()] == found[other.native_id] == before
    finally:
        waiting.set()
        other.join()


@AS_ROOT
def test_the_thread_may_kill_and_raise_limits_meanwhile_if_root_may(spawner, uid):
    def effective():
        return next(int(line.split()[1], 16) for line in ids_of(threading.get_native_id()) if line.startswith("CapEff"))

    assert spawner.run_as(uid, effective) == effective() & (1 << 5 | 1 << 24)


@AS_ROOT
def test_programs_inherit_no_ambient_capabilities():
    code = (
        "import ctypes, struct, subprocess, tempfile\n"
        "from contextlib import ExitStack\n"
        "from pathlib import Path\n"
        "from referee.sandbox.cells.spawner import RootSpawner\n"
        "libc, header = ctypes.CDLL(None), struct.pack('=Ii', 0x20080522, 0)\n"
        "sets = ctypes.create_string_buffer(24)\n"
        "libc.capget(header, sets)\n"
        "e, p, i, *rest = struct.unpack('=6I', sets.raw)\n"
        "assert libc.capset(header, struct.pack('=6I', e, p, i | 1 << 10, *rest)) == 0\n"
        "assert libc.prctl(47, 2, 10, 0, 0) == 0\n"
        "with ExitStack() as stack:\n"
        "    spawner = RootSpawner(Path(stack.enter_context(tempfile.TemporaryDirectory())), stack)\n"
        "    spawner.run_as(60706, lambda: subprocess.run(['/bin/grep', 'Cap[EPA]', '/proc/self/status']))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert [line.split()[1] for line in run.stdout.splitlines()] == ["0" * 16] * 3, run.stderr


@AS_ROOT
def test_a_program_does_not_own_its_pipes(spawner, uid):
    with spawn(["/bin/true"], run=partial(spawner.run_as, uid)) as program:
        assert {os.fstat(stream.fileno()).st_uid for stream in (program.stdin, program.stdout, program.stderr)} == {0}


@AS_ROOT
def test_the_thread_has_root_back_after_a_task_even_if_it_failed(spawner, uid):
    inside = spawner._do(lambda: ids_of(threading.get_native_id()))
    with pytest.raises(ZeroDivisionError):
        spawner.run_as(uid, lambda: 1 / 0)
    assert spawner._do(lambda: ids_of(threading.get_native_id())) == inside == ids_of(threading.get_native_id())


@AS_ROOT
def test_a_machine_whose_system_calls_are_unknown(place, stack, monkeypatch):
    monkeypatch.delitem(module._SYSTEM_CALLS, os.uname().machine)
    with pytest.raises(IsolationError, match=r"the system calls of .* are not known"):
        RootSpawner(place, stack)


@AS_ROOT
def test_an_id_that_root_may_not_take_on(spawner, uid, monkeypatch):
    monkeypatch.setitem(module._SYSTEM_CALLS[os.uname().machine], "setresuid", 10**6)  # not a system call
    with pytest.raises(IsolationError, match=r"could not hand players to another user .*setresuid"):
        spawner.run_as(uid, os.getpid)


@AS_ROOT
def test_no_thread_can_be_started(place, stack, monkeypatch):
    def refused(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    with pytest.raises(IsolationError, match="no process or memory left"):
        RootSpawner(place, stack)


# -- namespaces --

MOUNTS = "/proc/thread-self/mountinfo"


@pytest.fixture
def mounting(spawner):
    if not spawner.can_mount:
        pytest.skip("root may not mount here")


@AS_ROOT
@pytest.mark.usefixtures("mounting")
def test_only_players_see_a_bound_folder_until_the_end(place, uid, tmp_path):
    hidden = tmp_path / "it's hidden"
    hidden.mkdir(mode=0o755)
    (hidden / "x").write_text("found\n")
    before, descriptors = Path(MOUNTS).read_text(), os.listdir("/proc/self/fd")
    with ExitStack() as stack:
        spawner = RootSpawner(place, stack)
        shown = spawner.reachable(hidden)
        assert shown.parent == place
        assert spawner.reachable(hidden) == shown
        cat = partial(subprocess.run, ["/usr/bin/cat", shown / "x"], env={}, capture_output=True, check=True)
        assert spawner.run_as(uid, cat).stdout == b"found\n"
        assert Path(MOUNTS).read_text() == before
        assert os.listdir(shown) == []
    assert os.listdir("/proc/self/fd") == descriptors
    shown.rmdir()


@AS_ROOT
@pytest.mark.usefixtures("mounting")
def test_an_interpreter_in_a_closed_folder_runs(spawner, output, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / "bin").mkdir(mode=0o755)
    (closed / "bin" / "echo").write_bytes(Path("/bin/echo").read_bytes())
    (closed / "bin" / "echo").chmod(0o755)
    assert output(spawner.reachable(closed / "bin") / "echo", "runs") == "runs\n"


@AS_ROOT
@pytest.mark.usefixtures("mounting")
def test_players_mounts_have_no_control_groups_and_devices_of_the_kernel(output):
    types = {line.split(" - ")[1].split()[0] for line in output("/bin/cat", MOUNTS).splitlines()}
    assert not types & {"sysfs", "cgroup", "cgroup2", "devpts"}
    assert "proc" in types  # bubblewrap uses it


@AS_ROOT
@pytest.mark.usefixtures("mounting")
def test_a_bind_that_fails_is_an_isolation_error(spawner, tmp_path):
    hidden = tmp_path / "hidden"
    with pytest.raises(IsolationError, match="hidden cannot be mounted: No such file or directory"):
        spawner.reachable(hidden)


@AS_ROOT
def test_a_closed_folder_cannot_be_shown_if_root_may_not_mount(place, stack, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_own_mounts", lambda: False)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    spawner = RootSpawner(place, stack)
    assert spawner.can_show(Path("/usr"))
    assert not spawner.can_show(closed)
    with pytest.raises(IsolationError, match="closed cannot be shown to players: the referee runs as root"):
        spawner.reachable(closed)


@AS_ROOT
def test_players_share_a_network_without_an_interface_that_is_up(spawner, output):
    if not spawner.is_apart:
        pytest.skip("root may not make networks here")
    assert output("/usr/bin/python3", "-I", "-c", "import socket; print(socket.if_nameindex())") == "[(1, 'lo')]\n"
    assert output("/usr/bin/readlink", "/proc/self/ns/net") == output("/usr/bin/readlink", "/proc/self/ns/net")
    assert output("/usr/bin/readlink", "/proc/self/ns/net").strip() != os.readlink("/proc/self/ns/net")


# -- signals --


@AS_ROOT
def test_the_end_of_the_spawner_is_the_end_of_programs_that_die_with_their_parent(place, uid):
    asks = "import ctypes, time; ctypes.CDLL(None).prctl(1, 9); print('asked', flush=True); time.sleep(60)"
    with ExitStack() as stack:
        spawner = RootSpawner(place, stack)
        start = partial(subprocess.Popen, ["/usr/bin/python3", "-I", "-c", asks], env={}, stdout=subprocess.PIPE)
        program = spawner.run_as(uid, start)
        assert program.stdout.readline() == b"asked\n"
        assert program.poll() is None
    with program:
        assert program.wait(timeout=20) == -9
