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
from itertools import combinations, count, islice
from math import comb
from statistics import fmean
from typing import Final, Literal, TypeAlias

from referee.tournament.figures.pairs import games_of
from referee.tournament.words import Rules, Series, SeriesResult, lot, seatings

Mode: TypeAlias = Literal["head", "against"]
NEW: Final = 0
OLD: Final = 1
FIRST_RIVAL: Final = 2


def scheduled(rules: Rules, rivals: int, index: int) -> Series:
    """A series of the schedule, which has no end.

    Args:
        rules: `seats` is even in head to head. `repeat` is not used; `seatings` only against rivals.
        rivals: how many there are: none in head to head, otherwise `seats - 1` or more.
        index: from 0.
    """
    lap, at = divmod(index, len(rules.maps))
    meeting, map_ = str(index), rules.maps[at]
    if not rivals:
        half = rules.seats // 2
        return Series(meeting, map_, 0, seatings([NEW] * half + [OLD] * half, "rotations"))
    size = rules.seats - 1
    subsets = combinations(range(FIRST_RIVAL, FIRST_RIVAL + rivals), size)
    group = next(islice(subsets, lap % comb(rivals, size), None))
    of_new = seatings(lot(rules.rng_seed, f"{meeting}/{map_}/0", [NEW, *group]), rules.seatings)
    of_old = tuple(tuple(OLD if number == NEW else number for number in seating) for seating in of_new)
    return Series(meeting, map_, 0, of_new + of_old)


def value_of(mode: Mode, result: SeriesResult) -> float:
    """The value of a series that is not void, from 0 to 1; above 0.5 if NEW was better."""
    if mode == "head":
        return fmean(halves / 2 for match in result.matches for _, _, halves in games_of(match))
    new, old = (
        fmean(seat.score / (len(match) - 1) for match in result.matches for seat in match if seat.number == number)
        for number in (NEW, OLD)
    )
    return 0.5 + (new - old) / 2


def values(mode: Mode, results: Iterable[SeriesResult]) -> Iterator[float]:
    """The values of the series that count, from the first of the schedule up to the first that has not ended."""
    by_meeting = {int(result.series.meeting): result for result in results}
    for result in map(by_meeting.get, count()):
        if result is None:
            return
        if not result.void:
            yield value_of(mode, result)
