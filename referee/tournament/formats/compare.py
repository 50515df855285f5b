"""Is NEW better than OLD? Series until the test has a verdict (`figures.comparison`).

The series are planned a few at a time, so that little is played beyond the verdict. What is, stays in the ledger and is not
counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from typing_extensions import override

from referee.errors import UsageError
from referee.tournament.figures.comparison import FIRST_RIVAL, Finding, Test, judge, scheduled_series, values
from referee.tournament.formats import Format
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Results, Rules, Tour

BATCH: Final = 8
"""Series in a tour."""


@dataclass(frozen=True, slots=True)
class Compare(Format):
    """A comparison of the entrants 0 (NEW) and 1 (OLD), head to head or against `rivals` others."""

    keys = frozenset({"elo0", "elo1", "alpha", "beta", "most"})
    fixed = True

    test: Test
    rivals: int = 0

    @classmethod
    @override
    def of(cls, rules: Rules, keys: Mapping[str, Any], field: Sequence[Competitor]) -> Self:
        rivals = len(field) - FIRST_RIVAL
        return cls(rules, Test("against" if rivals else "head", **keys), rivals)

    def finding(self, results: Results) -> Finding:
        """How far the test has come. It gives up when `most` series have ended, although void ones do not count."""
        finding = judge(self.test, values(self.test.mode, results.values()))
        over = finding.verdict is None and len(results) >= self.test.most
        return replace(finding, verdict="undecided") if over else finding

    @override
    def outline(self, field: Sequence[Competitor]) -> str:
        return f"series until the test is sure, {self.test.most} at the most"

    @override
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        """Some more series, until the test has a verdict or has given up.

        Raises:
            UsageError: a bot has changed since the first match.
        """
        history, results = past.tours, past.results
        if len(field) != FIRST_RIVAL + self.rivals or not all(entrant.present for entrant in field):
            raise UsageError("a bot of this comparison has changed since its first match: compare in another folder")
        planned = sum(len(tour.series) for tour in history)
        if planned >= self.test.most or self.finding(results).verdict is not None:
            return None
        indices = range(planned, min(planned + BATCH, self.test.most))
        return Tour(f"t{len(history)}", tuple(scheduled_series(self.rules, self.rivals, index) for index in indices))
