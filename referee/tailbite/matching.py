"""Windows and patterns as large numbers, so that one AND matches a whole group.

1. A scene is a window with one byte for each cell. In that byte, the bit of the element in the cell is set; for the own head no
   bit is set. As one number, a scene has 1,352 bits. Making it takes one translation and one conversion, both in C.
2. A pattern in a cell matches some elements: these bits of the cell's byte. The bits of several patterns together are a mask.
   Patterns are in different cells, and a cell holds one element, so
       the number of patterns that match  =  the number of bits that the scene and the mask have in common;
       at least one pattern matches       =  there is such a bit;
       all patterns match                 =  the scene has no bit in common with the mask of what does not match.
3. A match is worth 1 to 6 points. Patterns of the same weight share a mask, so a rating needs only a few bit counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from referee.tailbite.patterns import ELEMENTS, EVERY, Pattern

Placed: TypeAlias = tuple[Pattern, int]
"""A pattern and its cell in the window."""


def _bits() -> bytes:
    table = bytearray(256)
    for element in ELEMENTS:
        table[element.byte] = element.bit
    return bytes(table)


BIT_OF: Final = _bits()
"""The element's bit for each byte of a window, 0 for the own head: a table for `bytes.translate`."""


def scene(window: bytes) -> int:
    """A window as a number (theory, point 1)."""
    return int.from_bytes(window.translate(BIT_OF), "little")


def suiting(placed: Iterable[Placed]) -> int:
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
