"""The wrapper of bubblewrap for a root referee, run with real programs."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

import referee.sandbox.cells.wrapper as module
from referee.errors import IsolationError
from referee.sandbox.cells.wrapper import Wrapper, can_unhide
from referee.sandbox.limits import Limits
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import tempdir
from referee.sandbox.uid_pool import pooled_uid

ROOT = os.geteuid() == 0
AS_ROOT = pytest.mark.skipif(not ROOT, reason="needs root")
BWRAP = Path("/usr/bin/bwrap")
PYTHON = Path(sys.executable).resolve()
BASE = Path(sys.base_prefix).resolve()


@pytest.fixture
def stack():
    """Releases at the end what wrappers take.

    These tests use the machine's real locks: so no other test's processes count as theirs.
    """
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def place(stack):
    return stack.enter_context(tempdir())


@pytest.fixture
def uid(stack):
    return stack.enter_context(pooled_uid()) if ROOT else None


@AS_ROOT
def test_without_util_linux(place, stack, uid, monkeypatch):
    monkeypatch.setattr(module, "_tool", module._tool.__wrapped__)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(IsolationError, match="needs nsenter to isolate players: install util-linux"):
        Wrapper(place, stack, uid).line(uid)


def test_an_ordinary_user_needs_no_wrapper(place, stack, tmp_path):
    wrapper = Wrapper(place, stack, None)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    assert wrapper.can_reach(closed)  # the player runs as the user and reaches the same files
    assert wrapper.reachable(closed) == closed
    wrapper.show()
    assert wrapper.line(None) == []


@AS_ROOT
def test_a_hidden_folder_cannot_be_shown_if_root_may_not_mount(place, stack, uid, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_can_mount", lambda: False)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    wrapper = Wrapper(place, stack, uid)
    assert wrapper.can_show(Path("/usr"))
    assert not wrapper.can_show(closed)
    with pytest.raises(IsolationError, match="closed cannot be shown to players: the referee runs as root"):
        wrapper.reachable(closed)


def test_an_ordinary_user_cannot_unhide_folders(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert can_unhide() is False


TELLS = """
import json, os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({
    "uid": os.getresuid(), "gid": os.getresgid(), "groups": os.getgroups(), "environment": dict(os.environ),
    "capabilities": status["CapEff"].strip() + status["CapInh"].strip(),
    "pid": os.getpid(), "descriptors": sorted(int(fd) for fd in os.listdir("/proc/self/fd")),
}))
"""


@AS_ROOT
def test_the_wrapper_drops_ids_groups_capabilities_and_environment(place, stack, uid):
    wrapper = Wrapper(place, stack, uid)
    heard, said = os.pipe()
    with subprocess.Popen(
        [
            *wrapper.line(uid),
            "/usr/bin/env",
            "-u",
            "LC_CTYPE",
            "-u",
            "PWD",
            "/usr/bin/python3",
            "-I",
            "-c",
            TELLS,
        ],
        env={},
        extra_groups=[uid + 1],
        pass_fds=(said,),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        out, errors = process.communicate()
    os.close(heard)
    os.close(said)
    assert errors == b""
    told = json.loads(out)
    assert (told["uid"], told["gid"], told["groups"]) == ([uid] * 3, [uid] * 3, [])
    assert told["capabilities"] == "0" * 32
    assert told["pid"] == process.pid  # it is the process that was started, not a child of it
    assert said in told["descriptors"]
    assert told["environment"].get("PATH") is None


@dataclass
class Bot:
    cwd: Path
    files: None = None
    name: str = "kaa"


@pytest.fixture
def cell(place, stack, uid, tmp_path):
    """Runs a copy of a Python program as a root referee does: under a pooled uid, in namespaces."""

    def run(program):
        source = tmp_path / "source"
        source.mkdir(mode=0o700)
        (source / "main.py").write_text(program)
        stage(Bot(source), place / "bot", Limits())
        wrapper = Wrapper(place, stack, uid)
        binds = []
        for path in (BASE, Path("/usr"), *map(Path, ("/lib", "/lib64"))):
            if path.exists():
                binds += ["--ro-bind", str(wrapper.reachable(path)), str(path)]
        wrapper.show()
        apart = ["--unshare-user", "--unshare-pid", "--unshare-net", "--uid", "65534", "--gid", "65534"]
        argv = [*wrapper.line(uid), str(BWRAP), *apart, "--die-with-parent", "--cap-drop", "ALL", *binds]
        argv += ["--ro-bind", str(place / "bot"), "/bot", "--remount-ro", "/"]
        argv += [str(PYTHON), "-I", "-B", "/bot/main.py"]
        return subprocess.run(argv, env={}, cwd="/", capture_output=True, text=True, start_new_session=True)

    return run


IN_A_CELL = [AS_ROOT, pytest.mark.skipif(not BWRAP.exists(), reason="needs bubblewrap")]


def in_a_cell(test):
    for mark in IN_A_CELL:
        test = mark(test)
    return test


@in_a_cell
def test_an_interpreter_in_a_closed_folder_runs(cell):
    run = cell("import os, sys; print(os.getuid(), os.getgid(), os.getgroups(), sys.base_prefix)")
    assert (run.stdout, run.stderr) == (f"65534 65534 [] {BASE}\n", "")


def mounts():
    return Path("/proc/self/mountinfo").read_text()


@in_a_cell
def test_only_players_see_a_bound_folder_until_the_end(place, uid, tmp_path):
    if not can_unhide():
        pytest.skip("root may not mount here")
    hidden = tmp_path / "it's hidden"
    hidden.mkdir(mode=0o755)
    (hidden / "x").write_text("found\n")
    before, descriptors = mounts(), os.listdir("/proc/self/fd")
    with ExitStack() as stack:
        wrapper = Wrapper(place, stack, uid)
        shown = wrapper.reachable(hidden)
        assert shown.parent == place
        wrapper.show()
        for _ in range(2):
            cat = subprocess.run([*wrapper.line(uid), "/usr/bin/cat", shown / "x"], env={}, capture_output=True)
            assert (cat.stdout, cat.stderr) == (b"found\n", b"")
        assert mounts() == before
        assert os.listdir(shown) == []
    assert os.listdir("/proc/self/fd") == descriptors
    assert not shown.exists()


@AS_ROOT
def test_players_mounts_have_no_control_groups_and_no_sys(place, stack, uid):
    if not can_unhide():
        pytest.skip("root may not mount here")
    wrapper = Wrapper(place, stack, uid)
    wrapper.show()
    seen = subprocess.run([*wrapper.line(uid), "/usr/bin/cat", "/proc/self/mountinfo"], env={}, capture_output=True)
    types = {line.split(" - ")[1].split()[0] for line in seen.stdout.decode().splitlines()}
    assert "proc" in types  # bubblewrap uses it
    assert not types & {"sysfs", "cgroup", "cgroup2", "devpts"}


@in_a_cell
def test_a_failed_bind_is_an_isolation_error(place, stack, uid, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    wrapper = Wrapper(place, stack, uid)
    wrapper.reachable(hidden)
    hidden.rmdir()
    before = os.listdir("/proc/self/fd")
    with pytest.raises(
        IsolationError, match=r"could not hand players to another user \(mount: .*hidden does not exist"
    ):
        wrapper.show()
    assert os.listdir("/proc/self/fd") == before
