"""Windows and patterns as large numbers, so that a whole group is matched by one AND.

1. A scene is a window with a byte a cell, in which one bit is set: that of the element that lies there (none for the own
   head). As one number it has 1,352 bits, and making it takes a translation and a conversion, both in C.
2. A pattern in a cell suits some elements: those bits of that cell's byte. The bits of several patterns together make a
   mask. Patterns are in different cells, and a cell holds one element, so
       how many of them match  =  the number of bits that scene and mask have in common;
       at least one matches    =  there is such a bit;
       all of them match       =  the scene has no bit in common with the mask of what does not suit.
3. A match is worth 1 to 6 points; patterns of equal worth share a mask, so a rating is a handful of counts of bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from referee.tailbite.patterns import ELEMENTS, EVERY, Pattern

Placed: TypeAlias = tuple[Pattern, int]
"""A pattern and the window's cell that it stands in."""


def _bits() -> bytes:
    table = bytearray(256)
    for element in ELEMENTS:
        table[element.seen] = element.bit
    return bytes(table)


BIT_OF: Final = _bits()
"""The bit of what a window's byte shows, 0 for the own head: a table for `bytes.translate`."""


def scene(window: bytes) -> int:
    """A window as a number (theory, point 1)."""
    return int.from_bytes(window.translate(BIT_OF), "little")


def suiting(placed: Iterable[Placed]) -> int:
    """The mask of what suits."""
    return sum(pattern.suits << 8 * cell for pattern, cell in placed)


def unsuitable(placed: Iterable[Placed]) -> int:
    """The mask of what does not suit."""
    return sum((EVERY & ~pattern.suits) << 8 * cell for pattern, cell in placed)


def by_weight(placed: Iterable[Placed]) -> tuple[tuple[int, int], ...]:
    """Each weight that occurs with the mask of what suits its patterns."""
    masks: dict[int, int] = {}
    for pattern, cell in placed:
        masks[pattern.weight] = masks.get(pattern.weight, 0) | pattern.suits << 8 * cell
    return tuple(sorted(masks.items()))
