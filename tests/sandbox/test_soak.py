"""scripts/soak: a tournament whose processes are killed leaks and loses nothing, and leaks and losses are reported."""

import os
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
from soaking import __main__ as soak
from soaking import looking, tournament
from soaking.tournament import DESCRIPTOR_GROWTH, FEWEST_SAMPLES, MEMORY_GROWTH, Cup

from referee.sandbox.limits import Level

pytestmark = pytest.mark.machine

SCRIPTS: Final = Path(__file__).parents[2] / "scripts"


def test_a_tournament_whose_processes_are_killed_leaves_nothing_behind() -> None:
    argv = [sys.executable, "-P", "-m", "soaking", "1"]
    env = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "a tournament of 56 matches" in done.stdout
    assert done.stdout.endswith("nothing is lost, twice, or left\n")


def test_every_kind_of_leak_is_found(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = looking.look("soak-of-this-test")
    assert list(looking.leaks(before, before)) == []
    script = 'setsid "$@" >/dev/null 2>&1 & echo $!'
    sleeper = [sys.executable, "-c", "import signal; signal.pause()", "soak-of-this-test"]
    orphan = subprocess.run(["sh", "-c", script, "sh", *sleeper], stdout=subprocess.PIPE, check=True)
    child = subprocess.Popen(["sleep", "300"])
    zombie = subprocess.Popen(["true"])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    (tmp_path / "referee-left").mkdir()
    try:
        left = list(looking.leaks(before, looking.look("soak-of-this-test")))
    finally:
        zombie.wait()
        child.kill()
        child.wait()
        os.kill(int(orphan.stdout), signal.SIGKILL)
        with suppress(ChildProcessError):  # our child only if an earlier test made this process adopt orphans
            os.waitpid(int(orphan.stdout), 0)
    kinds = dict(words.split(": ", 1) for words in left)
    assert set(kinds) == {"processes", "zombies", "temporary folders"}
    assert str(child.pid) in kinds["processes"]
    assert orphan.stdout.decode().strip() in kinds["processes"]
    assert str(zombie.pid) in kinds["zombies"]
    assert kinds["temporary folders"] == "referee-left"


def test_what_has_disappeared_is_not_a_leak() -> None:
    before, after = {"mounts": frozenset[str]()}, {"mounts": frozenset({"x"})}
    assert list(looking.leaks(before, after)) == ["mounts: x"]
    assert list(looking.leaks(after, before)) == []


def test_a_leak_ends_the_script_with_1(monkeypatch, capsys) -> None:
    def leaky(*_: object) -> tuple[str, list[str]]:
        tempfile.mkdtemp()
        return "a tournament", []

    monkeypatch.setattr(soak, "soaked", leaky)
    assert soak.main(["3", "--isolation=none"]) == 1
    assert "WRONG: temporary folders: " in capsys.readouterr().out


def test_a_machine_that_cannot_isolate_is_reported_in_one_line(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert soak.main(["1"]) == 2
    assert "bubblewrap is not installed" in capsys.readouterr().err


@pytest.fixture(scope="module")
def peaceful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament whose processes nobody killed."""
    programs = tmp_path_factory.mktemp("programs")
    tournament.compiled(programs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament, "FAILURES", ("leaves",))
        cup = Cup(programs / "cup", programs, Level.NONE)
    cup.play()
    cup.check()
    assert cup.wrong == []
    return cup.folder


@pytest.fixture
def cup(peaceful: Path, tmp_path: Path) -> Cup:
    """A copy of it."""
    copy = Cup(tmp_path / "cup", peaceful.parent, Level.NONE)
    shutil.copytree(peaceful, copy.folder, dirs_exist_ok=True)
    return copy


def test_matches_that_are_lost_void_or_changed_are_found(cup: Cup) -> None:
    with closing(sqlite3.connect(cup.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("UPDATE matches SET seats = json_set(seats, '$[0][3]', 999) WHERE series = 1 AND seating = 0")
        ledger.execute("DELETE FROM matches WHERE series = 1 AND seating = 1")
    cup.check()
    played, proof, left = cup.wrong
    assert played.startswith("it is not over, or matches are void or lost: ")
    assert proof.startswith("cup: the saved games do not prove the ledger: ")
    assert left == "these files are left or missing: 000001-1.jsonl.gz"


def test_files_that_are_left_are_found(cup: Cup) -> None:
    (cup.folder / "entrants" / ".scratch").mkdir()
    (cup.folder / "games" / "000001-0.jsonl.gz.part").touch()
    (cup.folder / "more").touch()
    cup.check()
    assert cup.wrong == ["these files are left or missing: .scratch, 000001-0.jsonl.gz.part, more"]


def test_a_tournament_that_cannot_be_played_is_reported(cup: Cup) -> None:
    (cup.folder / "tournament.toml").write_text("name = 1\n")
    cup.play()
    assert len(cup.wrong) == 1
    assert cup.wrong[0].startswith("it does not come to its end: status 2, ")
    assert cup.wrong[0].endswith("tournament.toml: name: must be a text in quotes")


@pytest.mark.parametrize(
    ("last", "defect"),
    [
        ((5, 0), None),
        ((5 + DESCRIPTOR_GROWTH, MEMORY_GROWTH), None),
        ((6 + DESCRIPTOR_GROWTH, 0), f"a worker has {DESCRIPTOR_GROWTH + 1} more descriptors at its end"),
        ((5, 2 * MEMORY_GROWTH), "a worker has 16.0 MiB more memory at its end"),
    ],
)
def test_a_worker_that_grows_is_found(cup: Cup, last: tuple[int, int], defect: str | None) -> None:
    cup.sizes[1] = [(5, 0)] * FEWEST_SAMPLES + [last] * FEWEST_SAMPLES
    cup.sizes[2] = [(5, 0), (999, MEMORY_GROWTH * 9)]
    assert list(cup.grown()) == ([] if defect is None else [defect])
