"""ava: its programs (how maps are matched and how moves are rated: 9, 10, 11) and its plug-in, `GAME`.

Numbers in brackets are the rules of README.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.contract.game import Game
from referee.contract.programs import ConvertedProgram
from referee.tailbite.language import Language
from referee.tailbite.maps import Sizes
from referee.tailbite.matching import UNFIT, Condition
from referee.tailbite.parsing import Dialect, Group, parse
from referee.tailbite.patterns import Chart
from referee.tailbite.plugin import tail_biting
from referee.tailbite.ranking import by_score
from referee.tailbite.sight import Options, Sight
from referee.tailbite.verdicts import ByMove, Meaning, Verdict

AND_GROUPS: Final = "0123"
OR_GROUPS: Final = "4567"

_COLOURS: Final = {
    "0": ("cyan", "#39c5cf"),
    "1": ("green", "#3fb950"),
    "2": ("bright_blue", "#58a6ff"),
    "3": ("magenta", "#bc8cff"),
    "4": ("yellow", "#e3b341"),
    "5": ("red", "#f85149"),
    "6": ("bright_magenta", "#ff7bd5"),
    "7": ("white", "#ffffff"),
}
"""The colours of the groups in terminals and in pages."""
DIALECT: Final = Dialect(
    part="map",
    headings={"map": "map"},
    groups={
        sign: Group(f"{'AND' if sign in AND_GROUPS else 'OR'}-group {sign}", *colours)
        for sign, colours in _COLOURS.items()
    },
    negation="NOT",
    sets=("A", "B", "C", "D"),
)


def _choose(by_move: ByMove, moves: str, scene: int, options: Options) -> str:
    """The best-rated correct moves (11)."""
    best_of_two = options.rating == "max"
    best, letters = 0, ""
    for letter in moves:
        rotated, mirrored = by_move[letter]
        first, second = rotated.rate(scene), mirrored.rate(scene)
        rating = max(first, second) if best_of_two or UNFIT in (first, second) else first + second
        if rating > best:
            best, letters = rating, letter
        elif rating == best:
            letters += letter
    return letters


def _conditions(_chart: Chart, signs: Sequence[str], _options: Options) -> Sequence[Condition]:
    """What a variant requires to be correct (10)."""
    ands = [(sign, True) for sign in signs if sign in AND_GROUPS]
    return [*([ands] if ands else []), *([(sign, False)] for sign in signs if sign in OR_GROUPS)]


def _tally(tried: Mapping[str, Sequence[Verdict]], options: Options) -> Sequence[str]:
    """How each move was rated (11)."""
    lines = []
    for letter, pair in tried.items():
        first, second = (verdict.rating or 0 for verdict in pair)
        if not any(verdict.fits for verdict in pair):
            lines.append(f"{letter} is not correct")
        elif options.rating == "max":
            lines.append(f"{letter} rates {max(first, second)}, the better of {first} and {second}")
        else:
            lines.append(f"{letter} rates {first} + {second} = {first + second}")
    return lines


def _import(source: bytes, file: str) -> ConvertedProgram:
    # Imported here, because a match needs neither the import nor the export of programs.
    from referee.games.ava.ava12 import import_program

    return import_program(source, file)


def _export(source: bytes, file: str) -> ConvertedProgram:
    from referee.games.ava.ava12 import export_program

    return export_program(parse(source, file, DIALECT), source, file)


PROGRAMS: Final = Language(".ava", Meaning(DIALECT, _conditions, _choose, _tally, rates=True), _import, _export)

GAME: Final[Game[Sight, str]] = tail_biting(
    name="ava",
    title="AVA",
    summary="two to four snakes bite each other's tails off; the longest wins",
    usual=Sizes(size=25, length=10, steps=1000),
    ranking=by_score,
    repeats=1,
    programs=PROGRAMS,
)
