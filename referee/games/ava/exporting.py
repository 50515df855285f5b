"""Exports programs to the public AVA12 server: the inverse of `importing.py`, whose docstring describes the format.

1. That server takes four sets of at least one element, a name of at least one character, and heads that face up. A map with
   another head is turned: the variants of a map are the same, whichever of them is drawn (9).
2. A map is one run, from its first cell that asks something to the last. The server's own editor writes it in this way, and
   fills the sets that nobody defined with `S`.
3. Every change has a note.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from referee.boards.grid import SYMMETRIES
from referee.contract.programs import ConvertedProgram
from referee.errors import ProgramError
from referee.games.ava.importing import OPTIONS
from referee.tailbite.patterns import BY_WORD, CHART_SIDE, NOTHING, Chart, Program

_UPWARDS: Final = {"U": "identity", "L": "quarter", "D": "half", "R": "three-quarter"}
"""The rotation that makes a head face up, by its direction."""
_UNUSED: Final = "S"


def export_program(program: Program, source: bytes, file: str) -> ConvertedProgram:
    """Translate a program into the JSON of that server.

    Args:
        source: the text of the program. file: the file's name as the user wrote it, for messages.

    Raises:
        ProgramError: the program has no name.
    """
    if not program.name:
        number, row = next(
            (n, row) for n, row in enumerate(source.decode("utf-8-sig").split("\n"), start=1) if row.strip()
        )
        column = len(row.rstrip()) + 1
        raise ProgramError(file, number, column, "the AVA12 server takes no program without a name: write one here")
    notes: list[str] = []
    sets = {letter: "".join(BY_WORD[word].letter for word in words) for letter, words in program.sets.items()}
    if missing := [letter for letter in "ABCD" if letter not in sets]:
        notes.append(
            f"the program has no set {', '.join(missing)}; the server needs four sets, so each of these becomes {_UNUSED} there"
        )
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
