"""The pages that everybody sees: standings, finals, matches, signing in, joining.

Another process makes the page of a match from its saved game. Without one, the page shows the result in the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee import games
from referee.arena import finals, season
from referee.arena.seasons import Match, names_of
from referee.arena.web.api.contest import address
from referee.arena.web.html.frame import ASSETS, bot_link, card, empty_table, frame, narrow, row, table, when
from referee.arena.web.site import Current, Site
from referee.moments.formatting import places
from referee.text.markup import Child, Html, el, name
from referee.text.words import counted
from referee.tournament.report.content import NOTHING, number
from referee.tournament.report.figure_sections import rating, rating_scale
from referee.tournament.report.sheets import figure, heads, lead, sheet
from referee.tournament.report.tables import columns
from referee.web.pages import sandboxed_page, template

LATEST: Final = 10
BY_RATING: Final = (
    "By rating: 100 points more mean 64 % of the points in a match of two. Bots meet rivals of about their own strength, "
    "so percents of different bots cannot be compared."
)
PATIENCE: Final = 2.0
"""Seconds in which another process usually makes the page of a match. After that, the reader sees that it is being made."""
FRAME_PATIENCE: Final = 20.0
"""The same in a frame, where no script can ask again."""
PENDING: Final = (
    "The page of this match is being made. It appears in a few seconds; without scripts, load this page again."
)
BROKEN: Final = "This match has no page, because its saved game cannot be shown: tell the organiser."
GONE: Final = "Its saved game is not kept any more: the newest of each version are, and those with faults."


class Front:
    """The front page, and the pages of finals and seasons."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._parts: tuple[object, list[Html]] = (None, [])
        # 200 rows take 50 ms; matches end far more often.
        self._table = Current(site.files.standings, self._standings_card)

    async def standings(self, request: Request) -> Response:
        """`/`: the standings, the latest matches. They are drawn once a second at most, because many matches end in one."""
        site = self.site
        key = int(site.now()), site.tables_stamp, site.at_present(), site.waiting()
        if key != self._parts[0]:
            self._parts = key, self._fragments()
        about, table, latest = self._parts[1]
        welcome = None if request.scope["user"] else _welcome()
        body = [about, el("div", table, el("div", latest, welcome, class_="side"), class_="desk")]
        return frame(site, request, "", body, kind="front", facts={"latest": LATEST})

    def _fragments(self) -> list[Html]:
        """The head, the standings, and the latest matches."""
        site, facts = self.site, self.site.document()
        about = [
            games.find(site.settings.game).title,
            f"season {facts['season']}",
            counted(facts["entrants"], "bot"),
            counted(facts["matches"], "match", "matches"),
            f"{facts['waiting']} waiting" if facts["waiting"] else None,
        ]
        title, words = el("h1", name(site.settings.name)), " · ".join(filter(None, about))
        closed, others = self._upload_notice(facts["final_progress"]), _links(self._others())
        head = el("div", title, el("p", words, class_="soft"), closed, others, id="about", data_live="")
        hint = el("p", "The best of each match first.", class_="hint")
        return [head, self._table.now(), card("Latest matches", hint, *self._latest(), live="recent")]

    def _standings_card(self) -> Html:
        by_points = games.find(self.site.settings.game).contest.order == "points"
        hint = None if by_points else el("p", BY_RATING, class_="hint")
        return card("Standings", standings_table(self.site.standings["table"]), hint, live="field", kind="wide")

    def _latest(self, only: str | None = None) -> list[Child]:
        items = []
        for match in self.site.seasons.newest_matches(LATEST, only=only).matches:
            link = el("a", *_players(match), href=address(match))
            about = el("span", match["map"], " · ", when(match["started"]), class_="soft")
            items.append(el("li", link, about, data_match=match["id"], data_season=match["season"]))
        site, lacking = self.site, None
        if only is None and site.state == "open":
            lacking = season.why_idle(site.files.season(site.at_present().season), site.seats)
        why = None if lacking is None else el("p", f"{lacking[0].upper()}{lacking[1:]}.", id="lacking", class_="hint")
        return [el("ol", *items, id="latest"), why]

    def _upload_notice(self, final: str | None) -> Html | None:
        """In an open arena, the end of uploads. Otherwise why there are none, and the progress of the final."""
        opens, closes, now = self.site.settings.opens, self.site.settings.closes, self.site.now()
        if self.site.state == "open":
            if closes is None or closes.timestamp() <= now:
                return None
            return el("p", "Uploads are taken until ", when(closes.timestamp()), ".", class_="soft")
        words: list[Child] = ["This arena takes no more bots. The standings stay."]
        if opens is not None and opens.timestamp() > now:
            words = ["This arena opens ", when(opens.timestamp()), "."]
        elif final is not None:
            name = self.site.at_present().final
            words += [" ", el("a", final, href=f"/seasons/{name}") if name in self._others() else final]
        return el("p", *words, id="closed", class_="notice")

    async def season(self, request: Request) -> Response:
        """`/seasons/NAME`: the table of a final, or of a season that is over."""
        site, folder = self.site, request.path_params["season"]
        if folder not in self._others():
            raise HTTPException(404)
        title, progress = finals.title(folder), None
        words = "This season is over: the next one began with the versions that were active."
        if finals.number(folder):
            progress = el("p", site.final_progress(folder), class_="notice")
            rule = finals.rule(site.settings)
            words = f"A round robin of the versions that were active, with a seed that nobody had seen. {rule}"
        about = el("div", el("h1", title), progress, el("p", words, class_="soft"), id="about", data_live="")
        table = card("Table", standings_table(site.table_of(folder)), live="field", kind="wide")
        latest = card("Latest matches", *self._latest(folder), live="recent")
        body = [about, el("div", table, latest, class_="desk")]
        return frame(site, request, title, body, kind="front", facts={"latest": LATEST, "season": folder})

    def _others(self) -> list[str]:
        """The folders of the other tables: finals, then the seasons before this one, the newest first."""
        seasons = (str(number) for number in range(self.site.at_present().season - 1, 0, -1))
        return [*finals.names(self.site.files), *seasons]


async def sign_in(site: Site, request: Request, *, status: int = 200) -> Response:
    """`/sign-in`, and the page for strangers in an arena that is not public."""
    return frame(site, request, "Sign in", [template(ASSETS, "sign_in.html")], kind="sign-in", status=status)


async def join(site: Site, request: Request) -> Response:
    """`/join#TOKEN`."""
    return frame(site, request, "Join", [template(ASSETS, "join.html", arena=name(site.settings.name))], kind="join")


def standings_table(rows: list[Mapping[str, Any]]) -> Html:
    """The table of standings, with ratings as dots and their intervals as bars."""
    scale, axis = rating_scale(rows)
    shown = {column.key: column for column in columns(rows)}
    before, after = [shown["rating"], shown["interval"]], [shown["percent"], shown["matches"], shown["faults"]]
    head = [*heads("#"), lead("bot"), *heads(*(column.heading for column in before)), *([axis] if rows else [])]
    head += heads(*(column.heading for column in after))
    body = []
    for line in rows:
        bot, rank = line["name"], line["rank"]
        label = el("th", bot_link(bot), scope="row", class_="name", data_col="name")
        ratings, others = ([figure(it.key, it.text(line), it.figure(line)) for it in part] for part in (before, after))
        cells = [figure("rank", rank, rank), label, *ratings, rating(scale, line), *others]
        body.append(el("tr", *cells, data_bot=bot, data_rank=rank))
    caption = None if rows else empty_table("No bot has played yet.")
    return sheet("Standings", head, body, key="standings", caption=caption)


def _welcome() -> Html:
    words = "Read the rules, take a starter kit, and ask the organiser for an invitation. "
    return card("Take part", el("p", words, el("a", "Rules and starter kits", href="/rules")))


def _links(folders: Iterable[str]) -> Html | None:
    links = [child for folder in folders for child in (" ", el("a", finals.title(folder), href=f"/seasons/{folder}"))]
    return el("p", "Other tables:", *links, class_="soft") if links else None


def _players(match: Mapping[str, Any]) -> list[Child]:
    """The names of the players, the best first, with their authors, because bots of several authors may have one name.

    Anonymous authors are not shown.
    """
    shown = [entrant.partition("/")[2] if entrant.startswith("~") else entrant for entrant in names_of(match)]
    return [child for at, player in enumerate(shown) for child in (" – " if at else None, name(player))]


async def match_page(site: Site, request: Request, framed_by: str = "'none'") -> Response:
    """`/matches/SEASON/ID`; for `framed_by`, see `sandboxed_page`."""
    season, match_id = request.path_params["season"], request.path_params["id"]
    match = site.seasons.match(season, match_id)
    if match.saved is not None and not match.page.exists():
        await site.make({f"matches/{season}/{match_id}": match.page}, FRAME_PATIENCE if framed_by == "*" else PATIENCE)
    page = None
    with suppress(FileNotFoundError):  # it is not made, or was removed to make room
        page = match.page.read_bytes()
    if page:
        return sandboxed_page(page, framed_by=framed_by)
    why = GONE if match.saved is None else PENDING if page is None else BROKEN
    return _facts(site, request, match, why, framed_by)


def _facts(site: Site, request: Request, match: Match, why: str, framed_by: str) -> Response:
    """The facts of a match in the ledger, and why it has no page. In a frame of another site, the page has no script."""
    facts = match.document
    rows = []
    for seat, place in zip(facts["seats"], places([seat["place"] for seat in facts["seats"]]), strict=True):
        figures = seat["seat"] + 1, place or NOTHING, number(seat["points"], 1), seat["disqualified"] or NOTHING
        rows.append(row(*figures, head=bot_link(seat["name"]), data_seat=seat["seat"]))
    body = narrow(
        el("h1", f"Match on {facts['map']}"),
        el("p", when(facts["started"]), f" · {facts['reason']} · seed {facts['rng_seed']}", class_="soft"),
        el("p", why, class_="notice", data_pending="" if why == PENDING else None),
        card("Seats", table("seats", "Seats", ("bot", "seat", "place", "points", "fault"), rows)),
    )
    response = frame(site, request, "Match", [body], kind="match", status=503 if why == PENDING else 410)
    if framed_by == "*":
        policy = response.headers["Content-Security-Policy"]
        policy = policy.replace("frame-ancestors 'none'", "sandbox; frame-ancestors *")
        response.headers["Content-Security-Policy"] = policy
    return response
