"""The pages of a bot and of a version of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from referee import games
from referee.analysis.commands import command
from referee.arena.access import entrant_name, may_inspect
from referee.arena.rows import Upload
from referee.arena.settings import SAVED
from referee.arena.state import read_json
from referee.arena.uploads import ZIP
from referee.arena.web.api.contest import address, faults
from referee.arena.web.html.frame import (
    bot_address,
    bot_link,
    card,
    editor_link,
    frame,
    narrow,
    row,
    state_badge,
    table,
    when,
)
from referee.arena.web.site import Site, viewer
from referee.bots.programs import is_own_program
from referee.moments.formatting import places
from referee.text.markup import Child, Html, el, name, pre, together
from referee.text.words import counted
from referee.tournament.report.content import number

LAST: Final = 20
FAULTS: Final = 20
LEAST: Final = 3
"""Points of a rating over time that are worth a chart."""
WIDTH: Final = 1000
HEIGHT: Final = 200
"""Of the chart of a rating, in its own units."""
WORDS: Final = {
    "yes": "better than the version before",
    "no": "not better than the version before",
    "undecided": "no clear difference",
}
UNDECIDED: Final = {
    "waiting": "It is played when no upload waits.",
    "playing": "It is being played.",
    "failed": "It could not be played.",
}
"""What a duel that has no verdict yet does, by its state."""


async def bot_page(site: Site, request: Request) -> Response:
    """`/bots/A/B`: how a bot does."""
    uploads = site.bot(request.path_params["author"], request.path_params["bot"])
    newest = uploads[-1]
    entrant = entrant_name(site.settings, newest)
    history = read_json(site.files.bot(entrant))
    standing = next((row for row in site.standings["table"] if row["name"] == entrant), None)
    about = "It is not in the standings."
    if standing is not None:
        played = counted(standing["matches"], "match", "matches")
        about = f"Rank {standing['rank']}, rating {number(standing['rating'])}, {played} this season."
    parts = [
        card("Rating over time", _course(history.get("rating", [])), live="course"),
        card("Versions", _versions(site, request, uploads), live="all-versions"),
        card("Rivals", _rivals(site, history.get("rivals", [])), live="met"),
        card("Maps", _maps(history.get("maps", [])), live="places"),
        card("Last matches", _last(site, entrant), live="recent"),
    ]
    user = viewer(request)
    drawn = is_own_program(PurePath(newest.file)) and games.find(site.settings.game).programs is not None
    drawn = drawn and user is not None and user.id == newest.author_id
    edit = el("p", editor_link(newest.bot, "Draw a new version")) if drawn else None
    head = el("div", el("h1", bot_link(entrant)), el("p", about, class_="soft"), edit, id="about", data_live="")
    body = [head, el("div", *parts, class_="grid")]
    return frame(site, request, newest.bot, body, kind="bot")


def _versions(site: Site, request: Request, uploads: Sequence[Upload]) -> Html:
    rows = []
    for upload in reversed(uploads):
        link = el("a", f"version {upload.number}", href=f"/versions/{upload.id}")
        note = upload.note if may_inspect(viewer(request), upload) else None
        state = state_badge(site.version(upload).state)
        rows.append(row(link, state, when(upload.created), note, data_version=upload.id))
    return table("versions", "Versions", ("version", "state", "uploaded", "note"), rows, kind="text")


def _course(points: Sequence[Sequence[Any]]) -> Html:
    """The rating over time, with its interval, and a mark where a version began."""
    if len(points) < LEAST:
        return el("p", "A chart is drawn from three ratings on, one every ten minutes.", class_="hint")
    first, last = points[0][0], points[-1][0]
    low = min(value for _, rating, least, *_ in points for value in (rating, least) if value is not None)
    high = max(value for _, rating, _, most, *_ in points for value in (rating, most) if value is not None)

    def point_at(at: float, value: float) -> str:
        x = WIDTH * (at - first) / max(1e-9, last - first)
        return f"{x:.0f},{HEIGHT * (high - value) / max(1e-9, high - low):.1f}"

    band = [point for point in points if point[2] is not None]
    edges = [point_at(at, most) for at, _, _, most, *_ in band]
    edges += [point_at(at, least) for at, _, least, *_ in reversed(band)]
    shapes = [el("title", f"Rating from {number(points[0][1])} to {number(points[-1][1])}")]
    shapes.append(el("polygon", points=" ".join(edges)))
    for before, after in pairwise(points):
        if before[4:5] != after[4:5]:
            x = point_at(after[0], low).partition(",")[0]
            shapes.append(el("line", x1=x, x2=x, y1=0, y2=HEIGHT, class_="begin"))
    shapes.append(el("polyline", points=" ".join(point_at(at, rating) for at, rating, *_ in points)))
    view = f"0 0 {WIDTH} {HEIGHT}"
    chart = el("svg", *shapes, viewBox=view, preserveAspectRatio="none", role="img", class_="rating")
    times = el("figcaption", when(first), " – ", when(last))
    return el("figure", el("span", number(high)), chart, el("span", number(low)), times)


def _rivals(site: Site, rivals: Sequence[Mapping[str, Any]]) -> Html:
    rows = []
    season = site.standings["season"]
    for rival in sorted(rivals, key=lambda rival: -rival["possible"]):
        kept = [match for match in rival["matches"] if site.seasons.keeps(season, match)]
        links = [
            together(el("a", f"{at}", href=address({"season": season, "id": match})), " ")
            for at, match in enumerate(kept, 1)
        ]
        score = f"{rival['score']:g} of {rival['possible']}"
        head = bot_link(rival["name"])
        rows.append(row(score, _percent(rival), together(*links), head=head, data_rival=rival["name"]))
    empty = "It has met no rival this season."
    return table("rivals", "Rivals", ("rival", "score", "percent", "last matches"), rows, empty=empty)


def _maps(maps: Sequence[Mapping[str, Any]]) -> Html:
    rows = []
    for tally in maps:
        faults = ", ".join(f"{kind} {times}" for kind, times in tally["faults"].items()) or "–"
        head = name(tally["map"])
        rows.append(row(tally["matches"], _percent(tally), faults, head=head, data_map=tally["map"]))
    empty = "It has played on no map this season."
    return table("maps", "Maps", ("map", "matches", "percent", "faults"), rows, empty=empty)


def _percent(tally: Mapping[str, Any]) -> str:
    return number(100 * tally["score"] / tally["possible"] if tally["possible"] else None, 1)


def _last(site: Site, entrant: str) -> Html:
    rows = []
    for match in site.seasons.newest(LAST, bots=[entrant]).matches:
        own = next(seat for seat in match["seats"] if seat["name"] == entrant)
        rivals = [seat for seat in match["seats"] if seat is not own]
        others = together(*(together(bot_link(seat["name"]), " ") for seat in rivals))
        moment = when(match["started"])
        link = el("a", moment, href=address(match)) if match["saved"] is not None else moment
        fault = own["disqualified"] or "–"
        rows.append(row(link, others, _result(own, rivals), match["map"], fault, data_match=match["id"]))
    heads = "match", "against", "result", "map", "fault"
    return table("matches", "Last matches", heads, rows, kind="text", empty="It has played no match.")


def _result(own: Mapping[str, Any], rivals: Sequence[Mapping[str, Any]]) -> str:
    """Won, lost or drawn between two; among more, the place."""
    if own["place"] is None:
        return "void"
    if len(rivals) != 1:
        return f"{places([own['place'], *(rival['place'] for rival in rivals)])[0]} of {1 + len(rivals)}"
    behind = own["place"] - rivals[0]["place"]
    return "won" if behind < 0 else "lost" if behind else "drawn"


async def version_page(site: Site, request: Request) -> Response:
    """`/versions/ID`: what became of an upload, and why. The evidence is for its author, the teacher and admins."""
    last = site.events.last  # before the state is read: no later news is missed
    upload = site.upload(request)
    version = site.version(upload)
    entrant = entrant_name(site.settings, upload)
    inspects = may_inspect(viewer(request), upload)
    evidence = site.evidence(version) if inspects else {}
    words = el("p", f"Version {upload.number}: ", state_badge(version.state, "state"), role="status")
    cause = el("p", error, class_="cause", role="alert") if (error := evidence.get("error")) else None
    source = el("p", "Uploaded ", when(upload.created), ". SHA-256: ", el("code", upload.sha256), class_="soft")
    state = el("div", words, cause, source, id="now", data_live="")
    parts: list[Child] = [el("h1", bot_link(entrant), f", version {upload.number}"), state]
    if inspects:
        newest, complete = await faults(site, version, FAULTS, patience=0)
        cards = [*_evidence(site, upload, evidence), _faults(site, newest, complete=complete)]
        pending = None if complete else ""
        parts.append(el("div", *cards, id="evidence", class_="narrow", data_live="", data_pending=pending))
        note = together(upload.file, ": ", upload.note) if upload.note else upload.file
        source = el("a", "Source (ZIP)", href=f"/api/v1/versions/{upload.id}/source")
        parts.append(card("Upload", el("p", note), el("p", source)))
    parts.append(el("p", el("a", "All versions of this bot", href=bot_address(entrant))))
    title = f"{upload.bot}, version {upload.number}"
    return frame(site, request, title, [narrow(*parts)], kind="version", facts={"id": upload.id, "last": last})


def _evidence(site: Site, upload: Upload, evidence: Mapping[str, Any]) -> list[Child]:
    """The steps of the check, what the compiler said, the duel."""
    parts: list[Child] = []
    if steps := evidence["steps"]:
        items = (_step(step, evidence["error"]) for step in steps)
        left = sum(step["verdict"] == "skip" for step in steps)
        words = f"{counted(left, 'more step')} {'was' if left == 1 else 'were'} not tried."
        skipped = el("p", words, class_="soft") if left else None
        parts.append(card("Check", el("ol", *items, id="steps"), skipped, _again(upload.file, site.settings.game)))
    if (output := evidence["compiler"]) and not any(map(_is_unbuilt, steps)):
        parts.append(card("Compiler output", pre("\n".join(output), label="compiler output")))
    if (duel := site.versions.game(f"v{upload.id}")) is not None:
        verdict = duel.get("verdict")
        said: list[Child] = [duel.get("error") or UNDECIDED.get(duel["state"])]
        if "series" in duel:
            elo, low, high = (_signed(duel.get(key)) for key in ("elo", "elo_low", "elo_high"))
            figures = f" Elo {elo} (95 %: {low} to {high}) after {duel['series']} series"
            said = [el("strong", WORDS.get(str(verdict))), figures]
        duelled = el("p", *said, id="duel", data_verdict=verdict or "none")
        parts.append(card("Duel with the version before", duelled))
    return parts


def _again(file: str, game: str) -> Html:
    check = el("code", command("check", file, "--game", game))
    folder = ", or with the folder instead of the ZIP file" if file.lower().endswith(ZIP) else ""
    return el("p", "To see it on your own machine: ", check, f"{folder}.")


def _signed(elo: float | None) -> str:
    return "∞" if elo is None else f"{elo:+z.0f}"


def _is_unbuilt(step: Mapping[str, Any]) -> bool:
    """Whether the compiler refused the bot in this step. What it said is the step's evidence."""
    return (step.get("failure") or {}).get("fault") == "does-not-build"


def _step(step: Mapping[str, Any], error: str | None) -> Html:
    """A step of a check. What happened is left out if it is the version's error, which the page begins with.

    Steps that were not tried are there for programs; people see how many there are.
    """
    lines: list[Child] = [el("strong", step["title"]), " ", step.get("note")]
    lines += (el("p", warning, class_="warning") for warning in step.get("warnings") or ())
    if failure := step.get("failure"):
        lines.append(el("p", failure["says"], class_="cause") if failure["says"] != error else None)
        lines.append(el("p", failure["change"]) if failure["change"] else None)
        output = [failure["came"]] if failure["came"] else []
        stderr = "Compiler output" if _is_unbuilt(step) else "Its stderr"
        parts = (("It was sent last", failure["sent"]), ("It wrote", output), (stderr, failure["stderr"]))
        blocks = [_labelled(words, "\n".join(texts)) for words, texts in parts if texts]
        lines.append(el("div", *blocks, class_="evidence") if blocks else None)
    verdict = step["verdict"]
    return el("li", *lines, data_step=step["number"], data_verdict=verdict, hidden="" if verdict == "skip" else None)


def _labelled(words: str, text: str | None, without: str = "") -> Html:
    """A text of a bot under a heading, or what is said if there is none."""
    return together(el("h3", words), pre(text, label=words) if text else el("p", without, class_="soft"))


def _faults(site: Site, newest: Sequence[Mapping[str, Any]], *, complete: bool) -> Html:
    """The newest faults in matches: what was asked and said, and the commands that show it.

    Args:
        complete: whether all requests are read that can be.
    """
    rows, unknown = [], "not known" if complete else "It is being read: it appears in a few seconds."
    for fault in newest:
        match = {"season": fault["season"], "id": fault["match"]}
        file = site.files.download(fault["season"], fault["match"])
        saved = el("a", "saved game", href=f"/api/v1{address(match)}{SAVED}")
        ask = command("ask", "BOT", file, "--seat", str(fault["seat"] + 1), "--step", str(fault["step"]))
        key = f"sent-{fault['season']}-{fault['match']}-{fault['seat']}-{fault['step']}"
        sent = el("div", _labelled("It was sent", fault["request"], unknown), id=key, data_live="")
        texts = ("It wrote", fault["answer"], "nothing"), ("Its stderr", "\n".join(fault["stderr"]), "empty")
        head = el("summary", fault["detail"] or fault["kind"])
        request = el("p", f"Request: {fault['ask']}, after {fault['ms']:.1f} ms.")
        again = el("p", "With the ", saved, ": ", el("code", ask)) if fault["kept"] else None
        more = el("details", head, request, sent, *(_labelled(*text) for text in texts), again)
        moment = el("a", f"round {fault['round']}", href=f"{address(match)}#step={fault['step']}")
        rows.append(row(moment, el("strong", fault["kind"]), more, data_kind=fault["kind"]))
    heads = "where", "kind", "what happened"
    listed = table("faults", "Faults", heads, rows, kind="text", empty="It has had no fault in a match.")
    return card(f"Faults in matches of {games.find(site.settings.game).title}", listed)
