"""`referee tournament report`: writes the report of a tournament as web pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from referee.cli.options import Folder, Json, Output, Quiet, print_json
from referee.text.words import counted
from referee.tournament.report.content import INDEX
from referee.tournament.report.shown import Games

if TYPE_CHECKING:
    from referee.tournament.match_pages import Excerpts
    from referee.tournament.reporting import Written
    from referee.tournament.tournament import Tournament

LOOK: Final = 1.0
"""Seconds between two looks at the ledger."""
SHARE: Final = 10
"""With `--watch`, writing takes at most one part in so many of the time."""


def report(
    folder: Folder,
    *,
    output: Annotated[
        Output | None, Parameter(help="The folder of the pages; default: report, in the tournament's.")
    ] = None,
    watch: Annotated[
        bool, Parameter(negative="", help="Write the pages again while the tournament runs, and end when it is over.")
    ] = False,
    student: Annotated[
        bool,
        Parameter(
            negative="",
            help="Write a page about each bot for its author too. Then no other page has stderr or the output of compilers.",
        ),
    ] = False,
    games: Annotated[
        Games,
        Parameter(
            help="Which matches get a page to watch: all; best: the best and worst of each entrant, and the first of each "
            "fault; faults: all with a fault; none.",
        ),
    ] = "best",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the report of a tournament as web pages, which need no server and no network.

    The first page has the table with its ratings, the percents over time, the results of pairs, the bias of seats, answer
    times, and faults with their evidence. Each entrant has a page with its matches. The matches that `--games` names have pages
    that play them. The table is also written as CSV and as Markdown. A folder with an older report is written over; any other
    folder must be new or empty.
    """
    from referee.cli.narrator import narrate, silent
    from referee.cli.running import run
    from referee.tournament.drafting import tournament_folder
    from referee.tournament.reporting import check_folder, gather, write
    from referee.tournament.tournament import Tournament

    root = tournament_folder(folder)
    pages = output or root / "report"
    say = silent if quiet else narrate
    check_folder(pages)
    with Tournament(root) as tournament:
        excerpts: Excerpts = {}

        def once() -> Written:
            content = gather(
                tournament, folder=str(root), games=games, student_pages=student, refresh=watch, excerpts=excerpts
            )
            return write(content, pages, folder=root)

        if watch:
            say(f"{pages / INDEX} follows the tournament until it is over; Ctrl-C ends this")
            run(lambda: _follow(tournament, once))
        content, students, wrong = once()
    for why in wrong:
        say(f"no page: {why}")
    if json:
        whose = [{**page, "page": str(pages / page["page"])} for page in students]
        print_json({"index": str(pages / INDEX), "over": content.table["over"], "students": whose})
    else:
        print(pages / INDEX)
        if students:
            where = (pages / students[0]["page"]).parent
            say(f"{counted(len(students), 'page')} for the authors of the bots: {where}; --json says whose each one is")


async def _follow(tournament: Tournament, once: Callable[[], object]) -> None:
    """Write the pages whenever the ledger has changed, until the tournament is over."""
    import trio

    before = None
    while not tournament.over:
        if (now := tournament.ledger.stamp) != before:
            began, before = trio.current_time(), now
            once()
            await trio.sleep(SHARE * (trio.current_time() - began))
        await trio.sleep(LOOK)
