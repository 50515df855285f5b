"""scripts/soak: a few matches leak nothing, and leaks are reported."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import pytest
import trio
from soaking import looking, matches, tournament
from soaking.__main__ import main
from soaking.tournament import Cup, Victim

from referee.errors import BotError
from referee.sandbox.limits import Level

pytestmark = pytest.mark.machine

SCRIPTS: Final = Path(__file__).parents[2] / "scripts"
COLUMNS: Final = (
    "processes", "zombies", "descriptors", "temporary folders", "mounts", "namespaces and cgroups", "pooled user ids",
)  # fmt: skip
THINGS: Final = ("processes", "zombies", "descriptors", "folders", "mounts", "namespaces", "uids")


def test_a_handful_of_matches_leaves_nothing_behind() -> None:
    argv = [sys.executable, "-P", "-m", "soaking", "8", "--kills=1"]
    env = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "8 matches under isolation full, 4 at a time" in done.stdout
    for column in COLUMNS:
        assert f"| {column} | " in done.stdout
    assert "fault: exit" in done.stdout, "there are bots that misbehave"
    assert "a tournament of 24 matches, killed: " in done.stdout
    assert done.stdout.endswith("no leaks\n")


def test_every_kind_of_leak_is_found(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = looking.look("soak-of-this-test")
    assert looking.verdict(before, before, 10)[1] == []

    script = 'setsid "$@" >/dev/null 2>&1 & echo $!'
    sleeper = [sys.executable, "-c", "import signal; signal.pause()", "soak-of-this-test"]
    orphan = subprocess.run(["sh", "-c", script, "sh", *sleeper], stdout=subprocess.PIPE, check=True)
    child = subprocess.Popen(["sleep", "300"])
    zombie = subprocess.Popen(["true"])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    descriptor = os.open("/dev/null", os.O_RDONLY)
    (tmp_path / "referee-left").mkdir()
    try:
        _, left = looking.verdict(before, looking.look("soak-of-this-test"), 10)
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


@pytest.mark.parametrize("kind", ["mounts", "folders", "namespaces", "uids"])
def test_leaked_things_of_every_kind_are_found(kind: str) -> None:
    nothing = frozenset[str]()
    things = dict.fromkeys(THINGS, nothing)
    before = looking.Traces(**things, memory=0)
    after = looking.Traces(**{**things, kind: frozenset({"x"})}, memory=0)
    (words,) = looking.verdict(before, after, 10)[1]
    assert words.endswith(": x")
    assert looking.verdict(after, before, 10)[1] == [], "what has disappeared is not a leak"


def test_memory_may_vary_but_not_grow() -> None:
    things = dict.fromkeys(THINGS, frozenset[str]())
    before = looking.Traces(**things, memory=0)
    assert looking.verdict(before, looking.Traces(**things, memory=looking.BREATH), 10_000)[1] == []
    leak = looking.BREATH + 10_000 * looking.GROWTH + 1
    assert looking.verdict(before, looking.Traces(**things, memory=leak), 10_000)[1] == ["memory: 17.8 MiB more"]


def test_a_leak_ends_the_script_with_1(monkeypatch, capsys) -> None:
    async def leaky(self: object, number: int) -> None:
        opened.append(os.open("/dev/null", os.O_RDONLY))

    opened: list[int] = []
    monkeypatch.setattr(matches.Soak, "one", leaky)
    try:
        assert main(["3", "--isolation=none", "--kills=0"]) == 1
    finally:
        for descriptor in opened:
            os.close(descriptor)
    assert "LEAK: descriptors: " in capsys.readouterr().out


def test_a_match_that_cannot_be_played_is_reported_in_one_line(monkeypatch, capsys) -> None:
    async def refused(self: object, number: int) -> None:
        await trio.lowlevel.checkpoint()
        raise ExceptionGroup("two bots", [BotError("bot x has no program"), BotError("bot y has none")])

    monkeypatch.setattr(matches.Soak, "one", refused)
    assert main(["3", "--isolation=none", "--kills=0"]) == 4
    assert capsys.readouterr().err == "scripts/soak: bot x has no program\n"


def test_a_machine_that_cannot_isolate_is_reported_in_one_line(tmp_path: Path, monkeypatch, capsys) -> None:
    """It prints no table of results."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["1"]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.count("\n")) == ("", 1)
    assert "bubblewrap is not installed" in output.err


@pytest.fixture(scope="module")
def peaceful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that was played in peace."""
    programs = tmp_path_factory.mktemp("programs")
    matches.compiled(programs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament, "SETTINGS", tournament.SETTINGS.replace("repeat = 2", "repeat = 1"))
        cup = Cup(programs / "cup", programs, Level.NONE)
    cup.play(1, [], 0, random.Random(1))
    cup.check(cup.matches())
    assert cup.wrong == []
    return cup.folder


@pytest.fixture
def cup(peaceful: Path, tmp_path: Path) -> Cup:
    """A copy of it."""
    copy = Cup(tmp_path / "cup", peaceful.parent, Level.NONE)
    shutil.copytree(peaceful, copy.folder, dirs_exist_ok=True)
    return copy


def test_matches_that_are_lost_void_or_changed_are_found(cup: Cup) -> None:
    expected = cup.matches()
    with closing(sqlite3.connect(cup.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("UPDATE matches SET seats = json_set(seats, '$[0][3]', 999) WHERE series = 1 AND seating = 0")
        ledger.execute("DELETE FROM matches WHERE series = 2 AND seating = 1")
    cup.check(expected)
    played, changed, proof, left = cup.wrong
    assert played.startswith("it is not over, or some matches are void: ")
    assert changed.startswith("11 matches instead of 12; not as in peace: 0-1/duel/0#0, ")
    assert proof.startswith("saved games do not prove the ledger: ")
    assert left == "these files are left or missing: 000002-1.jsonl.gz"


def test_files_that_are_left_are_found(cup: Cup) -> None:
    (cup.folder / "entrants" / ".scratch").mkdir()
    (cup.folder / "games" / "000001-0.jsonl.gz.part").touch()
    (cup.folder / "more").touch()
    cup.check(cup.matches())
    assert cup.wrong == ["these files are left or missing: .scratch, 000001-0.jsonl.gz.part, more"]


def test_a_tournament_that_cannot_be_played_is_reported(cup: Cup) -> None:
    (cup.folder / "tournament.toml").write_text("name = 1\n")
    cup.play(2, [], 0, random.Random(1))
    assert len(cup.wrong) == 1
    assert cup.wrong[0].startswith("it does not come to its end: status 2, ")
    assert cup.wrong[0].endswith("tournament.toml: name: must be a text in quotes")


def test_a_worker_alone_is_killed_twice_at_most_since_three_times_are_a_void_match() -> None:
    for kills in (1, 4, 30):
        victims = tournament.victims_of(random.Random(kills), kills)
        assert len(victims) == kills
        assert victims.count(Victim.WORKER) <= 2
    assert set(tournament.victims_of(random.Random(1), 3)) == set(Victim)
