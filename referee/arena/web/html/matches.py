"""The page of a match: as another process makes it from its saved game, or the result from the ledger."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from referee.arena.seasons import Match
from referee.arena.web.html.frame import bot_link, card, frame, narrow, table, when
from referee.arena.web.site import Site
from referee.moments.formatting import places
from referee.text.markup import el
from referee.tournament.report.content import NOTHING, number
from referee.tournament.report.sheets import cells
from referee.web.pages import sandboxed

PATIENCE: Final = 2.0
"""Seconds in which another process usually makes the page. After that, the reader sees that it is being made."""
FRAMED: Final = 20.0
"""The same in a frame, where no script of ours could ask again."""
PENDING: Final = (
    "The page of this match is being made. It comes in some seconds; without scripts, load this page again."
)
BROKEN: Final = "This match has no page, because its saved game cannot be shown: tell the organiser."
GONE: Final = "Its saved game is not kept any more: the newest of each version are, and those with faults."


async def match_page(site: Site, request: Request, framed_by: str = "'none'") -> Response:
    """`/matches/SEASON/ID`; `framed_by` as for `sandboxed`."""
    season, match_id = request.path_params["season"], request.path_params["id"]
    match = site.seasons.match(season, match_id)
    if match.saved is not None and not match.page.exists():
        await site.make([f"matches/{season}/{match_id}"], [match.page], FRAMED if framed_by == "*" else PATIENCE)
    page = match.read_page()
    if page:
        return sandboxed(page, framed_by=framed_by)
    why = GONE if match.saved is None else PENDING if page is None else BROKEN
    return _facts(site, request, match, why, framed_by)


def _facts(site: Site, request: Request, match: Match, why: str, framed_by: str) -> Response:
    """What the ledger has of a match. Others may frame it as they may its page, but not its script, which acts for a user.

    Args:
        why: it has no page.
    """
    facts = match.document
    rows = []
    for seat, place in zip(facts["seats"], places([seat["place"] for seat in facts["seats"]]), strict=True):
        figures = cells(place or NOTHING, number(seat["points"], 1), seat["disqualified"] or NOTHING)
        who = el("th", bot_link(seat["name"]), scope="row", class_="name")
        rows.append(el("tr", el("td", seat["seat"] + 1), who, *figures, data_seat=seat["seat"]))
    body = narrow(
        el("h1", f"Match on {facts['map']}"),
        el("p", when(facts["started"]), f" · {facts['reason']} · seed {facts['rng_seed']}", class_="soft"),
        el("p", why, class_="notice", data_pending="" if why == PENDING else None),
        card("Seats", table("seats", "Seats", ("seat", "bot", "place", "points", "fault"), rows, kind="text")),
    )
    response = frame(site, request, "Match", [body], kind="match", status=503 if why == PENDING else 410)
    if framed_by == "*":
        own = response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = own.replace(
            "frame-ancestors 'none'", "sandbox; frame-ancestors *"
        )
    return response
