"""Converts programs of the public AVA12 server, which are JSON, into the language of this referee, and back.

1. On that server, the own head of a map always faces up and is not among the patterns: `HeadX` and `HeadY` give its cell. Cells
   come in runs. A run begins at a cell (X, Y) and continues in the next row. A later run covers an earlier one. A cell that no
   run covers is `--`.
2. The four sets, `Templates`, are strings of element letters. A letter may be repeated, which does not change what matches. But
   the server takes the length of the string as the size of the set, so such a set gets a lower rating there.
3. The server takes four sets of at least one element, a name of at least one character, and heads that face up. An exported map
   with another head is turned: the variants of a map are the same, whichever of them is drawn (9). Sets that nobody defined
   become `S`, as in the server's own editor.
4. An exported map is one run, from its first cell that asks something to the last, as the server's own editor writes it.
5. Every change has a note.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, Field, ValidationError, model_validator

from referee.boards.grid import SYMMETRIES
from referee.contract.programs import ConvertedProgram
from referee.errors import ProgramError
from referee.tailbite.documents import text
from referee.tailbite.parsing import MOST_WORDS
from referee.tailbite.patterns import (
    BY_LETTER,
    BY_WORD,
    CHART_SIDE,
    MOST_CHARTS,
    NOTHING,
    Chart,
    Pattern,
    Program,
    suits_of,
)
from referee.text.documents import Malformed, json_of, text_of
from referee.text.strict import Strict, explain
from referee.text.words import MAX_NAME, counted, shorten

MOST_BYTES: Final = 256 * 1024
"""The most bytes of a document. A program with nine full maps has about 2,000."""
OPTIONS: Final = (
    "the server rates a move by the better of its two variants and ignores AND-groups that fail: for the same ratings here, set \
rating = max and failed_and_groups = ignore in the options of the position"
)
_CELLS: Final = CHART_SIDE * CHART_SIDE
_LETTERS: Final = (*BY_LETTER, *"ABCD")
_GROUPS: Final = "01234567"
_Along: TypeAlias = Annotated[int, Field(ge=0, le=CHART_SIDE - 1)]


def _run_of_cells(line: str) -> str:
    for at in range(0, len(line), 2):
        cell = line[at : at + 2]
        if cell != NOTHING and (len(cell) < 2 or cell[0].upper() not in _LETTERS or cell[1] not in _GROUPS):
            raise ValueError(
                f"{shorten(cell, 10)!r} is not a cell: write a letter of {' '.join(_LETTERS)} (small for NOT) and "
                f"a group from {_GROUPS[0]} to {_GROUPS[-1]}, or {NOTHING}"
            )
    return line


def _elements(template: str) -> str:
    for letter in template:
        if letter not in BY_LETTER:
            letters = " ".join(BY_LETTER)
            raise ValueError(f"{shorten(letter, 10)!r} is not an element: a set consists of letters of {letters}")
    if len(set(template)) == len(BY_LETTER):
        raise ValueError("a set of all elements matches everything: remove one")
    return template


class _Run(Strict, extra="ignore"):
    X: _Along
    Y: _Along
    Line: Annotated[str, Field(min_length=2, max_length=2 * _CELLS), AfterValidator(_run_of_cells)]

    @model_validator(mode="after")
    def _on_the_map(self) -> _Run:
        over = self.Y * CHART_SIDE + self.X + len(self.Line) // 2 - _CELLS
        if over > 0:
            raise ValueError(f"the run goes {counted(over, 'cell')} beyond the map")
        return self


class _Map(Strict, extra="ignore"):
    Description: str = ""
    HeadX: _Along
    HeadY: _Along
    Lines: Annotated[list[_Run], Field(max_length=_CELLS)]


class _Program(Strict, extra="ignore"):
    SnakeName: str
    ProgramDescription: str = ""
    Templates: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_elements)]],
        Field(min_length=4, max_length=4),
    ]
    Maps: Annotated[list[_Map], Field(min_length=1, max_length=MOST_CHARTS)]


def import_program(source: bytes, file: str) -> ConvertedProgram:
    """Translate a program of that server, a JSON object with the keys of README.md (Programs of the public server).

    `file` is its name for messages. Raises: ProgramError: with the place in the text, or the key.
    """
    if len(source) > MOST_BYTES:
        raise ProgramError(file, 0, 0, f"longer than {MOST_BYTES >> 10} KiB: shorten the program")
    try:
        document = json_of(text_of(source))
    except Malformed as wrong:
        raise ProgramError(file, wrong.line, wrong.column, f"not valid JSON: {wrong}") from None
    try:
        program = _Program.model_validate(document)
    except ValidationError as failed:
        raise ProgramError(file, 0, 0, explain(failed)) from None
    notes: list[str] = []
    name = _in_one_line(program.SnakeName, "the name", MAX_NAME, notes)
    description = _in_one_line(program.ProgramDescription, "the description", MOST_WORDS, notes)
    sets = {letter: _set(letter, template, notes) for letter, template in zip("ABCD", program.Templates, strict=True)}
    charts = tuple(_chart(drawn, number, sets, notes) for number, drawn in enumerate(program.Maps, start=1))
    return ConvertedProgram(text(Program(name, description, sets, charts, {})), [*notes, OPTIONS])


def _chart(drawn: _Map, number: int, sets: Mapping[str, Sequence[str]], notes: list[str]) -> Chart:
    """A map whose runs are laid one over another."""
    description = _in_one_line(drawn.Description, f"the description of map {number}", MOST_WORDS, notes)
    cells = [NOTHING] * _CELLS
    for run in drawn.Lines:
        at = run.Y * CHART_SIDE + run.X
        parts = [run.Line[k : k + 2] for k in range(0, len(run.Line), 2)]
        cells[at : at + len(parts)] = parts
    head = drawn.HeadY * CHART_SIDE + drawn.HeadX
    if cells[head] != NOTHING:
        notes.append(f"map {number}: {cells[head]} is left out, because the own head is in that cell")
    asked = [(at, cell) for at, cell in enumerate(cells) if cell != NOTHING and at != head]
    patterns = tuple(Pattern(at % CHART_SIDE, at // CHART_SIDE, cell, suits_of(cell[0], sets)) for at, cell in asked)
    return Chart("map", "map", description, (drawn.HeadX, drawn.HeadY), "U", patterns)


def _set(letter: str, template: str, notes: list[str]) -> tuple[str, ...]:
    """The words of a set without repeats, in their order."""
    different = list(dict.fromkeys(template))
    if len(different) < len(template):
        there = f"a match rates {7 - len(template)} on the server and {7 - len(different)} here"
        notes.append(f"set {letter}: {shorten(template, 40)} repeats elements: the repeats are dropped; {there}")
    return tuple(BY_LETTER[element].word for element in different)


def _in_one_line(text: str, what: str, most: int, notes: list[str]) -> str:
    """A text in one line, without control characters, and cut to the length that it may have."""
    printable = "".join(c if c >= " " and c != "\x7f" else " " for c in text)
    clean = " ".join(printable.encode(errors="replace").decode().split())[:most].strip()
    if clean != text.strip():
        notes.append(f"{what} is written in one line of at most {most} characters, with single spaces")
    return clean


_UPWARDS: Final = {"U": "identity", "L": "quarter", "D": "half", "R": "three-quarter"}
"""The rotation that makes a head face up, by its direction."""
_UNUSED: Final = "S"


def export_program(program: Program, source: bytes, file: str) -> ConvertedProgram:
    """Translate a program, whose text is `source`, into the JSON of that server. Raises: ProgramError: it has no name."""
    if not program.name:
        rows = source.decode("utf-8-sig").split("\n")
        number, row = next((number, row) for number, row in enumerate(rows, start=1) if row.strip())
        column = len(row.rstrip()) + 1
        raise ProgramError(file, number, column, "the AVA12 server takes no program without a name: write one here")
    notes: list[str] = []
    sets = {letter: "".join(BY_WORD[word].letter for word in words) for letter, words in program.sets.items()}
    if missing := [letter for letter in "ABCD" if letter not in sets]:
        lacking = f"the program has no set {', '.join(missing)}"
        notes.append(f"{lacking}; the server needs four sets, so each of these becomes {_UNUSED} there")
    document = {
        "SnakeName": program.name,
        "ProgramDescription": program.description,
        "Templates": [sets.get(letter, _UNUSED) for letter in "ABCD"],
        "Maps": [_map(chart, number, notes) for number, chart in enumerate(program.charts, start=1)],
    }
    return ConvertedProgram(json.dumps(document, ensure_ascii=False, indent=1) + "\n", [*notes, OPTIONS])


def _map(chart: Chart, number: int, notes: list[str]) -> Mapping[str, Any]:
    if chart.facing != "U":
        notes.append(f"map {number} is turned so that its head faces up; it means the same")
    send = SYMMETRIES[_UPWARDS[chart.facing]]
    x, y = send(chart.head, CHART_SIDE)
    cells = {send((pattern.x, pattern.y), CHART_SIDE): pattern.text for pattern in chart.patterns}
    filled = sorted(y * CHART_SIDE + x for x, y in cells)
    run = range(filled[0], filled[-1] + 1) if filled else range(0)
    line = "".join(cells.get((at % CHART_SIDE, at // CHART_SIDE), NOTHING) for at in run)
    lines = [{"X": run[0] % CHART_SIDE, "Y": run[0] // CHART_SIDE, "Line": line}] if run else []
    return {"Description": chart.description, "HeadX": x, "HeadY": y, "Lines": lines}
