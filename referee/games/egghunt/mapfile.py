"""Map files of the egg hunt.

A map is a TOML document:

    name = "Nest"                     # one line
    description = "What it is about"  # one line
    runs = 10                         # 10 if left out, or 1 if there is a field
    turns = 175                       # of each run; 25 for each player if left out
    symmetry = "quarter"              # what makes the places alike; none if left out
    field = '''
    #########
    #*  o  *#
    #  ###  #
    #o     o#
    #  ###  #
    #*  o  *#
    #########
    '''

1. Without a `field`, the first field is drawn with the match's seed like those of all later runs (rule 1 of README.md).
2. In a `field`, `#` is a wall, `o` an egg, `*` a starting place and a blank is a blank. It has as many rows as columns. Places
   count row by row. A field has both eggs and places.
3. `symmetry` is `none`, `half`, `quarter`, `left-right` or `top-bottom`. It exchanges the places and leaves the map as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from referee.boards.maptext import MapModel, cells_with, check_field
from referee.errors import SetupError
from referee.games.egghunt.generate import Field
from referee.games.egghunt.position import BLANK, MAX_SEATS, MAX_SIDE, RUNS, WALL, Ordinal
from referee.text.strict import read

EGG, START = "o", "*"
SIZES: Final = range(3, MAX_SIDE + 1)


class DocumentModel(MapModel):
    """A map's keys. `read_map` checks the field."""

    runs: Ordinal | None = None
    turns: Ordinal | None = None
    symmetry: Literal["none", "half", "left-right", "top-bottom", "quarter"] = "none"
    field: str | None = None


@dataclass(frozen=True)
class Map:
    """A map that is readable.

    `field` is as the map draws it, its eggs and its places row by row; None if the field is drawn with the match's seed.
    """

    document: DocumentModel
    field: Field | None

    @property
    def runs(self) -> int:
        """The number of runs of a match."""
        return self.document.runs or (RUNS if self.field is None else 1)


def read_map(document: Mapping[str, Any]) -> Map:
    """The map that a parsed TOML document describes. Raises: SetupError, with the key and what is wrong."""
    head = read(DocumentModel, dict(document), SetupError)
    if head.field is None:
        if head.symmetry != "none":
            raise SetupError("symmetry: a field that is drawn from the seed has none: leave it out, or draw the field")
        return Map(head, None)
    rows = head.field.strip("\n").split("\n")
    check_field(rows, SIZES, WALL + EGG + START + BLANK, "# wall, o egg, * place to start, or a blank")
    eggs, starts = cells_with(rows, EGG), cells_with(rows, START)
    if not (eggs and starts):
        raise SetupError("field: must have an egg (o) and a place to start (*), or be left out and drawn with the seed")
    if len(starts) > MAX_SEATS:
        raise SetupError(f"field: {len(starts)} places to start, {MAX_SEATS} are allowed")
    return Map(head, Field([row.replace(EGG, BLANK).replace(START, BLANK) for row in rows], eggs, starts))
