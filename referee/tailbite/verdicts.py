"""Explains, group by group, whether a variant fits. This is slow; programs that play are compiled (`matching.py`).

A chart requires several conditions, and all of them have to hold. A condition is a list of groups, and holds if any of them does.
A group holds if all of its patterns match, or in other conditions if any of them does. `Meaning` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from referee.contract.programs import Policy
from referee.tailbite.matching import BIT_OF, Placed
from referee.tailbite.patterns import Chart, Program, Variant, in_words
from referee.tailbite.sight import OWN_HEAD, SIDE, Options, Sight

MOST_MISSES: Final = 4
"""How many patterns of one group are named if they do not match."""

Condition: TypeAlias = Sequence[tuple[str, bool]]
"""Signs of groups, each with whether all of its patterns have to match, and not just any of them."""


class GroupVerdict(NamedTuple):
    """Whether a group of a variant holds.

    Attributes:
        whole: whether all of its patterns have to match.
        patterns: all patterns of the group. missed: those that do not match.
    """

    sign: str
    whole: bool
    patterns: Sequence[Placed]
    missed: Sequence[Placed]

    @property
    def holds(self) -> bool:
        """Whether it does."""
        return not self.missed if self.whole else len(self.missed) < len(self.patterns)

    @property
    def worth(self) -> int:
        """The sum of the weights of the patterns that match."""
        return sum(pattern.weight for pattern, _ in self.patterns) - sum(pattern.weight for pattern, _ in self.missed)

    def reason(self, name: str, window: bytes, most: int = MOST_MISSES) -> str:
        """A sentence that says whether it holds, with the first `most` patterns that do not match."""
        many = len(self.patterns)
        if not self.holds:
            none = "" if self.whole else ", none matches"
            return f"{name} fails{none}: {_misses(self.missed, window, most)}"
        if self.whole:
            return f"{name} holds: {'its one element matches' if many == 1 else f'all {many} match'}"
        return f"{name} holds: {many - len(self.missed)} of {many} match"


class Verdict(NamedTuple):
    """Whether a variant fits.

    Attributes:
        rating: None in games without ratings.
        groups: the verdicts on its groups, by sign. failed: the conditions that do not hold.
    """

    variant: Variant
    rating: int | None
    groups: Mapping[str, GroupVerdict]
    failed: Sequence[Condition]

    @property
    def fits(self) -> bool:
        """Whether it does: all conditions hold."""
        return not self.failed


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the charts of a game's language mean.

    Attributes:
        policy: a function that makes a player of a program.
        conditions: what a chart requires, from the signs of the groups that it uses, which are sorted.
        rate: the rating of a variant that fits, from its groups; None in games without ratings.
        skips_empty: whether a chart without conditions is skipped.
        tally: a function that explains the choice of the deciding chart, from the verdicts on the two variants of each move.
    """

    policy: Callable[[Program], Policy[Sight, str]]
    conditions: Callable[[Chart, Sequence[str], Options], Sequence[Condition]]
    rate: Callable[[Sequence[GroupVerdict], Options], int] | None
    skips_empty: bool
    tally: Callable[[Mapping[str, Sequence[Verdict]], Options], Sequence[str]]

    def skips(self, chart: Chart) -> bool:
        """Whether this chart is skipped."""
        return self.skips_empty and not chart.patterns

    def judge(self, chart: Chart, variant: Variant, window: bytes, options: Options) -> Verdict:
        """Whether a variant fits."""
        by_sign = groups(list(zip(chart.patterns, variant.cells, strict=True)))
        conditions = self.conditions(chart, list(by_sign), options)
        whole = dict(pair for condition in conditions for pair in condition)
        verdicts = {
            sign: GroupVerdict(sign, whole[sign], group, [placed for placed in group if not matches(placed, window)])
            for sign, group in by_sign.items()
        }
        failed = [condition for condition in conditions if not any(verdicts[sign].holds for sign, _ in condition)]
        rating = None
        if self.rate is not None:
            rating = 0 if failed else self.rate(list(verdicts.values()), options)
        return Verdict(variant, rating, verdicts, failed)


def matches(placed: Placed, window: bytes) -> bool:
    """Whether the element in the cell matches the pattern."""
    pattern, cell = placed
    return bool(BIT_OF[window[cell]] & pattern.suits)


def groups(placed: Sequence[Placed]) -> Mapping[str, Sequence[Placed]]:
    """The patterns of each group, by its sign. Groups are sorted by sign, and the patterns of a group by cell."""
    by_sign: dict[str, list[Placed]] = {}
    for pattern, cell in sorted(placed, key=lambda pair: pair[1]):
        by_sign.setdefault(pattern.group, []).append((pattern, cell))
    return dict(sorted(by_sign.items()))


def where(cell: int) -> str:
    """Where a cell of the window is, as seen from the own head: `2 up, 1 left`."""
    return offset(cell % SIDE - SIDE // 2, cell // SIDE - SIDE // 2)


def offset(dx: int, dy: int) -> str:
    """Where a cell is that lies so many cells to the right and down: `2 up, 1 left`."""
    parts = [f"{abs(dy)} {'up' if dy < 0 else 'down'}"] if dy else []
    parts += [f"{abs(dx)} {'left' if dx < 0 else 'right'}"] if dx else []
    return ", ".join(parts)


def _misses(missed: Sequence[Placed], window: bytes, most: int) -> str:
    misses = []
    for pattern, cell in missed[:most]:
        there = "own head" if window[cell] == OWN_HEAD else in_words(BIT_OF[window[cell]])
        misses.append(f"{pattern.text} {where(cell)} needs {in_words(pattern.suits)}, found {there}")
    more = [f"and {len(missed) - most} more"] if len(missed) > most else []
    return "; ".join([*misses, *more])
