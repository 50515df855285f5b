"""A referee that was stopped (a debugger, a laptop, a busy machine) books that time on nobody."""

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


@pytest.mark.parametrize("answered", ["while it is stopped", "after it goes on"])
def test_the_time_that_the_referee_was_stopped_is_taken_off(tmp_path, answered):
    told = tmp_path / "told"
    os.mkfifo(told)
    driver = [sys.executable, str(HERE / "stopped.py"), str(HERE.parent / "bots"), str(told), str(LIMIT)]
    with subprocess.Popen(driver, stdout=subprocess.PIPE) as referee:
        try:
            assert referee.stdout.readline() == b"thinking\n", "the request is under way"
            os.kill(referee.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, referee.pid, os.WSTOPPED)
            if answered == "while it is stopped":
                told.write_bytes(b"!")
            select.select([], [], [], 1.5 * LIMIT)  # the time that is not to be charged
            os.kill(referee.pid, signal.SIGCONT)
            if answered == "after it goes on":
                told.write_bytes(b"!")
            ended = json.loads(referee.stdout.read())
        finally:
            referee.kill()
    assert ended["disqualified"] == [None, None]
    assert 0 < ended["used"] <= LIMIT
