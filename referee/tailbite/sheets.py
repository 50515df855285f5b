"""Programs drawn for people: as they were written, and laid over what a snake sees.

1. `Drawer.shown` draws each chart as it was written, with its groups in colour.
2. `Drawer.explained` says chart by chart why each variant fits or not, up to the chart that decides.
3. A drawing is readable without colour. A cell has the two characters of the program. The window is shown next to a variant:
   `=` marks a cell that matches its pattern, and `!` one that does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Patch, Sheet
from referee.contract.programs import Request
from referee.tailbite.matching import groups
from referee.tailbite.patterns import ARROWS, CHART_SIDE, HEADS, NOTHING, Chart, Program, corner, elements_of, in_words
from referee.tailbite.rulings import ChartVerdict, chart_verdicts
from referee.tailbite.sight import BORDER, EMPTY, OWN_HEAD, SIDE, Sight, possible
from referee.tailbite.verdicts import Decider, Meaning, Verdict, matches

TURNS: Final[Mapping[str, str]] = {
    "identity": "as drawn",
    "quarter": "turned right",
    "half": "turned round",
    "three-quarter": "turned left",
    "left-right": "mirrored left to right",
    "top-bottom": "mirrored top to bottom",
    "diagonal": "mirrored at the falling diagonal",
    "anti-diagonal": "mirrored at the rising diagonal",
}
"""The symmetries of `grid.SYMMETRIES` in words."""
_GAP: Final = Patch("  ")


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draws the programs of one language."""

    meaning: Meaning

    def shown(self, program: Program) -> Sequence[Sheet]:
        """One sheet for its name, description and sets, and one for each chart."""
        notes = [program.description] if program.description else []
        for letter, words in program.sets.items():
            suits = elements_of(words)
            rate = 7 - suits.bit_count()
            notes.append(f"set {letter}: {in_words(suits)}; a match rates {rate}, a match of its opposite {7 - rate}")
        return [
            Sheet(program.name, (), notes),
            *(self._chart_sheet(n, c) for n, c in enumerate(program.charts, start=1)),
        ]

    def explained(self, program: Program, request: Request[Sight]) -> Sequence[Sheet]:
        """What the program decides for a request, and why. The first sheet is what it sees."""
        window = request.observation.window
        sheets: list[Sheet] = []
        decider = 0
        for chart_verdict in chart_verdicts(program, self.meaning, request.observation):
            sheets += self._verdict_sheets(chart_verdict, request.observation)
            if chart_verdict.fits:
                decider = chart_verdict.number
                break
        answer = Decider(program, self.meaning).decide(request)
        notes = [f"possible moves: {' '.join(possible(window)) or 'none'}", f"candidates: {answer}"]
        if decider:
            later = enumerate(program.charts[decider:], start=decider + 1)
            sheets += [Sheet(f"{self._title(number, chart)}: not tried", ()) for number, chart in later]
            notes.append(f"{self.meaning.dialect.part} {decider} decides")
        else:
            notes.append(f"no {self.meaning.dialect.part} fits, so every possible move is a candidate")
        rows = [[_window_patch(letter) for letter in window[y * SIDE : (y + 1) * SIDE]] for y in range(SIDE)]
        return [Sheet(f"{program.name} sees", rows, notes), *sheets]

    def _verdict_sheets(self, chart_verdict: ChartVerdict, sight: Sight) -> Sequence[Sheet]:
        """Why a chart fits or not: a sheet for the chart, and one for each variant."""
        title = self._title(chart_verdict.number, chart_verdict.chart)
        if chart_verdict.empty:
            return [Sheet(f"{title}: an empty slot, skipped", ())]
        notes = []
        if barred := [letter for letter in DIRECTIONS if letter not in chart_verdict.by_move]:
            notes.append(f"not checked, because these moves are not possible: the variants that go {' '.join(barred)}")
        if chart_verdict.fits:
            notes += self.meaning.tally(chart_verdict.by_move, sight.options)
        outcome = "decides" if chart_verdict.fits else "does not fit"
        sheets = [Sheet(f"{title}: {outcome}", (), notes, fired=chart_verdict.fits)]
        for pair in chart_verdict.by_move.values():
            alike = [pair] if _alike(chart_verdict.chart, *pair) else [[verdict] for verdict in pair]
            sheets += [self._variant(chart_verdict, group, sight.window) for group in alike]
        return sheets

    def _title(self, number: int, chart: Chart) -> str:
        part = self.meaning.dialect.part
        kind = f" ({chart.kind})" if chart.kind != part else ""
        return f"{part} {number}{kind}" + (f", {chart.description}" if chart.description else "")

    def _chart_sheet(self, number: int, chart: Chart) -> Sheet:
        """A chart as it was written."""
        rows = [[self._patch(cell) for cell in row] for row in chart.rows()]
        notes = []
        for sign, group in groups([(pattern, 0) for pattern in chart.patterns]).items():
            conditions = " / ".join(dict.fromkeys(f"{p.text} {in_words(p.suits)}" for p, _ in group))
            name, colour = self.meaning.dialect.groups[sign].words, self.meaning.dialect.groups[sign].colour or ""
            in_brackets = "" if name in colour or not colour else f" ({colour.replace('_', ' ')})"
            notes.append(f"{name}{in_brackets}: {conditions}")
        if self.meaning.skips(chart):
            notes.append("an empty slot: it is skipped")
        return Sheet(self._title(number, chart), rows, notes)

    def _patch(self, text: str) -> Patch:
        if text == NOTHING:
            return Patch(NOTHING, "bright_black")
        return Patch(text, strong=True) if text in HEADS else Patch(text, self.meaning.dialect.groups[text[1]].colour)

    def _variant(self, chart_verdict: ChartVerdict, alike: Sequence[Verdict], window: bytes) -> Sheet:
        """A variant, or two identical ones, next to the part of the window that it covers."""
        verdict = alike[0]
        rating_text = "" if verdict.rating is None else f", rates {verdict.rating}"
        turned = " and ".join(TURNS[verdict.variant.symmetry] for verdict in alike)
        title = f"{self.meaning.dialect.part} {chart_verdict.number} {turned}, goes {verdict.variant.move}"
        outcome = f"fits{rating_text}" if verdict.fits else "does not fit"
        rows = self._side_by_side(chart_verdict.chart, verdict, window)
        reasons = [
            group.reason(self.meaning.dialect.groups[sign].words, window) for sign, group in verdict.groups.items()
        ]
        return Sheet(f"{title}: {outcome}", rows, reasons, fired=verdict.fits)

    def _side_by_side(self, chart: Chart, verdict: Verdict, window: bytes) -> list[list[Patch]]:
        """The rows of a variant, each with the cells of the window that it covers."""
        variant = verdict.variant
        pattern_at = {cell: pattern for pattern, cell in zip(chart.patterns, variant.cells, strict=True)}
        left, top = corner(chart, variant)
        rows = []
        for y in range(top, top + CHART_SIDE):
            chart_row, window_row = [], []
            for cell in range(y * SIDE + left, y * SIDE + left + CHART_SIDE):
                if (pattern := pattern_at.get(cell)) is None:
                    chart_row.append(self._patch(ARROWS[variant.move] if window[cell] == OWN_HEAD else NOTHING))
                    window_row.append(_window_patch(window[cell]))
                else:
                    patch, fits = self._patch(pattern.text), matches((pattern, cell), window)
                    chart_row.append(patch)
                    window_row.append(Patch(f"{'=' if fits else '!'}{chr(window[cell])}", patch.colour, not fits))
            rows.append([*chart_row, _GAP, *window_row])
        return rows


def _window_patch(letter: int) -> Patch:
    """A cell as the snake sees it: own parts are green, enemies' parts red."""
    if letter in (EMPTY, BORDER):
        return Patch(f" {chr(letter)}", "bright_black")
    return Patch(f" {chr(letter)}", "green" if chr(letter) in "HST" else "red", letter == OWN_HEAD)


def _alike(chart: Chart, rotated: Verdict, mirrored: Verdict) -> bool:
    """Whether two variants have the same conditions, because the chart is its own mirror image."""
    texts = [pattern.text for pattern in chart.patterns]
    one, other = ({*zip(verdict.variant.cells, texts, strict=True)} for verdict in (rotated, mirrored))
    return one == other
