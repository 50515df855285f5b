"""The programs of viper, as `PROGRAMS`: how schemes are matched (12, 13).

Numbers in brackets are the rules of README.md. A scheme is compiled once, for both readings of or-schemes: its eight variants
become masks of large numbers (`tailbite/matching.py`), by the move that they point to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.contract.programs import ConvertedProgram
from referee.errors import ProgramError
from referee.tailbite.deciding import ByMove, Decider
from referee.tailbite.language import Language
from referee.tailbite.matching import Placed, suiting, unsuitable
from referee.tailbite.parsing import Dialect, Group
from referee.tailbite.patterns import Chart
from referee.tailbite.sight import Options
from referee.tailbite.verdicts import Condition, Meaning, Verdict, groups

NO_GROUP: Final = "-"

DIALECT: Final = Dialect(
    part="scheme",
    headings={"scheme and": "and", "scheme or": "or"},
    groups={
        NO_GROUP: Group("ungrouped", None, "#8b949e"),
        "w": Group("white", "white", "#ffffff"),
        "y": Group("yellow", "yellow", "#ffd33d"),
        "b": Group("blue", "bright_blue", "#58a6ff"),
        "g": Group("green", "green", "#3fd87f"),
    },
    negation="except",
)


class _Variant(NamedTuple):
    """A variant as masks.

    Attributes:
        unsuited: the mask of what does not match the elements without a group.
        each: the mask of what matches, for each colour of an and-scheme.
        some: the mask of what matches and the mask of what does not, for each colour of an or-scheme.
    """

    unsuited: int
    each: tuple[int, ...]
    some: tuple[tuple[int, int], ...]

    def fits(self, scene: int, *, whole: bool) -> bool:
        """Whether the variant fits (12). With `whole`, a colour of an or-scheme matches only if all of its elements match."""
        if scene & self.unsuited:
            return False
        for suits in self.each:
            if not scene & suits:
                return False
        if not self.some:
            return True
        for suits, unsuited in self.some:  # noqa: SIM110 - a generator would take as long as the matching itself
            if not scene & unsuited if whole else scene & suits:
                return True
        return False


def _choose(by_move: ByMove[_Variant], moves: str, scene: int, options: Options) -> str:
    """The moves of the variants that fit, once for each variant (13)."""
    whole = options.or_groups == "all"
    letters = ""
    for letter in moves:
        for variant in by_move[letter]:
            if variant.fits(scene, whole=whole):
                letters += letter
    return letters


def _compiled(chart: Chart, placed: list[Placed]) -> _Variant:
    by_group = dict(groups(placed))
    alone = by_group.pop(NO_GROUP, [])
    return _Variant(
        unsuited=unsuitable(alone),
        each=tuple(map(suiting, by_group.values())) if chart.kind == "and" else (),
        some=tuple((suiting(group), unsuitable(group)) for group in by_group.values()) if chart.kind == "or" else (),
    )


def _conditions(chart: Chart, signs: Sequence[str], options: Options) -> Sequence[Condition]:
    """What a variant requires to fit (12)."""
    alone = [[(sign, True)] for sign in signs if sign == NO_GROUP]
    coloured = [sign for sign in signs if sign != NO_GROUP]
    if chart.kind == "and":
        return [*alone, *([(sign, False)] for sign in coloured)]
    whole = options.or_groups == "all"
    return [*alone, *([[(sign, whole) for sign in coloured]] if coloured else [])]


def _tally(tried: Mapping[str, Sequence[Verdict]], _options: Options) -> Sequence[str]:
    """How many variants fit for each move (13)."""
    fitting = {letter: sum(verdict.fits for verdict in pair) for letter, pair in tried.items()}
    return [f"{letter}: {many} of 2 variants {'fits' if many == 1 else 'fit'}" for letter, many in fitting.items()]


def _convert(_source: bytes, file: str) -> ConvertedProgram:
    raise ProgramError(
        file, 0, 0, "viper has no other program format to import or export: `referee rules viper` explains its only one"
    )


PROGRAMS: Final = Language(
    suffix=".viper",
    dialect=DIALECT,
    meaning=Meaning(
        policy=lambda program: Decider(program, _compiled, _choose, skips_empty=True),
        conditions=_conditions,
        rate=None,
        skips_empty=True,  # a scheme with only the own head is an empty slot (12)
        tally=_tally,
    ),
    importer=_convert,
    exporter=_convert,
)
