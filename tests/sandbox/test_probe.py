"""The canary and its fakes are real programs: the program that starts in the cell decides the verdict."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import BotError, IsolationError
from referee.sandbox.cells.bare import BareLaunch, BareSandbox
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import open_sandbox
from referee.sandbox.probing import canary, probe, verdicts
from referee.sandbox.probing.probe import Attempt
from referee.sandbox.probing.verdicts import demand
from referee.sandbox.program import Program

pytestmark = pytest.mark.machine

NAMES = [attack for attack, _ in canary.ATTACKS]
GOOD = [Attempt(name, True, "EPERM") for name in NAMES]
SMALL = Limits(memory=64 * MIB, threads=16)
MAY_FAIL_BARE = {
    "use an inherited descriptor",  # there is none
    "trace another process",  # the rest: kernels forbid it to ordinary users, and containers to root
    "io_uring",
    "enter a user namespace",
}
IMPORTED = f"import sys; sys.path.insert(0, {str(Path(canary.__file__).parent)!r}); import canary"
"""Imports the canary in a separate program, as in a cell."""
needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def says(attempts: list[Attempt]) -> str:
    """A program that prints these attempts as the canary does."""
    lines = [json.dumps({"attack": a.attack, "refused": a.refused, "by": a.by}) for a in attempts]
    return f"import sys\nsys.stdin.readline()\nsys.stdout.write({''.join(line + chr(10) for line in lines)!r})\n"


class Stage:
    """Claims to be level full, but starts the program `code` without isolation instead of the canary."""

    level = Level.FULL

    def __init__(self, code: str) -> None:
        self.code = code
        self.parts = {"calls": "seccomp 123"}
        self.started = 0

    async def prepare(self, program: Program) -> BareLaunch:
        self.started += 1
        return BareLaunch(replace(program, argv=(sys.executable, "-c", self.code)))


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """The folder for temporary folders."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


async def test_without_isolation_the_attacks_work_and_leave_nothing_behind(here):
    attempts = await probe.canary(BareSandbox(), SMALL)
    assert [attempt.attack for attempt in attempts] == NAMES
    assert {attempt.attack for attempt in attempts if attempt.refused is not False} <= MAY_FAIL_BARE
    with pytest.raises(IsolationError, match="a player could fork; start another program; "):
        probe.judge(attempts)
    assert list(here.iterdir()) == []


def test_an_inherited_descriptor_is_found():
    read, write = os.pipe()
    request = {"port": 0, "secret": "/none", "referee": os.getpid()}
    stdin = json.dumps({**request, "victim": os.getpid(), "memory": 1, "threads": 1})
    code = f"{IMPORTED}; print(canary.attempt(canary.descriptors, {{}}))"
    try:
        for descriptors, expected in (((write,), "(False, '')"), ((), "(True, 'EBADF')")):
            done = subprocess.run(
                [sys.executable, "-I", "-c", code], input=stdin, text=True, capture_output=True, pass_fds=descriptors,
                check=True,
            )  # fmt: skip
            assert done.stdout.strip() == expected
    finally:
        os.close(read)
        os.close(write)


@needs_bubblewrap
async def test_level_full_refuses_every_attack(here):
    with open_sandbox(Level.FULL, SMALL) as sandbox:
        attempts = await probe.canary(sandbox, SMALL)
    assert [a for a in attempts if not a.refused] == []
    probe.judge(attempts)


async def test_without_limits_the_attacks_on_them_work():
    attempts = {attempt.attack: attempt for attempt in await probe.canary(BareSandbox())}
    assert attempts["take more memory than the limit"] == Attempt("take more memory than the limit", False, "")


def test_the_canary_removes_its_files(tmp_path):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as victim:
        request = {"port": 0, "secret": "/none", "referee": victim.pid}
        request |= {"victim": victim.pid, "memory": MIB, "threads": 4}
        done = subprocess.run(
            [sys.executable, "-I", "-c", f"{IMPORTED}; canary.main()"],
            input=json.dumps(request) + "\n", text=True, capture_output=True, cwd=tmp_path, check=True,
        )  # fmt: skip
    assert [attempt.attack for attempt in probe.read(done.stdout.encode())] == NAMES
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_a_canary_could_not_remove_stops_no_later_one(tmp_path, monkeypatch):
    """In a cell, all canaries may have the same process id."""
    monkeypatch.setattr(canary.os, "unlink", lambda _path: canary.check_result(-1))
    for _ in range(2):
        canary.write_in(str(tmp_path))({})
    assert len(list(tmp_path.iterdir())) == 2


BAITS = """import json, os, sys
told = json.loads(sys.stdin.readline())
folder = os.path.dirname(told["secret"])
modes = [oct(os.stat(path).st_mode & 0o777) for path in (folder, told["secret"])]
print(os.path.basename(folder)[:14], *modes, sorted(os.listdir(folder)), file=sys.stderr)
"""


async def test_every_user_can_read_the_baits_and_later_referees_know_their_folder(here):
    with pytest.raises(IsolationError, match=r"referee-match- 0o755 0o644 \['player', 'secret'\]"):
        await probe.canary(Stage(BAITS))


@pytest.fixture
def no_namespaces(monkeypatch) -> Iterator[None]:
    """Puts a bubblewrap on PATH that can make no namespace."""
    words = "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)"
    # Not pytest's own folder: a root referee's players run as a user who cannot enter it.
    with tempfile.TemporaryDirectory() as folder:
        fake = Path(folder, "bwrap")
        fake.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
        for path in (fake, fake.parent):
            path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        yield


@pytest.mark.usefixtures("no_namespaces")
async def test_a_failure_of_bubblewrap_is_explained(tmp_path):
    """`test_isolation_errors.py` has all explanations."""
    with open_sandbox(Level.FULL) as sandbox, pytest.raises(IsolationError, match="sysctl"):
        await demand(sandbox, folder=tmp_path / "verdicts")
    assert list(tmp_path.iterdir()) == []


async def test_a_canary_that_does_not_end_gives_no_verdict(autojump_clock):
    with pytest.raises(IsolationError, match="not set up within 20 s"):
        await probe.canary(Stage("import sys\nsys.stdin.readline()\nsys.stdin.read()"))


async def test_a_canary_that_breaks_is_quoted():
    with pytest.raises(IsolationError, match="reported nothing: ValueError: a bug"):
        await probe.canary(Stage("raise ValueError('a bug')"))


async def test_a_canary_that_floods_is_cut():
    with pytest.raises(IsolationError, match="reported nothing"):
        await probe.canary(Stage("import os\nwhile True: os.write(1, b'{' * 65536)"))


def test_lines_are_read_in_order_up_to_the_first_wrong_one():
    text = [json.dumps({"attack": n, "refused": True, "by": "EPERM"}).encode() for n in NAMES]
    assert probe.read(b"\n".join(text)) == GOOD
    assert probe.read(b"\n".join([*text, b"more"])) == GOOD
    assert probe.read(b"\n".join([text[0], b"oops", *text[2:]])) == GOOD[:1]
    assert probe.read(b"\n".join([text[0], text[0], *text[2:]])) == GOOD[:1]
    assert probe.read(b"\n".join([text[0], text[1].replace(b"true", b'"no"')])) == GOOD[:1]


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(output):
    assert probe.read(output) == []


def change(name: str, refused: bool, by: str = "") -> list[Attempt]:
    """GOOD with another result for one attack."""
    return [replace(a, refused=refused, by=by) if a.attack == name else a for a in GOOD]


def test_only_a_complete_list_of_refusals_passes():
    probe.judge(GOOD)
    with pytest.raises(IsolationError, match="a player could read a secret file: "):
        probe.judge(change("read a secret file", refused=False))
    with pytest.raises(IsolationError, match=f"ended before it could {NAMES[-1]}: "):
        probe.judge(GOOD[:-1])
    with pytest.raises(IsolationError, match="ended before it could use an inherited descriptor"):
        probe.judge([])


def test_an_attack_that_worked_is_reported_before_a_missing_one():
    with pytest.raises(IsolationError, match="a player could fork"):
        probe.judge(change("fork", refused=False)[:5])


async def test_level_none_is_not_probed(tmp_path):
    await demand(BareSandbox(), folder=tmp_path / "verdicts")
    assert not (tmp_path / "verdicts").exists()


async def test_a_good_verdict_is_remembered(tmp_path):
    stage, verdicts = Stage(says(GOOD)), tmp_path / "verdicts"
    for _ in range(3):
        await demand(stage, folder=verdicts)
    assert stage.started == 1
    assert [path.name for path in verdicts.iterdir()] == ["isolation-full.json"]


async def test_a_remembered_verdict_does_not_import_the_canary(tmp_path, monkeypatch):
    stage = Stage(says(GOOD))
    await demand(stage, folder=tmp_path / "verdicts")
    monkeypatch.delattr("referee.sandbox.probing.probe")
    monkeypatch.setitem(sys.modules, "referee.sandbox.probing.probe", None)
    await demand(stage, folder=tmp_path / "verdicts")
    with pytest.raises(ImportError):
        await demand(stage, folder=tmp_path / "others")


async def test_a_bad_verdict_is_not_remembered(tmp_path):
    stage = Stage(says(change("fork", refused=False)))
    for _ in range(2):
        with pytest.raises(IsolationError, match="a player could fork"):
            await demand(stage, folder=tmp_path / "verdicts")
    assert stage.started == 2
    assert not (tmp_path / "verdicts").exists()


def _made_anew(file: Path, make: Callable[[Path], object]) -> None:
    file.rename(file.parent.parent / "copy")
    make(file)


HARMS: dict[str, Callable[[Path], object]] = {
    "spoiled": lambda file: file.write_text("{" * 100_000),
    "empty": lambda file: file.write_bytes(b""),
    "a list": lambda file: file.write_text("[]"),
    "open to others": lambda file: file.chmod(0o666),
    "in a folder that is open to others": lambda file: file.parent.chmod(0o777),
    "a link to a copy": lambda file: _made_anew(file, lambda file: file.symlink_to("../copy")),
    "a FIFO": lambda file: _made_anew(file, lambda file: os.mkfifo(file, 0o600)),
    "a folder": lambda file: _made_anew(file, Path.mkdir),
    "of another boot": lambda file: file.write_text(json.dumps({**json.loads(file.read_text()), "boot": "another"})),
}


@pytest.mark.parametrize("harm", HARMS)
async def test_a_verdict_that_cannot_be_trusted_is_probed_again(harm: str, tmp_path):
    stage, verdicts = Stage(says(GOOD)), tmp_path / "verdicts"
    await demand(stage, folder=verdicts)
    HARMS[harm](verdicts / "isolation-full.json")
    await demand(stage, folder=verdicts)
    assert stage.started == 2
    assert not [path.name for path in verdicts.iterdir() if path.name.startswith(".")]


async def test_another_list_of_system_calls_is_probed_again(tmp_path):
    stage = Stage(says(GOOD))
    await demand(stage, folder=tmp_path / "verdicts")
    stage.parts = {"calls": "seccomp 124"}
    await demand(stage, folder=tmp_path / "verdicts")
    assert stage.started == 2


async def test_another_bubblewrap_is_probed_again(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    stage = Stage(says(GOOD))
    fake = tmp_path / "bwrap"
    for text in ("one", "another"):
        fake.write_text(text)
        fake.chmod(0o755)
        await demand(stage, folder=tmp_path / "verdicts")
    assert stage.started == 2


async def test_if_no_verdict_can_be_remembered_every_demand_is_probed(tmp_path):
    (tmp_path / "file").write_text("")
    stage = Stage(says(GOOD))
    for _ in range(2):
        await demand(stage, folder=tmp_path / "file" / "verdicts")
    assert stage.started == 2


class Broken(Stage):
    """A sandbox that cannot find the interpreter."""

    async def prepare(self, program: Program) -> BareLaunch:
        self.started += 1
        raise BotError(f"bot {program.name} cannot be started: {program.argv[0]} is nowhere")


async def test_a_missing_interpreter_is_an_isolation_error(tmp_path):
    stage = Broken("")
    with pytest.raises(IsolationError, match=r"cannot be tested: bot canary .* is nowhere"):
        await demand(stage, folder=tmp_path)
    usual = shutil.which("python3", path="/usr/bin:/usr/local/bin:/bin")
    assert stage.started == len({sys.executable, usual or sys.executable}), "both are tried"


def test_the_dependencies_of_a_verdict_survive_json():
    dependencies = verdicts.dependencies(Level.FULL, {"calls": "seccomp 123"})
    assert json.loads(json.dumps(dependencies)) == dependencies
    assert dependencies["boot"]
    assert dependencies["namespaces"][0].startswith("mnt:[")
    files = {Path(stamp[0]).name for stamp in dependencies["sandbox"] if len(stamp) == 4}
    assert {"full.py", "canary.py", f"fork-server-{os.uname().machine}"} <= files
