"""Programs of the public AVA12 server, as its JSON has them, put into the language of this referee.

1. There a map's own head always looks up and has no cell of its own among the patterns: `HeadX` and `HeadY` say where it is.
   The cells come in runs, each from a cell (X, Y) on, and a run goes on in the next row. Runs are laid one over the other in
   their order; what none covers asks nothing.
2. The four sets, `Templates`, are strings of element letters. A letter may repeat there, which changes nothing that matches;
   but that server takes the length of the string for the size of the set, so such a set rates lower there.
3. Nothing is changed without a note.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from referee.errors import ProgramError
from referee.game import Adopted
from referee.names import MAX_NAME_BYTES, shorten
from referee.strict import Strict, read
from referee.tailbite.parsing import MOST_WORDS, NOTHING
from referee.tailbite.patterns import CHART_SIDE, ELEMENTS, MOST_CHARTS

MOST_BYTES: Final = 256 * 1024
"""The longest document; a program of nine full maps has some 2,000 bytes in it."""
OPTIONS: Final = (
    "the server takes the better of a move's two variants and leaves out AND-groups that fail: rating = max and \
failed_and_groups = ignore in the position's options give that"
)
_CELLS: Final = CHART_SIDE * CHART_SIDE
_WORDS: Final = {element.letter: element.word for element in ELEMENTS}
_Along: TypeAlias = Annotated[int, Field(ge=0, lt=CHART_SIDE)]


class _Run(Strict, extra="ignore"):
    X: _Along
    Y: _Along
    Line: Annotated[str, Field(min_length=2, max_length=2 * _CELLS, pattern=r"^(?:--|[A-DSTV-Za-dstv-z][0-7])+$")]


class _Map(Strict, extra="ignore"):
    Description: str = ""
    HeadX: _Along
    HeadY: _Along
    Lines: Annotated[list[_Run], Field(max_length=_CELLS)]


class _Program(Strict, extra="ignore"):
    SnakeName: str
    ProgramDescription: str = ""
    Templates: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=100, pattern="^[STV-Z]+$")]],
        Field(min_length=4, max_length=4),
    ]
    Maps: Annotated[list[_Map], Field(min_length=1, max_length=MOST_CHARTS)]


def adopt(source: bytes, file: str) -> Adopted:
    """A program of that server in the language of this referee.

    Args:
        source: a JSON object with `SnakeName`, `ProgramDescription`, `Templates` and `Maps`; other keys mean nothing here.
        file: as the user named it, for messages.

    Raises:
        ProgramError: it is none; the message names the key, or the line and column, that is wrong.
    """
    if len(source) > MOST_BYTES:
        raise ProgramError(file, 0, 0, f"longer than {MOST_BYTES >> 10} KiB: no program needs as much")
    try:
        document = json.loads(source.decode("utf-8-sig"))
    except UnicodeDecodeError as wrong:
        raise ProgramError(file, 0, 0, f"{wrong.reason} at byte {wrong.start}: save it as UTF-8") from None
    except json.JSONDecodeError as wrong:
        raise ProgramError(file, wrong.lineno, wrong.colno, f"no JSON: {wrong.msg}") from None
    except (RecursionError, ValueError):
        raise ProgramError(file, 0, 0, "no JSON that can be read: nested too deeply, or a number too long") from None
    given = read(_Program, document, lambda message: ProgramError(file, 0, 0, message))
    notes: list[str] = []
    lines = [f"name: {_named(given.SnakeName, notes)}"]
    if described := _in_one_line(given.ProgramDescription, "the description", notes):
        lines.append(f"description: {described}")
    for letter, template in zip("ABCD", given.Templates, strict=True):
        lines.append(f"set {letter}: {' '.join(_WORDS[element] for element in _set(letter, template, file, notes))}")
    for number, drawn in enumerate(given.Maps, start=1):
        lines += ["", f"map: {_in_one_line(drawn.Description, f'the description of map {number}', notes)}".rstrip()]
        cells = _cells(drawn, number, file, notes)
        lines += [" ".join(cells[at : at + CHART_SIDE]) for at in range(0, _CELLS, CHART_SIDE)]
    return Adopted("\n".join(lines) + "\n", [*notes, OPTIONS])


def _cells(drawn: _Map, number: int, file: str, notes: list[str]) -> Sequence[str]:
    """A map's 49 cells, row by row."""
    cells = [NOTHING] * _CELLS
    for place, run in enumerate(drawn.Lines):
        at = run.Y * CHART_SIDE + run.X
        parts = [run.Line[k : k + 2] for k in range(0, len(run.Line), 2)]
        if at + len(parts) > _CELLS:
            over = at + len(parts) - _CELLS
            raise ProgramError(file, 0, 0, f"Maps.{number - 1}.Lines.{place}: the run goes {over} cells beyond the map")
        cells[at : at + len(parts)] = parts
    head = drawn.HeadY * CHART_SIDE + drawn.HeadX
    if cells[head] != NOTHING:
        notes.append(f"map {number}: {cells[head]} in the own head's cell is left out")
    cells[head] = "^^"
    return cells


def _set(letter: str, template: str, file: str, notes: list[str]) -> Sequence[str]:
    """The different letters of a set, in the order in which they came."""
    different = list(dict.fromkeys(template))
    if len(different) == len(ELEMENTS):
        raise ProgramError(file, 0, 0, f"Templates.{'ABCD'.index(letter)}: a set of all elements, which asks nothing")
    if len(different) < len(template):
        there = f"the server rates it {7 - len(template)}, here it is {7 - len(different)}"
        notes.append(f"set {letter}: {shorten(template, 40)} names elements more than once: they are dropped; {there}")
    return different


def _named(name: str, notes: list[str]) -> str:
    """The name, as long as names may be here."""
    kept = _in_one_line(name, "the name", notes)
    short = kept.encode()[:MAX_NAME_BYTES].decode(errors="ignore").strip()
    if short != kept:
        notes.append(f"the name {shorten(kept, 80)!r} has {len(kept.encode())} bytes: it is cut to {MAX_NAME_BYTES}")
    return short


def _in_one_line(text: str, what: str, notes: list[str]) -> str:
    """A text without line ends and other control characters, and not longer than a program's may be."""
    clean = " ".join(
        "".join(c if c >= " " and c != "\x7f" else " " for c in text).encode(errors="replace").decode().split()
    )
    if clean != text.strip():
        notes.append(f"{what} is put into one line, without control characters and with single blanks")
    if len(clean) > MOST_WORDS:
        notes.append(f"{what} has {len(clean)} characters: it is cut to {MOST_WORDS}")
    return clean[:MOST_WORDS].strip()
