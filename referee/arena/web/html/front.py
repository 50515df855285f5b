"""The pages that everybody sees: standings, finals, matches, signing in, joining.

The page of a match is as another process makes it from its saved game, or the result from the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee import games
from referee.arena import finals, season
from referee.arena.seasons import Match, names_of
from referee.arena.web.api.contest import address
from referee.arena.web.html.frame import ASSETS, bot_link, card, empty_table, frame, narrow, table, when
from referee.arena.web.site import Current, Site
from referee.moments.formatting import places
from referee.text.markup import Child, Html, el, name
from referee.text.words import counted
from referee.tournament.report.content import NOTHING, number
from referee.tournament.report.figure_sections import rating, rating_scale
from referee.tournament.report.sheets import cells, figure, heads, lead, sheet
from referee.tournament.report.tables import columns
from referee.web.pages import sandboxed, template

LATEST: Final = 10
BY_RATING: Final = (
    "By rating: 100 points more mean 64 % of the points in a match of two. Bots meet rivals of about their own strength, "
    "so percents of different bots cannot be compared."
)
PATIENCE: Final = 2.0
"""Seconds in which another process usually makes the page. After that, the reader sees that it is being made."""
FRAMED: Final = 20.0
"""The same in a frame, where no script of ours could ask again."""
PENDING: Final = (
    "The page of this match is being made. It comes in some seconds; without scripts, load this page again."
)
BROKEN: Final = "This match has no page, because its saved game cannot be shown: tell the organiser."
GONE: Final = "Its saved game is not kept any more: the newest of each version are, and those with faults."


class Front:
    """The pages of an arena."""

    def __init__(self, site: Site) -> None:
        """Those of an arena."""
        self.site = site
        self._parts: tuple[object, list[Html]] = (None, [])
        self._table = Current(site.files.standings, self._draw)  # 200 rows take 50 ms, and matches end far more often

    async def standings(self, request: Request) -> Response:
        """`/`: the standings, the latest matches. Readers of one second get the same text: many matches end in one."""
        site = self.site
        key = int(site.now()), site.tables_stamp, site.at_present(), site.waiting()
        if key != self._parts[0]:
            self._parts = key, self._fragments()
        about, table, latest = self._parts[1]
        welcome = None if request.scope["user"] else _welcome()
        body = [about, el("div", table, el("div", latest, welcome, class_="side"), class_="desk")]
        return frame(site, request, "", body, kind="front", facts={"latest": LATEST})

    def _fragments(self) -> list[Html]:
        """What the arena is, its standings, its latest matches."""
        site, facts = self.site, self.site.document()
        about = [
            games.find(site.settings.game).title,
            f"season {facts['season']}",
            counted(facts["entrants"], "bot"),
            counted(facts["matches"], "match", "matches"),
            f"{facts['waiting']} waiting" if facts["waiting"] else None,
        ]
        title, words = el("h1", name(site.settings.name)), " · ".join(filter(None, about))
        closed, earlier = self._closed(facts["final_progress"]), _seasons(site.at_present().season)
        head = el("div", title, el("p", words, class_="soft"), closed, earlier, id="about", data_live="")
        hint = el("p", "The best of each match first.", class_="hint")
        return [head, self._table.now(), card("Latest matches", hint, *self._latest(), live="recent")]

    def _draw(self) -> Html:
        """The standings."""
        by_points = games.find(self.site.settings.game).contest.order == "points"
        hint = None if by_points else el("p", BY_RATING, class_="hint")
        return card(
            "Standings", standings_table(self.site.standings["table"], "standings"), hint, live="field", kind="wide"
        )

    def _latest(self, only: str | None = None) -> list[Child]:
        """The newest matches, of all seasons or of one."""
        items = []
        for match in self.site.seasons.newest(LATEST, only=only).matches:
            link = el("a", *_players(match), href=address(match))
            about = el("span", match["map"], " · ", when(match["started"]), class_="soft")
            items.append(el("li", link, about, data_match=match["id"], data_season=match["season"]))
        site, lacking = self.site, None
        if only is None and site.state == "open":
            lacking = season.lacking(site.files.season(site.at_present().season), site.seats)
        why = None if lacking is None else el("p", f"{lacking[0].upper()}{lacking[1:]}.", id="lacking", class_="hint")
        return [el("ol", *items, id="latest"), why]

    def _closed(self, final: str | None) -> Html | None:
        """Why no bots are taken, and how far the final is; in an open arena, the finals that were played."""
        opens = self.site.settings.opens
        if self.site.state == "open":
            closes, links = self.site.settings.closes, _finals(finals.names(self.site.files))
            words: list[Child] = ["Finals:", *links] if links else []
            if closes is not None and closes.timestamp() > self.site.now():
                words = ["Uploads are taken until ", when(closes.timestamp()), ". ", *words]
            return el("p", *words, class_="soft") if words else None
        words = ["This arena takes no more bots. The standings stay."]
        if opens is not None and opens.timestamp() > self.site.now():
            words = ["This arena opens ", when(opens.timestamp()), "."]
        elif final is not None:
            words += [" ", el("a", final, href="/final") if self.site.at_present().final else final]
        return el("p", *words, id="closed", class_="notice")

    async def final(self, request: Request) -> Response:
        """`/final`, and `/finals/NAME` for one of several: the table of a final."""
        site, played, current = self.site, finals.names(self.site.files), self.site.at_present().final
        final = request.path_params.get("final") or current or next(iter(played), None)
        if final is None or final not in (current, *played):
            raise HTTPException(404)
        words = f"A round robin of the versions that were active, with a seed that nobody had seen. {finals.rule(site.settings)}"
        others = _finals(name for name in played if name != final)
        head: list[Child] = [el("h1", finals.title(final)), el("p", site.final_progress(final), class_="notice")]
        head += [el("p", words, class_="soft"), el("p", "Other finals:", *others) if others else None]
        return self._over(request, final, finals.title(final), head)

    async def season(self, request: Request) -> Response:
        """`/seasons/N`: the table of a season that is over."""
        number, current = request.path_params["season"], self.site.at_present().season
        if not 0 < number < current:
            raise HTTPException(404)
        words = "This season is over: the next one began with the versions that were active."
        head = [el("h1", f"Season {number}"), el("p", words, class_="soft")]
        return self._over(request, f"{number}", f"Season {number}", head)

    def _over(self, request: Request, folder: str, title: str, head: Iterable[Child]) -> Response:
        """The page of a final, or of a season that is over, by the name of its folder."""
        about = el("div", *head, id="about", data_live="")
        key = "final" if finals.number(folder) else "season"
        field = card("Table", standings_table(self.site.table_of(folder), key), live="field", kind="wide")
        latest = card("Latest matches", *self._latest(folder), live="recent")
        body = [about, el("div", field, latest, class_="desk")]
        return frame(self.site, request, title, body, kind="front", facts={"latest": LATEST, "season": folder})


async def sign_in(site: Site, request: Request, *, status: int = 200) -> Response:
    """`/sign-in`, and what strangers see of an arena that is not public."""
    body = template(ASSETS, "sign_in.html")
    return frame(site, request, "Sign in", [body], kind="sign-in", status=status)


async def join(site: Site, request: Request) -> Response:
    """`/join#TOKEN`."""
    body = template(ASSETS, "join.html", arena=name(site.settings.name))
    return frame(site, request, "Join", [body], kind="join")


def standings_table(rows: list[Mapping[str, Any]], key: str) -> Html:
    """The table of standings, with ratings as dots and their intervals as bars."""
    scale, axis = rating_scale(rows)
    shown = {column.key: column for column in columns(rows)}
    before, after = [shown["rating"], shown["interval"]], [shown["percent"], shown["matches"], shown["faults"]]
    head = [*heads("#"), lead("bot"), *heads(*(column.heading for column in before)), *([axis] if rows else [])]
    head += heads(*(column.heading for column in after))
    body = []
    for row in rows:
        who = el("th", bot_link(row["name"]), scope="row", class_="name", data_col="name")
        ratings, others = (
            [figure(column.key, column.text(row), column.figure(row)) for column in part] for part in (before, after)
        )
        rank = figure("rank", row["rank"], row["rank"])
        body.append(
            el("tr", rank, who, *ratings, rating(scale, row), *others, data_bot=row["name"], data_rank=row["rank"])
        )
    return sheet("Standings", head, body, key=key, caption=None if rows else empty_table("No bot has played yet."))


def _welcome() -> Html:
    words = "Read the rules, take a starter kit, and ask the organiser for an invitation. "
    return card("Take part", el("p", words, el("a", "Rules and starter kits", href="/rules")))


def _finals(names: Iterable[str]) -> list[Child]:
    """Links to finals, by the names of their folders."""
    return [child for name in names for child in (" ", el("a", finals.title(name), href=f"/finals/{name}"))]


def _seasons(current: int) -> Html | None:
    """Links to the seasons before this one."""
    links = [child for at in range(current - 1, 0, -1) for child in (" ", el("a", f"{at}", href=f"/seasons/{at}"))]
    return el("p", "Earlier seasons:", *links, class_="soft") if links else None


def _players(match: Mapping[str, Any]) -> list[Child]:
    """The names of the players, the best first."""
    names = [entrant.partition("/")[2] or entrant for entrant in names_of(match)]
    return [child for at, called in enumerate(names) for child in ((" – " if at else None), name(called))]


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
