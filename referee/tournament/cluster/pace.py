"""How many matches make a batch. Pure."""

from __future__ import annotations

from math import ceil
from typing import Final

BATCH: Final = 5.0
"""Seconds that a batch should take: little is lost with a worker, and a call of Dask costs little in comparison."""
MOST: Final = 200
"""Matches of a batch."""
_GROWTH: Final = 4
_NEW: Final = 0.3
"""How much the latest batch counts in the average."""


class Pace:
    """The speed of a worker, as its batches show it."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._last = 0

    def learn(self, seconds: float, matches: int) -> None:
        """A batch took so long."""
        each = seconds / matches
        self._seconds = each if not self._last else (1 - _NEW) * self._seconds + _NEW * each
        self._last = matches

    def size(self, waiting: int, lanes: int) -> int:
        """The matches of the next batch, so that the last matches of a tour end at about the same time everywhere.

        Args:
            waiting: matches that nobody plays yet. lanes: batches that the cluster plays at a time.
        """
        if not self._last:
            return 1
        target = BATCH / self._seconds if self._seconds > 0 else MOST
        return max(1, int(min(target, _GROWTH * self._last, MOST, ceil(waiting / lanes))))
