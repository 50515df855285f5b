"""A referee that is stopped (by a debugger or Ctrl-Z) while an answer arrives does not charge that time."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.machine

HERE = Path(__file__).parent
LIMIT = 2.0


def stop(pipe: Path, *, answered: bool) -> dict[str, object]:
    """How a match ends if the referee is stopped for longer than the limit of an answer while it waits for one."""
    os.mkfifo(pipe)
    driver = [sys.executable, str(HERE / "stopped.py"), str(HERE.parent / "programs"), str(pipe), str(LIMIT)]
    with subprocess.Popen(driver, stdout=subprocess.PIPE) as referee:
        try:
            assert referee.stdout.readline() == b"thinking\n", "the request is under way"
            os.kill(referee.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, referee.pid, os.WSTOPPED)
            if answered:
                pipe.write_bytes(b"!")
            select.select([], [], [], 1.5 * LIMIT)  # the time that is not to be charged
            os.kill(referee.pid, signal.SIGCONT)
            ended: dict[str, object] = json.loads(referee.stdout.read())
        finally:
            referee.kill()
    return ended


def test_time_in_which_the_referee_was_stopped_is_not_charged(tmp_path):
    ended = stop(tmp_path / "told", answered=True)
    assert ended["disqualified"] == [None, None]
    assert 0 < ended["used"] <= LIMIT
    assert ended["late"] > LIMIT, "the answer records it"


def test_a_player_that_has_not_answered_when_the_referee_resumes_is_late(tmp_path):
    """The player could run while the referee was stopped."""
    ended = stop(tmp_path / "told", answered=False)
    assert ended["disqualified"] == [None, "timeout"]
    assert ended["used"] >= LIMIT
