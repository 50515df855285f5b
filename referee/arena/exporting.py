"""A static copy of an arena: its front page, and the report of each season and final.

1. The front page has the table of the current final, once that is over, or else of the newest season.
2. Reports for everybody have no sources, no stderr and no compiler output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from referee import games
from referee.arena import finals
from referee.arena.seasons import Seasons
from referee.arena.settings import ArenaFiles, ArenaSettings
from referee.arena.state import ArenaState, read_state
from referee.arena.versions import check_unchanged
from referee.errors import UsageError
from referee.files.claims import write_whole
from referee.text.markup import Html, el, name, page
from referee.text.words import counted
from referee.tournament.report.content import GENERATOR, INDEX, Site
from referee.tournament.report.figure_sections import standings
from referee.tournament.reporting import check_folder, gather, write
from referee.tournament.tournament import Tournament


class Part(NamedTuple):
    """What the front page shows of a season or a final. The report itself is not kept: it has all matches of a season.

    Attributes:
        progress: in a sentence; of a final, another sentence says what decides.
        decides: whether it is the current final, and over.
        style: of its pages.
    """

    folder: str
    title: str
    progress: Sequence[str]
    decides: bool
    table: list[Html]
    style: str


def write_site(files: ArenaFiles, target: Path) -> Path:
    """Write the pages, and return the first one.

    Raises:
        UsageError: nothing was played, `anonymous` has changed, or the folder has something else or cannot be written.
    """
    check_folder(target)
    check_unchanged(files)
    state = read_state(files)
    try:
        parts = [part for folder in Seasons(files).names() if (part := _part(files, state, folder, target)) is not None]
        if not parts:
            raise UsageError(f"{files.root} has no matches yet: there is nothing to show")
        first = min(parts, key=lambda part: (not part.decides, not part.folder.isdecimal()))  # the newest of several
        write_whole(target / INDEX, _front(files.settings, parts, first))
    except OSError as failed:
        raise UsageError(f"{target} cannot be written ({failed.strerror}): choose another folder") from None
    return target / INDEX


def _front(settings: ArenaSettings, parts: list[Part], first: Part) -> str:
    links = [el("li", el("a", it.title, href=f"seasons/{it.folder}/{INDEX}"), f": {it.progress[0]}") for it in parts]
    game = el("p", games.find(settings.game).title, class_="facts")
    head = el("header", el("h1", name(settings.name)), game, el("p", " ".join(first.progress), id="progress"))
    table = el("section", el("h2", first.title), *first.table, id="standings")
    others = el("section", el("h2", "Seasons and finals"), el("ul", *links), id="seasons")
    return page(settings.name, [head, el("main", table, others)], generator=GENERATOR, style=first.style)


def _part(files: ArenaFiles, state: ArenaState, folder: str, target: Path) -> Part | None:
    """Write the report of a season or a final; None if it has no match."""
    home = files.seasons / folder
    with Tournament(home) as tournament:
        if not tournament.ledger.begun:
            return None
        report = gather(tournament, folder=f"seasons/{folder}", excerpts={})
        title = finals.title(folder)
        if finals.number(folder):
            progress = [
                finals.progress(tournament, lambda: report.rows, goes_on=state.plays(folder)),
                finals.rule(files.settings),
            ]
        else:
            goes_on = state.state == "open" and int(folder) == state.season
            matches = counted(report.status["matches"]["played"], "match", "matches")
            progress = [f"The season goes on: {matches} so far." if goes_on else f"The season is over after {matches}."]
        decides = folder == state.final and tournament.over
        arena = files.settings.name
        table = {**report.table, "name": f"{arena}: {title}"}
        shown = replace(report, table=table, site=Site(arena, f"../../{INDEX}", " ".join(progress)))
        write(shown, target / "seasons" / folder, folder=home, public=True)
    return Part(folder, title, progress, decides, standings(shown, root=f"seasons/{folder}/"), report.style)
