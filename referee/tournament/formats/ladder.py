"""Ladder: an open-ended contest of neighbours in rating. Pure.

1. A tour is a *wave* of max(1, floor(n / (2 * seats))) groups for n entrants. Nobody is in two of them.
2. Each group has a *leader*. First come entrants that have waited for n waves or more, the longest first; then those without an
   interval; then those with the widest intervals. An entrant that has waited for n waves has at most n - 1 others before it, so
   nobody sits out more than 2n waves.
3. A group is a section of the order of rating of those that are still free. A lot decides the leader's place in the section. So
   neighbours meet, and all parts of the field stay linked.
4. An entrant without a rating is placed in the middle of that order. Entrants join and leave between waves.
5. A ladder ends after `series` series, in the middle of a wave if need be. Without that setting it has no end.
6. Its table is in the order of the ratings, because neighbours take about half of the score from each other. Entrants without a
   rating come last. With the setting `order`, the table is as in other formats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Self, TypeAlias

from typing_extensions import override

from referee.text.words import counted
from referee.tournament.figures.rating import Part, ratings
from referee.tournament.formats import Format
from referee.tournament.formats.meetings import check_seats, present
from referee.tournament.words import Competitor, Results, Rules, Series, SeriesResult, Tour, lot, meeting_of

Estimate: TypeAlias = tuple[float, float | None]
"""A rating, and the width of its interval or None."""
Standings: TypeAlias = Callable[[Sequence[Competitor], Sequence[SeriesResult]], Mapping[int, Estimate]]
"""From all entrants and all series in the order of the schedule to the estimates of those that have one."""


@dataclass(frozen=True, slots=True)
class Ladder(Format):
    """A ladder.

    Attributes:
        standings: the ratings so far, and the widths of their intervals.
        series: after how many series it is over, 1 or more; None for an open end.
        by_rating: whether its table is in the order of the ratings.
    """

    keys = frozenset({"series", "order"})

    standings: Standings
    series: int | None = None
    by_rating: bool = True

    @classmethod
    @override
    def of(cls, rules: Rules, keys: Mapping[str, Any], field: Sequence[Competitor]) -> Self:
        standings = partial(_estimates, rng_seed=rules.rng_seed, known={})
        return cls(rules, standings, keys.get("series"), by_rating="order" not in keys)

    @override
    def next_tour(self, field: Sequence[Competitor], history: Sequence[Tour], results: Results) -> Tour | None:
        """The next wave.

        Raises:
            UsageError: there are fewer entrants than seats.
        """
        played = [series for tour in history for series in tour.series]
        if self.series is not None and len(played) >= self.series:
            return None
        numbers = present(field)
        check_seats(self.rules, "ladder", numbers)
        estimates = self.standings(field, [results[series.key] for series in played])
        series = self._wave(numbers, waits(numbers, history), estimates, len(history))
        if self.series is not None:
            series = series[: self.series - len(played)]
        playing = {number for entry in series for number in entry.numbers}
        return Tour(f"t{len(history)}", tuple(series), tuple(number for number in numbers if number not in playing))

    @override
    def outline(self, count: int) -> str:
        end = (
            "without an end" if self.series is None else f"until {counted(self.series, 'series', 'series')} are played"
        )
        return f"waves of neighbours in rating among {count} bots, {end}"

    @override
    def ranked(
        self, order: Sequence[int], field: Sequence[Competitor], history: Sequence[Tour], results: Results
    ) -> list[int]:
        """The present entrants in the order of point 6."""
        if not self.by_rating:
            return list(order)
        ended = [results[series.key] for tour in history for series in tour.series if series.key in results]
        estimates = self.standings(field, ended)
        return sorted(order, key=lambda number: -estimates[number][0] if number in estimates else inf)

    def _wave(
        self, numbers: Sequence[int], waited: Mapping[int, int], estimates: Mapping[int, Estimate], wave: int
    ) -> list[Series]:
        """The series of a wave, group by group."""
        shuffled = lot(self.rules.rng_seed, f"t{wave}", numbers)
        leaders = sorted(shuffled, key=lambda number: _urgency(waited[number], len(numbers), estimates.get(number)))
        ratings = sorted(rating for number, (rating, _) in estimates.items() if number in waited) or [0.0]
        middle = ratings[len(ratings) // 2]
        free = sorted(shuffled, key=lambda number: -estimates.get(number, (middle, None))[0])
        series: list[Series] = []
        for group in range(max(1, len(numbers) // (2 * self.rules.seats))):
            meeting = f"t{wave}-g{group}"
            leader = next(number for number in leaders if number in free)
            chosen = self._section(free, free.index(leader), meeting)
            free = [number for number in free if number not in chosen]
            series += meeting_of(self.rules, meeting, chosen)
        return series

    def _section(self, free: Sequence[int], index: int, meeting: str) -> Sequence[int]:
        """A section of the order, as long as there are seats, that includes `index`. A lot decides where it starts."""
        seats = self.rules.seats
        starts = range(max(0, index - seats + 1), min(index, len(free) - seats) + 1)
        start = lot(self.rules.rng_seed, f"{meeting}/section", starts)[0]
        return free[start : start + seats]


def waits(numbers: Iterable[int], history: Sequence[Tour]) -> dict[int, int]:
    """How many waves each has sat out since it last played or joined."""
    waited = dict.fromkeys(numbers, 0)
    waiting = set(waited)
    for tour in reversed(history):
        waiting.intersection_update(tour.byes)
        if not waiting:
            break
        for number in waiting:
            waited[number] += 1
    return waited


def _urgency(waited: int, count: int, estimate: Estimate | None) -> tuple[int, bool, float, int]:
    """The lowest leads the first group."""
    width = estimate[1] if estimate else None
    return (-waited if waited >= count else 0, width is not None, -(width or 0.0), -waited)


def _estimates(
    field: Sequence[Competitor], results: Sequence[SeriesResult], *, rng_seed: int, known: dict[str, Part]
) -> dict[int, Estimate]:
    """The ratings, and the widths of their intervals. `known` is a memory for the next call."""
    estimates = ratings(field, results, rng_seed=rng_seed, known=known).items()
    return {
        number: (rating.rating, None if rating.low is None or rating.high is None else rating.high - rating.low)
        for number, rating in estimates
    }
