"""Groups of neighbours that have not met yet. Pure.

1. Two seats: the first in the order gets the nearest rival that leaves the fewest rematches to all others; then the next does.
   This is exact (`matching`): no other way to pair has fewer rematches.
2. More seats: the first forms a group with those whom its members have met least, the nearest first; then the next does. After
   that, entrants of different groups are exchanged, the nearest first, as long as that lowers the number of rematches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from referee.tournament.formats.matching import Matching

MOST_PASSES: Final = 8
"""Bounds the time; nearly all fields need one or two."""

MeetingCounts: TypeAlias = Mapping[tuple[int, int], int]
"""How often two entrants have met, by their numbers, the lower one first; pairs that have not may be missing."""


def neighbours(order: Sequence[int], seats: int, counts: MeetingCounts) -> list[list[int]]:
    """Divides entrants into groups, those of the best entrants first, each in the given order.

    Args:
        order: the entrants, best first; a multiple of `seats`.
    """
    before = [[counts.get((min(entrant, other), max(entrant, other)), 0) for other in order] for entrant in order]
    groups = _pairs(before) if seats == 2 else _exchanged(before, _nearest(before, seats))
    return [[order[index] for index in group] for group in sorted(sorted(group) for group in groups)]


def _pairs(before: Sequence[Sequence[int]]) -> list[list[int]]:
    """Point 1. If all have met, a rematch is a pair that has met more often than necessary."""
    members = range(len(before))
    fresh = min((before[index][other] for index in members for other in range(index)), default=0)
    graph = [[other for other in members if other != index and before[index][other] <= fresh] for index in members]
    matching = Matching(graph)
    return [[index, _partner(index, before[index], fresh, matching)] for index in members if not matching.out[index]]


def _partner(index: int, before: Sequence[int], fresh: int, matching: Matching) -> int:
    """The partner of an entrant, which goes out of the matching with it."""
    free = [other for other in range(index + 1, len(before)) if not matching.out[other]]
    for other in sorted(free, key=lambda other: before[other]):
        lost = 1 if before[other] <= fresh else 0
        if matching.take(index, other, lost):
            return other
    raise AssertionError("a maximum matching always leaves a partner")


def _nearest(before: Sequence[Sequence[int]], seats: int) -> list[list[int]]:
    """The first half of point 2."""
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


def _exchanged(before: Sequence[Sequence[int]], groups: list[list[int]]) -> list[list[int]]:
    """The second half of point 2."""
    group_of = {member: group for group in groups for member in group}
    for _ in range(MOST_PASSES):
        exchanged = sum(_exchange(entrant, before, group_of) for entrant in range(len(before)))
        if not exchanged:
            break
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
