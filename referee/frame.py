"""What is shown to people, free of any terminal library: a game draws it, views ink it.

Every text in here is made by the game; the view escapes what came from a bot in it (a name).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Tone(StrEnum):
    """What a cell is, so that a view can choose its ink; the game says what, never which colour."""

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
    """One seat's line beside the board: the name, the score, and the game's own figures in the order of `Frame.figures`."""

    seat: int
    name: str
    score: float
    figures: Sequence[str]
    disqualified: str | None


@dataclass(frozen=True, slots=True)
class Frame:
    """What views show of a moment, free of any terminal library.

    `cells[y][x]` are the marks of the board; `title` says where the match stands (`round 12 of 300`); `figures` are the
    headings of the game's own columns; `to_move` the seats that are due; `legend` pairs a mark with its meaning.
    """

    title: str
    cells: Sequence[Sequence[Mark]]
    figures: Sequence[str]
    seats: Sequence[SeatLine]
    to_move: Sequence[int]
    legend: Sequence[tuple[Mark, str]]


class Patch(NamedTuple):
    """One cell of a sheet: two printable ASCII columns, and the name of the colour (a rich one) that tells its group."""

    text: str
    colour: str | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A part of a program drawn for people: its heading, rows of cells, and lines of text below them."""

    title: str
    rows: Sequence[Sequence[Patch]]
    notes: Sequence[str] = ()
