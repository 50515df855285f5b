"""Answer times of many answers in little space.

Times are counted in buckets whose bounds grow by a constant factor, so a quantile is 4 % off at most. A bucket's value lies
between its bounds such that the relative error is the same at both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil, exp, log
from typing import Final

ERROR: Final = 0.04
"""The largest relative error of a quantile."""
LEAST: Final = 1e-9
"""Seconds; shorter times are 0."""
_GROWTH: Final = (1 + ERROR) / (1 - ERROR)
_BUCKETS: Final = 1 / log(_GROWTH)
"""For each factor of e."""
MOST_BUCKET: Final = 1000
"""The last one, far beyond any match."""
_NOTHING: Final = -1
"""The bucket of times that are 0."""


@dataclass(slots=True)
class Histogram:
    """How many answer times are in each bucket; `add` is called for every answer of a match."""

    counts: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, seconds: float) -> None:
        """Count one answer."""
        self.counts[int(log(seconds / LEAST) * _BUCKETS) if seconds >= LEAST else _NOTHING] += 1

    def merge(self, other: Histogram) -> None:
        """Count all that another one has counted."""
        for bucket, count in other.counts.items():
            self.counts[bucket] += count

    @property
    def total(self) -> int:
        """The number of answers."""
        return sum(self.counts.values())

    def quantile_ms(self, part: float) -> float | None:
        """The time in ms that this part (from 0 to 1) of all answers does not exceed; None without answers."""
        left = max(1, ceil(part * self.total))
        for bucket in sorted(self.counts):
            left -= self.counts[bucket]
            if left <= 0:
                return 0.0 if bucket == _NOTHING else LEAST * 1e3 * exp(bucket / _BUCKETS) * (1 + ERROR)
        return None

    def as_json(self) -> list[int]:
        """The buckets in use as one flat list: bucket, count, bucket, count, …"""
        return [number for bucket in sorted(self.counts) for number in (bucket, self.counts[bucket])]

    @staticmethod
    def from_json(numbers: Iterable[int]) -> Histogram:
        """The inverse of `as_json`.

        Raises:
            ValueError: a bucket has no count.
        """
        flat = iter(numbers)
        return Histogram(defaultdict(int, zip(flat, flat, strict=True)))
