"""Ratings of entrants, with intervals.

1. A rating is a strength in the sense of `likelihood`, times 400 / ln 10: 100 more means 64 % of the points in games of two. A
   pair of a match of k seats is a game of weight 1 / (k - 1), so each entrant has weight 1 in each match.
2. The *core* is the largest set of entrants that are linked: each took something off some other, who took something off a third,
   and so on, and this leads from everyone to everyone. The rating of others hangs on the prior: they won or lost all, or never
   met the core.
3. The mean of the core is 0; or the anchor is 0.
4. An interval comes from a delete-a-group jackknife, since matches of one series are not independent: the series are dealt to 40
   groups, and the strengths and the zero are worked out anew without each group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import fsum, log, sqrt
from statistics import fmean
from typing import Final

from referee.tournament.figures.likelihood import Games, Totals
from referee.tournament.figures.maximum import refit, strongest
from referee.tournament.figures.sums import Pairs, Sums, t_quantile
from referee.tournament.model import Competitor

SCALE: Final = 400 / log(10)
LEAST_GROUPS: Final = 8
"""Fewer groups give no intervals."""
LEAST_PLAYED: Final = 4
"""An entrant that plays in fewer groups has no interval."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating and its interval of 95 %; `low` and `high` are None if there are too few series or no link to the core."""

    rating: float
    low: float | None = None
    high: float | None = None


def ratings(
    field: Sequence[Competitor],
    sums: Sums,
    *,
    seats: int,
    anchor: int | None = None,
    spread: Callable[[Callable[[Totals], list[float]], Sequence[Totals]], Iterable[list[float]]] = map,
) -> dict[int, Rating]:
    """The ratings of all entrants with a series that counts, those that left too, by number.

    Args:
        seats: of a match.
        anchor: the number of the entrant that is rated 0; ignored as long as it has no rating.
        spread: as `map`, for the 40 fits of the jackknife: those of thousands of entrants take seconds on one processor.
    """
    numbers = [number for number, entrant in sums.entrants.items() if entrant.series]
    rated = sorted({number for pair in sums.pairs for number in pair})
    if not rated:
        return dict.fromkeys(numbers, Rating(0.0))  # each met nobody but itself
    indices = {number: index for index, number in enumerate(rated)}
    totals, groups = _totals(sums.pairs, indices)
    core = core_of(len(rated), _took_points(totals))
    present = {indices[entrant.number] for entrant in field if entrant.present and entrant.number in indices}
    zero = [indices[anchor]] if anchor in indices else sorted(core & present or present or core)

    all_games = Games.of(len(rated), totals, seats=seats)
    maximum = strongest(all_games)
    strengths = maximum.strengths
    values = _ratings(strengths, zero)
    halves: Mapping[int, float] = {}
    if len(groups) >= LEAST_GROUPS:
        without = spread(partial(refit, all_games, maximum), groups)
        halves = _half_intervals([_ratings(replicate, zero) for replicate in without], _played(groups), core)
    alone = SCALE * -fmean(strengths[index] for index in zero)  # of strength 0: nothing but the prior is known
    by_number = {number: Rating(alone) for number in numbers}
    for number, index in indices.items():
        value, half = values[index], halves.get(index)
        by_number[number] = Rating(value) if half is None else Rating(value, value - half, value + half)
    return by_number


def _totals(pairs: Pairs, indices: Mapping[int, int]) -> tuple[Totals, list[Totals]]:
    """All games, and those of each group of the jackknife, by the indices of the entrants."""
    totals: dict[tuple[int, int], tuple[int, int]] = {}
    groups: defaultdict[int, dict[tuple[int, int], tuple[int, int]]] = defaultdict(dict)
    for (first, second), pair in sorted(pairs.items()):  # the same order of rounding whatever their order is
        key = indices[first], indices[second]
        games = halves = 0
        for group, part in pair.groups.items():
            groups[group][key] = part
            games += part[0]
            halves += part[1]
        totals[key] = games, halves
    return totals, [groups[group] for group in sorted(groups)]


def _played(groups: Iterable[Totals]) -> Counter[int]:
    """In how many groups each entrant plays."""
    return Counter(index for group in groups for index in set(chain.from_iterable(group)))


def core_of(count: int, pairs: Iterable[tuple[int, int]]) -> frozenset[int]:
    """The largest set that is linked both ways; of several, the one with the lowest number. By Kosaraju's algorithm.

    Args:
        count: how many entrants there are, numbered from 0.
        pairs: an entrant that took something, and the rival that it took this off.
    """
    took: list[list[int]] = [[] for _ in range(count)]
    lost: list[list[int]] = [[] for _ in range(count)]
    for winner, loser in pairs:
        took[winner].append(loser)
        lost[loser].append(winner)
    left = set(range(count))
    ended = [number for start in range(count) for number in _reached(took, start, left)]
    left = set(range(count))
    linked = [_reached(lost, start, left) for start in reversed(ended)]
    best = max(linked, key=lambda numbers: (len(numbers), -min(numbers, default=0)))
    return frozenset(best)


def _reached(links: Sequence[Sequence[int]], start: int, left: set[int]) -> list[int]:
    """The numbers that a search in depth reaches and takes out of `left`, in the order in which it is done with them."""
    if start not in left:
        return []
    left.remove(start)
    done: list[int] = []
    path = [(start, iter(links[start]))]
    while path:
        number, rest = path[-1]
        further = next((other for other in rest if other in left), None)
        if further is None:
            done.append(number)
            path.pop()
        else:
            left.remove(further)
            path.append((further, iter(links[further])))
    return done


def _took_points(totals: Totals) -> Iterator[tuple[int, int]]:
    """Each entrant that took something off a rival, and the rival."""
    for (first, second), (games, halves) in totals.items():
        if halves > 0:
            yield first, second
        if halves < 2 * games:
            yield second, first


def _ratings(strengths: Sequence[float], zero: Sequence[int]) -> list[float]:
    """Ratings from strengths; the mean of some of them is 0."""
    centre = fmean(strengths[index] for index in zero)
    return [SCALE * (strength - centre) for strength in strengths]


def _half_intervals(
    without: Sequence[Sequence[float]], played: Mapping[int, int], core: Iterable[int]
) -> dict[int, float]:
    """Half the interval of each of the core that `played` in enough groups, from the ratings `without` each group."""
    groups = len(without)
    halves = {}
    for index in core:
        if played[index] >= LEAST_PLAYED:
            values = [replicate[index] for replicate in without]
            mean = fmean(values)
            squares = fsum((value - mean) ** 2 for value in values)
            halves[index] = t_quantile(min(groups - 1, 2 * played[index] - 2)) * sqrt((groups - 1) / groups * squares)
    return halves
