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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from referee.boards.grid import DIRECTIONS, SYMMETRIES
from referee.tailbite.sight import BORDER, EMPTY, ENEMY_BODY, ENEMY_HEAD, ENEMY_TAIL, OWN_BODY, OWN_TAIL, SIDE

CHART_SIDE: Final = 7
"""Cells a side of a chart."""
MOST_CHARTS: Final = 9
"""The most charts of a program."""
NOTHING: Final = "--"
"""A cell that asks nothing."""
HEADS: Final[Mapping[str, str]] = {"^^": "U", "<<": "L", "vv": "D", ">>": "R"}
"""How the own head is written, and its direction."""
ARROWS: Final[Mapping[str, str]] = {letter: text for text, letter in HEADS.items()}
"""How each direction is written."""


class Element(NamedTuple):
    """Something that can be in a cell: its letter and its words in programs, its byte in a window, its bit in a set."""

    letter: str
    word: str
    russian: str
    byte: int
    bit: int


ELEMENTS: Final = (
    Element("V", "empty", "пустая-клетка", EMPTY, 1),
    Element("W", "border", "граница", BORDER, 2),
    Element("S", "own-body", "своё-тело", OWN_BODY, 4),
    Element("T", "own-tail", "свой-хвост", OWN_TAIL, 8),
    Element("X", "enemy-head", "голова-противника", ENEMY_HEAD, 16),
    Element("Y", "enemy-body", "тело-противника", ENEMY_BODY, 32),
    Element("Z", "enemy-tail", "хвост-противника", ENEMY_TAIL, 64),
)
EVERY: Final = 127
"""The set of all elements."""
BY_LETTER: Final[Mapping[str, Element]] = {element.letter: element for element in ELEMENTS}
BY_WORD: Final[Mapping[str, Element]] = {
    **{element.word: element for element in ELEMENTS},
    **{element.russian: element for element in ELEMENTS},
    "свое-тело": BY_LETTER["S"],
}
"""The elements by each of their words."""


class Pattern(NamedTuple):
    """A condition for one cell of a chart: its two characters, as written, and the set of elements that match (`suits`)."""

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
    """A map or a scheme. `kind` is `map`, `and` or `or`; `heading` has the words before the colon, as written: `схема И`.

    `head` is the cell (x, y) of the own head, `facing` its direction.
    """

    kind: str
    heading: str
    description: str
    head: tuple[int, int]
    facing: str
    patterns: tuple[Pattern, ...]

    def rows(self) -> list[list[str]]:
        """The two characters of each cell, as written."""
        rows = [[NOTHING] * CHART_SIDE for _ in range(CHART_SIDE)]
        for pattern in self.patterns:
            rows[pattern.y][pattern.x] = pattern.text
        x, y = self.head
        rows[y][x] = ARROWS[self.facing]
        return rows


@dataclass(frozen=True, slots=True)
class Program:
    """A complete program.

    Attributes:
        sets: the sets that the program defines: the words of their elements, as written, by letter.
        words: the words before the colons of its first lines, if they are not English: `{"name": "имя"}`. Sets have keys
            such as `set A`.
    """

    name: str
    description: str
    sets: Mapping[str, tuple[str, ...]]
    charts: tuple[Chart, ...]
    words: Mapping[str, str]


class Variant(NamedTuple):
    """A chart laid over a window: the direction of its head, the name of its symmetry in `grid.SYMMETRIES`, and its cells.

    `cells` has the cell of each pattern in the window (an index into the 169 bytes), in the order of the chart.
    """

    move: str
    symmetry: str
    cells: tuple[int, ...]


@lru_cache(maxsize=256)
def variants(chart: Chart) -> Sequence[Variant]:
    """The eight variants of a chart, by direction in the order U L D R; in each pair, the rotated one comes first."""
    middle = SIDE // 2
    step = DIRECTIONS[chart.facing]
    ahead = (middle + step[0], middle + step[1])
    letters = {(middle + dx, middle + dy): letter for letter, (dx, dy) in DIRECTIONS.items()}
    cells = [(middle + p.x - chart.head[0], middle + p.y - chart.head[1]) for p in chart.patterns]
    laid = []
    for name, send in SYMMETRIES.items():
        images = [send(cell, SIDE) for cell in cells]
        laid.append(Variant(letters[send(ahead, SIDE)], name, tuple(y * SIDE + x for x, y in images)))
    order = list(DIRECTIONS)
    return sorted(laid, key=lambda variant: order.index(variant.move))


def corner(chart: Chart, variant: Variant) -> tuple[int, int]:
    """The top left cell (x, y) of the 7×7 cells of the window that a variant covers."""
    send = SYMMETRIES[variant.symmetry]
    middle = SIDE // 2
    first = (middle - chart.head[0], middle - chart.head[1])
    last = (first[0] + CHART_SIDE - 1, first[1] + CHART_SIDE - 1)
    ends = (send(first, SIDE), send(last, SIDE))
    return min(x for x, _ in ends), min(y for _, y in ends)


def elements_of(words: Iterable[str]) -> int:
    """The set of elements that words of programs mean."""
    return sum(BY_WORD[word].bit for word in set(words))


def suits_of(letter: str, sets: Mapping[str, Sequence[str]]) -> int:
    """The set of elements that match the first character of a cell. A small letter means NOT."""
    capital = letter.upper()
    suits = elements_of(sets[capital]) if capital in sets else BY_LETTER[capital].bit
    return suits if letter == capital else EVERY & ~suits


def in_words(suits: int) -> str:
    """A set of elements in words: `enemy tail`, `empty or own tail`, `anything but border`."""
    few = suits.bit_count() <= len(ELEMENTS) // 2
    words = [element.word.replace("-", " ") for element in ELEMENTS if bool(suits & element.bit) == few]
    return ("" if few else "anything but ") + " or ".join(words)
