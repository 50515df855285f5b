"""viper: its programs (how schemes are matched: 12, 13) and its plug-in, `GAME`.

Numbers in brackets are the rules of README.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.contract.game import Game
from referee.contract.programs import ConvertedProgram
from referee.errors import ProgramError
from referee.tailbite.language import Language
from referee.tailbite.maps import Sizes
from referee.tailbite.matching import UNFIT, Condition
from referee.tailbite.parsing import Dialect, Group
from referee.tailbite.patterns import Chart
from referee.tailbite.plugin import tail_biting
from referee.tailbite.ranking import by_survival
from referee.tailbite.sight import Options, Sight
from referee.tailbite.verdicts import ByMove, Meaning, Verdict

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


def _choose(by_move: ByMove, moves: str, scene: int, _options: Options) -> str:
    """The moves of the variants that fit, once for each variant (13)."""
    letters = ""
    for letter in moves:
        for masks in by_move[letter]:
            if masks.rate(scene) != UNFIT:
                letters += letter
    return letters


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
    why = "viper has no other program format to import or export: `referee rules viper` explains its only one"
    raise ProgramError(file, 0, 0, why)


# A scheme with only the own head is an empty slot (12).
_MEANING: Final = Meaning(DIALECT, _conditions, _choose, _tally, skips_empty=True)
PROGRAMS: Final = Language(".viper", _MEANING, importer=_convert, exporter=_convert)

GAME: Final[Game[Sight, str]] = tail_biting(
    name="viper",
    title="ViPER",
    summary="two to four snakes bite each other's tails off; the last snake left or the longest wins",
    usual=Sizes(size=21, length=8, steps=500),
    ranking=by_survival,
    repeats=2,
    programs=PROGRAMS,
)
