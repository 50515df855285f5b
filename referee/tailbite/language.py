"""Programs in the form of the contract: compiled, drawn and explained. `Language` holds what differs between the games.

1. `show` draws each chart as it was written, with its groups in colour.
2. `explain` follows the decision of a program: chart by chart, it checks the variants that point to a possible move, up to the
   chart that decides. It checks the patterns one by one and says why each variant fits or not. So it works independently of
   the compiled program; tests compare the two.
3. A drawing is readable without colour. A cell has the two characters of the program. The window is shown next to a variant:
   `=` marks a cell that matches its pattern, and `!` one that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Patch, Sheet
from referee.contract.game import ConvertedProgram, Policy, Request
from referee.tailbite.matching import Placed
from referee.tailbite.parsing import Dialect, parse
from referee.tailbite.patterns import (
    ARROWS,
    CHART_SIDE,
    HEADS,
    NOTHING,
    Chart,
    Program,
    Variant,
    corner,
    elements_of,
    in_words,
    variants,
)
from referee.tailbite.sight import BORDER, EMPTY, OWN_HEAD, SIDE, Options, Sight, possible
from referee.tailbite.verdicts import Verdict, groups, matches

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


@dataclass(slots=True)
class Language:
    """A game's own language for players. It is a `referee.contract.game.Programs`.

    Attributes:
        suffix: the suffix of the language's files.
        dialect: how its text differs from that of the other game.
        group_names: the names of the groups, by sign. colours: the colours of the groups, by sign.
        policy: a function that makes a player of a program.
        judge: a function that says whether a variant of a chart fits, and why.
        empty: whether a chart is skipped because it has no conditions.
        tally: a function that explains the choice of the deciding chart, from the verdicts on the two variants of each move.
        importer: converts a program of another server. exporter: converts a program for that server. Both raise ProgramError.
    """

    suffix: str
    dialect: Dialect
    group_names: Mapping[str, str]
    colours: Mapping[str, str]
    policy: Callable[[Program], Policy[Sight, str]]
    judge: Callable[[Chart, Sequence[Placed], bytes, Options], Verdict]
    empty: Callable[[Chart], bool]
    tally: Callable[[Mapping[str, Sequence[Verdict]], Options], Sequence[str]]
    importer: Callable[[bytes, str], ConvertedProgram]
    exporter: Callable[[bytes, str], ConvertedProgram]

    def compile(self, source: bytes, file: str) -> Policy[Sight, str]:
        """Make a player of a program. Raises: ProgramError, with file, line and column."""
        return self.policy(parse(source, file, self.dialect))

    def import_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Import a program that was written for another server. Raises: ProgramError."""
        return self.importer(source, file)

    def export_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Export a program to another server. Raises: ProgramError."""
        return self.exporter(source, file)

    def show(self, source: bytes, file: str) -> Sequence[Sheet]:
        """Draw a program: one sheet for its name, description and sets, and one for each chart. Raises: ProgramError."""
        program = parse(source, file, self.dialect)
        notes = [program.description] if program.description else []
        for letter, words in program.sets.items():
            suits = elements_of(words)
            rate = 7 - suits.bit_count()
            notes.append(f"set {letter}: {in_words(suits)}; a match rates {rate}, a match of its opposite {7 - rate}")
        return [Sheet(program.name, (), notes), *(self._drawn(n, c) for n, c in enumerate(program.charts, start=1))]

    def explain(self, source: bytes, file: str, request: Request[Sight]) -> Sequence[Sheet]:
        """Explain what the program decides for a request. Raises: ProgramError."""
        program = parse(source, file, self.dialect)
        window, options = request.observation.window, request.observation.options
        moves = possible(window)
        sheets: list[Sheet] = []
        decider = 0
        for number, chart in enumerate(program.charts, start=1):
            title = self._title(number, chart)
            if decider:
                sheets.append(Sheet(f"{title}: not tried", ()))
                continue
            if self.empty(chart):
                sheets.append(Sheet(f"{title}: an empty slot, skipped", ()))
                continue
            tried: dict[str, list[Verdict]] = {}
            drawn: list[Sheet] = []
            every = variants(chart)
            for rotated, mirrored in zip(every[::2], every[1::2], strict=True):
                if rotated.move not in moves:
                    continue
                pair = [self._judged(chart, variant, window, options) for variant in (rotated, mirrored)]
                tried[rotated.move] = pair
                if _alike(chart, rotated, mirrored):
                    drawn.append(self._variant(number, chart, (rotated, mirrored), pair[0], window))
                else:
                    drawn += [
                        self._variant(number, chart, (v,), w, window)
                        for v, w in zip((rotated, mirrored), pair, strict=True)
                    ]
            if any(verdict.fits for pair in tried.values() for verdict in pair):
                decider = number
            sheets.append(
                Sheet(
                    f"{title}: {'decides' if decider else 'does not fit'}",
                    (),
                    self._sums(tried, options, decider),
                    fired=bool(decider),
                )
            )
            sheets += drawn
        answer = self.policy(program).decide(request)
        notes = [f"possible moves: {' '.join(moves) or 'none'}", f"candidates: {_candidates(answer)}"]
        if decider:
            notes.append(f"{self.dialect.part} {decider} decides")
        else:
            notes.append(f"no {self.dialect.part} fits, so every possible move is a candidate")
        return [Sheet(f"{program.name} sees", _window(window), notes), *sheets]

    def _sums(self, tried: Mapping[str, Sequence[Verdict]], options: Options, decider: int) -> Sequence[str]:
        lines = []
        if barred := [letter for letter in DIRECTIONS if letter not in tried]:
            lines.append(f"not checked, because these moves are not possible: the variants that go {' '.join(barred)}")
        return [*lines, *(self.tally(tried, options) if decider else ())]

    def _title(self, number: int, chart: Chart) -> str:
        part = self.dialect.part
        kind = f" ({chart.kind})" if chart.kind != part else ""
        return f"{part} {number}{kind}" + (f", {chart.description}" if chart.description else "")

    def _drawn(self, number: int, chart: Chart) -> Sheet:
        """A chart as it was written."""
        rows = [[self._patch(cell) for cell in row] for row in chart.rows()]
        notes = []
        for sign, group in groups([(pattern, 0) for pattern in chart.patterns]).items():
            asked = " / ".join(dict.fromkeys(f"{p.text} {in_words(p.suits)}" for p, _ in group))
            name, colour = self.group_names[sign], self.colours.get(sign, "")
            in_brackets = "" if name in colour or not colour else f" ({colour.replace('_', ' ')})"
            notes.append(f"{name}{in_brackets}: {asked}")
        if self.empty(chart):
            notes.append("an empty slot: it is skipped")
        return Sheet(self._title(number, chart), rows, notes)

    def _patch(self, text: str) -> Patch:
        if text == NOTHING:
            return Patch(NOTHING, "bright_black")
        return Patch(text, strong=True) if text in HEADS else Patch(text, self.colours.get(text[1]))

    def _judged(self, chart: Chart, variant: Variant, window: bytes, options: Options) -> Verdict:
        return self.judge(chart, list(zip(chart.patterns, variant.cells, strict=True)), window, options)

    def _variant(self, number: int, chart: Chart, alike: Sequence[Variant], verdict: Verdict, window: bytes) -> Sheet:
        """A variant, or two identical ones, next to the part of the window that it covers."""
        variant = alike[0]
        placed = {cell: pattern for pattern, cell in zip(chart.patterns, variant.cells, strict=True)}
        left, top = corner(chart, variant)
        rows = []
        for y in range(top, top + CHART_SIDE):
            asked, seen = [], []
            for cell in range(y * SIDE + left, y * SIDE + left + CHART_SIDE):
                if window[cell] == OWN_HEAD:
                    asked.append(Patch(ARROWS[variant.move], strong=True))
                    seen.append(_seen(window[cell]))
                elif (pattern := placed.get(cell)) is None:
                    asked.append(self._patch(NOTHING))
                    seen.append(_seen(window[cell]))
                else:
                    asked.append(self._patch(pattern.text))
                    fits = matches((pattern, cell), window)
                    seen.append(
                        Patch(f"{'=' if fits else '!'}{chr(window[cell])}", self.colours.get(pattern.group), not fits)
                    )
            rows.append([*asked, _GAP, *seen])
        rated = "" if verdict.rating is None else f", rates {verdict.rating}"
        turned = " and ".join(TURNS[variant.symmetry] for variant in alike)
        title = f"{self.dialect.part} {number} {turned}, goes {variant.move}"
        outcome = f"fits{rated}" if verdict.fits else "does not fit"
        return Sheet(f"{title}: {outcome}", rows, verdict.reasons, fired=verdict.fits)


def _window(window: bytes) -> Sequence[Sequence[Patch]]:
    return [[_seen(letter) for letter in window[y * SIDE : (y + 1) * SIDE]] for y in range(SIDE)]


def _seen(letter: int) -> Patch:
    """A cell as the snake sees it: own parts are green, enemies' parts red."""
    if letter in (EMPTY, BORDER):
        return Patch(f" {chr(letter)}", "bright_black")
    return Patch(f" {chr(letter)}", "green" if chr(letter) in "HST" else "red", letter == OWN_HEAD)


def _alike(chart: Chart, rotated: Variant, mirrored: Variant) -> bool:
    """Whether two variants have the same conditions, because the chart is its own mirror image."""
    asked = [
        {(cell, pattern.text) for pattern, cell in zip(chart.patterns, variant.cells, strict=True)}
        for variant in (rotated, mirrored)
    ]
    return asked[0] == asked[1]


def _candidates(answer: str) -> str:
    """The letters of an answer in words, such as `U twice, L`."""
    return ", ".join(f"{letter} twice" if answer.count(letter) > 1 else letter for letter in dict.fromkeys(answer))
