"""Round-robin: everyone meets everyone. Pure.

1. Every group of `seats` entrants meets once, but no two bots of one owner (`Competitor.owner`) meet.
2. With `each`, an entrant plays at least that many series instead: ceil(each / (maps * repeat)) meetings, with all rivals about
   equally often (`design`). There are ceil(entrants * meetings / seats) meetings in all.
3. If entrants join later, another tour has all groups with them or, with `each`, the meetings that they lack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from typing_extensions import override

from referee.tournament.formats import Format
from referee.tournament.formats.design import design, groups, mixed_groups
from referee.tournament.formats.meetings import (
    by_lot,
    counted_groups,
    generator,
    key_of,
    meetings_needed,
    planned_meetings,
    present,
    too_few_owners,
    too_long,
    tour_of,
)
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Tour


@dataclass(frozen=True, slots=True)
class RoundRobin(Format):
    """At least `each` series of each entrant, or every group once."""

    keys = frozenset({"each", "order"})
    fixed = True

    each: int | None = None

    @override
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        """The first tour has all meetings. A later tour has those that new entrants lack.

        Raises:
            UsageError: there are fewer owners than seats, or too many groups.
        """
        rules, history, seats = self.rules, past.tours, self.rules.seats
        owners = {number: field[number].owner for number in present(field)}
        if history and len(set(owners.values())) < seats:
            return None
        self.check(field)
        if self.each is None:
            before = planned_meetings(rules, history)
            new = by_lot(rules, (group for group in mixed_groups(owners, seats) if key_of(group) not in before))
        else:
            meetings = meetings_needed(rules, self.each)
            earlier_groups = counted_groups(rules, field, history, past.results)
            new = design(owners, seats, meetings, generator(rules, history), earlier_groups)
        return tour_of(rules, new, history, owners)

    @override
    def mistakes(self, field: Sequence[Competitor]) -> Iterator[str]:
        rules, owners = self.rules, [entrant.owner for entrant in field if entrant.present]
        yield from too_few_owners(rules, "round-robin", owners)
        if self.each is None:
            yield from too_long(rules, "round-robin", groups(owners, rules.seats))
        else:
            meetings = meetings_needed(rules, self.each)
            yield from too_long(rules, "round-robin", -(-len(owners) * meetings // rules.seats))

    @override
    def outline(self, field: Sequence[Competitor]) -> str:
        owners = [entrant.owner for entrant in field if entrant.present]
        count = len(owners)
        if self.each is None and count == self.rules.seats:
            return f"all {count} bots in each match"
        if self.each is None:
            exception = ", but no two bots of one owner" if len(set(owners)) < count else ""
            return f"every group of {self.rules.seats} of {count} bots meets{exception}"
        return f"at least {self.each} series of each of {count} bots"
