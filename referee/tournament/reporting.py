"""Writes the report of a tournament: reads the ledger and saved games, and replaces files whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from referee.errors import UsageError
from referee.files import reading
from referee.files.claims import write_whole
from referee.sandbox.limits import Limits
from referee.tournament.ledger import Ledger
from referee.tournament.match_pages import Excerpts, read_matches, write_pages
from referee.tournament.model import Series
from referee.tournament.report.content import GENERATOR, INDEX, RESULTS, Report, failures_of
from referee.tournament.report.course import Course, CourseBuilder
from referee.tournament.report.entrant import entrant
from referee.tournament.report.index import index, placeholder
from referee.tournament.report.naming import MatchName, match_names
from referee.tournament.report.results import results
from referee.tournament.report.shown import SHOWN, Games, Row, ShownMatches
from referee.tournament.report.student import student, unbuilt
from referee.tournament.report.tables import table_csv, table_markdown
from referee.tournament.rows import MatchRow
from referee.tournament.schedule_tables import ScheduledMatch
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
    tournament: Tournament,
    *,
    folder: str,
    games: Games = "best",
    student_pages: bool = False,
    refresh: bool = False,
    excerpts: Excerpts,
) -> Report:
    """Everything that the pages show, at one moment.

    Args:
        folder: as the user named it. games: which matches get a page. refresh: pages load again until the tournament is over.
        excerpts: what is known from earlier reports; what is read in saved games is added.

    Raises:
        UsageError: no match is planned yet.
    """
    settings, game = tournament.settings, tournament.game
    with tournament.ledger.snapshot():
        table, status, match = tournament.table(), tournament.status(), settings.match
        matches, course = _one_pass(tournament, table, status["faults"], games)
        report = Report(
            folder=folder,
            table=table,
            status=status,
            matches=matches,
            course=course,
            notes=tournament.notes(table),
            entrants=tournament.ledger.entrants(),
            game=game.title,
            maps=tournament.rules.maps,
            rounds=match.rounds,
            limit=match.answer or game.time.answer,
            memory=None if match.isolation == "none" else match.memory or Limits().memory,
            student=student_pages,
            refresh=refresh and not table["over"],
            style=(files("referee.tournament.report") / "report.css").read_text(encoding="utf-8"),
            excerpts=excerpts,
            match_names=_names(tournament.ledger, matches.series()),
        )
    if student_pages:
        read_matches(report, tournament.folder, excerpts)
    return report


def _one_pass(tournament: Tournament, table: Row, faults: Sequence[Row], games: Games) -> tuple[ShownMatches, Course]:
    """The matches that pages show, and the course of the tournament."""
    ledger = tournament.ledger
    numbers = [entrant.number for entrant in ledger.entrants()]
    firsts = {group.first["match"] for failures in failures_of(numbers, faults).values() for group in failures}
    matches = ShownMatches(numbers, games=games, faults=faults, firsts=firsts)
    course = CourseBuilder((row["number"] for row in table["table"]), table["series"])
    for played, result in ledger.by_series():
        for match, row in played:
            matches.add(match.key, _shown(match, row))
        if result is not None:
            course.add(result)
    if course.counted != table["series"]:
        raise ledger.damage_error("facts, summed: it does not count the series that have ended")
    return matches, course.course


def _shown(match: ScheduledMatch, row: MatchRow) -> Row:
    """A match as pages show it."""
    return {"id": match.id, "map": match.series.map, **{name: row[name] for name in SHOWN}}


def _names(ledger: Ledger, shown: Collection[int]) -> dict[str, MatchName]:
    """The names of the matches of these series."""
    tours = ledger.schedule.tour_keys()

    def series() -> Iterator[tuple[int, int, Series]]:
        for tour, number, entry in ledger.schedule.series():
            if tour >= len(tours):
                raise ledger.damage_error(f"series: of tour {tour}, which is missing")
            yield tour, number, entry

    return match_names(series(), tours, shown)


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


def write(report: Report, target: Path, *, folder: Path, public: bool = False) -> Written:
    """Write the report. Pages of an older one that do not belong to it are removed.

    Args:
        folder: the tournament's.
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
        with_page, wrong = write_pages(report, folder, target)
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
