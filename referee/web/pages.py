"""Pages of a site: HTML with one style and one script, which the policy of the response allows by their hashes.

A page has no request to another host. It may ask our own API, and follow our events.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from starlette.responses import HTMLResponse, Response

from referee.text import markup
from referee.text.markup import Child, Html, el

_SHARED: Final = "referee.web/assets"
"""Styles and scripts of all sites."""
_VIEWER: Final = "referee.export/viewer"
"""Those of the page of a match: `elements.js` serves all pages."""
_POLICY: Final = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


@cache
def source(room: str, names: Sequence[str]) -> str:
    """Files of a package, such as the parts of a script, as one text without indentation and comments.

    Args:
        room: the package and its folder: `referee.studio/assets`.
        names: the files in order.
    """
    package, _, folder = room.partition("/")
    return markup.brief("".join((files(package) / folder / name).read_text(encoding="utf-8") for name in names))


def template(room: str, name: str, **parts: Child) -> Html:
    """Markup that never changes, from a file of a package, with children in its slots; see `markup.fill`."""
    return markup.fill(source(room, (name,)), **parts)


def page(
    title: str,
    body: Iterable[Child],
    facts: Any,
    *,
    room: str,
    style: str,
    scripts: Sequence[str],
    viewer: Sequence[str] = (),
    status: int = 200,
    **attributes: Any,
) -> HTMLResponse:
    """A page as a response; see `markup.page`, also for `attributes`.

    Args:
        facts: a JSON document that the script begins with.
        room: where the style sheet and the parts of the script are, besides those of all pages. viewer: parts of a match's page.
    """
    sheet, script = _page_frame(room, style, tuple(scripts), tuple(viewer))
    begin = markup.data(json.dumps(facts).replace("<", "\\u003c"), id="facts")
    without = el("noscript", el("p", "Without JavaScript, this page shows no news, and its forms do nothing."))
    text = markup.page(title, [without, *body, begin], style=sheet, script=script, online=True, **attributes)
    policy = markup.policy(sheet, script, online=True)
    return HTMLResponse(text, status, {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"})


def sandboxed_page(page: bytes, *, framed_by: str = "'none'") -> Response:
    """The page of a match, as `export` makes it: its own policy, and an origin of its own for its script.

    Args:
        framed_by: which pages may show it in a frame; `*` for all.
    """
    own = _POLICY.search(page)
    policy = html.unescape(own[1].decode()) if own is not None else "default-src 'none'"
    policy = f"{policy}; sandbox allow-scripts; frame-ancestors {framed_by}"
    return Response(page, headers={"Content-Security-Policy": policy}, media_type="text/html")


@cache
def _page_frame(room: str, style: str, scripts: tuple[str, ...], viewer: tuple[str, ...]) -> tuple[str, str]:
    """What all pages of a kind have in common: the style sheet and the script."""
    sheet = source(_SHARED, ("base.css",)) + source(room, (style,))
    shared = source(_VIEWER, ("elements.js", *viewer)) + source(_SHARED, ("page.js", "server.js"))
    return sheet, f'"use strict";\n{shared}{source(room, scripts)}'
