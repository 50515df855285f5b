"""A map of the egg hunt as it is written, and read.

A map is a TOML document:

    name = "Nest"                     # one line
    description = "What it is about"  # one line
    runs = 10                         # 10 when left out; 1 on a map with a field
    turns = 175                       # of each run; 25 for each player when left out
    symmetry = "quarter"              # what makes the places alike; none when left out
    field = '''
    #########
    #*  o  *#
    #  ###  #
    #o     o#
    #  ###  #
    #*  o  *#
    #########
    '''

1. Without `field` the first field is drawn from the match's seed like those of all later runs (rule 1 of README.md).
2. With it, `#` is a wall, `o` an egg, `*` a place to start and a blank is a blank; rows are all as long as there are rows. Places
   count row by row. Without any `o`, four eggs for each player are strewn from the match's seed; without any `*`, players
   are put on random blank cells. What is strewn lies in one open area with what is drawn.
3. `symmetry` is `none`, `half`, `quarter`, `left-right` or `top-bottom`: what exchanges the places without changing the map.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.errors import SetupError
from referee.games.egghunt.position import BLANK, MAX_SEATS, MAX_SIDE, RUNS, WALL, Ordinal
from referee.grid import SYMMETRIES, Cell
from referee.names import counted, is_line, shorten
from referee.strict import Strict, read

EGG, START = "o", "*"

GROUPS: Final[Mapping[str, Sequence[str]]] = {
    "none": ("identity",),
    "half": ("identity", "half"),
    "left-right": ("identity", "left-right"),
    "top-bottom": ("identity", "top-bottom"),
    "quarter": ("identity", "quarter", "half", "three-quarter"),
}
"""The exchanges of cells that make up each symmetry of a map."""

_EGGS: Final = re.compile(re.escape(EGG))
_STARTS: Final = re.compile(re.escape(START))
_NO_CELL: Final = re.compile(f"[^{re.escape(WALL + EGG + START + BLANK)}]")


class DocumentModel(Strict):
    """A map's keys; what the texts must look like beyond that, `read_map` says."""

    name: str
    description: str
    runs: Ordinal | None = None
    turns: Ordinal | None = None
    symmetry: str = "none"
    field: str | None = None


@dataclass(frozen=True)
class Drawing:
    """A field as a map draws it: `rows` of walls and blanks, the eggs and the places to start, row by row."""

    rows: Sequence[str]
    eggs: Sequence[Cell]
    starts: Sequence[Cell]


@dataclass(frozen=True)
class Map:
    """A map that is readable; `drawing` is None where the field is drawn from the match's seed."""

    document: DocumentModel
    drawing: Drawing | None

    @property
    def runs(self) -> int:
        """How many runs a match on it has."""
        return self.document.runs or (RUNS if self.drawing is None else 1)


def read_map(document: Mapping[str, Any]) -> Map:
    """The map that a parsed TOML document describes.

    Raises:
        SetupError: with the key and what may stand there.
    """
    head = read(DocumentModel, dict(document), SetupError)
    for key, text in (("name", head.name), ("description", head.description)):
        check_line(key, text)
    if head.symmetry not in GROUPS:
        raise SetupError(f"symmetry: use {', '.join(GROUPS)}, not {shorten(repr(head.symmetry), 40)}")
    if head.field is None:
        if head.symmetry != "none":
            raise SetupError("symmetry: a field that is drawn from the seed has none: leave it out, or draw the field")
        return Map(head, None)
    return Map(head, _drawing(head.field))


def images(cell: Cell, symmetry: str, size: int) -> list[Cell]:
    """Where the exchanges of a symmetry send a cell, itself first, each cell once."""
    return list(dict.fromkeys(SYMMETRIES[name](cell, size) for name in GROUPS[symmetry]))


def check_line(key: str, text: str) -> None:
    """Raises SetupError unless a text may stand where one line is shown."""
    if not is_line(text):
        raise SetupError(f"{key}: must be one line of text, not empty")


def _drawing(field: str) -> Drawing:
    rows = field.strip("\n").split("\n")
    size = len(rows)
    if not 3 <= size <= MAX_SIDE:
        raise SetupError(f"field: must have 3 to {MAX_SIDE} rows, not {size}")
    eggs: list[Cell] = []
    starts: list[Cell] = []
    for y, row in enumerate(rows):
        if len(row) != size:
            raise SetupError(
                f"field: row {y + 1} has {counted(len(row), 'character')}, but a field of {size} rows needs {size} in each"
            )
        if (stranger := _NO_CELL.search(row)) is not None:
            raise SetupError(
                f"field: {stranger[0]!a} at ({stranger.start()}, {y}) is no cell: use # wall, o egg, * place to start, or a blank"
            )
        eggs += [(found.start(), y) for found in _EGGS.finditer(row)]
        starts += [(found.start(), y) for found in _STARTS.finditer(row)]
    if len(starts) > MAX_SEATS:
        raise SetupError(f"field: {len(starts)} places to start, {MAX_SEATS} are allowed")
    plain = str.maketrans({EGG: BLANK, START: BLANK})
    return Drawing([row.translate(plain) for row in rows], eggs, starts)
