"""The pages of a bot and of a version of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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

MOST_MATCHES: Final = 20
MOST_FAULTS: Final = 20
WIDTH, HEIGHT = 1000, 200
"""Of this chart, in its own units."""
VERDICTS: Final = {
    "yes": "better than the version before",
    "no": "not better than the version before",
    "undecided": "no clear difference",
}
STATES: Final = {
    "waiting": "It is played when no upload waits.",
    "playing": "It is being played.",
    "failed": "It could not be played.",
}
"""Of a duel without a verdict."""


async def bot_page(site: Site, request: Request) -> Response:
    """`/bots/A/B`: the versions and the results of a bot."""
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
        card("Rating over time", _rating_chart(history.get("rating", [])), live="course"),
        card("Versions", _versions(site, request, uploads), live="all-versions"),
        card("Rivals", _rivals(site, history.get("rivals", [])), live="met"),
        card("Maps", _maps(history.get("maps", [])), live="places"),
        card("Last matches", _last_matches(site, entrant), live="recent"),
    ]
    user = viewer(request)
    is_author = user is not None and user.id == newest.author_id
    is_drawn = is_own_program(PurePath(newest.file)) and games.find(site.settings.game).programs is not None
    edit = el("p", editor_link(newest.bot, "Draw a new version")) if is_author and is_drawn else None
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


def _rating_chart(points: Sequence[Sequence[Any]]) -> Html:
    """The rating over time (`pages.with_point`), with its interval, and a line where a version began."""
    if len(points) < 3:
        return el("p", "A chart is drawn from three ratings on, one every ten minutes.", class_="hint")
    first, last = points[0][0], points[-1][0]
    values = [value for point in points for value in point[1:4] if value is not None]
    low, high = min(values), max(values)

    def x(time: float) -> str:
        return f"{WIDTH * (time - first) / max(1e-9, last - first):.0f}"

    def y(value: float) -> str:
        return f"{HEIGHT * (high - value) / max(1e-9, high - low):.1f}"

    band = [point for point in points if point[2] is not None]
    edges = [f"{x(time)},{y(top)}" for time, _, _, top, _ in band]
    edges += [f"{x(time)},{y(bottom)}" for time, _, bottom, _, _ in reversed(band)]
    begins = [x(after[0]) for before, after in pairwise(points) if before[4] != after[4]]
    shapes = [
        el("title", f"Rating from {number(points[0][1])} to {number(points[-1][1])}"),
        el("polygon", points=" ".join(edges)),
        *(el("line", x1=begin, x2=begin, y1=0, y2=HEIGHT, class_="begin") for begin in begins),
        el("polyline", points=" ".join(f"{x(time)},{y(rating)}" for time, rating, *_ in points)),
    ]
    view = f"0 0 {WIDTH} {HEIGHT}"
    chart = el("svg", *shapes, viewBox=view, preserveAspectRatio="none", role="img", class_="rating")
    times = el("figcaption", when(first), " – ", when(last))
    return el("figure", el("span", number(high)), chart, el("span", number(low)), times)


def _rivals(site: Site, rivals: Sequence[Mapping[str, Any]]) -> Html:
    rows, season = [], site.standings["season"]
    for rival in sorted(rivals, key=lambda rival: -rival["possible"]):
        matches = [{"season": season, "id": match} for match in rival["matches"]]
        links = [el("a", at, href=address(match)) for at, match in enumerate(matches, 1)]
        score = f"{rival['score']:g} of {rival['possible']}"
        head = bot_link(rival["name"])
        rows.append(row(score, _percent(rival), _separate(links), head=head, data_rival=rival["name"]))
    empty = "It has met no rival this season."
    return table("rivals", "Rivals", ("rival", "score", "percent", "last matches"), rows, empty=empty)


def _separate(parts: Iterable[Html]) -> Html:
    return together(*(child for part in parts for child in (part, " ")))


def _maps(maps: Sequence[Mapping[str, Any]]) -> Html:
    rows = []
    for tally in maps:
        faults = ", ".join(f"{kind} {count}" for kind, count in tally["faults"].items()) or "–"
        head = name(tally["map"])
        rows.append(row(tally["matches"], _percent(tally), faults, head=head, data_map=tally["map"]))
    empty = "It has played on no map this season."
    return table("maps", "Maps", ("map", "matches", "percent", "faults"), rows, empty=empty)


def _percent(tally: Mapping[str, Any]) -> str:
    return number(100 * tally["score"] / tally["possible"] if tally["possible"] else None, 1)


def _last_matches(site: Site, entrant: str) -> Html:
    rows = []
    for match in site.seasons.newest_matches(MOST_MATCHES, bots=[entrant]).matches:
        own = next(seat for seat in match["seats"] if seat["name"] == entrant)
        rivals = [seat for seat in match["seats"] if seat is not own]
        others = _separate(bot_link(seat["name"]) for seat in rivals)
        time = when(match["started"])
        link = el("a", time, href=address(match)) if match["saved"] is not None else time
        fault = own["disqualified"] or ""  # a phone hides an empty cell
        rows.append(row(link, others, _result(own, rivals), name(match["map"]), fault, data_match=match["id"]))
    heads = "match", "against", "result", "map", "fault"
    return table("matches", "Last matches", heads, rows, kind="text", empty="It has played no match.")


def _result(own: Mapping[str, Any], rivals: Sequence[Mapping[str, Any]]) -> str:
    """Won, lost or drawn in a match of two, the place in others."""
    if own["place"] is None:
        return "void"
    if len(rivals) != 1:
        return f"{places([own['place'], *(rival['place'] for rival in rivals)])[0]} of {1 + len(rivals)}"
    behind = own["place"] - rivals[0]["place"]
    return "won" if behind < 0 else "lost" if behind else "drawn"


async def version_page(site: Site, request: Request) -> Response:
    """`/versions/ID`: the state of an upload, and the evidence for its author, the teacher and admins."""
    last = site.events.last  # before the state is read, so that no later event is missed
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
        newest, complete = await faults(site, version, MOST_FAULTS, patience=0)
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
    parts: list[Child] = []
    if steps := evidence["steps"]:
        parts.append(_check(site, upload, steps, evidence["error"]))
    if (output := evidence["compiler"]) and not any(map(_is_unbuilt, steps)):
        parts.append(card("Compiler output", pre("\n".join(output), label="compiler output")))
    if (duel := site.versions.game(f"v{upload.id}")) is not None:
        parts.append(_duel(duel))
    return parts


def _check(site: Site, upload: Upload, steps: Sequence[Mapping[str, Any]], error: str | None) -> Html:
    items = (_step(step, error) for step in steps)
    left = sum(step["verdict"] == "skip" for step in steps)
    skipped = el("p", f"Steps that were not tried: {left}.", class_="soft") if left else None
    check = el("code", command("check", upload.file, "--game", site.settings.game))
    folder = ", or with the folder instead of the ZIP file" if upload.file.lower().endswith(ZIP) else ""
    again = el("p", "To see it on your own machine: ", check, f"{folder}.")
    return card("Check", el("ol", *items, id="steps"), skipped, again)


def _duel(duel: Mapping[str, Any]) -> Html:
    verdict = duel.get("verdict")
    result: list[Child] = [duel.get("error") or STATES.get(duel["state"])]
    if "series" in duel:
        elos = [duel.get(key) for key in ("elo", "elo_low", "elo_high")]
        elo, low, high = ("∞" if elo is None else f"{elo:+z.0f}" for elo in elos)
        figures = f" Elo {elo} (95 %: {low} to {high}) after {duel['series']} series"
        result = [el("strong", VERDICTS.get(str(verdict))), figures]
    return card("Duel with the version before", el("p", *result, id="duel", data_verdict=verdict or "none"))


def _is_unbuilt(step: Mapping[str, Any]) -> bool:
    """Whether the build failed in this step. The compiler output is then the step's evidence."""
    return (step.get("failure") or {}).get("fault") == "does-not-build"


def _step(step: Mapping[str, Any], error: str | None) -> Html:
    """A step of a check. The page shows the version's error above, so it is not repeated here.

    Steps that were not tried are hidden: programs read them, people see their number.
    """
    lines: list[Child] = [el("strong", step["title"]), " ", step.get("note")]
    lines += (el("p", warning, class_="warning") for warning in step.get("warnings") or ())
    if failure := step.get("failure"):
        lines.append(el("p", failure["says"], class_="cause") if failure["says"] != error else None)
        lines.append(el("p", failure["change"]) if failure["change"] else None)
        stderr = "Compiler output" if _is_unbuilt(step) else "Its stderr"
        sent, written = "\n".join(failure["sent"] or ()), "\n".join(failure["stderr"] or ())
        parts = (("It was sent last", sent), ("It wrote", failure["came"]), (stderr, written))
        blocks = [_labelled(label, text) for label, text in parts if text]
        lines.append(el("div", *blocks, class_="evidence") if blocks else None)
    verdict = step["verdict"]
    return el("li", *lines, data_step=step["number"], data_verdict=verdict, hidden="" if verdict == "skip" else None)


def _labelled(label: str, text: str | None, otherwise: str = "") -> Html:
    return together(el("h3", label), pre(text, label=label) if text else el("p", otherwise, class_="soft"))


def _faults(site: Site, newest: Sequence[Mapping[str, Any]], *, complete: bool) -> Html:
    """The newest faults in matches, with the request, the answer, and a command to repeat the request.

    Args:
        complete: whether all requests that can be read are read.
    """
    rows, unknown = [], "not known" if complete else "It is being read: it appears in a few seconds."
    for fault in newest:
        match = {"season": fault["season"], "id": fault["match"]}
        file = site.files.download(fault["season"], fault["match"])
        saved = el("a", "saved game", href=f"/api/v1{address(match)}{SAVED}")
        ask = command("ask", "BOT", file, "--seat", str(fault["seat"] + 1), "--step", str(fault["step"]))
        key = f"sent-{fault['season']}-{fault['match']}-{fault['seat']}-{fault['step']}"
        sent = el("div", _labelled("It was sent", fault["request"], unknown), id=key, data_live="")
        answer = _labelled("It wrote", fault["answer"], "nothing")
        stderr = _labelled("Its stderr", "\n".join(fault["stderr"]), "empty")
        head = el("summary", fault["detail"] or fault["kind"])
        request = el("p", f"Request: {fault['ask']}, after {fault['ms']:.1f} ms.")
        again = el("p", "With the ", saved, ": ", el("code", ask)) if fault["kept"] else None
        details = el("details", head, request, sent, answer, stderr, again)
        link = el("a", f"round {fault['round']}", href=f"{address(match)}#step={fault['step']}")
        rows.append(row(link, el("strong", fault["kind"]), details, data_kind=fault["kind"]))
    heads = "where", "kind", "what happened"
    listed = table("faults", "Faults", heads, rows, kind="text", empty="It has had no fault in a match.")
    return card(f"Faults in matches of {games.find(site.settings.game).title}", listed)
