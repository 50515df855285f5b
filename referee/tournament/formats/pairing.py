"""Groups of neighbours that have not met yet. Pure.

1. The first in the order forms a group with those whom its members have met least, the nearest first; then the next does.
2. After that, entrants of different groups are exchanged, the nearest first, as long as that lowers the number of rematches.
3. With two seats there is no rematch in the first n/2 tours of n players. Suppose that a and b would meet again after t tours.
   With each of the n/2 - 1 other pairs, they can exchange members in two ways: n - 2 ways in all. Both have met at most t - 1
   others, and each of these rules out one way. So a way without rematches is left if 2 (t - 1) < n - 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

MeetingCounts: TypeAlias = Mapping[tuple[int, int], int]
"""How often two entrants have met, by their numbers, the lower one first; pairs that have not may be missing."""


def neighbours(order: Sequence[int], seats: int, counts: MeetingCounts) -> list[list[int]]:
    """Divides entrants into groups, those of the best entrants first, each in the given order.

    Args:
        order: the entrants, best first; a multiple of `seats`.
    """
    before = [[counts.get((min(entrant, other), max(entrant, other)), 0) for other in order] for entrant in order]
    groups = _exchange_members(before, _nearest(before, seats))
    return [[order[index] for index in group] for group in sorted(sorted(group) for group in groups)]


def _nearest(before: Sequence[Sequence[int]], seats: int) -> list[list[int]]:
    """Point 1."""
    free = list(range(len(before)))
    groups = []
    while free:
        group = [free.pop(0)]
        rematches = {other: before[group[0]][other] for other in free}
        while len(group) < seats:
            joins = min(free, key=lambda other: (rematches[other], other))
            free.remove(joins)
            group.append(joins)
            for other in free:
                rematches[other] += before[joins][other]
        groups.append(group)
    return groups


def _exchange_members(before: Sequence[Sequence[int]], groups: list[list[int]]) -> list[list[int]]:
    """Point 2."""
    group_of = {member: group for group in groups for member in group}
    while sum(_exchange(entrant, before, group_of) for entrant in range(len(before))):
        pass
    return groups


def _exchange(entrant: int, before: Sequence[Sequence[int]], group_of: dict[int, list[int]]) -> bool:
    """Exchanges an entrant that has a rematch with the nearest one for which that lowers the number of rematches."""
    own = group_of[entrant]
    rematches = sum(before[entrant][mate] for mate in own)
    if not rematches:
        return False
    for other in sorted(range(len(before)), key=lambda other: (abs(other - entrant), other)):
        theirs = group_of[other]
        if theirs is own:
            continue
        now = rematches + sum(before[other][mate] for mate in theirs)
        then = sum(before[entrant][mate] for mate in theirs) + sum(before[other][mate] for mate in own)
        if then - 2 * before[entrant][other] < now:
            own[own.index(entrant)], theirs[theirs.index(other)] = other, entrant
            group_of[entrant], group_of[other] = theirs, own
            return True
    return False
