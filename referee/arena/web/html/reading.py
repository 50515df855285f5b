"""The pages for authors who begin: the rules of the game, starter kits, and the manual."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee import games, languages
from referee.arena.web.api.uploads import zip_response
from referee.arena.web.html.frame import card, frame, narrow
from referee.arena.web.site import Site
from referee.bots import starter
from referee.files import assets
from referee.text.markup import Html, el
from referee.web.prose import prose

TONGUES: Final = {"en": "English", "fr": "Français", "ru": "Русский", "de": "Deutsch", "es": "Español"}
USEFUL: Final = ("bots", "languages", "protocol", "sandbox", "saved-games")
"""The pages of the manual for an author who begins without a starter kit."""
_PAGE: Final = re.compile(r"(?:\.\./\.\./docs/)?([\w-]+(?:\.\w\w)?)\.md(#.*)?")
"""A link from the rules of a game or from the manual to another page of them."""


async def rules(site: Site, request: Request) -> Response:
    """`/rules?lang=…`: the rules of the game and starter kits."""
    game, lang = site.settings.game, request.query_params.get("lang", "en")
    texts = assets.translations(game)
    if lang not in texts:
        raise HTTPException(404)
    links = [
        el("a", words, href=f"/rules?lang={other}", hreflang=other, aria_current="page" if other == lang else None)
        for other, words in ((other, TONGUES.get(other, other)) for other in texts)
    ]
    tongues = el("nav", *links, aria_label="Languages", class_="row languages") if len(links) > 1 else None
    text = el("article", text_of(assets.rules(game) / texts[lang]), lang=lang, class_="prose")
    return frame(site, request, "Rules", [narrow(tongues, kits(game), text)], kind="rules")


async def manual(site: Site, request: Request) -> Response:
    """`/manual/PAGE`: a page of the manual, as `referee help PAGE` shows it."""
    topic = request.path_params["page"]
    if topic not in titles():
        raise HTTPException(404)
    text = el("article", text_of(assets.manual()[topic]), class_="prose")
    return frame(site, request, titles()[topic], [narrow(text)], kind="rules")


async def kit(site: Site, request: Request) -> Response:
    """`/kits/LANGUAGE.zip`: a starter kit to download, as a folder."""
    language, game = request.path_params["language"], site.settings.game
    if language not in starter.languages_for(game):
        raise HTTPException(404)
    folder, name = starter.kit(language, game), starter.UNNAMED.encode()
    files = {
        f"my-bot/{path.relative_to(folder).as_posix()}": path.read_bytes().replace(starter.PLACEHOLDER, name)
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    return zip_response(files, f"{game}-{language}.zip")


def kits(game: str) -> Html:
    """Links to starter kits, and to pages of the manual for other languages."""
    links = [
        el("li", el("a", starter.title(language), href=f"/kits/{language}.zip", download=""))
        for language in starter.languages_for(game)
    ]
    words = "A complete first bot in each of these languages: change it, zip the folder, upload it."
    others = [entry.title for entry in languages.every() if entry.name not in starter.languages_for(game)]
    more = f"A bot may also be written in {', '.join(others)}: it speaks the protocol. " if others else ""
    drawn = ["programs"] if games.find(game).programs else []
    topics = [el("li", el("a", titles()[topic], href=f"/manual/{topic}")) for topic in (*USEFUL, *drawn)]
    first = el("p", words, class_="soft"), el("ul", *links, class_="kits")
    more_words = el("p", f"{more}Pages of the manual that help:", class_="soft")
    return card("Starter kits", *first, more_words, el("ul", *topics, class_="kits"))


@cache
def text_of(page: Path) -> Html:
    """The rules of a game or a page of the manual. It takes 60 ms and more to make."""
    return prose(page.read_text(encoding="utf-8"), _address)


@cache
def titles() -> dict[str, str]:
    """The titles of the pages of the manual."""
    return {topic: assets.title(page) for topic, page in assets.manual().items()}


def _address(link: str) -> str | None:
    """The address of another page of the rules or the manual; None if the site does not have it."""
    if (page := _PAGE.fullmatch(link)) is None:
        return None
    topic, anchor = page[1], page[2] or ""
    if topic.partition(".")[0] == "README":
        return f"/rules?lang={topic.partition('.')[2] or 'en'}{anchor}"
    return f"/manual/{topic}{anchor}" if topic in titles() else None
