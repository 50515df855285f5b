"""Writes the pages of matches in a report, on all processors. An existing page is not written again.

The last line of a page has a hash of all that it is made of (the hash of its saved game, that game's path in commands, its title
and its links), and the version that made it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final, NamedTuple

from referee import __version__
from referee.analysis import Commands, explain, explained
from referee.errors import SavedGameError
from referee.export.page import match_page
from referee.files.claims import write_whole
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.text.markup import Html, el, name
from referee.tournament.processes import on_all_processors
from referee.tournament.report.content import RESULTS, Games, Report, Row, page_of
from referee.tournament.report.sheets import page_links

MATCHES: Final = "matches"
_MARK: Final = 200
"""Bytes at the end of a page in which its mark is."""


class Drawn(NamedTuple):
    """A match to draw: its saved game, how commands name that file, its hash, and the page to write.

    Attributes:
        title, links: of the page; see `match_page`.
    """

    saved: Path
    called: str
    sha256: str
    page: Path
    title: str
    links: Html

    @property
    def mark(self) -> str:
        """The last line of the page."""
        parts = "\n".join((self.sha256, self.called, self.title, self.links))
        digest = hashlib.sha256(parts.encode(errors="surrogateescape"))
        return f"<!-- {digest.hexdigest()} referee {__version__} -->\n"


def write_pages(report: Report, games: Games, folder: Path, target: Path) -> tuple[frozenset[str], list[str]]:
    """Write the pages of the chosen matches, and remove all others.

    Args:
        folder: the tournament's. target: the report's.

    Returns:
        The ids of the matches that have a page, and what is wrong with the saved games of the others.

    Raises:
        OSError: a page cannot be written.
    """
    (target / MATCHES).mkdir(parents=True, exist_ok=True)
    tasks = {
        match["id"]: Drawn(
            folder / match["saved"],
            report.path(match["saved"]),
            match["sha256"],
            target / page_of(match["id"]),
            f"{report.title(match['id'])} · {report.name}",
            links(report, match),
        )
        for match in report.chosen(games)
    }
    due = {match: task for match, task in tasks.items() if not _is_there(task)}
    wrong: dict[str, str] = {}
    if due:
        results = zip(due, on_all_processors(draw, list(due.values()), at_once=1), strict=True)
        wrong = {match: why for match, why in results if why is not None}
    pages = {task.page for match, task in tasks.items() if match not in wrong}
    for old in (target / MATCHES).glob("*.html"):
        if old not in pages:
            old.unlink()
    return frozenset(tasks.keys() - wrong.keys()), list(wrong.values())


def draw(task: Drawn) -> str | None:
    """Write the page of a match: what is wrong with its saved game, None if it is written.

    Raises:
        OSError: the page cannot be written.
    """
    try:
        saved = Replay(load(task.saved))
        explanation = "\n".join(explained(explain(saved), Commands(task.called)))
        text = match_page(saved, explanation=explanation, title=task.title, links=task.links)
    except SavedGameError as wrong:
        return str(wrong)
    write_whole(task.page, text + task.mark)
    return None


def links(report: Report, match: Row) -> Html:
    """The way from a match to the first page, the list of results and its entrants."""
    entrants = sorted({seat["number"] for seat in match["seats"]})
    pages: list[Html | str] = []
    for number in entrants:
        pages += [" – " if pages else "", el("a", name(report.names[number]), href=f"../entrants/{number}.html")]
    suffix = f", {report.match_names[match['id']].place}" if match["id"] in report.match_names else f" ({match['id']})"
    results = el("a", "Results", href=f"../{RESULTS}")
    return page_links(report, results, el("span", *pages, suffix), root="../", key="links")


def _is_there(task: Drawn) -> bool:
    try:
        with task.page.open("rb") as file:
            file.seek(-min(_MARK, os.fstat(file.fileno()).st_size), os.SEEK_END)
            return file.read().endswith(task.mark.encode())
    except FileNotFoundError:
        return False
