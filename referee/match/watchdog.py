"""Ends a call of a game's rules that hangs: only of games that other packages bring, and only in the main thread.

While a match is played, a timer ticks. If a call of the game is still under way `TICKS` ticks after the first that saw it, an
exception is raised in it. So nothing is spent between two ticks. A call into C code that never returns cannot be ended so.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from referee import games
from referee.contract.game import Game

SECONDS: Final = 5.0
"""A call that takes a fifth longer has ended; one that is faster has not."""
TICKS: Final = 5
"""Ticks in that time."""


@contextmanager
def limit_calls(game: Game[Any, Any]) -> Iterator[None]:
    """Within the context, a call of the game's code that takes longer than `SECONDS` raises a `TimeoutError`."""
    plugin = games.plugin(game.name)
    if plugin is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    folder = f"{plugin.folder}/"
    last: FrameType | None = None
    again = 0

    def tick(_number: int, frame: FrameType | None) -> None:
        nonlocal last, again
        outermost = None
        while frame is not None:
            if frame.f_code.co_filename.startswith(folder):
                outermost = frame
            frame = frame.f_back
        again = again + 1 if outermost is last else 0
        last = outermost
        if outermost is not None and again >= TICKS:
            again = 0
            raise TimeoutError(f"this takes longer than {SECONDS:g} s")

    handler = signal.signal(signal.SIGALRM, tick)
    before = signal.setitimer(signal.ITIMER_REAL, SECONDS / TICKS, SECONDS / TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)  # of a context around this one
        signal.signal(signal.SIGALRM, handler)
