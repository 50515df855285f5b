"""A static copy of an arena: the report of each season and of the final, and a page that leads to them."""

from __future__ import annotations

from pathlib import Path

from referee.arena.settings import ArenaFiles, settings_in
from referee.errors import UsageError
from referee.files.claims import write_whole
from referee.text.markup import Html, el, page
from referee.tournament.ledger import FILE
from referee.tournament.report.content import GENERATOR, INDEX
from referee.tournament.reporting import check_folder, gather, write
from referee.tournament.tournament import Tournament


def write_site(files: ArenaFiles, target: Path) -> Path:
    """Write the pages, and return the first one.

    Raises:
        UsageError: nothing was played, or the folder has something else or cannot be written.
    """
    check_folder(target)
    settings = settings_in(files.root)
    links = list[Html]()
    homes = sorted(
        (home.parent for home in files.seasons.glob(f"*/{FILE}")), key=lambda home: (len(home.name), home.name)
    )
    style = ""
    for home in homes:
        with Tournament(home) as tournament:
            if not tournament.ledger.begun:
                continue
            report = gather(tournament, folder=f"seasons/{home.name}", excerpts={})
            style = report.style
            write(report, target / "seasons" / home.name, folder=home, public=True)
            played = f"{report.table['matches']} matches"
        title = f"Season {home.name}" if home.name.isdecimal() else home.name.capitalize()
        links.append(el("li", el("a", title, href=f"seasons/{home.name}/{INDEX}"), f": {played}"))
    if not links:
        raise UsageError(f"{files.root} has no matches yet: there is nothing to show")
    body = el("main", el("h1", settings.name), el("ul", *reversed(links)))
    try:
        write_whole(target / INDEX, page(settings.name, [body], generator=GENERATOR, style=style))
    except OSError as failed:
        raise UsageError(f"{target} cannot be written ({failed.strerror}): choose another folder") from None
    return target / INDEX
