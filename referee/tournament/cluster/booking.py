"""How many matches each worker may play at a time, and how many make a batch. Pure.

1. A match *books* as many processors of its machine as players may run in it at the same moment. No two matches have booked the
   same processor, whatever workers they are on. So players have as much of a machine as they would with `jobs` on it alone.
2. Workers book in the order in which they came, so a later worker takes nothing from an earlier one.
3. A machine with too few processors for one match plays one match. So does a machine whose first worker has too few. That match
   counts for the machine, so later workers get what is left.
4. Nothing is pinned: a booking is a count, and the kernel decides which processor a player gets. The trials of a new worker
   (`admission.py`) are not booked: they are short, and every worker plays them once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Final

BATCH_SECONDS: Final = 5.0
"""Seconds that a batch should take: little is lost with a worker, and the call of Dask takes little of that time."""
BATCH_MATCHES: Final = 200
"""The most matches of a batch."""
_GROWTH: Final = 4


@dataclass(frozen=True, slots=True)
class Host:
    """The machine of a worker.

    Attributes:
        machine: the same for all workers on one kernel, also in containers. processors: the numbers of those it may use.
        threads: how many tasks Dask gives it at a time.
    """

    machine: str
    processors: frozenset[int]
    threads: int


def shares(hosts: Iterable[Host], *, running: int, jobs: int | None) -> list[int]:
    """How many matches each worker may play at a time.

    Args:
        hosts: those of the workers, in the order in which they came.
        running: players of a match that may run at the same moment.
        jobs: the most matches on one machine; None for no such limit.
    """
    processors_in_use: dict[str, set[int]] = {}
    processors_of: dict[str, set[int]] = {}
    matches_on: dict[str, int] = {}
    lanes = []
    for host in hosts:
        busy = processors_in_use.setdefault(host.machine, set())
        free = sorted(host.processors - busy)
        machine = processors_of.setdefault(host.machine, set())
        machine |= host.processors
        before = matches_on.get(host.machine, 0)
        share = max(0, min(len(free) // running, len(machine) // running - before, host.threads))
        if share == 0 and before == 0:
            share = 1
        if jobs is not None:
            share = min(share, jobs - before)
        busy.update(free[: share * running])
        matches_on[host.machine] = before + share
        lanes.append(share)
    return lanes


class Pace:
    """The speed of a worker, as its latest batch shows it."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._last = 0

    def learn(self, seconds: float, matches: int) -> None:
        """A batch took so long."""
        self._seconds = seconds / matches
        self._last = matches

    def size(self, waiting: int, lanes: int) -> int:
        """The matches of the next batch, so that the last matches of a tour end at about the same time everywhere.

        Args:
            waiting: matches that nobody plays yet. lanes: batches that the cluster plays at a time.
        """
        if not self._last:
            return 1
        target = BATCH_SECONDS / self._seconds if self._seconds > 0 else BATCH_MATCHES
        return max(1, int(min(target, _GROWTH * self._last, BATCH_MATCHES, ceil(waiting / lanes))))
