"""What each chart of a program says to a window, pattern by pattern: whether it fits, why, and how it lies on the board.

It works independently of the compiled program, and tests compare the two. Only the moves that a chart chooses come from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.contract.programs import ChartRuling, LaidCell, Request, Ruling
from referee.tailbite.parsing import Dialect
from referee.tailbite.patterns import Chart, Program, Variant, variants
from referee.tailbite.sight import SIDE, Options, Sight, possible
from referee.tailbite.verdicts import Meaning, Verdict


class Judged(NamedTuple):
    """A variant and the verdict on it."""

    variant: Variant
    verdict: Verdict


class Hearing(NamedTuple):
    """What a chart says to a window.

    Attributes:
        number: of the chart, from 1.
        empty: whether the chart is skipped because it has no conditions.
        by_move: its two variants for each possible move; none of an empty chart.
    """

    number: int
    chart: Chart
    empty: bool
    by_move: Mapping[str, Sequence[Judged]]

    @property
    def judged(self) -> list[Judged]:
        """All variants that were checked."""
        return [judged for pair in self.by_move.values() for judged in pair]

    @property
    def fits(self) -> bool:
        """Whether any variant does."""
        return any(judged.verdict.fits for judged in self.judged)

    def tally(self, meaning: Meaning, options: Options) -> Sequence[str]:
        """How each possible move was rated."""
        verdicts = {letter: [judged.verdict for judged in pair] for letter, pair in self.by_move.items()}
        return meaning.tally(verdicts, options)


def hear(program: Program, meaning: Meaning, sight: Sight) -> Iterator[Hearing]:
    """What each chart says, in order. Only the variants that point to a possible move are checked."""
    window, options = sight.window, sight.options
    moves = possible(window)
    for number, chart in enumerate(program.charts, start=1):
        by_move: dict[str, list[Judged]] = {}
        empty = meaning.empty(chart)
        for variant in () if empty else variants(chart):
            if variant.move in moves:
                verdict = meaning.judge(chart, variant.cells, window, options)
                by_move.setdefault(variant.move, []).append(Judged(variant, verdict))
        yield Hearing(number, chart, empty, by_move)


def decide(program: Program, dialect: Dialect, meaning: Meaning, request: Request[Sight]) -> Ruling:
    """What the program decides, and what each of its charts says."""
    window = request.observation.window
    action = meaning.policy(program).decide(request)
    rulings: list[ChartRuling] = []
    fired = False
    for hearing in hear(program, meaning, request.observation):
        moves = ""
        if hearing.fits:
            alone = replace(program, charts=(hearing.chart,))
            moves = meaning.policy(alone).decide(request) if fired else action
        nearest = _nearest(hearing, moves)
        cells = [] if nearest is None else _laid(hearing.chart, nearest)
        rulings.append(
            ChartRuling(
                hearing.number,
                ("fits" if fired else "fires") if hearing.fits else ("unreached" if fired else "no"),
                _why(hearing, nearest, dialect, meaning, window, request.observation.options),
                moves,
                "" if nearest is None else nearest.variant.move,
                cells,
            )
        )
        fired = fired or hearing.fits
    return Ruling(action, rulings)


def _nearest(hearing: Hearing, moves: str) -> Judged | None:
    """The best variant that goes where the chart goes; if it does not fit, the variant that fails least."""

    def lacking(judged: Judged) -> tuple[int, int, int]:
        verdict = judged.verdict
        missed = sum(min(len(verdict.groups[sign].missed) for sign, _ in condition) for condition in verdict.failed)
        return len(verdict.failed), missed, -(verdict.rating or 0)

    return min(
        (judged for judged in hearing.judged if not moves or judged.variant.move in moves), key=lacking, default=None
    )


def _laid(chart: Chart, judged: Judged) -> list[LaidCell]:
    missed = {cell for group in judged.verdict.groups.values() for _, cell in group.missed}
    return [
        LaidCell(
            pattern.x, pattern.y, cell % SIDE - SIDE // 2, cell // SIDE - SIDE // 2, pattern.text, cell not in missed
        )
        for pattern, cell in zip(chart.patterns, judged.variant.cells, strict=True)
    ]


def _why(
    hearing: Hearing, nearest: Judged | None, dialect: Dialect, meaning: Meaning, window: bytes, options: Options
) -> str:
    if hearing.empty:
        return f"an empty {dialect.part}: it is skipped"
    if nearest is None:
        return "no move is possible"
    if hearing.fits:
        return "; ".join(hearing.tally(meaning, options))
    groups = [nearest.verdict.groups[sign] for sign, _ in nearest.verdict.failed[0]]
    group = min(groups, key=lambda group: len(group.missed))
    return group.reason(dialect.groups[group.sign].words, window, most=1)
