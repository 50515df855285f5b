"""The past of a format, read from a ledger.

Tours and results are read when a format first asks for them, and stay in memory. A ladder never asks for them. In memory, it has
only the games between present entrants, however long it has been running.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path

from typing_extensions import override

from referee.tournament.formats.past import Past, widths
from referee.tournament.ledger import Ledger
from referee.tournament.model import Rules, SeriesResult, Standing, Tour
from referee.tournament.processes import on_all_processors


class LedgerPast(Past):
    """The past in a ledger to which nobody else writes."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger
        self._series: dict[int, int] = {}
        self._games: dict[tuple[int, int], tuple[int, int]] = {}
        self._known_widths: dict[int, float] | None = None

    def add(self, tour: Tour, first: int) -> None:
        """A tour was planned and played; its first series has this number."""
        if "tours" in vars(self):  # a format has asked for them
            self.tours.append(tour)
        if "results" in vars(self):
            self.results.update(self._ledger.results(first))
        for series in tour.series:
            for number in self._series.keys() & set(series.numbers):
                self._series[number] = self._ledger.sums.series_of(number)
            for pair in combinations(series.numbers, 2):
                if self._series.keys() >= set(pair) and (games := self._ledger.sums.games_of_two(pair))[0]:
                    self._games[pair] = games

    @cached_property
    @override
    def tours(self) -> list[Tour]:
        return self._ledger.schedule.tours()

    @cached_property
    @override
    def results(self) -> dict[str, SeriesResult]:
        return self._ledger.results()

    @property
    @override
    def planned(self) -> tuple[int, int]:
        return self._ledger.schedule.planned()

    @property
    @override
    def standings(self) -> Mapping[int, Standing]:
        return self._ledger.schedule.standings()

    @override
    def widths(self, rules: Rules) -> Mapping[int, float]:
        if self._known_widths is None:
            self.find_widths(rules)
        known, self._known_widths = self._known_widths, None  # those of the next tour are others
        return known or {}

    def find_widths(self, rules: Rules) -> None:
        """Find what `widths` answers next. This takes long, and may be called in a thread.

        It is done in a process beside this one, whose memory would grow with the games of those that left.
        """
        [self._known_widths] = on_all_processors(partial(_widths, self._ledger.path.parent), [rules])

    @override
    def series_of(self, numbers: Collection[int]) -> Mapping[int, int]:
        self._remember(set(numbers))
        return self._series

    @override
    def games(self, numbers: Collection[int]) -> Mapping[tuple[int, int], tuple[int, int]]:
        self._remember(set(numbers))
        return self._games

    def _remember(self, numbers: set[int]) -> None:
        """Read what is missing of some entrants, and forget the others."""
        if left := self._series.keys() - numbers:
            self._series = {number: count for number, count in self._series.items() if number not in left}
            self._games = {pair: games for pair, games in self._games.items() if left.isdisjoint(pair)}
        for number in sorted(numbers - self._series.keys()):
            self._series[number] = self._ledger.sums.series_of(number)
            for pair, games in self._ledger.sums.games(number):
                if self._series.keys() >= set(pair):
                    self._games[pair] = games


def _widths(folder: Path, rules: Rules) -> dict[int, float]:
    with Ledger(folder, writes=False) as ledger:
        return widths(ledger.entrants(), ledger.whole_sums(rules.rng_seed), rules.seats)
