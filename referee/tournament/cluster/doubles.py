"""Finds workers whose matches deviate. Pure.

1. Beside its first batch, and once in `EVERY` matches from then on, a worker plays a *double*: a match that another worker has
   played. If it ends in the same position, both workers agree. Matches of bots that were in no double of this worker come
   first, because a worker may deviate with some bots only.
2. If not, the first worker plays the match again. If it agrees with itself, the match is deterministic, and the workers deviate.
   Otherwise nothing follows, because the bots play at random.
3. One match cannot tell which of the two is wrong, so both are named: first the one that played it once.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final, NamedTuple

from referee.tournament.schedule_tables import ScheduledMatch

EVERY: Final = 50
"""Doubles cost one part in so many of what a cluster plays."""


class Double(NamedTuple):
    """A match that is played once more, to compare.

    Attributes:
        worker: the worker that played it. digest: of the final position there.
        other: the worker that disagrees with it; empty before another has played it.
    """

    match: ScheduledMatch
    worker: str
    digest: str
    other: str = ""


class Doubles:
    """Decides what is played twice, and judges it."""

    def __init__(self) -> None:
        # For each bot, the latest matches of the two latest workers: one of these is not the worker that asks.
        self._latest: dict[int, list[Double]] = {}
        self._checked: defaultdict[str, set[int]] = defaultdict(set)
        self._again: defaultdict[str, deque[Double]] = defaultdict(deque)
        self._since: defaultdict[str, int] = defaultdict(lambda: EVERY)
        self._named: set[frozenset[str]] = set()

    def played(self, worker: str, match: ScheduledMatch, digest: str) -> None:
        """A worker has played a match without faults."""
        for number in match.series.numbers:
            others = [double for double in self._latest.get(number, ()) if double.worker != worker]
            self._latest[number] = [Double(match, worker, digest), *others[:1]]

    def due(self, worker: str, matches: int, fits: Callable[[ScheduledMatch], bool]) -> Double | None:
        """What a worker plays beside its next batch.

        Args:
            matches: the size of the batch.
            fits: whether the worker can play a match: it has the bots.
        """
        if self._again[worker]:
            return self._again[worker].popleft()
        self._since[worker] += matches
        if self._since[worker] < EVERY:
            return None
        double = self._unchecked_double(worker, fits)
        if double is None:  # each bot was in one
            self._checked[worker].clear()
            double = self._unchecked_double(worker, fits)
        if double is not None:
            self._since[worker] = 0
        return double

    def _unchecked_double(self, worker: str, fits: Callable[[ScheduledMatch], bool]) -> Double | None:
        checked = self._checked[worker]
        for number, latest in self._latest.items():
            for double in latest:
                if number not in checked and double.worker != worker and fits(double.match):
                    checked.update(double.match.series.numbers)
                    return double
        return None

    def deviates(self, worker: str, double: Double, digest: str) -> bool:
        """Whether a double that a worker has played shows that `double.worker` and `double.other` deviate; once for each pair."""
        if not double.other:
            if digest != double.digest:
                self._again[double.worker].append(double._replace(other=worker))
            return False
        pair = frozenset({double.worker, double.other})
        if digest != double.digest or pair in self._named:
            return False
        self._named.add(pair)
        return True
