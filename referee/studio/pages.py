"""The pages of a studio, as HTML. Their scripts fill in what changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from starlette.responses import Response

from referee import bots as bot_room
from referee import games
from referee.bots.programs import is_own_program
from referee.errors import RefereeError
from referee.files import mapfiles
from referee.saved.record import ends
from referee.studio.folder import Folder
from referee.text.markup import Child, Html, data, el, name
from referee.text.words import harmless, unnumbered
from referee.web.answers import Refusal
from referee.web.pages import SHARED, page, source

TITLE: Final = "Studio"
_ASSETS: Final = "referee.studio/assets"
_VIEWER: Final = "referee.export/viewer"
_BOARD: Final = ("cells.js", "board.js")
"""The parts of the page of a match that draw a board."""

Link: TypeAlias = tuple[str, str, bool]
"""An address, its words, and whether the step that is shown belongs to it."""


def stranger() -> Response:
    """The page for a browser that is not signed in: its script shows the token of the address, or looks for the cookie."""
    body = el("main", el("h1", TITLE), el("p", "Opening the studio …", id="opening", role="status"), class_="narrow")
    return _page(TITLE, [body], ("sign_in.js",), status=401)


def failed(refusal: Refusal) -> Response:
    """The page that says why there is no other."""
    body = el(
        "main",
        el("h1", TITLE),
        el("p", str(refusal), role="alert"),
        el("p", el("a", "Back", href="/")),
        class_="narrow",
    )
    return _page(TITLE, [_header(), body], (), status=refusal.status)


def play(folder: Folder, matches: Sequence[dict[str, Any]]) -> Response:
    """The first page: a new match, the bots, the matches."""
    listed = bots_of(folder)
    facts = {
        **listed,
        "games": {game.name: _facts(game) for game in games.every()},
        "main": games.main(),
        "matches": matches,
    }
    form = el(
        "form",
        _field("Game", el("select", *[el("option", game.title, value=game.name) for game in games.every()], id="game")),
        _field("Map", el("select", id="map")),
        _field("Seed", el("input", id="seed", type="number", min=0, placeholder="random")),
        _field("Rounds", el("input", id="rounds", type="number", min=1, placeholder="as the map says")),
        el(
            "fieldset",
            el("legend", "Seats"),
            el("div", id="seats"),
            el("button", "Add a seat", id="more", type="button"),
        ),
        el("p", id="wrong", role="alert", hidden=""),
        el("button", "Play", id="start", type="submit", class_="main"),
        id="play",
    )
    sections = [
        el("section", el("h2", "New match"), form, class_="card", aria_label="New match"),
        el(
            "section",
            el("h2", "Matches"),
            _table("matches", ("Players, best first", "Game", "When", "End")),
            class_="card",
        ),
        el("section", el("h2", "Bots here"), _table("bots", ("Bot", "Plays", "")), _hint(), _drawing(), class_="card"),
    ]
    return _page(TITLE, [_header("/"), el("main", *sections, class_="desk")], ("play.js",), facts)


def live(match: dict[str, Any]) -> Response:
    """The page of a match that is not over: what happens, and the keys of the people who play."""
    board = el("canvas", id="board", role="img", aria_label="Board", aria_describedby="board-text")
    body = el(
        "main",
        el(
            "section",
            el("div", board, id="frame"),
            el("pre", id="board-text", class_="unseen"),
            el("p", id="now", role="status"),
            id="stage",
            aria_label="Match",
        ),
        el(
            "section",
            el(
                "div",
                el("h2", id="asked"),
                el("ol", id="choices"),
                id="turn",
                class_="card",
                hidden="",
                aria_live="assertive",
            ),
            el("div", el("table", el("thead"), el("tbody"), id="seats", aria_label="Seats"), class_="card box"),
            el("p", el("button", "Give up" if match["people"] else "Stop", id="leave", type="button")),
            el("div", el("h2", "Events"), el("ol", id="events"), class_="card"),
            el("p", id="wrong", role="alert", hidden=""),
            id="side",
            aria_label="Seats and events",
        ),
        class_="live",
    )
    title = " – ".join(match["players"]) or TITLE
    return _page(title, [_header(), body], ("live.js",), {"match": match}, viewer=True)


def check(word: str) -> Response:
    """The page of the check of a bot."""
    body = el(
        "main",
        el("h1", "Check ", name(harmless(word))),
        el("p", id="state", role="status"),
        el("ol", id="steps"),
        el("p", el("button", "Check again", id="again", type="button")),
        class_="narrow",
    )
    return _page(f"Check {harmless(word)}", [_header(), body], ("check.js",), {"bot": word})


def compare(folder: Folder) -> Response:
    """The page that compares two bots."""
    facts = {**bots_of(folder), "games": {game.name: _facts(game) for game in games.every()}, "main": games.main()}
    form = el(
        "form",
        _field("Game", el("select", *[el("option", game.title, value=game.name) for game in games.every()], id="game")),
        _field("New", el("select", id="new")),
        _field("Old", el("select", id="old")),
        el("button", "Compare", id="start", type="submit", class_="main"),
        id="compare",
        class_="card",
    )
    figures = el(
        "section",
        el("p", id="verdict", role="status"),
        el("dl", *[part for key, words in _COMPARED for part in (el("dt", words), el("dd", id=key))]),
        el("svg", id="line", viewBox="0 0 600 140", role="img", aria_label="How sure the test is, series by series"),
        el("p", id="wrong", role="alert", hidden=""),
        class_="card",
        aria_label="Comparison",
    )
    body = el("main", el("h1", "Compare two bots"), form, figures, class_="narrow")
    return _page("Compare", [_header("/compare"), body], ("compare.js",), facts)


def ask(match: str, saved: Path, folder: Folder) -> Response:
    """The page that puts a request of a saved game to a bot again."""
    header, _ = ends(saved)
    samples = bot_room.samples_by_name(header.game)
    listed = bots_of(folder)
    here = [(bot["word"], bot["name"]) for bot in listed["bots"] if header.game in (bot.get("games") or [header.game])]
    by_name = {**samples, **{bot["title"]: bot["word"] for bot in listed["bots"] if "title" in bot}}
    facts = {
        "match": match,
        "words": [*here, *((sample, sample) for sample in listed["samples"][header.game])],
        "players": [{"seat": player.seat, "word": by_name.get(unnumbered(player.bot))} for player in header.players],
    }
    form = el(
        "form",
        _field("Bot", el("select", id="bot")),
        _field("Seat", el("input", id="seat", type="number", min=1, max=len(header.players))),
        _field("Step", el("input", id="step", type="number", min=1)),
        el("button", "Ask", id="start", type="submit", class_="main"),
        el("p", id="wrong", role="alert", hidden=""),
        id="ask",
        class_="card",
    )
    rows = (("recorded", "In the saved game"), ("now", "Now"))
    found = el(
        "section",
        el("dl", *[part for key, words in rows for part in (el("dt", words), el("dd", id=key))]),
        el("h3", "Request"),
        el("pre", id="request", class_="evidence"),
        el("h3", "To play on from there"),
        el("pre", id="onwards", class_="evidence"),
        id="found",
        class_="card",
        hidden="",
        aria_label="Answer",
    )
    body = el("main", el("h1", "Ask again"), form, el("p", id="state", role="status"), found, class_="narrow")
    return _page("Ask again", [_header(), body], ("ask.js",), facts)


_COMPARED: Final = (
    ("series", "Series"),
    ("llr", "Log-likelihood ratio"),
    ("elo", "Elo"),
)


def links(match: dict[str, Any], folder: Folder) -> list[Link]:
    """Where the page of a match leads."""
    programs = {path.stem: name for name, path in folder.programs().items()}
    edit = [
        (f"/edit/{programs[stem]}?match={match['id']}", f"edit {stem}", True)
        for stem in dict.fromkeys(player.partition("#")[0] for player in match["players"])
        if stem in programs
    ]
    api = f"/api/v1/matches/{match['id']}"
    return [
        ("/", TITLE, False),
        (f"/?again={match['id']}", "play again", False),
        *edit,
        (f"/ask/{match['id']}", "ask again", True),
        (f"{api}.jsonl.gz", "saved game", False),
        (f"{api}.gif", "film", False),
    ]


def bots_of(folder: Folder) -> dict[str, Any]:
    """The bots of a folder, and the sample bots of each game, as words for a seat."""
    programs = {path: program for program, path in folder.programs().items()}
    listed = []
    for word, path in folder.bots():
        entry: dict[str, Any] = {"word": f"./{word}", "name": word, "games": None}
        try:
            bot = bot_room.find(str(path))
            entry["title"], entry["games"] = bot.name, list(bot.games) or None
            files = [] if bot.policy is None else [*filter(is_own_program, (bot.files or {}).values())]
            entry["edit"] = next((programs[file] for file in files if file in programs), None)
        except RefereeError as wrong:
            entry["error"] = harmless(str(wrong))
        listed.append(entry)
    return {"bots": listed, "samples": {game.name: bot_room.samples(game.name) for game in games.every()}}


def _facts(game: Any) -> dict[str, Any]:
    return {
        "title": game.title,
        "maps": mapfiles.names(game),
        "map": game.maps.default,
        "least": game.seats.start,
        "most": game.seats.stop - 1,
        "house": game.house is not None,
        "human": game.controls is not None,
        "usual": bot_room.samples(game.name, own_runtime=True)[:4],
    }


def _header(here: str = "") -> Html:
    pages = (("/", "Play"), ("/compare", "Compare"))
    named = [el("a", words, href=path, aria_current="page" if path == here else None) for path, words in pages]
    theme = el("button", "◐", id="theme", type="button", aria_label="Light or dark", title="Light or dark")
    return el("header", el("nav", el("strong", TITLE), *named, aria_label="Studio"), theme)


def _hint() -> Html:
    return el("p", "Files in this folder. A change is seen at once.", class_="hint")


def _drawing() -> Html:
    """The form for a new program in a game's own language."""
    speaking = [(game, game.programs) for game in games.every() if game.programs is not None]
    languages = [el("option", game.title, value=programs.suffix) for game, programs in speaking]
    return el(
        "form",
        el("input", id="drawn", required="", maxlength=60, placeholder="name", aria_label="Name of a new program"),
        el("select", *languages, id="language", aria_label="Its game"),
        el("button", "Draw a new program", type="submit"),
        id="draw",
        class_="row",
    )


def _field(words: str, control: Html) -> Html:
    return el("label", el("span", words), control)


def _table(key: str, headings: Iterable[str]) -> Html:
    row = el("tr", *[el("th", words, scope="col") for words in headings])
    return el("div", el("table", el("thead", row), el("tbody"), id=key), class_="box")


def _page(
    title: str,
    body: Sequence[Child],
    parts: Sequence[str],
    facts: Any = None,
    *,
    viewer: bool = False,
    status: int = 200,
) -> Response:
    """A page with parts of the script, and what they begin with."""
    shared = source(_VIEWER, ("elements.js", *(_BOARD if viewer else ()))) + source(SHARED, ("page.js", "server.js"))
    script = f'"use strict";\n{shared}{source(_ASSETS, parts)}'
    begin = data(json.dumps(facts).replace("<", "\\u003c"), id="facts")
    return page(
        title,
        [*body, begin],
        style=source(SHARED, ("base.css",)) + source(_ASSETS, ("studio.css",)),
        script=script,
        status=status,
    )
