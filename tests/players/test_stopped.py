"""A referee that was stopped (a debugger, a laptop, a busy machine) books that time on nobody, and no timeout either."""

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


def test_a_timeout_in_spite_of_it_is_booked_on_nobody(tmp_path):
    ended = stop(tmp_path / "told", "never")
    assert (ended["reason"], ended["seat"]) == ("void", 0)
    assert ended["stall"]["which"] == "referee"
    assert ended["stall"]["limit"] == LIMIT
    assert ended["stall"]["seconds"] > LIMIT
