"""The pages of a studio, as HTML. Their scripts fill in what changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from starlette.responses import Response

from referee import bots as bot_room
from referee import games
from referee.bots.bot import Bot
from referee.bots.programs import is_own_program
from referee.contract.game import Game
from referee.errors import RefereeError
from referee.files import mapfiles
from referee.saved.entries import Header
from referee.saved.record import ends
from referee.studio.folder import MOST, Folder
from referee.studio.matches import Link
from referee.text.markup import Child, Html, el, name, together
from referee.text.words import harmless, unnumbered
from referee.web.answers import Refusal
from referee.web.pages import page, template

TITLE: Final = "Studio"
_ASSETS: Final = "referee.studio/assets"


def stranger() -> Response:
    """The page for a browser that is not signed in: its script shows the token of the address, or looks for the cookie."""
    return _page("sign_in", TITLE, status=401)


def error_page(refusal: Refusal) -> Response:
    """The page that says why there is no other."""
    return _page("failed", TITLE, status=refusal.status, reason=str(refusal))


def play(folder: Folder, matches: Sequence[dict[str, Any]], again: Path | None) -> Response:
    """The first page: a new match, at first with the players of a saved game that is played again, the bots, the matches."""
    header = None if again is None else ends(again)[0]
    choice = _choice(folder, games.main() if header is None else header.game)
    if header is not None:
        choice["games"][header.game]["usual"] = [*_players(header, choice["bots"]).values()]
    return _page("play", TITLE, {**choice, "matches": matches}, games=_options())


def live(match: dict[str, Any]) -> Response:
    """The page of a match that is not over: what happens, and the keys of the people who play."""
    title = " – ".join(match["players"]) or TITLE
    leave = "Give up" if match["people"] else "Stop"
    return _page("live", title, {"match": match}, viewer=("cells.js", "board.js"), leave=leave)


def check(word: str) -> Response:
    """The page of the check of a bot."""
    return _page("check", f"Check {harmless(word)}", {"bot": word}, bot=name(harmless(word)))


def compare(folder: Folder) -> Response:
    """The page that compares two bots."""
    return _page("compare", "Compare", _choice(folder, games.main()), games=_options())


def ask(match: str, saved: Path, folder: Folder) -> Response:
    """The page that puts a request of a saved game to a bot again."""
    header, _ = ends(saved)
    choice = _choice(folder, header.game)
    players = _players(header, choice["bots"])
    seat = el("input", id="seat", name="seat", type="number", min=1, max=len(header.players))
    return _page("ask", "Ask again", {**choice, "match": match, "players": players}, seat=seat)


def _players(header: Header, bots: Sequence[dict[str, Any]]) -> dict[int, str | None]:
    """The words for the players of a saved game by their seats, without those of the house; None if no bot has that name."""
    own = {bot["title"]: bot["word"] for bot in bots if "title" in bot}
    person = {bot_room.HUMAN.capitalize(): bot_room.HUMAN}
    by_name = {**person, **bot_room.samples_by_name(header.game), **own}
    return {player.seat: by_name.get(unnumbered(player.bot)) for player in header.players if not player.house}


def programs_in(saved: Path, folder: Folder) -> dict[int, tuple[str, Path]]:
    """The names and files of a folder's programs that play in a saved game, by seat. A player has the name of its file."""
    header, _ = ends(saved)
    language = games.find(header.game).programs
    suffix = None if language is None else language.suffix
    files = {path.stem: (name, path) for name, path in folder.programs().items() if path.suffix == suffix}
    players = {player.seat: unnumbered(player.bot) for player in header.players}
    return {seat: files[stem] for seat, stem in players.items() if stem in files}


def links(match: str, programs: Mapping[int, tuple[str, Path]]) -> list[Link]:
    """Where the page of a match leads; `programs` of the folder play in it."""
    edit = [
        (f"/edit/{quote(program[0])}?match={match}", f"edit {harmless(program[1].stem)}", ",".join(map(str, seats)))
        for program in dict.fromkeys(programs.values())
        if (seats := [seat for seat, other in programs.items() if other == program])
    ]
    api = f"/api/v1/matches/{match}"
    return [
        ("/", TITLE, None),
        (f"/?again={match}", "play again", None),
        *edit,
        (f"/ask/{match}", "ask again", ""),
        (f"{api}.jsonl.gz", "saved game", None),
        (f"{api}.gif", "film", None),
    ]


def bots_of(folder: Folder) -> dict[str, Any]:
    """The bots of a folder, and the sample bots of each game, as words for a seat."""
    programs = {path: program for program, path in folder.programs().items()}
    listed = []
    for word, path in folder.bots().items():
        entry: dict[str, Any] = {"word": f"./{word}", "name": word, "games": None}
        try:
            bot = _found(path)
            entry["title"], entry["games"] = bot.name, list(bot.games) or None
            files = [*(bot.files or {}).values()]
        except RefereeError as wrong:  # who edits it can mend it
            entry["error"] = harmless(str(wrong).removeprefix(f"{path}: ").replace(str(path), path.name))
            files = [file for file in programs if path in (file, file.parent)]
        entry["edit"] = next((programs[file] for file in files if file in programs), None)
        listed.append(entry)
    return {"bots": listed, "samples": {game.name: bot_room.samples(game.name) for game in games.every()}}


def _found(path: Path) -> Bot:
    """The bot of a path. A program is read again only after a change, since that takes 1 ms, and a folder may have hundreds."""
    stat = path.stat() if is_own_program(path) and path.is_file() else None
    return bot_room.find(str(path)) if stat is None else _program(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=2 * MOST)
def _program(path: Path, _changed: int, _size: int) -> Bot:
    return bot_room.find(str(path))


def _choice(folder: Folder, game: str) -> dict[str, Any]:
    """The bots and the games that people choose from, and the game of a page at first.

    Raises:
        UsageError: there is no such game.
    """
    every = {each.name: _facts(each) for each in games.every()}
    return {**bots_of(folder), "games": every, "main": games.find(game).name}


def _options() -> Html:
    return together(*(el("option", game.title, value=game.name) for game in games.every()))


def _facts(game: Game[Any, Any]) -> dict[str, Any]:
    return {
        "title": game.title,
        "maps": mapfiles.names(game),
        "map": game.maps.default,
        "least": game.seats.start,
        "most": game.seats.stop - 1,
        "house": game.house is not None,
        "human": game.controls is not None,
        "suffix": None if game.programs is None else game.programs.suffix,
        "usual": bot_room.samples(game.name, own_runtime=True)[:4],
    }


def _header(page_name: str) -> Html:
    pages = (("play", "/", "Play"), ("compare", "/compare", "Compare"), ("draw", "/#drawn", "Draw"))
    links = [el("a", words, href=to, aria_current="page" if name == page_name else None) for name, to, words in pages]
    return template(_ASSETS, "header.html", links=together(*links))


def _page(
    page_name: str, title: str, facts: Any = None, *, viewer: Sequence[str] = (), status: int = 200, **parts: Child
) -> Response:
    """The page with the template and the script of this name; `facts` is what the script begins with."""
    header = [] if page_name == "sign_in" else [_header(page_name)]
    scripts = ["studio.js"] if page_name == "failed" else ["studio.js", f"{page_name}.js"]
    content = [*header, template(_ASSETS, f"{page_name}.html", **parts)]
    return page(title, content, facts, room=_ASSETS, style="studio.css", scripts=scripts, viewer=viewer, status=status)
