"""What a snake sees: the 13×13 cells around its head, and the options for reading programs in this match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Final, Literal, NamedTuple, Protocol

from referee.boards.grid import DIRECTIONS

SIDE: Final = 13
"""Cells a side of the window. The own head is in the middle, in row and column `SIDE // 2`."""
LETTERS: Final = "".join(DIRECTIONS)
"""The letters of all moves, in the order of answers."""
EMPTY, BORDER = ord("."), ord("W")
OWN_HEAD, OWN_BODY, OWN_TAIL = ord("H"), ord("S"), ord("T")
ENEMY_HEAD, ENEMY_BODY, ENEMY_TAIL = ord("X"), ord("Y"), ord("Z")

_HEAD: Final = SIDE // 2 * SIDE + SIDE // 2
_beside: Final = itemgetter(*(_HEAD + dy * SIDE + dx for dx, dy in DIRECTIONS.values()))
"""The cells around the head, in the order U L D R."""


@dataclass(frozen=True, slots=True)
class Options:
    """How programs are read, for rules with two readings. The options are part of the position.

    Attributes:
        rating: whether the rating of a move is the sum over its two variants or the better of them (ava).
        failed_and_groups: whether patterns of AND-groups that fail count in a rating (ava).
        or_groups: whether a colour of an or-scheme needs all of its elements or any of them (viper).
    """

    rating: Literal["sum", "max"] = "sum"
    failed_and_groups: Literal["count", "ignore"] = "count"
    or_groups: Literal["all", "any"] = "all"


class Sight(Protocol):
    """An observation. In a running match, it is computed when it is read, and is valid until the next turn."""

    @property
    def window(self) -> bytes:
        """The 169 cells, row by row, as letters of `. W H S T X Y Z`."""

    @property
    def lines(self) -> bytes:
        """The same cells as 13 lines, without the last line feed."""

    @property
    def options(self) -> Options:
        """How programs are read in this match."""


class FixedSight(NamedTuple):
    """A sight that does not change, such as one that came over the wire."""

    window: bytes
    options: Options

    @property
    def lines(self) -> bytes:
        """The same cells as lines."""
        return b"\n".join(self.window[at : at + SIDE] for at in range(0, SIDE * SIDE, SIDE))


def possible(window: bytes) -> str:
    """The letters of the possible moves (rule 3), in the order U L D R."""
    return _possible(_beside(window))


@lru_cache(maxsize=4096)
def _possible(beside: tuple[int, ...]) -> str:
    """The possible moves for the cells around the head. Cached, because few occur.

    A snake of length 2 cannot enter its own tail. The cells show this length: the tail is there, and no body is.
    """
    free = (EMPTY, ENEMY_TAIL, OWN_TAIL) if OWN_BODY in beside else (EMPTY, ENEMY_TAIL)
    return "".join(letter for letter, cell in zip(DIRECTIONS, beside, strict=True) if cell in free)
