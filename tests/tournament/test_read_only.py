"""A tournament in a folder that one may only read: of another user, or on a disk that is mounted for reading."""

import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Ran
from tournament.conftest import Cup

pytestmark = pytest.mark.machine

KILLED = """\
import os, sqlite3, sys
ledger = sqlite3.connect(sys.argv[1], isolation_level=None)
ledger.execute("INSERT INTO failures VALUES (1, 0, '2026', 'node1', 'killed')")
os.kill(os.getpid(), 9)
"""
"""A writer that is killed. What it has committed is not in the ledger's file yet."""


def only_read(cup: Cup, *words: str | Path) -> Ran:
    """Run `referee tournament` where the folder may only be read."""
    mount = f'mount --bind {cup.folder} {cup.folder} && mount -o remount,bind,ro {cup.folder} && exec "$@"'
    argv = ["unshare", "-rm", "sh", "-c", mount, "-"]
    if subprocess.run([*argv, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespaces for mounts here")
    done = subprocess.run([*argv, *cup.argv(*words)], env=cup.environ, text=True, capture_output=True, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def test_it_is_read_as_where_it_may_be_written(over: Cup, tmp_path: Path) -> None:
    for words in (["table"], ["matches"], ["check", "--games"]):
        line = [words[0], over.folder, *words[1:], "--json"]
        ran = only_read(over, *line)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out == over(*line).out
    ran = only_read(over, "report", over.folder, "-o", tmp_path / "pages", "--games=none")
    assert (ran.code, (tmp_path / "pages" / "index.html").exists()) == (0, True)


def test_what_would_be_written_there_is_refused_in_one_line(over: Cup) -> None:
    for words in (["report"], ["run"]):
        ran = only_read(over, *words, over.folder)
        assert ran.code == 2
        assert ran.err.splitlines()[-1].endswith("cannot be written (Read-only file system): choose another folder")


def test_after_a_run_that_was_killed_all_that_it_committed_is_read_or_the_way_to_it_is_named(over: Cup) -> None:
    ledger = over.folder / "ledger.sqlite"
    assert subprocess.run([sys.executable, "-c", KILLED, ledger], check=False).returncode == -9
    ran = only_read(over, "status", over.folder)
    assert (ran.code, "failed at 2026 on node1: killed" in ran.out) == (0, True)
    ledger.with_name("ledger.sqlite-shm").unlink()
    ran = only_read(over, "status", over.folder)
    assert ran.code == 2
    assert ran.err == (
        f"referee: {ledger} cannot be read in a folder that you may not write, because its last run was killed: copy the "
        "folder to one of your own\n"
    )
    assert "failed at 2026 on node1: killed" in over("status", over.folder).out
