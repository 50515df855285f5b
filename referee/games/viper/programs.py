"""The programs of viper, as `PROGRAMS`: how schemes are matched (12, 13).

Numbers in brackets are the rules of README.md. A scheme is compiled once, for both readings of or-schemes: its eight variants
become masks of large numbers (`tailbite/matching.py`), by the move that they point to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.contract.game import ConvertedProgram
from referee.errors import ProgramError
from referee.tailbite.deciding import ByMove, Decider
from referee.tailbite.language import Language
from referee.tailbite.matching import Placed, suiting, unsuitable
from referee.tailbite.parsing import Dialect
from referee.tailbite.patterns import Chart
from referee.tailbite.sight import Options
from referee.tailbite.verdicts import Verdict, all_of, any_of, groups

NO_GROUP: Final = "-"
COLOURS: Final = "wybg"

DIALECT: Final = Dialect(part="scheme", headings={"scheme and": "and", "scheme or": "or"}, groups=NO_GROUP + COLOURS)


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

    def fits(self, seen: int, *, whole: bool) -> bool:
        """Whether the variant fits (12). With `whole`, a colour of an or-scheme matches only if all of its elements match."""
        if seen & self.unsuited:
            return False
        for wanted in self.each:
            if not seen & wanted:
                return False
        if not self.some:
            return True
        for wanted, unsuited in self.some:  # noqa: SIM110 - a generator would take as long as the matching itself
            if not seen & unsuited if whole else seen & wanted:
                return True
        return False


def _choose(by_move: ByMove[_Variant], moves: str, seen: int, options: Options) -> str:
    """The moves of the variants that fit, once for each variant (13)."""
    whole = options.or_groups == "all"
    letters = ""
    for letter in moves:
        for variant in by_move[letter]:
            if variant.fits(seen, whole=whole):
                letters += letter
    return letters


def _empty(chart: Chart) -> bool:
    """Whether a scheme is an empty slot: it has only the own head (12)."""
    return not chart.patterns


def _compiled(chart: Chart, placed: list[Placed]) -> _Variant:
    by_group = dict(groups(placed))
    alone = by_group.pop(NO_GROUP, [])
    return _Variant(
        unsuited=unsuitable(alone),
        each=tuple(map(suiting, by_group.values())) if chart.kind == "and" else (),
        some=tuple((suiting(group), unsuitable(group)) for group in by_group.values()) if chart.kind == "or" else (),
    )


def _judge(chart: Chart, placed: Sequence[Placed], window: bytes, options: Options) -> Verdict:
    """Whether a variant fits (12), and why."""
    reasons: list[str] = []
    alone = True
    coloured: list[bool] = []
    for sign, group in groups(placed).items():
        whole = sign == NO_GROUP or (chart.kind == "or" and options.or_groups == "all")
        holds, reason = (all_of if whole else any_of)(GROUP_NAMES[sign], group, window)
        reasons.append(reason)
        if sign == NO_GROUP:
            alone = holds
        else:
            coloured.append(holds)
    joined = all(coloured) if chart.kind == "and" else any(coloured) or not coloured
    return Verdict(alone and joined, None, reasons)


def _tally(tried: Mapping[str, Sequence[Verdict]], _options: Options) -> Sequence[str]:
    """How many variants fit for each move (13)."""
    fitting = {letter: sum(verdict.fits for verdict in pair) for letter, pair in tried.items()}
    return [f"{letter}: {many} of 2 variants {'fits' if many == 1 else 'fit'}" for letter, many in fitting.items()]


def _convert(_source: bytes, file: str) -> ConvertedProgram:
    raise ProgramError(
        file, 0, 0, "viper has no other program format to import or export: `referee rules viper` explains its only one"
    )


GROUP_NAMES: Final = {NO_GROUP: "no group", "w": "white", "y": "yellow", "b": "blue", "g": "green"}

PROGRAMS: Final = Language(
    suffix=".viper",
    dialect=DIALECT,
    group_names=GROUP_NAMES,
    colours={"w": "white", "y": "yellow", "b": "bright_blue", "g": "green"},
    policy=lambda program: Decider(program, _compiled, _choose, _empty),
    judge=_judge,
    empty=_empty,
    tally=_tally,
    importer=_convert,
    exporter=_convert,
)
