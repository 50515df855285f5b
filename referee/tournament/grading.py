"""Grades: how bots do against reference bots, as a table that course systems read.

1. The matches are a gauntlet in a folder of its own, in the tournament's: each bot against the reference bots and no other. So a
   grade does not depend on the other bots. The folder has a ledger, so the command can be killed and goes on.
2. Canvas wants the columns `Student`, `ID`, `SIS User ID`, `SIS Login ID` and `Section` first, and takes each further one for an
   assignment, unless its heading has words such as "Final Points" or "Final Grade". Moodle lets its user choose which column
   identifies a student, which has the grade and which the feedback, and ignores the others. The student's id is in both `SIS`
   columns, and never in `ID`, which has Canvas' own numbers.
3. Moodle refuses a file with a row without a student, so there is none, and no row of points possible. A student without a
   file has no grade, which both leave as it is.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple

from referee import games
from referee.bots import samples
from referee.errors import UsageError
from referee.files import mapfiles, reading
from referee.text.words import counted, in_spreadsheet, shorten, without_folders
from referee.tournament.drafting import keep, word_for
from referee.tournament.entering import list_bots
from referee.tournament.report.student import TITLES
from referee.tournament.roster import Student, student_of
from referee.tournament.settings import FILE, GRADE, settings_in

SERIES: Final = 10
"""Series of each bot with each reference bot."""
OUTPUT: Final = "grades.csv"
_CANVAS_COLUMNS: Final = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_IGNORED_COLUMNS: Final = ("Final Points a match", "Final Grade in words")
"""Headings that Canvas passes over."""
_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it, Excel takes UTF-8 for another encoding."""
_MOST_LETTERS: Final = 300
"""Characters of what the referee or a compiler says."""


class Grade(NamedTuple):
    """A row.

    Attributes:
        file: the bot's file or folder; None for a student without one.
        name, id: the student's. Without a roster, the bot's name, and its file without the suffix.
        percent: of the possible score; 0 for a bot that cannot play, None without a match that counts, and without a file.
        points: the game's own, a match. matches: that count.
        words: what went wrong.
    """

    file: str | None
    name: str
    id: str
    percent: float | None
    points: float | None
    matches: int
    words: str


def write_settings(folder: Path, against: Sequence[str], *, series: int) -> Path:
    """Write the `tournament.toml` of the matches against reference bots. Returns its folder.

    Args:
        folder: that of the tournament whose bots are graded; `[match]` is as it says, without `seats`.
        against: the reference bots, as on the command line.
        series: of each bot with each reference bot.

    Raises:
        UsageError: a reference bot does not exist or cannot play, or the folder has matches with others or with other settings.
    """
    settings, game = settings_in(folder), games.find(settings_in(folder).game)
    document = reading.read_toml(folder / FILE)
    paths = [(entry.name, entry.path) for entry in settings.bot if entry.path is not None]
    if len(paths) < len(settings.bot):
        raise UsageError(f"{folder / FILE}: bot: grades are of bots, not of their copies: name paths, not contents")
    match, home = dict(document.get("match", {})), folder / GRADE
    if "maps" in match:
        match["maps"] = [mapfiles.word_for(Path(), word, folder) for word in match["maps"]]
    if "python" in match:
        match["python"] = os.path.relpath(folder / reading.at_home(match["python"]), home)
    bots = [word_for(folder, word) for word in against]
    alone = settings.model_copy(update={"bots": bots, "bot": [], "anchor": None})
    references, unready = list_bots(folder, alone, game)
    for bot in unready:
        raise UsageError(f"{bot.name} cannot be a reference bot: {bot.why}")
    text = {
        "name": settings.name,
        "game": game.name,
        # Reference bots come first: they keep their names.
        "bots": [*against, *(_from_here(folder, word) for word in settings.bots)],
        "names": settings.names,
        "format": {"kind": "gauntlet", "against": [reference.bot.name for reference in references], "each": series},
        "match": {**match, "seats": None},
    }
    own = [(name, _from_here(folder, path)) for name, path in paths]
    changed = "the settings, the reference bots or the number of series have changed"
    keep(home, text, own, made_by="referee tournament grade", instead=f"{changed}; remove {home} to begin anew")
    return home


def _from_here(folder: Path, word: str) -> str:
    """A word of the file in a folder, with its path from the current folder."""
    return word if word in samples() and not (folder / word).exists() else str(folder / reading.at_home(word))


def grades(
    table: Mapping[str, Any], status: Mapping[str, Any], students: Mapping[str, Student], against: Sequence[str]
) -> tuple[list[Grade], list[Grade]]:
    """The grades of students in the order of the roster, and those of bots that are not in it, in the order of files.

    Without a roster, all grades are of students, in the order of files.

    Args:
        table, status: of the matches, as the commands print them. students: by file.
        against: the names of the reference bots.
    """
    faults: dict[int, list[Mapping[str, Any]]] = {}
    for fault in status["faults"]:
        faults.setdefault(fault["number"], []).append(fault)
    rows = []
    for row in table["table"]:
        if row["name"] not in against:
            words = _words(row, faults.get(row["number"], []))
            rows.append(Grade(row["source"], row["name"], "", row["percent"], row["mean"], row["matches"], words))
    out = [*status["unready"], *(bot for bot in status["strays"] if student_of(students, bot["bot"]) is not None)]
    rows += [Grade(bot["bot"], bot["name"], "", 0.0, None, 0, _why(bot["why"])) for bot in out]
    by_id: dict[str, Grade] = {}
    others: list[Grade] = []
    for row in rows:
        path = PurePath(row.file or "")
        if (student := student_of(students, path.name)) is None:
            others.append(row._replace(file=path.name, id=path.stem))
        else:
            by_id[student.id] = row._replace(file=path.name, name=student.name, id=student.id)
    others.sort(key=lambda grade: grade.file or "")
    if not students:
        return others, []
    in_roster = [
        by_id.get(student.id)
        or Grade(None, student.name, student.id, None, None, 0, f"There is no file {student.file}.")
        for student in students.values()
    ]
    return in_roster, others


def _words(row: Mapping[str, Any], faults: Sequence[Mapping[str, Any]]) -> str:
    """What went wrong in the matches of a row that count, for the student. `faults` are those of all its matches, in order."""
    matches, kinds = counted(row["matches"], "match", "matches"), Counter(row["faults"])
    if not row["matches"]:
        return "It has played no match that counts."
    if not kinds:
        return f"It played {matches} without a fault."
    parts = [f"{TITLES[kind]} in {count} of {matches}." for kind, count in kinds.most_common()]
    first = next(fault for fault in faults if fault["kind"] in kinds)
    where = f"{first['request']} in round {first['round']}" if first["round"] else first["request"]
    return f"{' '.join(parts)} The first time, at {where}: {shorten(first['detail'], _MOST_LETTERS)}."


def _why(why: str) -> str:
    """Why a bot cannot play, for the student: the first error of its compiler, or the referee's words."""
    first, *output = why.splitlines()
    return f"It could not {'be built' if output else 'play'}: {shorten(without_folders(first), _MOST_LETTERS)}"


def grades_csv(title: str, rows: Sequence[Grade]) -> str:
    """The table of an assignment with this title (points 2 and 3 of the theory)."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow([*_CANVAS_COLUMNS, in_spreadsheet(title), *_IGNORED_COLUMNS])
    for row in rows:
        figures = ["" if figure is None else f"{figure:.2f}" for figure in (row.percent, row.points)]
        name, identity, words = map(in_spreadsheet, (row.name, row.id, row.words))
        writer.writerow([name, "", identity, identity, "", *figures, words])
    return _BYTE_ORDER_MARK + out.getvalue()
