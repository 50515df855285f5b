"""Waits for an answer that comes soon, in less time than parking in the event loop takes.

1. The first look (`stream`) serves a player that answers immediately: on the referee's own processor it usually runs while
   the request is being written. If that look finds nothing, the following steps are tried in order. Measured in µs of the
   referee's CPU time: a look (a read that fails) 1.1, a yield of the processor 0.6, and about 110 to park, look at the player
   and wake up.
2. One `os.sched_yield` and a look, for a player that waits for the referee's processor. A request then takes 17 µs; with
   looks alone it takes 21. But if any other program is ready there, a yield gives the processor away for a whole time
   slice: between two busy programs a request takes 290 µs with the yield and 43 without. So after a yield that took longer
   than `SLOW_YIELD`, the next `NO_YIELD` requests do without.
3. `LOOKS` looks in a row, for a player on another processor.
4. A nap that ends when the player writes: it gives the processor away where the yield did not, and most interpreted players
   answer within it. If the nap helped twice in a row and no look did, the player needs more time or this processor, so the next
   `NO_LOOKS` requests skip the looks. The event loop stands still during a nap. So the nap is short where several players
   are asked at the same moment: they think at the same time, but the referee would nap for one after the other.
5. If the last answer for which the task parked took longer than the nap and than `SOON`, all of this is skipped.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
from typing import Final

FIRST: Final = 479
"""Bytes of the first read of a reply: Python allocates no more than this from its own pool."""
SLOW_YIELD: Final = 200e-6
"""Seconds that a yield of the processor may take."""
NO_YIELD: Final = 1000
"""Requests without a yield, after a yield that took longer."""
LOOKS: Final = 30
"""Attempts to read; about 30 µs."""
NAP: Final = 500e-6
"""Seconds to sleep before parking: half of what an answer may take that is charged without a look at the player (`stream`)."""
SHORT_NAP: Final = 30e-6
"""The same where several players are asked at the same moment; the kernel sleeps about 80 µs."""
SOON: Final = 200e-6
"""Seconds. After an answer that took longer than this and than the nap, the task parks immediately for the next one."""
NO_LOOKS: Final = 64
"""Requests without looks, after looks in vain."""
_SELECTED: Final = 1024
"""select(2) takes descriptors below this number."""


class BriefWait:
    """Waits briefly for one player's output, in the way that helped before. The descriptor is non-blocking."""

    __slots__ = ("_doubtful", "_nap", "_now", "_out", "_slow", "_without_looks", "_without_yield")

    def __init__(self, out: int, now: Callable[[], float], nap: float = NAP) -> None:
        self._out = out
        self._now = now
        self._nap = nap
        self._slow = False
        self._without_yield = self._without_looks = 0
        self._doubtful = False

    def read(self) -> bytes | None:
        """Read up to `FIRST` bytes. Empty at the end of output; None if nothing comes soon."""
        if self._slow:
            return None
        out = self._out
        if self._without_yield:
            self._without_yield -= 1
        else:
            before = self._now()
            os.sched_yield()
            if self._now() - before > SLOW_YIELD:
                self._without_yield = NO_YIELD
            with suppress(BlockingIOError):
                return os.read(out, FIRST)
        looked = not self._without_looks
        if looked:
            for _ in range(LOOKS):
                try:
                    chunk = os.read(out, FIRST)
                except BlockingIOError:
                    continue
                self._doubtful = False
                return chunk
        else:
            self._without_looks -= 1
        if out < _SELECTED and select.select([out], (), (), self._nap)[0]:
            if looked:
                self._without_looks = NO_LOOKS if self._doubtful else 0
                self._doubtful = not self._doubtful
            with suppress(BlockingIOError):
                return os.read(out, FIRST)
        return None

    def took(self, elapsed: float) -> None:
        """Note how many seconds an answer took for which the task had to park."""
        self._slow = elapsed > max(self._nap, SOON)
