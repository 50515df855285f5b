"""Writes the report of a tournament: reads the ledger and saved games, and replaces files whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import UsageError
from referee.files import reading
from referee.files.claims import write_whole
from referee.sandbox.limits import Limits
from referee.tournament.match_pages import Excerpts, read_matches, write_pages
from referee.tournament.report.content import GENERATOR, INDEX, RESULTS, Games, Report, Row
from referee.tournament.report.entrant import entrant
from referee.tournament.report.index import index, placeholder
from referee.tournament.report.naming import match_names
from referee.tournament.report.results import results
from referee.tournament.report.student import student, unbuilt
from referee.tournament.report.tables import table_csv, table_markdown
from referee.tournament.tournament import Tournament

STUDENTS: Final = "students"
_PAGE: Final = re.compile(r"(\d+|unready-\d+)\.html")
_HEAD: Final = 2000
"""Bytes of a page in which its generator is named."""


class Written(NamedTuple):
    """A report that is written.

    Attributes:
        report: what it shows. students: the pages for students, as `referee tournament report --json` has them, with their paths
            in the report.
        wrong: what is wrong with saved games that have no page.
    """

    report: Report
    students: Sequence[Row]
    wrong: Sequence[str]


def gather(
    tournament: Tournament, *, folder: str, student_pages: bool = False, refresh: bool = False, excerpts: Excerpts
) -> Report:
    """Everything that the pages show, at one moment.

    Args:
        folder: as the user named it. refresh: pages load again until the tournament is over.
        excerpts: what is known from earlier reports; what is read in saved games is added.

    Raises:
        UsageError: no match is planned yet.
    """
    settings, game = tournament.settings, tournament.game
    with tournament.ledger.snapshot():
        table, match = tournament.table(), settings.match
        report = Report(
            folder=folder,
            table=table,
            status=tournament.status(),
            matches=list(tournament.matches()),
            notes=tournament.notes(table),
            entrants=tournament.ledger.entrants(),
            ended=list(tournament.ledger.results().values()),
            game=game.title,
            maps=tournament.rules.maps,
            rounds=match.rounds,
            limit=match.answer or game.time.answer,
            memory=None if match.isolation == "none" else match.memory or Limits().memory,
            student=student_pages,
            refresh=refresh and not table["over"],
            style=(files("referee.tournament.report") / "report.css").read_text(encoding="utf-8"),
            excerpts=excerpts,
            match_names=match_names(tournament.ledger.schedule.tours()),
        )
    if student_pages:
        read_matches(report, tournament.folder, excerpts)
    return report


def check_folder(target: Path) -> None:
    """Check that a report may be written to `target`: into a new or empty folder, or over an old report.

    A stranger may have made the old one. A link in it would lead to other files, which would be written or removed, and whoever
    opens a pipe waits for ever.

    Raises:
        UsageError: the folder holds something else, or a link or a pipe.
    """
    try:
        if not target.exists() or not any(target.iterdir()):
            return
        first_page = target / INDEX
        ours = not first_page.is_symlink() and GENERATOR.encode() in (reading.head(first_page, _HEAD) or b"")
        other = next((path for path in target.rglob("*") if path.is_symlink() or path.is_fifo()), None)
    except FileNotFoundError:
        ours, other = False, None
    except OSError as failed:
        raise UsageError(f"{target} cannot be read ({failed.strerror}): name a new folder") from None
    if not ours:
        raise UsageError(f"{target} holds other files than a report: name a new folder")
    if other is not None:
        raise UsageError(f"{other} is a link or a pipe, which no report has: remove it, or name a new folder")


def write(report: Report, target: Path, *, folder: Path, games: Games = "best", public: bool = False) -> Written:
    """Write the report. Pages of an older one that do not belong to it are removed.

    Args:
        folder: the tournament's. games: which matches get a page.
        public: leave out the pages for students, and with them all stderr and output of compilers.

    Raises:
        UsageError: the folder cannot be written.
    """
    paths, students = set[str](), list[Row]()

    def put(path: str, text: str) -> None:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(target / path, text)
        paths.add(path)

    try:
        if not (target / INDEX).exists():
            # It shows whose the folder is, also if this process is ended before the report is written.
            put(INDEX, placeholder(report))
        with_page, wrong = write_pages(report, games, folder, target)
        has_students = report.student and not public
        report = replace(report, with_page=with_page, student=report.student or public)
        for path, text in _files(report):
            put(path, text)
        for page, text in _students(report) if has_students else ():
            put(page["page"], text)
            students.append(page)
        for pages in ("entrants", STUDENTS):
            for old in (target / pages).glob("*.html"):
                if _PAGE.fullmatch(old.name) and f"{pages}/{old.name}" not in paths:
                    old.unlink()
    except OSError as failed:
        raise UsageError(f"{target} cannot be written ({failed.strerror}): choose another folder") from None
    return Written(report, students, wrong)


def _files(report: Report) -> Iterator[tuple[str, str]]:
    """The path and the text of each file, but those for students."""
    yield INDEX, index(report)
    yield RESULTS, results(report, (files("referee.tournament.report") / "results.js").read_text(encoding="utf-8"))
    yield "table.csv", table_csv(report)
    yield "table.md", table_markdown(report)
    for competitor in report.entrants:
        yield f"entrants/{competitor.number}.html", entrant(report, competitor.number)


def _students(report: Report) -> Iterator[tuple[Row, str]]:
    """All pages for students, and their texts."""
    for bot in report.entrants:
        row, page = report.row_of(bot.number) or {}, f"{STUDENTS}/{bot.number}.html"
        whose = {"number": bot.number, "name": bot.name, "source": bot.source, "id": row.get("id")}
        yield {**whose, "twins": row.get("twins", []), "page": page}, student(report, bot.number)
    for position, other in enumerate(report.status["unready"]):
        page = f"{STUDENTS}/unready-{position}.html"
        whose = {"number": other["number"], "name": other["name"], "source": other["bot"], "id": other["id"]}
        yield {**whose, "twins": [], "page": page}, unbuilt(report, other)
