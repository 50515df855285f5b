"""The series of a comparison of two bots, NEW (number 0) and OLD (number 1), and the value that each series gives.

1. *Head to head*: half of the seats are NEW's, the other half OLD's; the seatings of a series are all rotations of
   NEW, …, OLD, …. Its value is what NEW scored in the mean of all games of NEW and OLD: 1, 0.5 or 0.
2. *Against* rivals (numbers 2 and up): NEW plays all seatings of a series with some rivals; then OLD plays the same in NEW's
   place, on the same map with the same seed. The value is 0.5 + (a - b) / 2, where a and b are the parts of the possible score
   that NEW and OLD took.
3. Each meeting has one series. Its key is the place of the series in the schedule, from 0. The maps take turns; when all have
   been played, the next group of rivals comes, in lexicographic order.
4. Series count from the first on, without a gap, whatever the order in which they end. Void series are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import comb
from statistics import fmean
from typing import Final, Literal, TypeAlias

from referee.tournament.figures.pairs import games_of
from referee.tournament.words import Rules, Series, SeriesResult, lot, seatings

Mode: TypeAlias = Literal["head", "against"]
NEW: Final = 0
OLD: Final = 1
FIRST_RIVAL: Final = 2


@dataclass(frozen=True, slots=True)
class Pairing:
    """The schedule of a comparison.

    Attributes:
        rules: those of the tournament; `seats` is even in head to head. `repeat` is not used; `seatings` only against rivals.
        rivals: how many there are, none in head to head and `seats - 1` or more otherwise.
    """

    rules: Rules
    rivals: int = 0

    @property
    def mode(self) -> Mode:
        """Against rivals if there are any."""
        return "against" if self.rivals else "head"

    def series(self, index: int) -> Series:
        """A series of the schedule, which has no end. The first has the index 0."""
        lap, at = divmod(index, len(self.rules.maps))
        plain = Series(str(index), self.rules.maps[at], 0, ())
        if not self.rivals:
            half = self.rules.seats // 2
            return replace(plain, seatings=seatings([NEW] * half + [OLD] * half, "rotations"))
        base = lot(self.rules.rng_seed, plain.key, [NEW, *self._rivals_of(lap)])
        of_new = seatings(base, self.rules.seatings)
        of_old = tuple(tuple(OLD if number == NEW else number for number in seating) for seating in of_new)
        return replace(plain, seatings=of_new + of_old)

    def _rivals_of(self, lap: int) -> tuple[int, ...]:
        """A subset of the rivals, by its place in lexicographic order; after the last comes the first."""
        size = self.rules.seats - 1
        subsets = combinations(range(FIRST_RIVAL, FIRST_RIVAL + self.rivals), size)
        return next(islice(subsets, lap % comb(self.rivals, size), None))


def value_of(mode: Mode, result: SeriesResult) -> float:
    """The value of a series that is not void, from 0 to 1; above 0.5 if NEW was better."""
    if mode == "head":
        return fmean(halves / 2 for match in result.matches for _, _, halves in games_of(match))
    parts: dict[int, list[float]] = {NEW: [], OLD: []}
    for match in result.matches:
        for seat in match:
            if seat.number in parts:
                parts[seat.number].append(seat.score / (len(match) - 1))
    return 0.5 + (fmean(parts[NEW]) - fmean(parts[OLD])) / 2


def values(mode: Mode, results: Iterable[SeriesResult]) -> Iterator[float]:
    """The values of the series that count, from the first of the schedule up to the first that has not ended."""
    by_meeting = {int(result.series.meeting): result for result in results}
    index = 0
    while index in by_meeting:
        if not by_meeting[index].void:
            yield value_of(mode, by_meeting[index])
        index += 1
