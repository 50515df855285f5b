"""What all pages of an arena have: the frame, tables, links, moments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from referee.arena.access import may_administer
from referee.arena.web.site import Site, moment
from referee.text.markup import Attribute, Child, Html, el, name, together
from referee.tournament.report.sheets import cells, heads, sheet
from referee.web.answers import Refusal
from referee.web.pages import page

ASSETS: Final = "referee.arena.web/assets"


def frame(
    site: Site,
    request: Request,
    title: str,
    body: Sequence[Child],
    *,
    kind: str,
    facts: Mapping[str, Any] | None = None,
    status: int = 200,
) -> Response:
    """A page.

    Args:
        kind: `data-page` for its script. facts: the data that the script begins with.
    """
    user = request.scope.get("user")
    title = f"{title} · {site.settings.name}" if title else site.settings.name
    return page(
        title, [_header(site, request), el("main", *body)], facts or {},
        room=ASSETS, style="arena.css", scripts=("arena.js", "forms.js"), status=status, data_page=kind,
        data_user=user.name if user else None, data_role=user.role if user else None, data_state=site.state,
    )  # fmt: skip


def error_page(site: Site, request: Request, refusal: Refusal) -> Response:
    """The page for a request that was refused."""
    title = "Not here" if refusal.status == 404 else "That did not work"
    back = el("p", el("a", "Standings", href="/"))
    body = narrow(el("h1", title), el("p", str(refusal), role="alert"), back)
    return frame(site, request, "Not here", [body], kind="failed", status=refusal.status)


def _header(site: Site, request: Request) -> Html:
    user, path = request.scope.get("user"), request.url.path
    pages = [("/", "Standings"), ("/rules", "Rules")]
    if user:
        pages.append(("/account", "My bots"))
        pages += [("/class", "Class")] if user.role != "author" else []
        pages += [("/admin", "Admin")] if may_administer(user) else []
    links = [el("a", words, href=to, aria_current="page" if to == path else None) for to, words in pages]
    own = el("a", "Sign in", href="/sign-in", class_="user")
    if user:
        leave = el("button", "Sign out", id="sign-out", type="button")
        own = together(el("span", name(user.name), class_="user"), leave)
    theme = el("button", "◐", id="theme", type="button", aria_label="Light or dark", title="Light or dark")
    title = el("a", site.settings.name, href="/", class_="title")
    return el("header", el("nav", title, *links, aria_label="Pages"), own, theme)


def narrow(*children: Child) -> Html:
    """A column of text to read."""
    return el("div", *children, class_="narrow")


def card(title: str, *children: Child, live: str | None = None, kind: str = "") -> Html:
    """A part of a page with a heading.

    Args:
        live: the id of a part that the script replaces after an event.
    """
    classes, is_live = f"card {kind}".strip(), None if live is None else ""
    return el("section", el("h2", title), *children, id=live, class_=classes, data_live=is_live)


def table(
    key: str,
    label: str,
    headings: Iterable[str],
    rows: Sequence[Html],
    *,
    kind: str | None = None,
    empty: str = "None yet.",
) -> Html:
    """A table with plain headings. `empty` is its caption if it has no rows."""
    return sheet(label, heads(*headings), rows, kind=kind, key=key, caption=None if rows else empty_table(empty))


def empty_table(words: str) -> Html:
    """The caption of a table without rows."""
    return el("caption", words, class_="hint")


def row(*texts: Child, head: Child = None, **attributes: Attribute) -> Html:
    """A row of a table; `head` is the cell of a name, before the others."""
    first = None if head is None else el("th", head, scope="row", class_="name")
    return el("tr", first, *cells(*texts), **attributes)


def when(seconds: float | str) -> Html:
    """A time, as seconds since 1970 or in ISO 8601. The script shows it in the reader's own time zone."""
    iso = seconds if isinstance(seconds, str) else moment(seconds)
    words = datetime.fromisoformat(iso).strftime("%Y-%m-%d %H:%M")
    return el("time", f"{words} UTC", datetime=iso)


def bot_address(entrant: str) -> str:
    """The page of a bot, by the name of its entrant."""
    author, _, bot = entrant.partition("/")
    return f"/bots/{quote(author, safe='~')}/{quote(bot, safe='')}"


def bot_link(entrant: str) -> Html:
    """A link to a bot. It shows no anonymous author."""
    author, _, bot = entrant.partition("/")
    who = None if author.startswith("~") else el("span", name(author), " / ", class_="author")
    return el("a", who, name(bot), href=bot_address(entrant))


def editor_link(bot: str, words: str | Html) -> Html:
    """A link to the editor of a bot's program, in an arena whose game has a language of its own."""
    return el("a", words, href=f"/edit/{quote(bot)}")


def state_badge(state: str, key: str | None = None) -> Html:
    """A state of a version."""
    return el("span", state, id=key, class_="badge", data_state=state)
