"""The page of a match whose saved game is not kept: the result, from the ledger."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from referee.arena.html_frame import bot_link, card, frame, narrow, table, when
from referee.arena.web_seasons import Match
from referee.arena.web_site import Site
from referee.text.markup import el
from referee.tournament.report.content import number
from referee.tournament.report.sheets import cells

GONE: Final = "Its saved game is not kept any more: the newest of each version are, and those with faults."


def match_facts(site: Site, request: Request, match: Match) -> Response:
    """What the ledger has of a match."""
    facts = match.document
    rows = [
        el(
            "tr",
            el("td", seat["seat"] + 1),
            el("th", bot_link(seat["name"]), scope="row", class_="name"),
            *cells(number(seat["place"], 1), number(seat["points"], 1), seat["disqualified"] or "–"),
            data_seat=seat["seat"],
        )
        for seat in facts["seats"]
    ]
    kept = match.saved is not None
    why = "Its page could not be made now: load it again." if kept else GONE
    body = narrow(
        el("h1", f"Match on {facts['map']}"),
        el("p", when(facts["started"]), f" · {facts['reason']} · seed {facts['rng_seed']}", class_="soft"),
        el("p", why, class_="notice"),
        card("Seats", table("seats", "Seats", ("seat", "bot", "place", "points", "fault"), rows, kind="text")),
    )
    return frame(site, request, "Match", [body], kind="match", status=503 if kept else 410)
