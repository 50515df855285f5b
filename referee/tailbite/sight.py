"""What a snake sees: the 13×13 cells around its head, and how programs are to be read in this match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

from referee.grid import DIRECTIONS

SIDE: Final = 13
"""Cells a side of the window; the own head is in the middle, on row and column `SIDE // 2`."""

EMPTY, BORDER = ord("."), ord("W")
OWN_HEAD, OWN_BODY, OWN_TAIL = ord("H"), ord("S"), ord("T")
ENEMY_HEAD, ENEMY_BODY, ENEMY_TAIL = ord("X"), ord("Y"), ord("Z")

_HEAD: Final = SIDE // 2 * SIDE + SIDE // 2
_BESIDE: Final = {letter: _HEAD + dy * SIDE + dx for letter, (dx, dy) in DIRECTIONS.items()}


@dataclass(frozen=True, slots=True)
class Options:
    """How programs are read, where readings differ; part of the position.

    Attributes:
        rating: of a move (ava): the sum over its two variants, or the better of them.
        failed_and_groups: whether patterns of AND-groups that do not hold count in a rating (ava).
        or_groups: what an or-scheme wants of a colour (viper): all of its elements, or any.
    """

    rating: Literal["sum", "max"] = "sum"
    failed_and_groups: Literal["count", "ignore"] = "count"
    or_groups: Literal["all", "any"] = "all"


class Sight(Protocol):
    """An observation. Where it is a view of a match it is put together when it is looked at, and holds until the next turn."""

    @property
    def window(self) -> bytes:
        """169 bytes, row by row, letters of `. W H S T X Y Z`."""

    @property
    def options(self) -> Options:
        """How programs are to be read."""


class Seen(NamedTuple):
    """A sight that stays as it was: what came over the wire."""

    window: bytes
    options: Options


def possible(window: bytes) -> str:
    """The letters of the possible moves (rule 3), in the order U L D R.

    The own tail beside the head is barred only for a snake of length 2, which is one without own body beside its head.
    """
    barred = OWN_TAIL if all(window[cell] != OWN_BODY for cell in _BESIDE.values()) else None
    return "".join(
        letter
        for letter, cell in _BESIDE.items()
        if (there := window[cell]) in (EMPTY, ENEMY_TAIL) or (there == OWN_TAIL and there != barred)
    )
