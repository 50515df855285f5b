"""The programs of ava, as `PROGRAMS`: how maps are matched and how moves are rated (9, 10, 11).

Numbers in brackets are the rules of README.md. A map is compiled once, for all options: its eight variants become masks of large
numbers (`tailbite/matching.py`), by the move that they point to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.contract.programs import ConvertedProgram
from referee.tailbite.deciding import ByMove, Decider
from referee.tailbite.language import Language
from referee.tailbite.matching import Placed, by_weight, suiting, unsuitable
from referee.tailbite.parsing import Dialect, Group, parse
from referee.tailbite.patterns import Chart
from referee.tailbite.sight import Options
from referee.tailbite.verdicts import Condition, GroupVerdict, Meaning, Verdict, groups

AND_GROUPS: Final = "0123"
OR_GROUPS: Final = "4567"
WRONG: Final = -1
"""Marks an incorrect variant. The ratings of correct variants are 0 or more."""

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


class _Variant(NamedTuple):
    """A variant as masks.

    Attributes:
        ands: the mask of what does not match, and the sum of the weights of the patterns, for each AND-group.
        ors: the mask of what matches, for each OR-group.
        worth: the masks of all patterns, by weight. worth_of_ors: the masks of the OR-groups' patterns, by weight.
    """

    ands: tuple[tuple[int, int], ...]
    ors: tuple[int, ...]
    worth: tuple[tuple[int, int], ...]
    worth_of_ors: tuple[tuple[int, int], ...]

    def rate(self, scene: int, *, ignore: bool) -> int:
        """The rating (11), or `WRONG` if the variant is not correct. With `ignore`, AND-groups that fail add nothing."""
        rating = 0
        if self.ands:
            holds = False
            for unsuited, worth in self.ands:
                if not scene & unsuited:
                    holds = True
                    rating += worth
            if not holds:
                return WRONG
        for suits in self.ors:
            if not scene & suits:
                return WRONG
        if not ignore:
            rating = 0
        for weight, mask in self.worth_of_ors if ignore else self.worth:
            rating += weight * (scene & mask).bit_count()
        return rating


def _choose(by_move: ByMove[_Variant], moves: str, scene: int, options: Options) -> str:
    """The best-rated correct moves (11)."""
    best_of_two, ignore = options.rating == "max", options.failed_and_groups == "ignore"
    best, letters = WRONG, ""
    for letter in moves:
        rotated, mirrored = by_move[letter]
        first, second = rotated.rate(scene, ignore=ignore), mirrored.rate(scene, ignore=ignore)
        if first < 0:
            rating = second
        elif second < 0 or best_of_two:
            rating = max(first, second)
        else:
            rating = first + second
        if rating < 0:
            continue
        if rating > best:
            best, letters = rating, letter
        elif rating == best:
            letters += letter
    return letters


def _compiled(_chart: Chart, placed: list[Placed]) -> _Variant:
    by_group = groups(placed)
    return _Variant(
        ands=tuple(
            (unsuitable(group), sum(pattern.weight for pattern, _ in group))
            for sign, group in by_group.items()
            if sign in AND_GROUPS
        ),
        ors=tuple(suiting(group) for sign, group in by_group.items() if sign in OR_GROUPS),
        worth=by_weight(placed),
        worth_of_ors=by_weight((pattern, cell) for pattern, cell in placed if pattern.group in OR_GROUPS),
    )


def _conditions(_chart: Chart, signs: Sequence[str], _options: Options) -> Sequence[Condition]:
    """What a variant requires to be correct (10)."""
    ands = [(sign, True) for sign in signs if sign in AND_GROUPS]
    return [*([ands] if ands else []), *([(sign, False)] for sign in signs if sign in OR_GROUPS)]


def _rate(verdicts: Sequence[GroupVerdict], options: Options) -> int:
    """The rating of a correct variant (11)."""
    counts_all = options.failed_and_groups == "count"
    return sum(verdict.worth for verdict in verdicts if verdict.holds or counts_all)


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
    # Imported here, because a program that plays as a process does not need it.
    from referee.games.ava.importing import import_program

    return import_program(source, file)


def _export(source: bytes, file: str) -> ConvertedProgram:
    from referee.games.ava.exporting import export_program

    return export_program(parse(source, file, DIALECT), source, file)


PROGRAMS: Final = Language(
    suffix=".ava",
    dialect=DIALECT,
    meaning=Meaning(
        policy=lambda program: Decider(program, _compiled, _choose),
        conditions=_conditions,
        rate=_rate,
        skips_empty=False,
        tally=_tally,
    ),
    importer=_import,
    exporter=_export,
)
