"""How many matches each worker may play at a time, and how many make a batch. Pure.

1. A match *books* as many processors of its machine as players may run in it at the same moment. No two matches have booked the
   same processor, whatever workers they are on. So players have as much of a machine as they would with `jobs` on it alone.
2. Workers book in the order in which they came, so a later worker takes nothing from an earlier one.
3. A machine that has too few processors for one match plays one match. So does one whose first worker has too few: it counts
   for the machine, and later workers get what is left of it.
4. Nothing is pinned: a booking is a count, and the kernel decides which processor a player gets. The trials of a new worker
   (`admission.py`) are not booked: they are short, and every worker plays them once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Final

BATCH: Final = 5.0
"""Seconds that a batch should take: little is lost with a worker, and a call of Dask costs little in comparison."""
MOST: Final = 200
"""Matches of a batch."""
_GROWTH: Final = 4
_NEW: Final = 0.3
"""How much the latest batch counts in the average."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a worker is.

    Attributes:
        machine: the same for all workers on one kernel, also in containers. processors: the numbers of those it may use.
        threads: how many tasks Dask gives it at a time.
    """

    machine: str
    processors: frozenset[int]
    threads: int


def shares(places: Iterable[Place], *, running: int, jobs: int | None) -> list[int]:
    """How many matches each worker may play at a time.

    Args:
        places: in the order in which the workers came.
        running: players of a match that may run at the same moment.
        jobs: the most matches on one machine; None for no such limit.
    """
    processors_in_use: dict[str, set[int]] = {}
    processors_of: dict[str, set[int]] = {}
    matches_on: dict[str, int] = {}
    lanes = []
    for place in places:
        busy = processors_in_use.setdefault(place.machine, set())
        free = sorted(place.processors - busy)
        machine = processors_of.setdefault(place.machine, set())
        machine |= place.processors
        before = matches_on.get(place.machine, 0)
        share = max(0, min(len(free) // running, len(machine) // running - before, place.threads))
        if share == 0 and before == 0:
            share = 1
        if jobs is not None:
            share = min(share, jobs - before)
        busy.update(free[: share * running])
        matches_on[place.machine] = before + share
        lanes.append(share)
    return lanes


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
