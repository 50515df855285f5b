"""Waiting for an answer that comes soon, in less time than parking in the event loop and being woken takes.

1. A player that answers at once is served by the first look (`stream`): on the referee's own processor it usually runs while
   the request is being written. Here is what comes then. What was measured on the way (µs): a look, which is a read that
   fails, 1.1; a yield of the processor 0.6; parking and waking 30 and more.
2. One `os.sched_yield` and a look, for a player that waits for the referee's processor: 17 a request where looking
   alone takes 21. But with anything else to run there, a yield gives it away for a whole slice: between two busy
   programs a request takes 290 with it and 43 without. So a yield that took longer than `DEAR` is the last for
   `ABSTAIN` requests.
3. `LOOKS`, one after the other, for a player on another processor.
4. A nap until it speaks, for no longer than `NAP`: what the yield was for, where it was of no use. Where it was what
   helped twice, and no look in between, nobody looks `VAIN` times: the player must have needed the processor.
5. For whom it took longer than `SOON` when it was last parked for, nothing of this is done.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
from typing import Final

FIRST: Final = 479
"""Bytes of the first read of a reply: the longest for which Python does not have to ask the system for memory."""
DEAR: Final = 200e-6
"""Seconds that a yield of the processor should take at most."""
ABSTAIN: Final = 1000
"""Requests without a yield, after one that took longer."""
LOOKS: Final = 30
"""Attempts to read; about 30 µs, as long as parking and waking."""
NAP: Final = 30e-6
"""Seconds to sleep before parking; the kernel sleeps about 80 µs."""
VAIN: Final = 64
"""Requests without looks, after looks in vain."""
SOON: Final = 200e-6
"""If an answer took at most so many seconds, the next is awaited without parking first."""
_SELECTED: Final = 1024
"""select(2) takes descriptors below this number."""


class BriefWait:
    """Waits briefly for output of one player, in the way that helped before. The descriptor does not block."""

    __slots__ = ("_abstain", "_doubtful", "_now", "_out", "_slow", "_vain")

    def __init__(self, out: int, now: Callable[[], float]) -> None:
        self._out = out
        self._now = now
        self._slow = False
        self._abstain = self._vain = 0
        self._doubtful = False

    def read(self) -> bytes | None:
        """Up to `FIRST` bytes; none at the end of output; None if nothing comes soon."""
        if self._slow:
            return None
        out = self._out
        if self._abstain:
            self._abstain -= 1
        else:
            before = self._now()
            os.sched_yield()
            if self._now() - before > DEAR:
                self._abstain = ABSTAIN
            with suppress(BlockingIOError):
                return os.read(out, FIRST)
        looked = not self._vain
        if looked:
            for _ in range(LOOKS):
                try:
                    said = os.read(out, FIRST)
                except BlockingIOError:
                    continue
                self._doubtful = False
                return said
        else:
            self._vain -= 1
        if out < _SELECTED and select.select([out], (), (), NAP)[0]:
            if looked:
                self._vain = VAIN if self._doubtful else 0
                self._doubtful = not self._doubtful
            with suppress(BlockingIOError):
                return os.read(out, FIRST)
        return None

    def took(self, elapsed: float) -> None:
        """Report how many seconds an answer took for which the task had to park."""
        self._slow = elapsed > SOON
