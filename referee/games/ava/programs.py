"""The programs of ava, as `PROGRAMS`: how maps are matched and how moves are rated (9, 10, 11).

Numbers in brackets are the rules of README.md. A map is compiled once, for all options: its eight variants become masks of large
numbers (`tailbite/matching.py`), by the move that they point to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.contract.game import ConvertedProgram
from referee.tailbite.deciding import ByMove, Decider
from referee.tailbite.language import Language
from referee.tailbite.matching import Placed, by_weight, suiting, unsuitable
from referee.tailbite.parsing import Dialect, parse
from referee.tailbite.patterns import Chart
from referee.tailbite.sight import Options
from referee.tailbite.verdicts import Verdict, all_of, any_of, groups, matches

AND_GROUPS: Final = "0123"
OR_GROUPS: Final = "4567"
WRONG: Final = -1
"""Marks an incorrect variant. The ratings of correct variants are 0 or more."""

DIALECT: Final = Dialect(part="map", headings={"map": "map"}, groups=AND_GROUPS + OR_GROUPS, sets=("A", "B", "C", "D"))


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

    def rate(self, seen: int, *, ignore: bool) -> int:
        """The rating (11), or `WRONG` if the variant is not correct. With `ignore`, AND-groups that fail add nothing."""
        rating = 0
        if self.ands:
            holds = False
            for unsuited, worth in self.ands:
                if not seen & unsuited:
                    holds = True
                    rating += worth
            if not holds:
                return WRONG
        for wanted in self.ors:
            if not seen & wanted:
                return WRONG
        if not ignore:
            rating = 0
        for weight, mask in self.worth_of_ors if ignore else self.worth:
            rating += weight * (seen & mask).bit_count()
        return rating


def _choose(by_move: ByMove[_Variant], moves: str, seen: int, options: Options) -> str:
    """The best-rated correct moves (11)."""
    best_of_two, ignore = options.rating == "max", options.failed_and_groups == "ignore"
    best, letters = WRONG, ""
    for letter in moves:
        rotated, mirrored = by_move[letter]
        first, second = rotated.rate(seen, ignore=ignore), mirrored.rate(seen, ignore=ignore)
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


def _empty(_chart: Chart) -> bool:
    """Whether a map is skipped: never."""
    return False


def _judge(_chart: Chart, placed: Sequence[Placed], window: bytes, options: Options) -> Verdict:
    """Whether a variant is correct (10), its rating (11), and why."""
    reasons: list[str] = []
    ands: list[bool] = []
    ors: list[bool] = []
    rating = 0
    for sign, group in groups(placed).items():
        test, results = (all_of, ands) if sign in AND_GROUPS else (any_of, ors)
        holds, reason = test(GROUP_NAMES[sign], group, window)
        results.append(holds)
        reasons.append(reason)
        if holds or sign in OR_GROUPS or options.failed_and_groups == "count":
            rating += sum(pattern.weight for pattern, cell in group if matches((pattern, cell), window))
    fits = (any(ands) or not ands) and all(ors)
    return Verdict(fits, rating if fits else 0, reasons)


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


GROUP_NAMES: Final = {
    **{sign: f"AND-group {sign}" for sign in AND_GROUPS},
    **{sign: f"OR-group {sign}" for sign in OR_GROUPS},
}

PROGRAMS: Final = Language(
    suffix=".ava",
    dialect=DIALECT,
    group_names=GROUP_NAMES,
    colours={
        "0": "cyan",
        "1": "green",
        "2": "bright_blue",
        "3": "magenta",
        "4": "yellow",
        "5": "red",
        "6": "bright_magenta",
        "7": "white",
    },
    policy=lambda program: Decider(program, _compiled, _choose, _empty),
    judge=_judge,
    empty=_empty,
    tally=_tally,
    importer=_import,
    exporter=_export,
)
