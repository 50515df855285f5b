"""Designs: groups in which everyone meets everyone about equally often. Pure.

1. Every entrant is in at least `each` groups. If nobody has met before, there are ceil(n * each / size) groups for n entrants,
   and the entrants' numbers of groups differ by at most 1.
2. The numbers of groups that two entrants share differ by at most 3 between pairs, and mostly by 2 or less. A greedy draw makes
   the groups. Then a search exchanges members between groups; an exchange leaves each entrant's number of groups as it is.
3. Entrants that join later get `each` groups too. They meet old and new entrants about equally often: the draw prefers entrants
   that lack groups, but not if the same two would meet again before others have.
4. No group has two entrants of one owner. So an owner of many has fewer rivals, and those of few owners have more groups.
5. Only integers and `Random.random` decide, so all machines and versions of Python draw the same groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import inf
from random import Random
from typing import Final

from referee.boards.chance import pick, shuffled

Group = tuple[int, ...]

_GROUPS: Final = 1e5
"""Weight of a group in the draw: more than all meetings with the members chosen so far."""
_REPEATED: Final = 1e9
"""Weight of a meeting too many: more than all groups."""
_EXCHANGES: Final = 200_000
"""The most attempts to exchange members."""
_PER_SEAT: Final = 400
"""Attempts for each seat of the groups: a few groups have few exchanges to try."""
_GOALS: Final = (10_000, 80_000)
"""The search ends when no two pairs differ by more than 1; after so many attempts, by more than 2; and then by more than 3."""
_WORSE: Final = 1
"""The most by which an exchange may raise the cost. Without such exchanges the search is soon stuck."""
_GRAIN: Final = 8
"""The mean is rounded to eighths, so that costs are integers."""
_NEAR: Final = 100
"""How many groups compete for the next place in the schedule."""


def groups(owners: Iterable[str], size: int) -> int:
    """How many groups of this size there are, without two entrants of one owner."""
    ways = [1] + [0] * size
    for own in Counter(owners).values():
        for count in range(size, 0, -1):
            ways[count] += ways[count - 1] * own
    return ways[size]


def fewest(owners: Iterable[str], size: int) -> int:
    """How many of these groups the entrant has that is in the fewest. Such a number of meetings is a round of all groups."""
    kin = list(owners)
    return min(groups((other for other in kin if other != own), size - 1) for own in set(kin))


def mixed_groups(owners: Mapping[int, str], size: int) -> Iterator[Group]:
    """These groups, ascending."""
    every = combinations(sorted(owners), size)
    return (group for group in every if len({owners[number] for number in group}) == size)


def design(owners: Mapping[int, str], size: int, each: int, rng: Random, earlier: Iterable[Group] = ()) -> list[Group]:
    """Groups of ascending numbers, in an order in which each entrant's number of groups grows about evenly.

    Args:
        owners: of the entrants, at least `size` owners.
        earlier: the groups of earlier tours, which count towards `each`. Other numbers in them are ignored.
    """
    numbers = list(owners)
    at = {number: index for index, number in enumerate(numbers)}
    earlier_indices = [[at[number] for number in group if number in at] for group in earlier]
    fresh = not any(earlier_indices)
    kin = [owners[number] for number in numbers]
    laps, rest = divmod(each, fewest(kin, size)) if fresh else (0, each)
    every = list(mixed_groups(dict(enumerate(kin)), size)) if laps else []
    complete = [group for _ in range(laps) for group in shuffled(every, rng)]
    table = _Table(kin, earlier_indices)
    drawn = table.drawn(size, rest, rng, fresh=fresh)
    table.exchange(drawn, rng)
    return [tuple(sorted(numbers[index] for index in group)) for group in _evenly([*complete, *drawn], len(numbers))]


def _evenly(groups: Sequence[Sequence[int]], count: int) -> list[Sequence[int]]:
    """The same groups; of the next few, the one whose members have the fewest groups so far always comes first."""
    played = [0] * count
    later = iter(groups)
    near = list(islice(later, _NEAR))
    order: list[Sequence[int]] = []
    while near:
        chosen = min(range(len(near)), key=lambda index: sum(played[member] for member in near[index]))
        order.append(near.pop(chosen))
        near.extend(islice(later, 1))
        for member in order[-1]:
            played[member] += 1
    return order


class _Table:
    """How many groups each entrant has, and how many each pair shares. Entrants are numbered from 0 here.

    Attributes:
        kin: the owner of each entrant.
        played: the groups of each entrant.
        pairs: for two entrants of different owners, the number of groups that they share.
        tally: for such a number, how many pairs have it.
    """

    def __init__(self, kin: Sequence[str], earlier: Iterable[Sequence[int]]) -> None:
        self.kin = kin
        self.played = [0] * len(kin)
        self.pairs = [[0] * len(kin) for _ in kin]
        self.tally = Counter({0: groups(kin, 2)})
        for group in earlier:
            self._add(group)

    def _add(self, group: Sequence[int]) -> None:
        for member in group:
            self.played[member] += 1
        for first, second in combinations(group, 2):
            self._change(first, second, 1)

    def _change(self, first: int, second: int, by: int) -> None:
        count = self.pairs[first][second]
        self.tally[count] -= 1
        self.tally[count + by] += 1
        self.pairs[first][second] = self.pairs[second][first] = count + by

    def _common(self) -> list[int]:
        """The numbers of groups that pairs share, each once."""
        return [count for count, pairs in self.tally.items() if pairs]

    def drawn(self, size: int, each: int, rng: Random, *, fresh: bool) -> list[list[int]]:
        """Groups until every entrant has `each`."""
        groups = []
        while min(self.played) < each:
            groups.append(self._group(size, rng, fresh=fresh))
            self._add(groups[-1])
        return groups

    def _group(self, size: int, rng: Random, *, fresh: bool) -> list[int]:
        """The entrant with the fewest groups, then always the one that weighs least for those chosen so far."""
        weights = [played * _GROUPS + rng.random() for played in self.played]
        leader = min(range(len(weights)), key=weights.__getitem__)
        row = self.pairs[leader]
        least = min((count for rival, count in enumerate(row) if self.kin[rival] != self.kin[leader]), default=0)
        most = max(self._common(), default=0)
        prices = [count + (0 if fresh else (count - least) * _REPEATED) for count in range(most + 1)]
        group = [leader]
        while len(group) < size:
            last = self.kin[group[-1]]
            priced = zip(weights, self.pairs[group[-1]], self.kin, strict=True)
            weights = [inf if owner == last else weight + prices[count] for weight, count, owner in priced]
            group.append(min(range(len(weights)), key=weights.__getitem__))
        return group

    def exchange(self, groups: list[list[int]], rng: Random) -> None:
        """Exchanges members of the groups, in place, until all pairs have met about equally often.

        Each attempt draws two groups, and of each a member that is not in the other. The cost is the sum of the fourth powers of
        the pairs' distances from their mean, so that the farthest pairs decide. Exchanges that lower the cost are made, and
        sometimes one that raises it a little.
        """
        if len(groups) < 2 or not self._common():
            return
        mean = round(_GRAIN * sum(count * pairs for count, pairs in self.tally.items()) / self.tally.total())
        cost = [(_GRAIN * count - mean) ** 4 for count in range(max(self.tally) + len(groups) + 2)]
        for attempt in range(min(_EXCHANGES, _PER_SEAT * len(groups) * len(groups[0]))):
            if attempt % 50 == 0:
                common = self._common()
                if max(common) - min(common) <= 1 + sum(attempt >= tried for tried in _GOALS):
                    return
            first, second = groups[pick(rng, len(groups))], groups[pick(rng, len(groups))]
            self._attempt(first, second, cost, rng)

    def _attempt(self, first: list[int], second: list[int], cost: Sequence[int], rng: Random) -> None:
        """Exchanges two members, or leaves the groups as they are. Members of both groups meet everyone as before.

        Nobody is exchanged into a group that has another bot of its owner.
        """
        first_only = [member for member in first if member not in second]
        second_only = [member for member in second if member not in first]
        if len(first_only) < 2:
            return
        leaver = first_only.pop(pick(rng, len(first_only)))
        joiner = second_only.pop(pick(rng, len(second_only)))
        kin = self.kin
        if any(kin[rival] == kin[joiner] for rival in first_only) or any(kin[it] == kin[leaver] for it in second_only):
            return
        lost = [(leaver, rival) for rival in first_only] + [(joiner, rival) for rival in second_only]
        won = [(joiner, rival) for rival in first_only] + [(leaver, rival) for rival in second_only]
        now = [self.pairs[a][b] for a, b in lost]
        then = [self.pairs[a][b] for a, b in won]
        worse = sum(cost[count - 1] - cost[count] for count in now)
        worse += sum(cost[count + 1] - cost[count] for count in then)
        luck = rng.random()
        if worse > _WORSE * _GRAIN**4 * luck * luck:
            return
        for pair in lost:
            self._change(*pair, -1)
        for pair in won:
            self._change(*pair, 1)
        first[first.index(leaver)], second[second.index(joiner)] = joiner, leaver
