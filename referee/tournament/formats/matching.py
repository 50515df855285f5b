"""Maximum matchings: as many disjoint pairs of a graph as possible. Pure.

This is Edmonds' blossom algorithm: a search from a vertex without a partner finds an augmenting path, on which edges outside and
inside the matching alternate. An odd cycle on the way (a blossom) is contracted to its base. If the search fails, no maximum
matching has one pair more that starts at this vertex.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NOBODY: Final = -1


class Matching:
    """A maximum matching that stays one while vertices are taken out.

    Attributes:
        mates: the partner of each vertex; NOBODY without one.
        out: whether a vertex has been taken out.
    """

    def __init__(self, edges: Sequence[Sequence[int]]) -> None:
        """Finds a maximum matching.

        Args:
            edges: the neighbours of each vertex. Earlier ones are tried first.
        """
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
