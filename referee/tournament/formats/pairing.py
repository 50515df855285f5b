"""Groups of neighbours that have not met yet. Pure.

1. Two seats: the first in the order gets the nearest rival that leaves the fewest rematches to all others; then the next does.
   This is exact: no other way to pair has fewer rematches. It takes a maximum matching, as many disjoint pairs of a graph as
   possible, by Edmonds' blossom algorithm: a search from a vertex without a partner finds an augmenting path, on which edges
   outside and inside the matching alternate. An odd cycle on the way (a blossom) is contracted to its base. If the search fails,
   no maximum matching has one pair more that starts at this vertex.
2. More seats: the first forms a group with those whom its members have met least, the nearest first; then the next does. After
   that, entrants of different groups are exchanged, the nearest first, as long as that lowers the number of rematches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

NOBODY: Final = -1


class Matching:
    """A maximum matching that stays one while vertices are taken out.

    Attributes:
        mates: the partner of each vertex; NOBODY without one.
        out: whether a vertex has been taken out.
    """

    def __init__(self, edges: Sequence[Sequence[int]]) -> None:
        """Finds a maximum matching from the neighbours of each vertex, of which earlier ones are tried first."""
        self.edges: Final = edges
        self.mates = [NOBODY] * len(edges)
        self.out = [False] * len(edges)
        for vertex in range(len(edges)):
            if self.mates[vertex] == NOBODY:
                self._augment(vertex)

    def take(self, first: int, second: int, lost: int) -> bool:
        """Takes two vertices out if a maximum matching of the others has at most `lost` pairs less than this one.

        Returns:
            Whether it took them out; nothing has changed otherwise.
        """
        mates = self.mates.copy()
        self.out[first] = self.out[second] = True
        single = [mates[vertex] for vertex in (first, second) if mates[vertex] not in (NOBODY, first, second)]
        removed = 1 if mates[first] == second else len(single)
        for vertex in (first, second, *single):
            self.mates[vertex] = NOBODY
        # Vertices that had no partner before cannot be joined with each other, or the matching was no maximum.
        for vertex in single:
            if removed > lost and self.mates[vertex] == NOBODY:
                removed -= self._augment(vertex)
        if removed <= lost:
            return True
        self.mates = mates
        self.out[first] = self.out[second] = False
        return False

    def _augment(self, root: int) -> bool:
        """Adds a pair by an augmenting path from a vertex without a partner; False if there is none."""
        search = _Search(self, root)
        end = search.run()
        while end != NOBODY:
            before = search.parents[end]
            after = self.mates[before]
            self.mates[end], self.mates[before] = before, end
            end = after
        return self.mates[root] != NOBODY


class _Search:
    """A breadth-first search for an augmenting path. Vertices of the queue have an even distance from the root."""

    def __init__(self, matching: Matching, root: int) -> None:
        size = len(matching.mates)
        self.matching: Final = matching
        self.mates: Final = matching.mates
        self.root: Final = root
        self.parents = [NOBODY] * size
        self.bases = list(range(size))
        self.queued = [vertex == root for vertex in range(size)]
        self.queue = [root]

    def run(self) -> int:
        """The other end of an augmenting path, to be followed back by `parents` and mates; NOBODY if there is none."""
        mates, parents, out = self.mates, self.parents, self.matching.out
        for vertex in self.queue:
            for other in self.matching.edges[vertex]:
                if out[other] or self.bases[vertex] == self.bases[other] or mates[vertex] == other:
                    continue
                if other == self.root or (mates[other] != NOBODY and parents[mates[other]] != NOBODY):
                    self._contract(vertex, other)
                elif parents[other] == NOBODY:
                    parents[other] = vertex
                    if mates[other] == NOBODY:
                        return other
                    self._enqueue(mates[other])
        return NOBODY

    def _enqueue(self, vertex: int) -> None:
        if not self.queued[vertex]:
            self.queued[vertex] = True
            self.queue.append(vertex)

    def _contract(self, first: int, second: int) -> None:
        """Makes one vertex of the odd cycle that an edge between two even vertices closes."""
        base = self._common_base(first, second)
        cycle = self._path(first, base, second) | self._path(second, base, first)
        for vertex, old in enumerate(self.bases):
            if old in cycle:
                self.bases[vertex] = base
                self._enqueue(vertex)

    def _common_base(self, first: int, second: int) -> int:
        """The nearest base that the ways of both to the root share."""
        above = set()
        vertex = self.bases[first]
        while vertex != self.root:
            above.add(vertex)
            vertex = self.bases[self.parents[self.mates[vertex]]]
        above.add(self.bases[self.root])
        vertex = self.bases[second]
        while vertex not in above:
            vertex = self.bases[self.parents[self.mates[vertex]]]
        return vertex

    def _path(self, vertex: int, base: int, child: int) -> set[int]:
        """The bases from a vertex up to a base, whose parents now lead around the cycle."""
        bases = set()
        while self.bases[vertex] != base:
            mate = self.mates[vertex]
            bases |= {self.bases[vertex], self.bases[mate]}
            self.parents[vertex] = child
            child, vertex = mate, self.parents[mate]
        return bases


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
    groups = _pairs(before) if seats == 2 else _exchange_members(before, _nearest(before, seats))
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


def _exchange_members(before: Sequence[Sequence[int]], groups: list[list[int]]) -> list[list[int]]:
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
