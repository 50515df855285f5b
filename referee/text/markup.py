"""HTML, escaped by construction: text becomes markup only in this module.

`el` and `fill` take children that are text, which they escape, or markup that was made here before. There is no other way to
make markup, so nothing can be left unescaped by accident. Markup that is put into another text is text again, and escaped: a
mistake shows.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

from referee.text.words import counted, harmless, shorten

REFRESH: Final = 10
"""Seconds after which a browser loads a page of a running tournament again."""
LINES: Final = 100
WIDTH: Final = 400
"""Lines of a preformatted text that are shown, and characters of each."""
_VOID: Final = frozenset({"meta", "link", "br", "input"})
_SLOT: Final = re.compile(r'<slot name="(\w+)"></slot>')
_INDENT: Final = re.compile(r"^\s+", re.MULTILINE)
_COMMENT: Final = re.compile(r"^(//.*|/\*(?:(?!\*/).)*\*/|/\*\*(\n\*.*)*)\n", re.MULTILINE)
"""A line of comments, or a block that begins with its own line; indentation is gone already."""


class Html(str):
    """Markup. Only this module makes it."""

    __slots__ = ()


Child: TypeAlias = Html | str | int | None
Attribute: TypeAlias = str | int | float | None


def el(tag: str, *children: Child, **attributes: Attribute) -> Html:
    """An element.

    Args:
        children: the content; text is escaped, and None is left out.
        attributes: the attributes; `class_` is written as `class`, `data_col` as `data-col`, and None is left out.
    """
    given = ((key, value) for key, value in attributes.items() if value is not None)
    words = "".join(f' {_attribute_name(key)}="{_attribute_value(value)}"' for key, value in given)
    return Html(f"<{tag}{words}>" if tag in _VOID else f"<{tag}{words}>{together(*children)}</{tag}>")


def together(*children: Child) -> Html:
    """Children without an element around them."""
    return Html(
        "".join(child if isinstance(child, Html) else _text(str(child)) for child in children if child is not None)
    )


def fill(source: str, **parts: Child) -> Html:
    """Markup that never changes, with children in place of each `<slot name="KEY"></slot>`.

    Args:
        source: a file of ours, never a text of others. Its line feeds are left out.
        parts: the child for each slot, by its name.
    """
    slots = set(_SLOT.findall(source))
    assert slots == set(parts), f"{slots} are the slots, not {set(parts)}"
    return Html(_SLOT.sub(lambda slot: together(parts[slot[1]]), source.replace("\n", "")))


def lines(texts: Iterable[str]) -> Html:
    """Lines of text, joined by line feeds: in other text, line feeds are control characters."""
    return Html("\n".join(map(_text, texts)))


def name(text: str) -> Html:
    """The name of a bot. Its direction of writing does not change the text around it."""
    return el("bdi", text)


def pre(text: str, *, label: str | None = None) -> Html:
    """Lines of untrusted text. If they are too many or too long, the middle is left out."""
    rows = text.removesuffix("\n").split("\n")
    if (left := len(rows) - LINES) > 0:
        rows = [*rows[: LINES // 2], f"… ({counted(left, 'line')} left out)", *rows[-LINES // 2 :]]
    rows = [line.removesuffix("\r").expandtabs(4) for line in rows]
    body = lines(line if len(line) <= WIDTH else shorten(line, WIDTH) for line in rows)
    body = Html(f"\n{body}")  # browsers drop the first line feed
    return el("pre", body, tabindex=0, role=label and "group", aria_label=label)


def page(
    title: str,
    body: Iterable[Child],
    *,
    generator: str | None = None,
    style: str,
    script: str | None = None,
    refresh: bool = False,
    online: bool = False,
    **attributes: Attribute,
) -> str:
    """A whole page, which loads nothing and runs nothing but this script.

    Args:
        generator: the command that makes the page; None for a page of a site.
        style: the style sheet. script: the program at the end of the page; None for none. Neither may hold `</`.
        refresh: whether browsers load the page again after `REFRESH` seconds. online: see `policy`.
        attributes: the attributes of the `html` element.
    """
    head = [
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy(style, script, online=online)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="generator", content=generator) if generator else None,
        el("meta", http_equiv="refresh", content=REFRESH) if refresh else None,
        el("link", rel="icon", href="data:,"),
        el("title", title),
        el("style", Html(f"\n{style}")),
    ]
    run = None if script is None else el("script", Html(f"\n{script}"))
    return f"<!doctype html>\n{el('html', el('head', *head), el('body', *body, run), lang='en', **attributes)}\n"


def policy(style: str, script: str | None = None, *, online: bool = False) -> str:
    """The Content-Security-Policy of a page: by their hashes, this style and this script, and no others.

    Args:
        online: whether the script may ask the server that the page came from.
    """
    script_policy = "" if script is None else f"script-src '{_hash(script)}'; "
    script_policy += "connect-src 'self'; " if online else ""
    return f"default-src 'none'; {script_policy}style-src '{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"


def brief(code: str) -> str:
    """A style sheet or a script without indentation and without lines that are only a comment: a sixth of its length."""
    return _COMMENT.sub("", _INDENT.sub("", code))


def data(text: str, **attributes: Attribute) -> Html:
    """Text for a script to read, which browsers do not run: base64, for example. It may not hold `<`."""
    assert "<" not in text
    return el("script", Html(text), type="text/plain", **attributes)


def _hash(text: str) -> str:
    """What a policy says of an element with this text, which begins on a line of its own."""
    digest = hashlib.sha256(f"\n{text}".encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _attribute_value(value: object) -> str:
    return _text(str(value)).replace('"', "&quot;")


def _text(text: str) -> str:
    return escape(harmless(text), quote=False)
