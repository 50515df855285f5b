"""What people see of a match and what they can do in it, without any terminal library: a game draws it, views colour it.

The game makes every text here. Text that came from a bot (a name) is escaped by the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

HUES: Final = 6
"""How many colours views have for cells without a seat (`Mark.hue`, from 0)."""


class Tone(StrEnum):
    """What a cell shows. The game says what it is; the view chooses the colour, and fills a wall."""

    EMPTY = "empty"
    WALL = "wall"
    GOAL = "goal"
    ITEM = "item"
    POWER = "power"
    HEAD = "head"
    BODY = "body"
    TAIL = "tail"


class Mark(NamedTuple):
    """One cell of a frame: `text` is exactly two printable ASCII columns that are readable without any colour.

    The text of a cell with a seat begins with the number of that seat, from 1: pictures show it apart from the rest.
    `hue` gives a cell without a seat one of `HUES` colours. `level` (0 to 1) says how intense the colour is. Both are
    decoration: what they show can also be read from the text, or matters little. `amount` is the number that two columns have
    no room for, for views that can show it.
    """

    text: str
    tone: Tone
    seat: int | None = None
    strong: bool = False
    hue: int | None = None
    level: float = 1.0
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat's line next to the board: name, score, and the game's own figures in the order of `Frame.figures`."""

    seat: int
    name: str
    score: float
    figures: Sequence[str]
    disqualified: str | None


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment as views show it.

    Attributes:
        title: how far the match is (`round 12 of 300`), the same in all steps of a round.
        cells: the marks of the board, as `cells[y][x]`.
        figures: the headings of the game's own columns.
        to_move: the seats that are due.
        legend: pairs of a mark and its meaning.
        bodies: the cells (x, y) of each body from head to tail, for views that join them; cells alone do not tell it.
    """

    title: str
    cells: Sequence[Sequence[Mark]]
    figures: Sequence[str]
    seats: Sequence[SeatLine]
    to_move: Sequence[int]
    legend: Sequence[tuple[Mark, str]]
    bodies: Sequence[Sequence[tuple[int, int]]] = ()


class Patch(NamedTuple):
    """One cell of a sheet: two printable ASCII columns, and the name of the rich colour of its group."""

    text: str
    colour: str | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A part of a program as people see it: heading, rows of cells, and lines of text below them.

    `fired` says whether it is a part of what made the decision, where one is explained.
    """

    title: str
    rows: Sequence[Sequence[Patch]]
    notes: Sequence[str] = ()
    fired: bool = False


@dataclass(frozen=True, slots=True)
class Control:
    """Something that a person at the keyboard can do now.

    Attributes:
        keys: the keys for the action: a printable character, or `up`, `down`, `left`, `right`. Digits, `+`, `-`, `?`, `q`, the
            space bar, Tab and Esc belong to the view.
        words: what the action would do now, in a few words: "bite 3 off Guard".
        answer: the answer to the request, its lines joined by line feeds; None if `then` has answers.
        then: what the next key can do, if this key alone is no answer.
    """

    keys: Sequence[str]
    words: str
    answer: str | None = None
    then: Sequence[Control] = ()
