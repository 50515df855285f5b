"""The pages of a studio, as HTML. Their scripts fill in what changes."""

from __future__ import annotations

from collections.abc import Sequence
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
from referee.text.markup import Html, el, name, together
from referee.text.words import harmless, unnumbered
from referee.web.answers import Refusal
from referee.web.pages import page, template

TITLE: Final = "Studio"
_ASSETS: Final = "referee.studio/assets"

Link: TypeAlias = tuple[str, str, bool]
"""An address, its words, and whether the step that is shown belongs to it."""


def stranger() -> Response:
    """The page for a browser that is not signed in: its script shows the token of the address, or looks for the cookie."""
    return _page(TITLE, template(_ASSETS, "sign_in.html"), "sign_in.js", header=False, status=401)


def failed(refusal: Refusal) -> Response:
    """The page that says why there is no other."""
    return _page(TITLE, template(_ASSETS, "failed.html", reason=str(refusal)), status=refusal.status)


def play(folder: Folder, matches: Sequence[dict[str, Any]], game: str) -> Response:
    """The first page: a new match, of this game at first, the bots, the matches."""
    speaking = [(each.title, each.programs) for each in games.every() if each.programs is not None]
    languages = together(*(el("option", title, value=programs.suffix) for title, programs in speaking))
    body = template(_ASSETS, "play.html", games=_options(), languages=languages)
    return _page(TITLE, body, "play.js", {**_choice(folder), "main": game, "matches": matches}, path="/")


def live(match: dict[str, Any]) -> Response:
    """The page of a match that is not over: what happens, and the keys of the people who play."""
    body = template(_ASSETS, "live.html", leave="Give up" if match["people"] else "Stop")
    return _page(
        " – ".join(match["players"]) or TITLE, body, "live.js", {"match": match}, viewer=("cells.js", "board.js")
    )


def check(word: str) -> Response:
    """The page of the check of a bot."""
    body = template(_ASSETS, "check.html", bot=name(harmless(word)))
    return _page(f"Check {harmless(word)}", body, "check.js", {"bot": word})


def compare(folder: Folder) -> Response:
    """The page that compares two bots."""
    body = template(_ASSETS, "compare.html", games=_options())
    return _page("Compare", body, "compare.js", _choice(folder), path="/compare")


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
    seat = el("input", id="seat", name="seat", type="number", min=1, max=len(header.players))
    return _page("Ask again", template(_ASSETS, "ask.html", seat=seat), "ask.js", facts)


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


def _choice(folder: Folder) -> dict[str, Any]:
    """The bots and the games that people choose from."""
    return {
        **bots_of(folder),
        "games": {game.name: _facts(game) for game in games.every()},
        "main": games.main(),
    }


def _options() -> Html:
    return together(*(el("option", game.title, value=game.name) for game in games.every()))


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


def _header(path: str) -> Html:
    pages = (("/", "Play"), ("/compare", "Compare"))
    links = [el("a", words, href=to, aria_current="page" if to == path else None) for to, words in pages]
    theme = el("button", "◐", id="theme", type="button", aria_label="Light or dark", title="Light or dark")
    return el("header", el("nav", el("strong", TITLE), *links, aria_label="Studio"), theme)


def _page(
    title: str,
    body: Html,
    script: str | None = None,
    facts: Any = None,
    *,
    path: str = "",
    header: bool = True,
    viewer: Sequence[str] = (),
    status: int = 200,
) -> Response:
    """A page at a path, with its own script and what that begins with."""
    content = [_header(path), body] if header else [body]
    scripts = [] if script is None else ["studio.js", script]
    return page(title, content, facts, room=_ASSETS, style="studio.css", scripts=scripts, viewer=viewer, status=status)
