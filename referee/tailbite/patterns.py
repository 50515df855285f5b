"""Programs as values: 7×7 charts of patterns around the own head, and the eight ways to lay one over a window.

1. A program is a name and up to nine charts; the reader in `parsing.py` makes it from text, and nothing is left to be
   checked afterwards. A chart is what a player calls a map (ava) or a scheme (viper).
2. A pattern stands in a cell of a chart and asks what lies there. Which elements suit it is a set of bits, one an
   element; NOT and the sets that a player made himself are gone by then. The own head asks nothing: it is the point by
   which a chart is laid over a window, and where it looks is where the snake goes if the chart fits.
3. Laid over a window with head on head, a chart never sticks out of it: from one cell of a 7×7 chart to any other it is
   at most six cells, and so far a snake sees in each direction. So a variant is no more than a window's cell for each
   pattern, and all eight of them are the symmetries of the window.
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
"""Charts that a program may have."""
HEADS: Final[Mapping[str, str]] = {"^^": "U", "<<": "L", "vv": "D", ">>": "R"}
"""How the own head is written, and where it looks."""


class Element(NamedTuple):
    """Something that can lie in a cell: its letter in programs, its word there, its byte in a window, its bit in a set."""

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
    """What one cell of a chart asks.

    Attributes:
        x, y: the cell on the chart, each 0 to 6.
        text: its two characters, as they were written.
        suits: the set of elements that match.
    """

    x: int
    y: int
    text: str
    suits: int

    @property
    def group(self) -> str:
        """The group's sign."""
        return self.text[1]

    @property
    def weight(self) -> int:
        """What a match is worth: 7 less the number of elements that suit."""
        return len(ELEMENTS) - self.suits.bit_count()


@dataclass(frozen=True, slots=True)
class Chart:
    """A map or scheme: its kind (the word that it begins with), the own head's cell (x, y) and where it looks."""

    kind: str
    description: str
    head: tuple[int, int]
    facing: str
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A whole program; `sets` are those of the player's own making, by their letters, each a set of elements."""

    name: str
    description: str
    sets: Mapping[str, int]
    charts: tuple[Chart, ...]


class Variant(NamedTuple):
    """A chart laid over a window.

    Attributes:
        move: where its head looks then.
        symmetry: which of `grid.SYMMETRIES` made it.
        cells: the window's cell (an index into its 169 bytes) of each pattern, in the chart's order.
    """

    move: str
    symmetry: str
    cells: tuple[int, ...]


def variants(chart: Chart) -> list[Variant]:
    """The eight variants of a chart: in the order U L D R of where they look, of each two the turned one first."""
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
    """The top left cell (x, y) of the window's part that a variant covers, 7×7 cells."""
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
