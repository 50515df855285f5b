"""The pages of a bot and of a version of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from referee import games
from referee.arena.access import entrant_name, may_inspect
from referee.arena.api_contest import SAVED, address
from referee.arena.html_drawing import editor_link, is_drawn
from referee.arena.html_frame import STATES, bot_address, bot_link, card, field, frame, narrow, state_badge, table, when
from referee.arena.rows import Upload
from referee.arena.web_seasons import read_json
from referee.arena.web_site import Site, viewer
from referee.text.markup import Child, Html, el, name, pre, together
from referee.text.words import counted, shell_line
from referee.tournament.report.content import number, page_of
from referee.tournament.report.sheets import cells

LAST: Final = 20
FAULTS: Final = 20
WIDTH: Final = 1000
HEIGHT: Final = 200
"""Of the chart of a rating, in its own units."""
WORDS: Final = {
    "yes": "better than the version before",
    "no": "not better than the version before",
    "undecided": "no clear difference",
}


def bot_page(site: Site, request: Request, uploads: Sequence[Upload]) -> Response:
    """`/bots/A/B`: how a bot does."""
    newest = uploads[-1]
    entrant = entrant_name(site.settings, newest)
    known = read_json(site.files.pages / "bots" / f"{entrant}.json")
    row = next((row for row in site.standings["table"] if row["name"] == entrant), None)
    place = (
        "It is not in the standings."
        if row is None
        else (
            f"Rank {row['rank']}, rating {number(row['rating'])}, {counted(row['matches'], 'match', 'matches')} this season."
        )
    )
    versions = [
        el(
            "tr",
            *cells(
                el("a", f"version {upload.number}", href=f"/versions/{upload.id}"),
                state_badge(site.version(upload).state),
            ),
            *cells(when(upload.created), upload.note if may_inspect(viewer(request), upload) else None),
            data_version=upload.id,
        )
        for upload in reversed(uploads)
    ]
    parts = [
        card("Rating over time", _course(known.get("rating", [])), live="course"),
        card(
            "Versions",
            table("versions", "Versions", ("version", "state", "uploaded", "note"), versions, kind="text"),
            live="all-versions",
        ),
        card("Rivals", _rivals(site, known.get("rivals", [])), live="met"),
        card("Maps", _maps(known.get("maps", [])), live="places"),
        card("Last matches", _last(site, entrant), live="recent"),
    ]
    duel = None
    user = viewer(request)
    if user is not None and user.id != newest.author_id and (own := site.accounts.bots(user)):
        choice = el("select", *(el("option", called, value=called) for _, called in own), name="bot")
        button = el("button", "Ask for a duel", type="submit")
        duel = card(
            "Challenge",
            el(
                "form",
                field("Your bot", choice),
                button,
                el("p", id="failed", role="status"),
                id="duels",
                data_against=entrant,
            ),
        )
    drawn = user is not None and user.id == newest.author_id and is_drawn(site)
    edit = el("p", editor_link(newest.bot, "Draw a new version")) if drawn else None
    head = el("div", el("h1", bot_link(entrant)), el("p", place, class_="soft"), edit, id="about", data_live="")
    body = el("div", *parts, duel, class_="grid")
    return frame(site, request, newest.bot, [head, body], kind="bot", scripts=("forms.js",))


def _course(points: Sequence[Sequence[Any]]) -> Html:
    """The rating over time, with its interval, and a mark where a version began."""
    if len(points) < 2:
        return el("p", "A chart is drawn when there are some matches.", class_="hint")
    first, last = points[0][0], points[-1][0]
    low = min(value for _, rating, least, *_ in points for value in (rating, least) if value is not None)
    high = max(value for _, rating, _, most, *_ in points for value in (rating, most) if value is not None)

    def place(at: float, value: float) -> str:
        x = WIDTH * (at - first) / max(1e-9, last - first)
        return f"{x:.0f},{HEIGHT * (high - value) / max(1e-9, high - low):.1f}"

    band = [point for point in points if point[2] is not None]
    edges = [place(at, most) for at, _, _, most, *_ in band] + [place(at, least) for at, _, least, *_ in reversed(band)]
    marks = [
        el("line", x1=(x := place(now[0], low).partition(",")[0]), x2=x, y1=0, y2=HEIGHT, class_="begin")
        for before, now in pairwise(points)
        if before[4:5] != now[4:5]
    ]
    title = f"Rating from {number(points[0][1])} to {number(points[-1][1])}"
    drawn = el(
        "svg",
        el("title", title),
        el("polygon", points=" ".join(edges)),
        *marks,
        el("polyline", points=" ".join(place(at, rating) for at, rating, *_ in points)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        class_="rating",
    )
    return el(
        "figure",
        el("span", number(high)),
        drawn,
        el("span", number(low)),
        el("figcaption", when(first), " – ", when(last)),
    )


def _rivals(site: Site, rivals: Sequence[Mapping[str, Any]]) -> Html:
    rows = []
    season = str(site.standings["season"])
    for rival in sorted(rivals, key=lambda rival: -rival["possible"]):
        links = [
            el("a", f"{at}", href=address({"season": season, "id": match}))
            for at, match in enumerate(rival["matches"], 1)
        ]
        percent = 100 * rival["score"] / rival["possible"] if rival["possible"] else None
        row = cells(
            f"{rival['score']:g} of {rival['possible']}",
            number(percent, 1),
            together(*(part for link in links for part in (link, " "))),
        )
        rows.append(
            el("tr", el("th", bot_link(rival["name"]), scope="row", class_="name"), *row, data_rival=rival["name"])
        )
    return table("rivals", "Rivals", ("rival", "score", "percent", "last matches"), rows)


def _maps(maps: Sequence[Mapping[str, Any]]) -> Html:
    rows = [
        el(
            "tr",
            el("th", name(one["map"]), scope="row", class_="name"),
            *cells(one["matches"], number(100 * one["score"] / one["possible"] if one["possible"] else None, 1)),
            *cells(", ".join(f"{kind} {times}" for kind, times in one["faults"].items()) or "–"),
            data_map=one["map"],
        )
        for one in maps
    ]
    return table("maps", "Maps", ("map", "matches", "percent", "faults"), rows)


def _last(site: Site, entrant: str) -> Html:
    rows = []
    for match in site.seasons.newest(LAST, bot=entrant).matches:
        own = next(seat for seat in match["seats"] if seat["name"] == entrant)
        others = [part for seat in match["seats"] if seat is not own for part in (bot_link(seat["name"]), " ")]
        result = "void" if own["place"] is None else f"{own['place']:g} of {len(match['seats'])}"
        link = el("a", when(match["started"]), href=address(match))
        rows.append(
            el(
                "tr",
                *cells(link, match["map"], result, own["disqualified"] or "–", together(*others)),
                data_match=match["id"],
            )
        )
    return table("matches", "Last matches", ("match", "map", "place", "fault", "against"), rows, kind="text")


def version_page(site: Site, request: Request, upload: Upload) -> Response:
    """`/versions/ID`: what became of an upload, and why. The evidence is for its author, the teacher and admins."""
    version = site.version(upload)
    entrant = entrant_name(site.settings, upload)
    inspects = may_inspect(viewer(request), upload)
    state = el(
        "div",
        el(
            "p",
            f"Version {upload.number} ",
            state_badge(version.state, "state"),
            f" {STATES[version.state]}.",
            role="status",
        ),
        el("p", version.error, class_="cause", role="alert") if inspects and version.error else None,
        el("p", "Uploaded ", when(upload.created), ". SHA-256: ", el("code", upload.sha256), class_="soft"),
        id="now",
        data_live="",
    )
    parts: list[Child] = [el("h1", bot_link(entrant), f", version {upload.number}"), state]
    if inspects:
        evidence = [*_evidence(site, upload, version.evidence), _faults(site, version.name, version.content)]
        parts.append(el("div", *evidence, id="evidence", class_="side", data_live=""))
        note = together(upload.file, ": ", upload.note) if upload.note else upload.file
        parts.append(
            card("Upload", el("p", note), el("p", el("a", "Source (ZIP)", href=f"/api/v1/versions/{upload.id}/source")))
        )
    parts.append(el("p", el("a", "All versions of this bot", href=bot_address(entrant))))
    return frame(
        site,
        request,
        f"{upload.bot}, version {upload.number}",
        [narrow(*parts)],
        kind="version",
        facts={"id": upload.id},
    )


def _evidence(site: Site, upload: Upload, evidence: Mapping[str, Any]) -> list[Child]:
    """What the compiler said, the steps of the check, the duel."""
    parts: list[Child] = []
    said = evidence.get("compiler")
    if said:
        text = said if isinstance(said, str) else "\n".join(said)
        again = el("p", "To see it on your own machine: ", el("code", shell_line("referee", "build", upload.bot)))
        parts.append(card("What the compiler said", pre(text, label="compiler"), again))
    if steps := evidence.get("steps"):
        words = shell_line("referee", "check", upload.bot, "--game", site.settings.game)
        again = el("p", "To see it on your own machine: ", el("code", words))
        parts.append(card("Check", el("ol", *map(_step, steps), id="steps"), again))
    if (duel := site.duel(upload)) is not None:
        verdict = duel.get("verdict")
        ends = [f"{duel[key]:+.0f}" if duel.get(key) is not None else "∞" for key in ("elo", "elo_low", "elo_high")]
        figures = (
            f"Elo {ends[0]} (95 %: {ends[1]} to {ends[2]}) after {duel['series']} series"
            if "series" in duel
            else duel["state"]
        )
        words = el("strong", WORDS[verdict]) if verdict in WORDS else "It is being played."
        shown = el("p", words, " ", figures, id="duel", data_verdict=verdict or "none")
        parts.append(card("Duel with the version before", shown))
    return parts


def _step(step: Mapping[str, Any]) -> Html:
    lines: list[Child] = [el("strong", step["title"]), " ", step.get("note")]
    lines += (el("p", warning, class_="warning") for warning in step.get("warnings") or ())
    if failure := step.get("failure"):
        lines += (el("p", failure["says"], class_="cause"), el("p", failure["change"]))
        came = [failure["came"]] if failure["came"] else []
        parts = (("It was sent last", failure["sent"]), ("It wrote", came), ("Its stderr", failure["stderr"]))
        shown = [together(el("h3", words), pre("\n".join(texts), label=words)) for words, texts in parts if texts]
        lines.append(el("div", *shown, class_="evidence"))
    return el("li", *lines, data_step=step["number"], data_verdict=step["verdict"])


def _faults(site: Site, entrant: str, content: str | None) -> Html | None:
    """The newest faults in matches: what was asked and said, and the commands that show it."""
    rows = []
    for fault in site.seasons.faults(entrant, content, FAULTS):
        match = {"season": fault["season"], "id": fault["match"]}
        file = f"{fault['season']}-{page_of(fault['match'])[8:-5]}{SAVED}"
        saved = el("a", "saved game", href=f"/api/v1{address(match)}{SAVED}")
        ask = shell_line("referee", "ask", "BOT", file, "--seat", str(fault["seat"] + 1), "--step", str(fault["step"]))
        more = el(
            "details",
            el("summary", fault["detail"] or fault["kind"]),
            el("p", f"Request: {fault['request']}, after {fault['ms']:.1f} ms."),
            el("h3", "Its stderr"),
            pre("\n".join(fault["stderr"]), label="stderr") if fault["stderr"] else el("p", "empty", class_="soft"),
            el("p", "With the ", saved, ": ", el("code", ask)) if fault["kept"] else None,
        )
        place = el("a", f"round {fault['round']}", href=f"{address(match)}#step={fault['step']}")
        rows.append(el("tr", *cells(place, el("strong", fault["kind"]), more), data_kind=fault["kind"]))
    if not rows:
        return None
    game = games.find(site.settings.game).title
    return card(
        f"Faults in matches of {game}", table("faults", "Faults", ("where", "kind", "what happened"), rows, kind="text")
    )
