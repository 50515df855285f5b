"""Gauntlet: some entrants, the champions, meet all others. Pure.

1. Each champion meets every group of `seats` - 1 entrants that are no champions. Champions do not meet each other. The champions
   are named, or they are all entrants but the named ones, which they play `against`.
2. With `each`, every other entrant plays at least that many series with each champion instead: ceil(each / (maps * repeat))
   meetings. The other seats go round about equally (`design`). Champions that start together meet the same groups.
3. If entrants join later, another tour has the meetings that they lack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from math import comb

from typing_extensions import override

from referee.text.words import counted, did_you_mean, shorten
from referee.tournament.formats import Format
from referee.tournament.formats.design import design
from referee.tournament.formats.meetings import (
    by_lot,
    counted_groups,
    generator,
    key_of,
    meetings_needed,
    planned_meetings,
    present,
    too_long,
    tour_of,
)
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Tour


@dataclass(frozen=True, slots=True)
class Gauntlet(Format):
    """A gauntlet.

    Attributes:
        champions: their names.
        each: the series that every other entrant plays with each champion, at least, 1 or more; None for every group once.
        against: the names of those who are no champions, instead of the champions'.
    """

    keys = frozenset({"champions", "against", "each", "order"})
    fixed = True

    champions: tuple[str, ...] = ()
    each: int | None = None
    against: tuple[str, ...] = ()

    @override
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        """The first tour has all meetings. A later tour has those that new entrants lack.

        Raises:
            UsageError: an unknown champion, none at all, too few other entrants, or too many groups.
        """
        rules, history, rivals = self.rules, past.tours, self.rules.seats - 1
        champions, others = self._sides(field)
        if history and (not champions or len(others) < rivals):
            return None
        self.check(field)
        if self.each is None:
            before = planned_meetings(rules, history)
            groups = by_lot(rules, combinations(others, rivals))
            every = ((champion, *group) for group in groups for champion in champions)
            return tour_of(rules, [group for group in every if key_of(group) not in before], history, present(field))
        meetings = meetings_needed(rules, self.each)
        owners = {number: str(number) for number in others}
        earlier_groups = counted_groups(rules, field, history, past.results)
        designs = []
        for champion in champions:
            own = [group for group in earlier_groups if champion in group]
            drawn = design(owners, rivals, meetings, generator(rules, history), own)
            designs.append([(champion, *group) for group in drawn])
        new = [group for turn in zip_longest(*designs) for group in turn if group is not None]
        return tour_of(rules, new, history, present(field))

    @override
    def mistakes(self, field: Sequence[Competitor]) -> Iterator[str]:
        rules, seats, rivals = self.rules, self.rules.seats, self.rules.seats - 1
        names = sorted({entrant.name for entrant in field})
        key = f"format.{'against' if self.against else 'champions'}"
        unknown = [name for name in self.against or self.champions if name not in names]
        for name in unknown:
            yield f"{key}: '{shorten(name)}' is no entrant{did_you_mean(name, names)}: name bots that take part"
        if unknown:
            return
        champions, others = map(len, self._sides(field))
        if not champions or others < rivals:
            needs = f"a gauntlet with {seats} seats needs a champion and {counted(rivals, 'other bot')}"
            there = f"{counted(champions, 'champion')} and {counted(others, 'other bot')} take part"
            yield f"{key}: {needs}, and {there}: change it, add bots, or lower match.seats"
        elif self.each is None:
            yield from too_long(rules, "gauntlet", champions * comb(others, rivals))
        else:
            meetings = meetings_needed(rules, self.each)
            yield from too_long(rules, "gauntlet", champions * -(-others * meetings // rivals))

    @override
    def outline(self, field: Sequence[Competitor]) -> str:
        named, seats = " and ".join(self.against or self.champions), self.rules.seats - 1
        if self.against and self.each is None:
            return f"each other bot against every group of {seats} of {named}"
        if self.each is None:
            return f"{named} against every group of {seats} of the others"
        return f"at least {self.each} series of each other bot with {named}"

    def _is_champion(self, entrant: Competitor) -> bool:
        return entrant.name not in self.against if self.against else entrant.name in self.champions

    def _sides(self, field: Sequence[Competitor]) -> tuple[list[int], list[int]]:
        """The present champions, and the present others."""
        champions = present(entrant for entrant in field if self._is_champion(entrant))
        return champions, present(entrant for entrant in field if not self._is_champion(entrant))
