"""What authors read before they begin: the rules of the game, starter kits, and the manual."""

from __future__ import annotations

import re
from functools import cache, partial
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
    text = el("article", rules_text(game, texts[lang]), lang=lang, class_="prose")
    return frame(site, request, "Rules", [narrow(tongues, kits(game), text)], kind="rules")


async def manual(site: Site, request: Request) -> Response:
    """`/manual/PAGE`: a page of the manual, as `referee help PAGE` shows it."""
    topic = request.path_params["page"]
    if topic not in titles():
        raise HTTPException(404)
    text = el("article", manual_text(topic), class_="prose")
    return frame(site, request, titles()[topic], [narrow(text)], kind="rules")


async def kit(site: Site, request: Request) -> Response:
    """`/kits/LANGUAGE.zip`: a starter kit to download."""
    language, game = request.path_params["language"], site.settings.game
    if language not in starter.languages_for(game):
        raise HTTPException(404)
    return zip_response(kit_files(language, game), f"{game}-{language}.zip")


@cache
def kit_files(language: str, game: str) -> dict[str, bytes]:
    """The files of a starter kit, in a folder, by their paths."""
    folder = starter.kit(language, game)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    name = starter.UNNAMED.encode()
    return {
        f"my-bot/{path.relative_to(folder).as_posix()}": path.read_bytes().replace(starter.PLACEHOLDER, name)
        for path in files
    }


def kits(game: str) -> Html:
    """Links to starter kits, and to what helps with other languages."""
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
def rules_text(game: str, file: str) -> Html:
    """The rules of a game in a language."""
    return prose((assets.rules(game) / file).read_text(encoding="utf-8"), partial(_address, "/rules"))


@cache
def manual_text(topic: str) -> Html:
    """A page of the manual."""
    return prose(assets.manual()[topic].read_text(encoding="utf-8"), partial(_address, None))


@cache
def titles() -> dict[str, str]:
    """The title of each page of the manual."""
    return {topic: assets.title(page) for topic, page in assets.manual().items()}


def _address(rules: str | None, link: str) -> str | None:
    """Where a link to another page leads; None if the site does not have it.

    Args:
        rules: where `README.md` is; None on a page that links to no rules.
    """
    if (page := _PAGE.fullmatch(link)) is None:
        return None
    topic, anchor = page[1], page[2] or ""
    if topic.partition(".")[0] == "README":
        return rules and f"{rules}?lang={topic.partition('.')[2] or 'en'}{anchor}"
    return f"/manual/{topic}{anchor}" if topic in titles() else None
