"""scripts/soak: a few matches leak nothing, and leaks are reported."""

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
import trio

from referee.errors import BotError
from referee.sandbox.limits import Level

SCRIPT: Final = Path(__file__).parents[2] / "scripts" / "soak.py"
COLUMNS: Final = ("processes", "zombies", "descriptors", "temporary folders", "mounts")


@pytest.fixture
def soak() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("soak", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["soak"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("level", Level)
def test_a_handful_of_matches_leaves_nothing_behind(level: Level) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "20", "--isolation", level], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert f"20 matches under isolation {level}, 4 at a time" in done.stdout
    for column in COLUMNS:
        assert f"| {column} | " in done.stdout
    assert "fault: exit" in done.stdout, "there are bots that misbehave"
    assert done.stdout.endswith("no leaks\n")


def test_every_kind_of_leak_is_found(soak: ModuleType, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = soak.look("soak-of-this-test")
    assert soak.verdict(before, before, 10)[1] == []

    script = 'setsid "$@" >/dev/null 2>&1 & echo $!'
    sleeper = [sys.executable, "-c", "import signal; signal.pause()", "soak-of-this-test"]
    orphan = subprocess.run(["sh", "-c", script, "sh", *sleeper], stdout=subprocess.PIPE, check=True)
    child = subprocess.Popen(["sleep", "300"])
    zombie = subprocess.Popen(["true"])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    descriptor = os.open("/dev/null", os.O_RDONLY)
    (tmp_path / "referee-left").mkdir()
    try:
        _, left = soak.verdict(before, soak.look("soak-of-this-test"), 10)
    finally:
        os.close(descriptor)
        zombie.wait()
        child.kill()
        child.wait()
        os.kill(int(orphan.stdout), signal.SIGKILL)
        with suppress(ChildProcessError):  # our child only if an earlier test made this process adopt orphans
            os.waitpid(int(orphan.stdout), 0)
    kinds = dict(words.split(": ", 1) for words in left)
    assert set(kinds) == {"processes", "zombies", "descriptors", "temporary folders"}
    assert str(child.pid) in kinds["processes"]
    assert orphan.stdout.decode().strip() in kinds["processes"]
    assert str(zombie.pid) in kinds["zombies"]
    assert kinds["descriptors"] == f"{descriptor} /dev/null"
    assert kinds["temporary folders"] == "referee-left"


@pytest.mark.parametrize("kind", ["mounts", "folders"])
def test_leaked_mounts_and_folders_are_found(soak: ModuleType, kind: str) -> None:
    nothing = frozenset[str]()
    things = dict.fromkeys(("processes", "zombies", "descriptors", "folders", "mounts"), nothing)
    before = soak.Found(**things, memory=0)
    after = soak.Found(**{**things, kind: frozenset({"x"})}, memory=0)
    (words,) = soak.verdict(before, after, 10)[1]
    assert words.endswith(": x")
    assert soak.verdict(after, before, 10)[1] == [], "what has disappeared is not a leak"


def test_memory_may_vary_but_not_grow(soak: ModuleType) -> None:
    things = dict.fromkeys(("processes", "zombies", "descriptors", "folders", "mounts"), frozenset[str]())
    before = soak.Found(**things, memory=0)
    assert soak.verdict(before, soak.Found(**things, memory=soak.BREATH), 10_000)[1] == []
    leak = soak.BREATH + 10_000 * soak.GROWTH + 1
    assert soak.verdict(before, soak.Found(**things, memory=leak), 10_000)[1] == ["memory: 17.8 MiB more"]


def test_a_leak_ends_the_script_with_1(soak: ModuleType, monkeypatch, capsys) -> None:
    async def leaky(self: object, number: int) -> None:
        opened.append(os.open("/dev/null", os.O_RDONLY))

    opened: list[int] = []
    monkeypatch.setattr(soak.Soak, "one", leaky)
    monkeypatch.setattr(sys, "argv", ["soak", "3", "--isolation", "none"])
    try:
        assert soak.main() == 1
    finally:
        for descriptor in opened:
            os.close(descriptor)
    assert "LEAK: descriptors: " in capsys.readouterr().out


def test_a_match_that_cannot_be_played_is_reported_in_one_line(soak: ModuleType, monkeypatch, capsys) -> None:
    async def refused(self: object, number: int) -> None:
        await trio.lowlevel.checkpoint()
        raise ExceptionGroup("two bots", [BotError("bot x has no program"), BotError("bot y has none")])

    monkeypatch.setattr(soak.Soak, "one", refused)
    monkeypatch.setattr(sys, "argv", ["soak", "3", "--isolation", "none"])
    assert soak.main() == 4
    assert capsys.readouterr().err == "scripts/soak: bot x has no program\n"


def test_a_machine_that_cannot_isolate_is_reported_in_one_line(tmp_path: Path) -> None:
    """It prints no table of results."""
    argv = [sys.executable, str(SCRIPT), "1"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env={**os.environ, "PATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "bubblewrap is not installed" in done.stderr
