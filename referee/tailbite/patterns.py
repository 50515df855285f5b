"""Programs as values: 7×7 charts of patterns around the own head, and the eight variants of each chart.

1. A program is a name and up to nine charts. `parsing.py` makes it from text and checks it completely. A chart is what players
   call a map (ava) or a scheme (viper).
2. A pattern is in a cell of a chart and says which elements match there: a set of bits, one for each element. NOT and the sets
   that a player has defined are resolved by then. The own head matches nothing. A chart is laid over a window so that the heads
   coincide, and the direction of the head is where the snake goes if the chart fits.
3. A chart that is laid over a window in this way is always inside it: two cells of a 7×7 chart are at most six cells apart in x
   and y, and a snake sees six cells in each direction. So a variant is just one cell of the window for each pattern, and the
   eight variants are the symmetries of the window.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.grid import DIRECTIONS, SYMMETRIES
from referee.tailbite.sight import BORDER, EMPTY, ENEMY_BODY, ENEMY_HEAD, ENEMY_TAIL, OWN_BODY, OWN_TAIL, SIDE

CHART_SIDE: Final = 7
"""Cells a side of a chart."""
MOST_CHARTS: Final = 9
"""The most charts of a program."""
HEADS: Final[Mapping[str, str]] = {"^^": "U", "<<": "L", "vv": "D", ">>": "R"}
"""How the own head is written, and its direction."""


class Element(NamedTuple):
    """Something that can be in a cell: its letter and its word in programs, its byte in a window, its bit in a set."""

    letter: str
    word: str
    seen: int
    bit: int


ELEMENTS: Final = (
    Element("V", "empty", EMPTY, 1),
    Element("W", "border", BORDER, 2),
    Element("S", "own-body", OWN_BODY, 4),
    Element("T", "own-tail", OWN_TAIL, 8),
    Element("X", "enemy-head", ENEMY_HEAD, 16),
    Element("Y", "enemy-body", ENEMY_BODY, 32),
    Element("Z", "enemy-tail", ENEMY_TAIL, 64),
)
EVERY: Final = 127
"""The set of all elements."""


class Pattern(NamedTuple):
    """A condition for one cell of a chart.

    Attributes:
        x, y: the cell of the chart, each from 0 to 6.
        text: its two characters, as written in the program.
        suits: the set of elements that match.
    """

    x: int
    y: int
    text: str
    suits: int

    @property
    def group(self) -> str:
        """The sign of its group."""
        return self.text[1]

    @property
    def weight(self) -> int:
        """What a match is worth: 7 minus the number of elements that match."""
        return len(ELEMENTS) - self.suits.bit_count()


@dataclass(frozen=True, slots=True)
class Chart:
    """A map or a scheme: its kind (`map`, `and` or `or`), the cell (x, y) of the own head, and the head's direction."""

    kind: str
    description: str
    head: tuple[int, int]
    facing: str
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A complete program. `sets` are the sets that it defines: a set of elements for each letter."""

    name: str
    description: str
    sets: Mapping[str, int]
    charts: tuple[Chart, ...]


class Variant(NamedTuple):
    """A chart laid over a window.

    Attributes:
        move: the direction of its head.
        symmetry: the name of its symmetry in `grid.SYMMETRIES`.
        cells: for each pattern, in the chart's order, its cell in the window (an index into the 169 bytes).
    """

    move: str
    symmetry: str
    cells: tuple[int, ...]


def variants(chart: Chart) -> list[Variant]:
    """The eight variants of a chart, by direction in the order U L D R; in each pair, the rotated one comes first."""
    middle = SIDE // 2
    step = DIRECTIONS[chart.facing]
    ahead = (middle + step[0], middle + step[1])
    letters = {(middle + dx, middle + dy): letter for letter, (dx, dy) in DIRECTIONS.items()}
    places = [(middle + p.x - chart.head[0], middle + p.y - chart.head[1]) for p in chart.patterns]
    found = []
    for name, send in SYMMETRIES.items():
        sent = [send(place, SIDE) for place in places]
        found.append(Variant(letters[send(ahead, SIDE)], name, tuple(y * SIDE + x for x, y in sent)))
    order = list(DIRECTIONS)
    return sorted(found, key=lambda variant: order.index(variant.move))


def corner(chart: Chart, variant: Variant) -> tuple[int, int]:
    """The top left cell (x, y) of the 7×7 cells of the window that a variant covers."""
    send = SYMMETRIES[variant.symmetry]
    middle = SIDE // 2
    first = (middle - chart.head[0], middle - chart.head[1])
    last = (first[0] + CHART_SIDE - 1, first[1] + CHART_SIDE - 1)
    ends = (send(first, SIDE), send(last, SIDE))
    return min(x for x, _ in ends), min(y for _, y in ends)


def in_words(suits: int) -> str:
    """A set of elements in words: `enemy tail`, `empty or own tail`, `anything but border`."""
    few = suits.bit_count() <= len(ELEMENTS) // 2
    named = [element.word.replace("-", " ") for element in ELEMENTS if bool(suits & element.bit) == few]
    return ("" if few else "anything but ") + " or ".join(named)
