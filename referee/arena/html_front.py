"""The pages that everybody begins with: standings, signing in, joining, the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from referee import games
from referee.arena import season
from referee.arena.api_contest import address, describe
from referee.arena.html_frame import bot_link, card, field, frame, narrow, when
from referee.arena.web_seasons import names_of, read_json
from referee.arena.web_site import Site
from referee.bots import starter
from referee.files import assets
from referee.text.markup import Child, Html, el, name
from referee.text.words import counted
from referee.tournament.report import charts
from referee.tournament.report.charts import Scale
from referee.tournament.report.content import faults_of, half_width, number
from referee.tournament.report.sheets import figure, heads, lead, plot, sheet
from referee.web.prose import prose

LATEST: Final = 10
LANGUAGES: Final = {"en": "English", "fr": "Français", "ru": "Русский", "de": "Deutsch", "es": "Español"}


class Front:
    """The pages of an arena."""

    def __init__(self, site: Site) -> None:
        """Those of an arena."""
        self.site = site
        self._shown: tuple[object, list[Html]] = (None, [])
        self._table: tuple[object, Html] = (None, el("div"))

    def standings(self, request: Request) -> Response:
        """`/`: the standings, the latest matches. Readers of one moment get the same text."""
        site = self.site
        names = site.seasons.names()
        season = site.seasons.season(names[0]) if names else None
        ledger = (names[0], season.ledger.version()) if season else None
        key = ledger, site.standings["as_of"], site.state, site.final, site.waiting()
        if key != self._shown[0]:
            self._shown = key, self._fragments()
        about, table, latest = self._shown[1]
        body = [about, el("div", table, el("div", latest, _welcome(request), class_="side"), class_="desk")]
        return frame(site, request, "", body, kind="front", facts={"latest": LATEST})

    def _fragments(self) -> list[Html]:
        """What the arena is, its standings, its latest matches."""
        site, facts = self.site, describe(self.site)
        about = [
            games.find(site.settings.game).title,
            f"season {facts['season']}",
            counted(facts["entrants"], "bot"),
            counted(facts["matches"], "match", "matches"),
            f"{facts['waiting']} waiting" if facts["waiting"] else None,
        ]
        head = [
            el("h1", name(site.settings.name)),
            el("p", " · ".join(words for words in about if words), class_="soft"),
        ]
        standings = site.standings  # a table of 200 rows takes 50 ms, and matches end far more often than it changes
        if standings is not self._table[0]:
            table = standings_table(standings["table"], "standings")
            self._table = standings, card("Standings", table, live="field", kind="wide")
        return [
            el("div", *head, self._closed(), id="about", data_live=""),
            self._table[1],
            card("Latest matches", *self._latest(), live="recent"),
        ]

    def _latest(self, only: str | None = None) -> list[Child]:
        """The newest matches, of all seasons or of one."""
        items = [
            el(
                "li",
                el("a", *_players(match), href=address(match)),
                el("span", match["map"], " · ", when(match["started"]), class_="soft"),
                data_match=match["id"],
                data_season=match["season"],
            )
            for match in self.site.seasons.newest(LATEST).matches
            if only in (None, match["season"])
        ]
        lacking = season.lacking(self.site.files.season(self.site.season), self.site.seats)
        why = None if lacking is None else el("p", f"{lacking[0].upper()}{lacking[1:]}.", id="lacking", class_="hint")
        return [el("ol", *items, id="latest"), why]

    def _closed(self) -> Html | None:
        opens = self.site.settings.opens
        if self.site.state == "open":
            return None
        words: list[Child] = ["This arena takes no more bots. The standings stay."]
        if opens is not None and opens.timestamp() > self.site.now():
            words = ["This arena opens ", when(opens.timestamp()), "."]
        elif self.site.final:
            words += [" The ", el("a", "final", href="/final"), " decides."]
        return el("p", *words, id="closed", class_="notice")

    def final(self, request: Request) -> Response | None:
        """`/final`: the table of the final; None without one."""
        if (final := self.site.final) is None:
            return None
        rows = read_json(self.site.files.pages / "final.json").get("table", [])
        body = [
            el("h1", "Final"),
            el("p", "A round robin of the versions that were active, with a seed that nobody had seen.", class_="soft"),
            el(
                "div",
                card("Table", standings_table(rows, "final"), live="field", kind="wide"),
                card("Latest matches", *self._latest(final), live="recent"),
                class_="desk",
            ),
        ]
        return frame(self.site, request, "Final", body, kind="front", facts={"latest": LATEST})

    def sign_in(self, request: Request, *, status: int = 200) -> Response:
        """`/sign-in`, and what strangers see of an arena that is not public."""
        form = el(
            "form",
            field("Name", el("input", name="name", autocomplete="username", required="", autofocus="")),
            field("Key", el("input", name="key", type="password", autocomplete="current-password", required="")),
            el("p", id="failed", role="alert", hidden=""),
            el("button", "Sign in", type="submit", class_="main"),
            id="sign-in",
            class_="card",
        )
        hint = el(
            "p", "The key was shown when you joined. If it is lost, the organiser can make a new one.", class_="hint"
        )
        return frame(
            self.site,
            request,
            "Sign in",
            [narrow(el("h1", "Sign in"), form, hint)],
            kind="sign-in",
            scripts=("forms.js",),
            status=status,
        )

    def join(self, request: Request) -> Response:
        """`/join#TOKEN`."""
        body = narrow(
            el("h1", "Join ", name(self.site.settings.name)),
            el(
                "section",
                el("p", "You have an invitation. It works once, and gives you a key: the only way to sign in."),
                el("button", "Join", id="join", type="button", class_="main"),
                el("p", id="failed", role="alert", hidden=""),
                el(
                    "div",
                    el(
                        "p",
                        "You are ",
                        el("strong", id="name"),
                        ". This is your key. ",
                        el("strong", "Keep it now"),
                        ": it is not shown again.",
                    ),
                    el("output", id="key", class_="secret"),
                    el("p", el("a", "Upload your first bot", href="/account")),
                    id="joined",
                    hidden="",
                ),
                class_="card",
            ),
        )
        return frame(self.site, request, "Join", [body], kind="join", scripts=("forms.js",))

    def rules(self, request: Request) -> Response | None:
        """`/rules?lang=…`: the rules of the game and starter kits; None without such a text."""
        texts = translations(self.site.settings.game)
        lang = request.query_params.get("lang", "en")
        if lang not in texts:
            return None
        others = [
            el(
                "a",
                LANGUAGES.get(other, other),
                href=f"/rules?lang={other}",
                hreflang=other,
                aria_current="page" if other == lang else None,
            )
            for other in texts
        ]
        body = el(
            "div",
            el("nav", *others, aria_label="Languages", class_="row languages") if len(others) > 1 else None,
            kits(self.site.settings.game),
            el("article", rules_text(self.site.settings.game, texts[lang]), lang=lang, class_="prose"),
            class_="narrow",
        )
        return frame(self.site, request, "Rules", [body], kind="rules")


def standings_table(rows: list[Mapping[str, Any]], key: str) -> Html:
    """The table of standings, with ratings as dots and their intervals as bars."""
    if not rows:
        return el("p", "No bot has played yet.", class_="hint")
    ends = [row[end] for row in rows for end in ("rating_low", "rating_high") if row[end] is not None]
    scale = Scale(min(ends, default=-1), max(ends, default=1))
    axis = plot(
        charts.axis(scale, "The scale of the ratings", {value: number(value) for value in (scale.low, scale.high)}),
        head=True,
    )
    head = [*heads("#"), lead("bot"), *heads("rating", "± 95 %"), axis, *heads("percent", "matches", "faults")]
    body = []
    for row in rows:
        half, faults = half_width(row), faults_of(row)
        bar = None if row["rating_low"] is None else (row["rating_low"], row["rating_high"])
        words = f"rating {number(row['rating'])}" + ("" if half is None else f" ± {number(half)}")
        drawn = charts.interval(scale, words, dots=[] if row["rating"] is None else [row["rating"]], bar=bar, mark=0)
        figures = [
            figure("percent", number(row["percent"], 1), row["percent"]),
            figure("matches", row["matches"], row["matches"]),
            figure("faults", faults or "–", faults),
        ]
        who = el("th", bot_link(row["name"]), scope="row", class_="name", data_col="name")
        rating = [figure("rating", number(row["rating"]), row["rating"]), figure("interval", number(half), half)]
        rank = figure("rank", row["rank"], row["rank"])
        body.append(el("tr", rank, who, *rating, plot(drawn), *figures, data_bot=row["name"], data_rank=row["rank"]))
    return sheet("Standings", head, body, key=key)


def kits(game: str) -> Html:
    """Links to starter kits."""
    links = [
        el("li", el("a", starter.title(language), href=f"/kits/{language}.zip", download=""))
        for language in starter.languages_for(game)
    ]
    words = "A complete first bot in each of these languages: change it, zip the folder, upload it."
    return card("Starter kits", el("p", words, class_="soft"), el("ul", *links, class_="kits"))


def translations(game: str) -> dict[str, str]:
    """The languages of a game's rules, English first, and the file of each."""
    files = sorted(page.name for page in assets.rules(game).glob("README*.md"))
    texts = {file.split(".")[1] if file.count(".") == 2 else "en": file for file in files}
    return {lang: texts[lang] for lang in sorted(texts, key=lambda lang: (lang != "en", lang))}


def _welcome(request: Request) -> Html | None:
    if request.scope["user"]:
        return None
    words = "Read the rules, take a starter kit, and ask the organiser for an invitation. "
    return card("Take part", el("p", words, el("a", "Rules and starter kits", href="/rules")))


@cache
def rules_text(game: str, file: str) -> Html:
    """The rules of a game in a language."""
    return prose((assets.rules(game) / file).read_text(encoding="utf-8"))


def _players(match: Mapping[str, Any]) -> list[Child]:
    """The names of the players, the best first."""
    names = [entrant.partition("/")[2] or entrant for entrant in names_of(match)]
    return [child for at, called in enumerate(names) for child in ((" – " if at else None), name(called))]
