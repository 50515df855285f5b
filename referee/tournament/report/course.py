"""The percents of entrants over time, found in one pass over the series of a tournament. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Final, NamedTuple

from referee.tournament.model import SeriesResult

POINTS: Final = 24
"""Moments that a chart over time shows."""


class Course(NamedTuple):
    """The percents of entrants over time.

    Attributes:
        after: numbers of series, ascending. percents: by entrant, after so many series; None before its first.
    """

    after: Sequence[int]
    percents: Mapping[int, Sequence[float | None]]


class CourseBuilder:
    """Notes the percents of the possible score after at most `POINTS` numbers of series.

    Attributes:
        counted: how many series that count were added. course: what was noted so far.
    """

    def __init__(self, shown: Iterable[int], series: int) -> None:
        """Begin.

        Args:
            shown: the entrants to note. series: how many series that count will be added.
        """
        after = sorted({ceil(series * step / POINTS) for step in range(1, POINTS + 1)} - {0})
        self.counted = 0
        self._percents: dict[int, list[float | None]] = {number: [] for number in shown}
        self.course = Course(after, self._percents)
        self._score = defaultdict[int, float](float)
        self._possible = Counter[int]()

    def add(self, result: SeriesResult) -> None:
        """Add a series that has ended, in the order of the schedule; one that is void changes nothing."""
        if result.void:
            return
        self.counted += 1
        for number, more in result.scores().items():
            self._score[number] += more
        self._possible.update(result.possible())
        if self.counted in self.course.after:
            for number, percents in self._percents.items():
                possible = self._possible[number]
                percents.append(100 * self._score[number] / possible if possible else None)
