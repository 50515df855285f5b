"""What a report reads in saved games, on all processors: excerpts for the pages of students, and pages of matches.

1. The page of a student shows a fault: the request, and the board at that moment. For a bot without a fault, it shows how
   the bot lost points in its worst match, and the board where that shows.
2. An existing page of a match is not written again. The last line of a page has a hash of all that it is made of (the hash of
   its saved game, that game's path in commands, its title and its links), and the version that made it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from referee import __version__
from referee.analysis import Commands, explain, explanation_lines
from referee.analysis.shortfall import shortfall
from referee.errors import SavedGameError, UsageError
from referee.export.page import match_page
from referee.export.svg import drawing
from referee.files.claims import write_whole
from referee.moments.evidence import request_bytes, request_to
from referee.moments.scene import draw_with_names
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.text.markup import Html, el, name
from referee.tournament.processes import on_all_processors
from referee.tournament.report.content import RESULTS, Excerpt, Place, Report, page_of
from referee.tournament.report.sheets import page_links
from referee.tournament.report.shown import Row

Excerpts: TypeAlias = MutableMapping[Place, Excerpt]
"""What was read in saved games."""
MATCHES: Final = "matches"
_MARK: Final = 200
"""Bytes at the end of a page in which its mark is."""


def read_matches(report: Report, folder: Path, excerpts: Excerpts) -> None:
    """Read what the pages for students show, and add what is new to the excerpts. A damaged saved game has an empty excerpt."""
    due = {place: saved for place, saved in shown_places(report, folder).items() if place not in excerpts}
    excerpts.update(zip(due, on_all_processors(_read_excerpt, list(due.items())), strict=True))


def shown_places(report: Report, folder: Path) -> dict[Place, Path]:
    """The places that pages for students show, each with its saved game."""
    places = {}
    for number, failures in report.failures.items():
        for group in failures:
            if (saved := group.first["saved"]) is not None:
                places[group.place] = folder / saved
        if not failures and (worst := report.matches.own[number].worst) is not None:
            _, match, seat = worst
            places[Place(match["id"], seat["seat"], None)] = folder / match["saved"]
    return places


def _read_excerpt(task: tuple[Place, Path]) -> Excerpt:
    (_, seat, step), saved = task
    with suppress(SavedGameError, UsageError):
        replay = Replay(load(saved))
        return _loss_excerpt(replay, seat) if step is None else _request_excerpt(replay, seat, step)
    return Excerpt()


def _request_excerpt(replay: Replay, seat: int, step: int) -> Excerpt:
    """The request of a step to a seat, as the player got it, and the board."""
    state: Any = replay.state_at(step - 1)
    board = drawing(draw_with_names(state, replay.entrants), f"before step {step}")
    request = request_to(state, seat)
    if request is None:
        return Excerpt(board=board)
    return Excerpt(request_bytes(replay, request).decode(errors="backslashreplace"), board)


def _loss_excerpt(replay: Replay, seat: int) -> Excerpt:
    """What a seat lost points to, and the board where that shows."""
    loss = shortfall(explain(replay), seat)
    if loss is None:
        return Excerpt()
    if loss.step is None:
        return Excerpt(lost=loss.lines)
    frame = draw_with_names(replay.state_at(loss.step), replay.entrants)
    return Excerpt(board=drawing(frame, f"after step {loss.step}"), lost=loss.lines)


class Drawn(NamedTuple):
    """A match to draw: its saved game, how commands name that file, its hash, and the page to write with its title and links."""

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


def write_pages(report: Report, folder: Path, target: Path) -> tuple[frozenset[str], list[str]]:
    """Write the pages of the chosen matches, and remove all others.

    Args:
        folder: the tournament's. target: the report's.

    Returns:
        The ids of the matches that have a page, and what is wrong with the saved games of the others.

    Raises:
        OSError: a page cannot be written.
    """
    (target / MATCHES).mkdir(parents=True, exist_ok=True)
    tasks = {}
    for match in report.matches.with_page():
        saved, page = match["saved"], target / page_of(match["id"])
        title = f"{report.title(match['id'])} · {report.name}"
        own = links(report, match)
        tasks[match["id"]] = Drawn(folder / saved, report.path(saved), match["sha256"], page, title, own)
    due = {match: task for match, task in tasks.items() if not _is_there(task)}
    results = zip(due, on_all_processors(draw, list(due.values())), strict=True)
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
        explanation = "\n".join(explanation_lines(explain(saved), Commands(task.called)))
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
