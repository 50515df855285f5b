"""What each chart of a program says to a window, pattern by pattern: whether it fits, why, and how it lies on the board.

The moves that a chart chooses are those of the compiled program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, Literal, NamedTuple

from referee.contract.programs import ChartCell, ChartRuling, Request, Ruling
from referee.tailbite.patterns import Chart, Program, variants
from referee.tailbite.sight import Sight, possible
from referee.tailbite.verdicts import Decider, Meaning, Verdict, steps_to

VERDICTS: Final[Mapping[tuple[bool, bool], Literal["fires", "fits", "no", "unreached"]]] = {
    (True, False): "fires", (True, True): "fits", (False, False): "no", (False, True): "unreached",
}  # fmt: skip
"""The word for whether a chart fits, and whether an earlier one decides."""


class ChartVerdict(NamedTuple):
    """What a chart says to a window. `number` is that of the chart, from 1.

    An empty chart has no conditions and is skipped. `by_move` has the verdicts on the two variants for each possible move.
    """

    number: int
    chart: Chart
    empty: bool
    by_move: Mapping[str, Sequence[Verdict]]

    @property
    def fits(self) -> bool:
        """Whether any variant does."""
        return any(verdict.fits for pair in self.by_move.values() for verdict in pair)


def chart_verdicts(program: Program, meaning: Meaning, sight: Sight) -> Iterator[ChartVerdict]:
    """What each chart says, in order. Only the variants that point to a possible move are checked."""
    window, options = sight.window, sight.options
    moves = possible(window)
    for number, chart in enumerate(program.charts, start=1):
        by_move: dict[str, list[Verdict]] = {}
        empty = meaning.skips(chart)
        for variant in () if empty else variants(chart):
            if variant.move in moves:
                by_move.setdefault(variant.move, []).append(meaning.judge(chart, variant, window, options))
        yield ChartVerdict(number, chart, empty, by_move)


def decide(program: Program, meaning: Meaning, request: Request[Sight]) -> Ruling:
    """What the program decides, and what each of its charts says."""
    sight = request.observation
    action = Decider(program, meaning).decide(request)
    rulings: list[ChartRuling] = []
    fired = False
    for chart_verdict in chart_verdicts(program, meaning, sight):
        moves = ""
        if chart_verdict.fits:
            alone = replace(program, charts=(chart_verdict.chart,))
            moves = Decider(alone, meaning).decide(request) if fired else action
        nearest = _nearest(chart_verdict, moves)
        why = _why(chart_verdict, nearest, meaning, sight)
        goes = nearest.variant.move if nearest else ""
        cells = _cells(chart_verdict.chart, nearest) if nearest else []
        verdict = VERDICTS[chart_verdict.fits, fired]
        rulings.append(ChartRuling(chart_verdict.number, verdict, why, moves, goes, cells))
        fired = fired or chart_verdict.fits
    return Ruling(action, rulings)


def _nearest(chart_verdict: ChartVerdict, moves: str) -> Verdict | None:
    """The best variant that goes where the chart goes; if it does not fit, the variant that fails least."""

    def lacking(verdict: Verdict) -> tuple[int, int, int]:
        missed = sum(min(len(verdict.groups[sign].missed) for sign, _ in condition) for condition in verdict.failed)
        return len(verdict.failed), missed, -(verdict.rating or 0)

    pairs = [pair for letter, pair in chart_verdict.by_move.items() if not moves or letter in moves]
    return min(chain.from_iterable(pairs), key=lacking, default=None)


def _cells(chart: Chart, verdict: Verdict) -> list[ChartCell]:
    misses = {cell for group in verdict.groups.values() for _, cell in group.missed}
    return [
        ChartCell(pattern.x, pattern.y, *steps_to(cell), pattern.text, cell not in misses)
        for pattern, cell in zip(chart.patterns, verdict.variant.cells, strict=True)
    ]


def _why(chart_verdict: ChartVerdict, nearest: Verdict | None, meaning: Meaning, sight: Sight) -> str:
    if chart_verdict.empty:
        return f"an empty {meaning.dialect.part}: it is skipped"
    if nearest is None:
        return "no move is possible"
    if chart_verdict.fits:
        return "; ".join(meaning.tally(chart_verdict.by_move, sight.options))
    groups = [nearest.groups[sign] for sign, _ in nearest.failed[0]]
    group = min(groups, key=lambda group: len(group.missed))
    return group.reason(meaning.dialect.groups[group.sign].words, sight.window, most=1)
