"""A call of a game's rules that hangs is ended. The ticks of the timer come from the test."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from types import FrameType, SimpleNamespace

import pytest

from referee import games
from referee.match import watchdog
from referee.match.watchdog import SECONDS, TICKS, watched


def call_of(file: str) -> FrameType:
    """The frame of a call of code in that file."""
    names = {"sys": sys}
    exec(compile("frame = sys._getframe()", file, "exec"), names)
    return names["frame"]


def test_a_call_is_ended_at_the_first_tick_after_five_seconds_and_another_call_begins_anew(monkeypatch) -> None:
    monkeypatch.setattr(watchdog.games, "plugin", lambda _name: SimpleNamespace(folder=Path("/games/tron")))
    monkeypatch.setattr(signal, "setitimer", lambda _timer, *seconds: seconds)
    with watched(games.find("ava")):
        tick = signal.getsignal(signal.SIGALRM)
        short, long = call_of("/games/tron/rules.py"), call_of("/games/tron/rules.py")
        elsewhere = call_of("/elsewhere.py")
        for frame in [short] * TICKS + [elsewhere] * 2 * TICKS + [long] * TICKS:
            tick(signal.SIGALRM, frame)
        with pytest.raises(TimeoutError, match=f"longer than {SECONDS:g} s"):
            tick(signal.SIGALRM, long)
