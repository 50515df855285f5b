"""A referee that is stopped (a debugger, Ctrl-Z) while an answer arrives charges that time to nobody."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIMIT = 2.0


def stop(told: Path, answered: str) -> dict[str, object]:
    """How a match ends whose referee is stopped for longer than an answer may take, while one is on its way."""
    os.mkfifo(told)
    driver = [sys.executable, str(HERE / "stopped.py"), str(HERE.parent / "bots"), str(told), str(LIMIT)]
    with subprocess.Popen(driver, stdout=subprocess.PIPE) as referee:
        try:
            assert referee.stdout is not None
            assert referee.stdout.readline() == b"thinking\n", "the request is under way"
            os.kill(referee.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, referee.pid, os.WSTOPPED)
            if answered == "while it is stopped":
                told.write_bytes(b"!")
            select.select([], [], [], 1.5 * LIMIT)  # the time that is not to be charged
            os.kill(referee.pid, signal.SIGCONT)
            if answered == "after it goes on":
                told.write_bytes(b"!")
            ended: dict[str, object] = json.loads(referee.stdout.read())
        finally:
            referee.kill()
    return ended


@pytest.mark.parametrize("answered", ["while it is stopped", "after it goes on"])
def test_the_time_that_the_referee_was_stopped_is_taken_off(tmp_path, answered):
    ended = stop(tmp_path / "told", answered)
    assert ended["disqualified"] == [None, None]
    assert 0 < ended["used"] <= LIMIT
    assert ended["late"] > LIMIT, "it stands in the answer"


def test_a_player_that_never_answers_is_late_all_the_same(tmp_path):
    """The referee was stopped while the player could have gone on."""
    ended = stop(tmp_path / "told", "never")
    assert ended["disqualified"] == ["timeout", None]
    assert ended["used"] >= LIMIT
