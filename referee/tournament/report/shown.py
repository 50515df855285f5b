"""The matches that pages show, found in one pass over all matches of a tournament. Pure.

The newest matches are held. The list of all results shows them, and the page of an entrant those of them that it played. So
memory depends on what pages show, not on what was played.
"""

from __future__ import annotations

from bisect import insort
from collections import OrderedDict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

Row: TypeAlias = Mapping[str, Any]
Key: TypeAlias = tuple[int, int]
"""The number of a series, and a seating."""
Games: TypeAlias = Literal["all", "best", "faults", "none"]
"""Which matches get a page: all; the best and worst of each entrant and the first of each fault; those with a fault; none."""
SHOWN: Final = ("seats", "reason", "saved", "sha256")
"""What pages show of a match besides its id and its map, as `referee tournament matches --json` prints it."""
LISTED: Final = 10_000
"""The newest matches, which are held."""
OWN: Final = 1000
"""Matches of one entrant on its page, at most."""
BEST: Final = 3
"""The best and the worst matches of an entrant that are shown."""


class Seated(NamedTuple):
    """A match by its key and as pages show it, and a seat in it."""

    key: Key
    match: Row
    seat: Row

    @property
    def rank(self) -> tuple[float, float]:
        """The best has the lowest."""
        return -self.seat["score"], -self.seat["points"]


@dataclass(slots=True)
class OwnMatches:
    """The matches of one entrant, once for each of its seats.

    Attributes:
        played: how many. newest: the keys of the last ones, in the order of the schedule; not all of these matches are held.
        extremes: the best and the worst that are not void, best first; all if there are only a few.
        worst: the worst of those that were kept; None without one.
    """

    played: int = 0
    newest: deque[Key] = field(default_factory=lambda: deque(maxlen=OWN))
    extremes: list[Seated] = field(default_factory=list)
    worst: Seated | None = None

    def add(self, seated: Seated) -> None:
        """Add the next match."""
        self.played += 1
        if not self.newest or self.newest[-1] != seated.key:
            self.newest.append(seated.key)
        if seated.seat["score"] is None:
            return
        insort(self.extremes, seated, key=lambda other: other.rank)
        if len(self.extremes) > 2 * BEST:
            del self.extremes[BEST]
        if seated.match["saved"] is not None and (self.worst is None or seated.rank > self.worst.rank):
            self.worst = seated


class ShownMatches:
    """All matches of a tournament, of which those that pages show are held.

    Attributes:
        played: how many were added. kept: how many of them have a saved game.
        own: the matches of each entrant, by number.
    """

    def __init__(
        self,
        numbers: Iterable[int],
        *,
        games: Games,
        faults: Sequence[Row],
        firsts: Collection[str],
    ) -> None:
        """Begin without a match.

        Args:
            numbers: of all entrants. games: which matches get a page.
            faults: as `referee tournament status --json` prints them. firsts: the ids of the first match of each fault.
        """
        self.played = self.kept = 0
        self.own = {number: OwnMatches() for number in numbers}
        self._games, self._firsts = games, firsts
        faulty = {fault["match"] for fault in faults}
        self._chosen: Collection[str] = {"best": firsts, "faults": faulty}.get(games, ())
        self._newest = OrderedDict[Key, Row]()
        self._paged = dict[Key, Row]()
        self._named = set[int]()

    def add(self, key: Key, match: Row) -> None:
        """Add the next match in the order of the schedule."""
        self.played += 1
        self._newest[key] = match
        if len(self._newest) > LISTED:
            self._newest.popitem(last=False)
        for seat in match["seats"]:
            self.own[seat["number"]].add(Seated(key, match, seat))
        if match["id"] in self._firsts:
            self._named.add(key[0])
        if match["saved"] is not None:
            self.kept += 1
            if self._games == "all" or match["id"] in self._chosen:
                self._paged[key] = match

    def listed(self) -> list[Row]:
        """The newest matches, in the order of the schedule."""
        return list(self._newest.values())

    def newest_of(self, number: int) -> list[tuple[Row, Row]]:
        """The newest matches of an entrant that are held, in the order of the schedule; a match once for each of its seats."""
        matches = (self._newest[key] for key in self.own[number].newest if key in self._newest)
        return [(match, seat) for match in matches for seat in match["seats"] if seat["number"] == number][-OWN:]

    def with_page(self) -> list[Row]:
        """The matches that are to have a page, in the order of the schedule. A game that was not kept has none."""
        paged = dict(self._paged)
        if self._games == "best":
            extremes = (seated for own in self.own.values() for seated in own.extremes)
            paged |= {seated.key: seated.match for seated in extremes if seated.match["saved"] is not None}
        return [paged[key] for key in sorted(paged)]

    def series(self) -> set[int]:
        """The numbers of the series with matches that pages name."""
        numbers = {number for number, _ in (*self._newest, *self._paged)} | self._named
        for own in self.own.values():
            numbers.update(seated.key[0] for seated in own.extremes)
            if own.worst is not None:
                numbers.add(own.worst.key[0])
        return numbers
