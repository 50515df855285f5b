"""Who led when. A seat leads if no other seat has its rank or a better one; ranks are those of the game's own ranking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.contract.ranking import Ranked


class Lead(NamedTuple):
    """From this step on, these seats have the best rank. More than one seat: nobody leads."""

    step: int
    seats: tuple[int, ...]


class Leads:
    """Collects the leads of a match.

    Attributes:
        spans: the spans in order; each ends where the next begins.
    """

    def __init__(self) -> None:
        self.spans: list[Lead] = []

    def note(self, step: int, ranking: Sequence[Ranked]) -> bool:
        """Note the ranking after a step, best first. Steps come in order; step 0 is the setup.

        Returns:
            Whether the best rank has other seats than before.
        """
        seats = tuple(sorted(ranked.seat for ranked in ranking if ranked.rank == ranking[0].rank))
        if self.spans and self.spans[-1].seats == seats:
            return False
        self.spans.append(Lead(step, seats))
        return True

    def changes(self) -> list[Lead]:
        """The steps in which a seat took the lead that was not the last one to lead. The first lead counts."""
        leads: list[Lead] = []
        for span in self.spans:
            if len(span.seats) == 1 and (not leads or leads[-1].seats != span.seats):
                leads.append(span)
        return leads

    def turning_point(self) -> Lead | None:
        """The step from which the winner always led; None if nobody leads at the end."""
        return self.spans[-1] if self.spans and len(self.spans[-1].seats) == 1 else None

    def share(self, seat: int, last: int) -> float:
        """The part of the steps after which a seat led, from 0 to 1; `last` is the last step."""
        ends = [*self.spans, Lead(last + 1, ())]
        steps = sum(after.step - max(1, span.step) for span, after in pairwise(ends) if span.seats == (seat,))
        return steps / last if last else 0.0
