"""`students.csv` beside `tournament.toml`: whose bot each file is. A tournament in a folder of bots, or its folder of
grades, may have it there.

1. Its first row names the columns `file`, `name` and `id`, in any order: the file or folder of a bot as the folder has it, the
   student's name, and what the course system knows the student by, such as an e-mail address or a student number.
2. Spreadsheets write it: UTF-8 with or without a byte order mark, cells separated by `,` or `;`, quoted where needed. Empty rows
   are ignored, and so are blanks around a cell.
3. It is read strictly. A file or an id that occurs twice would give a student somebody else's grade.
4. File systems write an accented letter as one character or as two (NFC, NFD of Unicode). Both are the same name.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import Path, PurePath
from typing import Annotated, Final
from unicodedata import normalize

from pydantic import AfterValidator, Field

from referee.errors import UsageError
from referee.files import reading
from referee.text.documents import Malformed, text_of
from referee.text.strict import Strict, read
from referee.text.words import counted, is_line, listed, shorten
from referee.tournament.settings import GRADE, INSIDE

FILE: Final = "students.csv"
COLUMNS: Final = ("file", "name", "id")
MOST_MISSING: Final = 10
"""The most missing files that a message names."""
_CAP: Final = 2**20


def _line(text: str) -> str:
    if not is_line(text):
        raise ValueError(f"{shorten(repr(text), 60)} is not one line of text")
    return text


def _bare(text: str) -> str:
    if "/" in text:
        raise ValueError(f"{shorten(repr(text), 60)} is a path: write the name of the file or folder only")
    return text


Cell = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_line)]


class Student(Strict):
    """A row; `file` is the name of the bot's file or folder, such as `clara.zip`."""

    file: Annotated[Cell, AfterValidator(_bare)]
    name: Cell
    id: Cell


def student_of(students: Mapping[str, Student], path: str) -> Student | None:
    """The student of a `roster` whose bot this file or folder is."""
    return students.get(_key(path))


def without_bot(students: Mapping[str, Student], paths: Iterable[str]) -> str | None:
    """A line about the students of a `roster` whose files are not at these paths: late work, or a misspelled name."""
    missing = [shorten(file, 60) for file in sorted(students.keys() - set(map(_key, paths)))]
    return f"{FILE} names files that are not there: {listed(missing, MOST_MISSING)}" if missing else None


def _key(path: str) -> str:
    return normalize("NFC", PurePath(path).name)


def roster(folder: Path) -> dict[str, Student]:
    """The students of the tournament in a folder, by the names of their files in NFC; empty without a `students.csv`.

    Raises:
        UsageError: it cannot be used; one line with the file, the line and what to do.
    """
    beside, outer = [folder / FILE], folder.resolve()
    while outer.name in {INSIDE, GRADE}:
        outer = outer.parent
        beside.append(outer / FILE)
    path = next((path for path in beside if path.exists()), None)
    if path is None:
        return {}
    students: dict[str, Student] = {}
    lines: dict[tuple[str, str], int] = {}
    for line, row in _rows(path):
        where = f"{path}, line {line}"
        student = read(Student, row, partial(_wrong, where))
        for key in ("file", "id"):
            value = normalize("NFC", row[key])
            if (before := lines.setdefault((key, value), line)) != line:
                raise UsageError(f"{where}: {key}: {shorten(repr(value))} is in line {before} too: keep one of them")
        students[_key(student.file)] = student
    return students


def _wrong(where: str, what: str) -> UsageError:
    return UsageError(f"{where}: {what}")


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows below the header, with their lines in the file."""
    rows = cells(path)
    line, header = next(rows, (1, ()))
    columns = [cell.lower() for cell in header]
    if sorted(columns) != sorted(COLUMNS):
        what = f"not {shorten(', '.join(header), 80)}" if header else "and it is empty"
        raise UsageError(f"{path}, line {line}: the first row must name the columns {', '.join(COLUMNS)}, {what}")
    for line, row in rows:
        if len(row) != len(columns):
            sizes = f"{counted(len(row), 'cell')} under {counted(len(columns), 'column')}"
            raise UsageError(f"{path}, line {line}: {sizes}: quote cells with commas")
        yield line, dict(zip(columns, row, strict=True))


def cells(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows of a table as spreadsheets write it (point 2), with their lines in the file.

    Raises:
        UsageError: it cannot be read, or is no CSV.
    """
    try:
        text = text_of(reading.read(path, _CAP))
    except Malformed as wrong:
        raise UsageError(f"{path}{wrong.where()}: {wrong}") from None
    first = text.lstrip().partition("\n")[0]
    reader = csv.reader(StringIO(text, newline=""), delimiter=";" if ";" in first else ",", strict=True)
    try:
        for row in reader:
            if any(stripped := [cell.strip() for cell in row]):
                yield reader.line_num, stripped
    except csv.Error as wrong:
        raise UsageError(f"{path}, line {reader.line_num}: not CSV ({wrong}): save it again as CSV") from None
