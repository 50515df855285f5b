"""Designs: groups in which everyone meets everyone about equally often. Pure.

1. Everyone is in at least `each` groups. From a fresh start there are ceil(n * each / size) groups, and two entrants' numbers of
   groups differ by at most 1.
2. Two pairs' numbers of common groups differ by at most 3, and mostly by 2 or less: a greedy draw first, then exchanges between
   two groups, which leave everyone's number of groups as it is.
3. Whoever joins later gets `each` groups too, with rivals of all ages: an entrant that has enough groups is drawn again rather
   than one that the others have met twice more than they have met some rival.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, inf
from random import Random
from typing import Final

from referee.chance import pick, shuffled

Group = tuple[int, ...]

_GROUPS: Final = 1e5
"""Weight of one group more, in the draw: heavier than all meetings with the rivals at hand."""
_REPEATED: Final = 1e9
"""Weight of one meeting too many with a rival: heavier than all groups."""
_EXCHANGES: Final = 200_000
"""Attempts to exchange until no two pairs differ by more than 2."""
_EARLY: Final = 10_000
"""The first attempts, which go on until no two pairs differ by more than 1."""
_WORSE: Final = 2.0
"""How much worse than before an exchange may be at most: otherwise the search is soon stuck."""


def design(numbers: Sequence[int], size: int, each: int, rng: Random, met: Iterable[Group] = ()) -> list[Group]:
    """Groups, ascending in themselves, in an order in which everyone's number of groups grows evenly.

    Args:
        numbers: who takes part, at least `size`.
        met: earlier groups. They count towards `each`; numbers that no longer take part are ignored.
    """
    at = {number: place for place, number in enumerate(numbers)}
    earlier = [[at[number] for number in group if number in at] for group in met]
    fresh = not any(earlier)
    laps, rest = divmod(each, comb(len(numbers) - 1, size - 1)) if fresh else (0, each)
    every = list(combinations(range(len(numbers)), size)) if laps else []
    complete = [group for _ in range(laps) for group in shuffled(every, rng)]
    table = _Table(len(numbers), earlier)
    drawn = table.drawn(size, rest, rng, fresh=fresh)
    table.exchange(drawn, rng)
    return [tuple(sorted(numbers[place] for place in group)) for group in (*complete, *drawn)]


class _Table:
    """How often everyone was in a group, and each pair together.

    Attributes:
        played: groups of each place.
        pairs: for two places, their common groups.
        tally: for a number of common groups, how many pairs have it.
    """

    def __init__(self, count: int, earlier: Iterable[Sequence[int]]) -> None:
        self.played = [0] * count
        self.pairs = [[0] * count for _ in range(count)]
        self.tally = Counter({0: comb(count, 2)})
        for group in earlier:
            self._add(group)

    def _add(self, group: Sequence[int]) -> None:
        for one in group:
            self.played[one] += 1
        for one, other in combinations(group, 2):
            self._change(one, other, 1)

    def _change(self, one: int, other: int, by: int) -> None:
        met = self.pairs[one][other]
        self.tally[met] -= 1
        self.tally[met + by] += 1
        self.pairs[one][other] = self.pairs[other][one] = met + by

    def _common(self) -> list[int]:
        """The numbers of common groups that some pair has."""
        return [met for met, pairs in self.tally.items() if pairs]

    def drawn(self, size: int, each: int, rng: Random, *, fresh: bool) -> list[list[int]]:
        """Groups until everyone has `each`: the one with the fewest groups first, then the rivals that weigh least."""
        groups = []
        while min(self.played) < each:
            groups.append(self._group(size, rng, fresh=fresh))
            self._add(groups[-1])
        return groups

    def _group(self, size: int, rng: Random, *, fresh: bool) -> list[int]:
        weights = [played * _GROUPS + rng.random() for played in self.played]
        leader = min(range(len(weights)), key=weights.__getitem__)
        row = self.pairs[leader]
        least = min((met for place, met in enumerate(row) if place != leader), default=0)
        most = max(self._common(), default=0)
        dear = [met + (0 if fresh else max(0, met - least - 1) * _REPEATED) for met in range(most + 1)]
        group = [leader]
        weights[leader] = inf
        while len(group) < size:
            weights = [weight + dear[met] for weight, met in zip(weights, self.pairs[group[-1]], strict=True)]
            group.append(min(range(len(weights)), key=weights.__getitem__))
            weights[group[-1]] = inf
        return group

    def exchange(self, groups: list[list[int]], rng: Random) -> None:
        """Exchanges members of the groups, in place, until all pairs have met about equally often.

        Each attempt draws two groups and one member of each that is not in the other. The cost is the sum of the fourth powers of
        the pairs' distances from their mean, so that the farthest pairs decide. An exchange that lowers it is made; one that
        raises it a little is made sometimes.
        """
        if len(groups) < 2 or not self._common():
            return
        mean = sum(met * pairs for met, pairs in self.tally.items()) / self.tally.total()
        cost = [((met - mean) * (met - mean)) ** 2 for met in range(max(self.tally) + len(groups) + 2)]
        for attempt in range(_EXCHANGES):
            if attempt % 50 == 0:
                common = self._common()
                if max(common) - min(common) <= (1 if attempt < _EARLY else 2):
                    return
            first, second = groups[pick(rng, len(groups))], groups[pick(rng, len(groups))]
            self._attempt(first, second, cost, rng)

    def _attempt(self, first: list[int], second: list[int], cost: Sequence[float], rng: Random) -> None:
        """Exchanges two members, or leaves the groups as they are. Who is in both groups meets both members as before."""
        ones = [place for place in first if place not in second]
        others = [place for place in second if place not in first]
        if len(ones) < 2:
            return
        one, other = ones.pop(pick(rng, len(ones))), others.pop(pick(rng, len(others)))
        lost = [(one, rival) for rival in ones] + [(other, rival) for rival in others]
        won = [(other, rival) for rival in ones] + [(one, rival) for rival in others]
        now = [self.pairs[a][b] for a, b in lost]
        then = [self.pairs[a][b] for a, b in won]
        worse = sum(cost[met - 1] - cost[met] for met in now) + sum(cost[met + 1] - cost[met] for met in then)
        luck = rng.random()
        if worse > _WORSE * luck * luck:
            return
        for pair in lost:
            self._change(*pair, -1)
        for pair in won:
            self._change(*pair, 1)
        first[first.index(one)], second[second.index(other)] = other, one
