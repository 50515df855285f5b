"""What people see of a match, independent of any terminal library: a game draws it, views colour it.

The game makes every text here. Text that came from a bot (a name) is escaped by the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Tone(StrEnum):
    """What a cell shows. The game says what it is; the view chooses the colour."""

    EMPTY = "empty"
    WALL = "wall"
    GOAL = "goal"
    ITEM = "item"
    POWER = "power"
    HEAD = "head"
    BODY = "body"
    TAIL = "tail"


class Mark(NamedTuple):
    """One cell of a frame: `text` is exactly two printable ASCII columns that are readable without any colour."""

    text: str
    tone: Tone
    seat: int | None = None
    strong: bool = False


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
        title: how far the match is (`round 12 of 300`).
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
    """A part of a program as people see it: heading, rows of cells, and lines of text below them."""

    title: str
    rows: Sequence[Sequence[Patch]]
    notes: Sequence[str] = ()
