"""Ladder: an open-ended contest of neighbours in rating. Pure.

1. A tour is a *wave* of max(1, floor(n / (2 * seats))) groups for n entrants. Nobody is in two of them.
2. Each group has a *leader*: who has waited n waves or more, the longest first; then who has no interval yet; then who has the
   widest. Whoever has waited n waves has at most n - 1 others before it in that order, so nobody sits out more than 2n waves.
3. The group is its leader and the nearest in the order of rating among those that are still free: a section of that order, in
   which the lot places the leader. So strong and weak sections of the field stay linked.
4. An entrant without a rating is taken to be in the middle. Entrants that join or leave do so between two waves.
5. It goes on until it has `series` series, or until it is stopped. The last wave is cut short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

from referee.tournament.formats.meetings import ByPercent, check_seats, present
from referee.tournament.words import Entrant, Results, Rules, Series, SeriesResult, Tour, lot, meeting_of

Estimate: TypeAlias = tuple[float, float | None]
"""A rating, and the width of its interval or None."""
Standings: TypeAlias = Callable[[Sequence[Entrant], Sequence[SeriesResult]], Mapping[int, Estimate]]
"""From all entrants and all series in the order of the schedule to the estimates of those that have one."""


@dataclass(frozen=True, slots=True)
class Ladder(ByPercent):
    """A ladder.

    Attributes:
        standings: the ratings so far, and the widths of their intervals.
        series: after how many series it is over, 1 or more; None for an open end.
    """

    rules: Rules
    standings: Standings
    series: int | None = None

    def next_tour(self, field: Sequence[Entrant], history: Sequence[Tour], results: Results) -> Tour | None:
        """The next wave.

        Raises:
            UsageError: there are fewer entrants than seats.
        """
        played = [one for tour in history for one in tour.series]
        if self.series is not None and len(played) >= self.series:
            return None
        here = present(field)
        check_seats(self.rules, "ladder", here)
        estimates = self.standings(field, [results[one.key] for one in played])
        series = self._wave(here, waits(here, history), estimates, len(history))
        if self.series is not None:
            series = series[: self.series - len(played)]
        playing = {number for one in series for number in one.numbers}
        return Tour(f"t{len(history)}", tuple(series), tuple(number for number in here if number not in playing))

    def _wave(
        self, here: Sequence[int], waited: Mapping[int, int], estimates: Mapping[int, Estimate], wave: int
    ) -> list[Series]:
        """The series of a wave, a group after the other."""
        shuffled = lot(self.rules.rng_seed, f"t{wave}", here)
        leaders = sorted(shuffled, key=lambda number: _urgency(waited[number], len(here), estimates.get(number)))
        middle = median([rating for number, (rating, _) in estimates.items() if number in waited] or [0.0])
        free = sorted(shuffled, key=lambda number: -estimates.get(number, (middle, None))[0])
        series: list[Series] = []
        for group in range(max(1, len(here) // (2 * self.rules.seats))):
            meeting = f"t{wave}-g{group}"
            leader = next(number for number in leaders if number in free)
            chosen = self._section(free, free.index(leader), meeting)
            free = [number for number in free if number not in chosen]
            series += meeting_of(self.rules, meeting, chosen)
        return series

    def _section(self, free: Sequence[int], place: int, meeting: str) -> Sequence[int]:
        """As many neighbours as there are seats, one of them at `place`; the first of the lot of this meeting."""
        seats = self.rules.seats
        starts = range(max(0, place - seats + 1), min(place, len(free) - seats) + 1)
        start = lot(self.rules.rng_seed, f"{meeting}/section", starts)[0]
        return free[start : start + seats]


def waits(here: Iterable[int], history: Sequence[Tour]) -> dict[int, int]:
    """For how many waves each has had a bye since it last played, or joined."""
    waited = dict.fromkeys(here, 0)
    waiting = set(waited)
    for tour in reversed(history):
        waiting.intersection_update(tour.byes)
        if not waiting:
            break
        for number in waiting:
            waited[number] += 1
    return waited


def _urgency(waited: int, count: int, estimate: Estimate | None) -> tuple[int, bool, float, int]:
    """Lowest for whoever leads the first group."""
    width = estimate[1] if estimate else None
    return (-waited if waited >= count else 0, width is not None, -(width or 0.0), -waited)
