"""Map files: what the games' maps have in common.

A map is a TOML document with a name, a description and settings. In some games it also draws the field, as a text with
one row of characters for each row of cells:

    name = "Duel"
    description = "What it is about"
    field = '''
    1.W
    ...
    W.2
    '''
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import field_validator

from referee.boards.grid import Cell, first_asymmetry
from referee.errors import SetupError
from referee.text.strict import Strict
from referee.text.words import counted, is_line


class MapModel(Strict):
    """The keys of every map."""

    name: str
    description: str

    @field_validator("name", "description")
    @classmethod
    def _one_line(cls, text: str) -> str:
        if not is_line(text):
            raise ValueError("must be one line of text, not empty")
        return text


def check_field(rows: Sequence[str], sizes: range, letters: str, legend: str) -> None:
    """Check that a drawn field is a square of these letters. `legend` says what they mean, for messages.

    Raises: SetupError: with the row or the cell that is wrong.
    """
    size = len(rows)
    if size not in sizes:
        raise SetupError(f"field: must have {sizes.start} to {sizes.stop - 1} rows, not {size}")
    for y, row in enumerate(rows):
        if len(row) != size:
            characters = counted(len(row), "character")
            raise SetupError(f"field: row {y + 1} has {characters}, but a field of {size} rows needs {size} in each")
        if unknown := set(row).difference(letters):
            x = min(map(row.index, unknown))
            raise SetupError(f"field: {row[x]!a} at ({x}, {y}) is not a cell: use {legend}")


def cells_with(rows: Sequence[Sequence[str]], letters: str) -> list[Cell]:
    """The cells of a field that have one of these letters, row by row."""
    return [(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter in letters]


def counterparts(things: Mapping[str, Iterable[Cell]], symmetry: str, size: int) -> Iterator[str]:
    """A sentence for each kind of thing of which one has no counterpart, though the map names this symmetry."""
    for thing, cells in things.items():
        if alone := first_asymmetry(dict.fromkeys(cells, thing), symmetry, size):
            cell, image = alone
            yield f"The {thing} at {cell} has no counterpart at {image}, which the symmetry {symmetry} requires."


def draw_on(rows: Sequence[str], things: Mapping[Cell, str]) -> list[str]:
    """A field with a character put on each of these cells."""
    grid = [list(row) for row in rows]
    for (x, y), letter in things.items():
        grid[y][x] = letter
    return ["".join(row) for row in grid]


def document(name: str, description: str, settings: Mapping[str, str | int], rows: Sequence[str] = ()) -> str:
    """A map as TOML text, its keys in this order, the field last."""
    keys = {"name": name, "description": description, **settings}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()]
    field = ["field = '''", *rows, "'''"] if rows else []
    return "\n".join([*lines, *field, ""])
