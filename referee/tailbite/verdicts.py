"""What the programs of a game mean: how a program plays, and why a variant fits or not, group by group.

To play, charts are compiled (`Masks`), and the first chart that has a candidate decides (`Decider`). Each game defines how a
chart chooses (`Meaning`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from referee.contract.game import Request
from referee.tailbite.matching import BIT_OF, Condition, Masks, Placed, compile_conditions, groups, scene
from referee.tailbite.parsing import Dialect
from referee.tailbite.patterns import Chart, Program, Variant, in_words, variants
from referee.tailbite.sight import LETTERS, OWN_HEAD, SIDE, Options, Sight, possible

MOST_MISSES: Final = 4
"""How many patterns of one group are named if they do not match."""
ByMove: TypeAlias = Mapping[str, Sequence[Masks]]
"""The compiled variants of a chart by the move that they point to; two for each move."""


class GroupVerdict(NamedTuple):
    """Whether a group of a variant holds. `whole` says whether all patterns have to match; `missed` has those that do not."""

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
        if not self.holds:
            none = "" if self.whole else ", none matches"
            return f"{name} fails{none}: {_misses(self.missed, window, most)}"
        many = len(self.patterns)
        return f"{name} holds: {many - len(self.missed)} of {many} match"


class Verdict(NamedTuple):
    """Whether a variant fits: the verdicts on its groups, by sign, and the conditions that do not hold (`failed`).

    `rating` is None in games without ratings.
    """

    variant: Variant
    rating: int | None
    groups: Mapping[str, GroupVerdict]
    failed: Sequence[Condition]

    @property
    def fits(self) -> bool:
        """Whether it does: all conditions hold."""
        return not self.failed


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """What the programs of a game say.

    Attributes:
        dialect: how its text differs from that of the other game.
        conditions: what a chart requires, from the signs of the groups that it uses, which are sorted.
        choose: a chart's candidates among the possible moves, for a scene; an empty text for none.
        tally: a function that explains the choice of the deciding chart, from the verdicts on the two variants of each move.
        rates: whether variants that fit are rated.
        skips_empty: whether a chart without conditions is skipped.
    """

    dialect: Dialect
    conditions: Callable[[Chart, Sequence[str], Options], Sequence[Condition]]
    choose: Callable[[ByMove, str, int, Options], str]
    tally: Callable[[Mapping[str, Sequence[Verdict]], Options], Sequence[str]]
    rates: bool = False
    skips_empty: bool = False

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
        if self.rates:
            counting = [verdict for verdict in verdicts.values() if verdict.holds or _counts_failed(options)]
            rating = 0 if failed else sum(verdict.worth for verdict in counting)
        return Verdict(variant, rating, verdicts, failed)

    @lru_cache(maxsize=256)  # noqa: B019 - pages explain the same program for each step, and there are two languages
    def compile(self, chart: Chart, options: Options) -> ByMove:
        """The masks of a chart's variants."""
        by_move: dict[str, list[Masks]] = {}
        for variant in variants(chart):
            placed = list(zip(chart.patterns, variant.cells, strict=True))
            conditions = self.conditions(chart, list(groups(placed)), options)
            masks = compile_conditions(placed, conditions, rates=self.rates, counts_failed=_counts_failed(options))
            by_move.setdefault(variant.move, []).append(masks)
        return by_move


def _counts_failed(options: Options) -> bool:
    return options.failed_and_groups == "count"


def matches(placed: Placed, window: bytes) -> bool:
    """Whether the element in the cell matches the pattern."""
    pattern, cell = placed
    return bool(BIT_OF[window[cell]] & pattern.suits)


def steps_to(cell: int) -> tuple[int, int]:
    """Where a cell of the window is, as seen from the own head: steps to the right and down."""
    return cell % SIDE - SIDE // 2, cell // SIDE - SIDE // 2


def offset(dx: int, dy: int) -> str:
    """Where a cell is that lies so many cells to the right and down: `2 up, 1 left`."""
    parts = [f"{abs(dy)} {'up' if dy < 0 else 'down'}"] if dy else []
    parts += [f"{abs(dx)} {'left' if dx < 0 else 'right'}"] if dx else []
    return ", ".join(parts)


def _misses(missed: Sequence[Placed], window: bytes, most: int) -> str:
    misses = []
    for pattern, cell in missed[:most]:
        there = "own head" if window[cell] == OWN_HEAD else in_words(BIT_OF[window[cell]])
        misses.append(f"{pattern.text} {offset(*steps_to(cell))} needs {in_words(pattern.suits)}, found {there}")
    more = [f"and {len(missed) - most} more"] if len(missed) > most else []
    return "; ".join([*misses, *more])


class Decider:
    """A compiled program. `decide` is a pure function of the window and the options."""

    __slots__ = ("_charts", "_choose", "_meaning", "_options", "_program", "name")

    def __init__(self, program: Program, meaning: Meaning) -> None:
        self.name = program.name
        self._program, self._meaning, self._choose = program, meaning, meaning.choose
        self._compile(Options())

    def decide(self, request: Request[Sight]) -> str:
        """The candidates of the first chart that has any, in the order U L D R; all possible moves if no chart has one."""
        _, _, sight = request
        window, options = sight.window, sight.options
        if options is not self._options:  # once in a match
            self._compile(options)
        moves = possible(window)
        bits = scene(window)
        for chart in self._charts:
            if letters := self._choose(chart, moves, bits, options):
                return letters
        return moves or LETTERS

    def _compile(self, options: Options) -> None:
        charts = [chart for chart in self._program.charts if not self._meaning.skips(chart)]
        self._charts = [self._meaning.compile(chart, options) for chart in charts]
        self._options = options
