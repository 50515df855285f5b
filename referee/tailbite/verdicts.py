"""Explains, group by group, whether a variant fits. This is slow; programs that play are compiled (`matching.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from referee.tailbite.matching import BIT_OF, Placed
from referee.tailbite.patterns import in_words
from referee.tailbite.sight import OWN_HEAD, SIDE

MOST_MISSES: Final = 4
"""How many patterns of one group are named if they do not match."""


class Verdict(NamedTuple):
    """Whether a variant fits; its rating, or None in games without ratings; and the reasons, one line for each group."""

    fits: bool
    rating: int | None
    reasons: Sequence[str]


def matches(placed: Placed, window: bytes) -> bool:
    """Whether the element in the cell matches the pattern."""
    pattern, cell = placed
    return bool(BIT_OF[window[cell]] & pattern.suits)


def groups(placed: Sequence[Placed]) -> Mapping[str, Sequence[Placed]]:
    """The patterns of each group, by its sign. Groups are sorted by sign, and the patterns of a group by cell."""
    by_sign: dict[str, list[Placed]] = {}
    for pattern, cell in sorted(placed, key=lambda pair: pair[1]):
        by_sign.setdefault(pattern.group, []).append((pattern, cell))
    return dict(sorted(by_sign.items()))


def all_of(name: str, group: Sequence[Placed], window: bytes) -> tuple[bool, str]:
    """Whether every pattern of a group matches, and a sentence that says so."""
    missed = [placed for placed in group if not matches(placed, window)]
    if not missed:
        return True, f"{name} holds: {_count(len(group))}"
    return False, f"{name} fails: {_misses(missed, window)}"


def any_of(name: str, group: Sequence[Placed], window: bytes) -> tuple[bool, str]:
    """Whether any pattern of a group matches, and a sentence that says so."""
    missed = [placed for placed in group if not matches(placed, window)]
    if len(missed) < len(group):
        return True, f"{name} holds: {len(group) - len(missed)} of {len(group)} match"
    return False, f"{name} fails, none matches: {_misses(missed, window)}"


def where(cell: int) -> str:
    """Where a cell of the window is, as seen from the own head: `2 up, 1 left`."""
    dx, dy = cell % SIDE - SIDE // 2, cell // SIDE - SIDE // 2
    parts = [f"{abs(dy)} {'up' if dy < 0 else 'down'}"] if dy else []
    parts += [f"{abs(dx)} {'left' if dx < 0 else 'right'}"] if dx else []
    return ", ".join(parts)


def _count(number: int) -> str:
    return "its one element matches" if number == 1 else f"all {number} match"


def _misses(missed: Sequence[Placed], window: bytes) -> str:
    misses = []
    for pattern, cell in missed[:MOST_MISSES]:
        there = "own head" if window[cell] == OWN_HEAD else in_words(BIT_OF[window[cell]])
        misses.append(f"{pattern.text} {where(cell)} needs {in_words(pattern.suits)}, found {there}")
    more = [f"and {len(missed) - MOST_MISSES} more"] if len(missed) > MOST_MISSES else []
    return "; ".join([*misses, *more])
