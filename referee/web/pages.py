"""Pages of a site: HTML with one style and one script, which the policy of the response allows by their hashes.

A page has no request to another host. It may ask our own API, and follow our events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from starlette.responses import HTMLResponse

from referee.text import markup
from referee.text.markup import Child

SHARED: Final = "referee.web/assets"
"""Styles and scripts that several sites use."""


@cache
def source(room: str, names: Sequence[str]) -> str:
    """Files of a package, such as the parts of a script, as one text without indentation and comments.

    Args:
        room: the package and its folder: `referee.studio/pages`.
        names: the files in order.
    """
    package, _, folder = room.partition("/")
    return markup.brief("".join((files(package) / folder / name).read_text(encoding="utf-8") for name in names))


def page(
    title: str,
    body: Iterable[Child],
    *,
    style: str,
    script: str,
    status: int = 200,
    **attributes: Any,
) -> HTMLResponse:
    """A page as a response; see `markup.page`, also for `attributes`."""
    text = markup.page(title, body, style=style, script=script, online=True, **attributes)
    policy = markup.policy(style, script, online=True)
    return HTMLResponse(text, status, {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'"})
