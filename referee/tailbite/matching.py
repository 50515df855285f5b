"""What a chart requires of a window: conditions of groups, and the same as large numbers, so that one AND matches a group.

1. A scene is a window with one byte for each cell. In that byte, the bit of the element in the cell is set; for the own head no
   bit is set. As one number, a scene has 1,352 bits. Making it takes one translation and one conversion, both in C.
2. A pattern in a cell matches some elements: these bits of the cell's byte. The bits of several patterns together are a mask.
   Patterns are in different cells, and a cell holds one element, so
       the number of patterns that match  =  the number of bits that the scene and the mask have in common;
       at least one pattern matches       =  there is such a bit;
       all patterns match                 =  the scene has no bit in common with the mask of what does not match.
3. A match is worth 1 to 6 points. Patterns of the same weight share a mask, so a rating needs only a few bit counts.
4. A chart requires several conditions, and all of them have to hold. A condition is a list of groups, and holds if any of them
   does. A group holds if all of its patterns match, or in other conditions if any of them does. Each game says which (`Meaning`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from referee.tailbite.patterns import ELEMENTS, EVERY, Pattern

Placed: TypeAlias = tuple[Pattern, int]
"""A pattern and its cell in the window."""
Condition: TypeAlias = Sequence[tuple[str, bool]]
"""The signs of groups, and for each whether all of its patterns have to match, or only one."""


BIT_OF: Final = bytes(sum(element.bit for element in ELEMENTS if element.byte == byte) for byte in range(256))
"""The element's bit for each byte of a window, 0 for the own head: a table for `bytes.translate`."""
UNFIT: Final = -1
"""Stands for the rating of a variant that does not fit. All ratings are 0 or more."""


def scene(window: bytes) -> int:
    """A window as a number (theory, point 1)."""
    return int.from_bytes(window.translate(BIT_OF), "little")


def matching_mask(placed: Iterable[Placed]) -> int:
    """The mask of what matches."""
    return sum(pattern.suits << 8 * cell for pattern, cell in placed)


def unsuitable(placed: Iterable[Placed]) -> int:
    """The mask of what does not match."""
    return sum((EVERY & ~pattern.suits) << 8 * cell for pattern, cell in placed)


def by_weight(placed: Iterable[Placed]) -> tuple[tuple[int, int], ...]:
    """Each weight that occurs, with the mask of what its patterns match."""
    masks: dict[int, int] = {}
    for pattern, cell in placed:
        masks[pattern.weight] = masks.get(pattern.weight, 0) | pattern.suits << 8 * cell
    return tuple(sorted(masks.items()))


def groups(placed: Sequence[Placed]) -> Mapping[str, Sequence[Placed]]:
    """The patterns of each group, by its sign. Groups are sorted by sign, and the patterns of a group by cell."""
    by_sign: dict[str, list[Placed]] = {}
    for pattern, cell in sorted(placed, key=lambda pair: pair[1]):
        by_sign.setdefault(pattern.group, []).append((pattern, cell))
    return dict(sorted(by_sign.items()))


class Masks(NamedTuple):
    """A variant of a chart, compiled.

    Attributes:
        unsuited: what does not match the groups that have to match whole, each in a condition of its own.
        each: what matches, for each other group that is a condition of its own.
        either: the groups of each other condition: a mask, and whether it is that of what does not match, so that all of the
            group's patterns have to match.
        worth: the masks of the patterns that count in the rating, by weight.
        wholes: groups that count in the rating only if all patterns match: the mask of what does not, and their weights' sum.
    """

    unsuited: int
    each: Sequence[int]
    either: Sequence[Sequence[tuple[int, bool]]]
    worth: Sequence[tuple[int, int]]
    wholes: Sequence[tuple[int, int]]

    def rate(self, scene: int) -> int:
        """The sum of the weights of the patterns that match, or `UNFIT` if not all conditions hold."""
        if scene & self.unsuited:
            return UNFIT
        for suits in self.each:
            if not scene & suits:
                return UNFIT
        for condition in self.either:
            for mask, whole in condition:
                if (not scene & mask) is whole:
                    break
            else:
                return UNFIT
        if not (self.worth or self.wholes):  # as in all games without ratings
            return 0
        rating = 0
        for weight, mask in self.worth:
            rating += weight * (scene & mask).bit_count()
        for unsuited, worth in self.wholes:
            if not scene & unsuited:
                rating += worth
        return rating


def compile_conditions(
    placed: Sequence[Placed], conditions: Sequence[Condition], *, rates: bool, counts_failed: bool
) -> Masks:
    """The masks of a variant. With `counts_failed`, patterns of a group that fails count in the rating."""
    by_sign = groups(placed)
    masks = [
        [(unsuitable(by_sign[sign]) if whole else matching_mask(by_sign[sign]), whole) for sign, whole in condition]
        for condition in conditions
    ]
    alone = [condition[0] for condition in masks if len(condition) == 1]
    ignores = rates and not counts_failed
    wholes = [sign for condition in conditions for sign, whole in condition if whole and ignores]
    return Masks(
        unsuited=sum(mask for mask, whole in alone if whole),  # groups have no cell in common
        each=tuple(mask for mask, whole in alone if not whole),
        either=tuple(condition for condition in masks if len(condition) > 1),
        worth=by_weight(pair for pair in placed if rates and pair[0].group not in wholes),
        wholes=tuple(
            (unsuitable(by_sign[sign]), sum(pattern.weight for pattern, _ in by_sign[sign])) for sign in wholes
        ),
    )
