"""A killed referee leaves nothing of its players, at level none too."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest
from raising import raising

from referee.sandbox.cells import guard
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.cells.cell import TOKEN
from referee.sandbox.cells.children import own_children
from referee.sandbox.cells.guard import guard_family, token

pytestmark = pytest.mark.machine

PATIENCE = 60.0
"""Seconds; some milliseconds are usual."""
# The end of its input and the usual signals do not end it, and its daemon has its own session.
STAYS = """
import os, signal, subprocess, sys
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
waits = "import signal; signal.pause()"
daemon = subprocess.Popen([sys.executable, "-S", "-c", waits], start_new_session=True, stdout=subprocess.DEVNULL)
os.write(1, f"{os.getpid()} {daemon.pid}\\n".encode())
signal.pause()
"""
PLAYS = f"""
import os, sys
from pathlib import Path
import trio
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox, start
from referee.sandbox.program import Program

async def play():
    with open_sandbox(Level.NONE) as sandbox:
        program = Program("bot", (sys.executable, "-S", "-c", {STAYS!r}), Path("/"), trusted=True)
        cells = [await start(sandbox, program) for _ in "ab"]
        for cell in cells:
            os.write(1, os.read(cell.stdout.fileno(), 100))
        await trio.sleep_forever()

trio.run(play)
"""
BUILDS = f"""
import os, sys
from pathlib import Path
import trio
from referee.sandbox.builds.build import build
from referee.sandbox.limits import Level

script = {STAYS!r}.replace("os.write(1, ", f"os.write(os.open('/proc/{{os.getpid()}}/fd/1', os.O_WRONLY), ")
trio.run(lambda: build("bot", [sys.executable, "-S", "-c", script], Path(sys.argv[1]), level=Level.NONE))
"""


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A player of another referee."""
    environ = {TOKEN: token("another")}
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environ) as other:
        yield other


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT, signal.SIGSEGV])
@pytest.mark.parametrize(("program", "started"), [(PLAYS, 4), (BUILDS, 2)], ids=["plays", "builds"])
def test_no_program_outlives_a_killed_referee(program, started, number, bystander, tmp_path):
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE) as referee:
        left = [int(pid) for _ in range(started // 2) for pid in referee.stdout.readline().split()]
        assert len(left) == started
        gone = [os.pidfd_open(pid) for pid in left]
        referee.send_signal(number)
    try:
        for pidfd in gone:
            assert select.select([pidfd], [], [], PATIENCE)[0], "it lives on"
        assert bystander.poll() is None
    finally:
        for pidfd in gone:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            with suppress(ChildProcessError):  # unless this process has adopted it
                os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
            os.close(pidfd)


def test_the_guard_of_the_tests_knows_what_they_start():
    family, _ = BareSandbox.__init__.__defaults__
    assert os.environ[TOKEN].startswith(f"{family}-")


def test_a_process_that_appears_after_some_looks_is_found_by_the_next(tmp_path):
    """Each look is one call of grep. Here four find nothing, and the fifth one finds the player."""
    looks = tmp_path / "looks"
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as player:
        grep = tmp_path / "grep"
        grep.write_text(
            f"#!/bin/sh\necho look >> {looks}\n[ $(wc -l < {looks}) -ne 5 ] || echo /proc/{player.pid}/cmdline\n"
        )
        grep.chmod(0o755)
        script = ["/bin/sh", "-c", guard._WAITS, "guard", "cmdline", "m", "ark"]
        subprocess.run(script, stdin=subprocess.DEVNULL, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
        assert player.wait(PATIENCE) == -signal.SIGKILL
    assert len(looks.read_text().split()) == 10


def test_at_a_normal_end_the_guard_kills_nothing_and_ends():
    before = set(own_children())
    with guard_family() as family:
        player = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, env={TOKEN: token(family)})
    with player:
        assert player.poll() is None
        assert set(own_children()) <= before | {player.pid}


def test_the_guard_has_its_own_process_group_in_the_referees_session():
    before = set(own_children())
    with guard_family():
        (watching,) = set(own_children()) - before
        assert os.getpgid(watching) != os.getpgid(0)
        assert os.getsid(watching) == os.getsid(0)


def test_without_a_shell_there_is_no_guard(monkeypatch):
    monkeypatch.setattr(guard.subprocess, "Popen", raising(FileNotFoundError))
    with guard_family() as family:
        assert family


def test_each_player_has_its_own_token_that_names_its_family():
    one, other = token("family"), token("family")
    assert one != other
    assert one.startswith("family-")
    assert other.startswith("family-")
