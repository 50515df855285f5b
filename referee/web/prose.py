"""Markdown of ours as HTML, for example the rules of a game.

The parser is the one that rich shows Markdown with. Markup is made by `el` alone, so HTML in a text is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from referee.text.markup import Html, el, lines, together

_TAGS: Final = {
    "paragraph": "p", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li", "blockquote": "blockquote",
    "strong": "strong", "em": "em", "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
_IDS: Final = re.compile(r"[^\w\- ]")


def prose(text: str, address: Callable[[str], str | None]) -> Html:
    """A text as HTML. Links within the text and to the web stay.

    Args:
        address: where a link to another file leads; None if the reader does not have that file.
    """
    return _of(address, SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text)))


def _of(address: Callable[[str], str | None], node: SyntaxTreeNode) -> Html:
    within = together(*map(partial(_of, address), node.children))
    match node.type:
        case "text":
            return together(node.content)
        case "softbreak" | "hardbreak":
            return together(" ")
        case "code_inline":
            return el("code", node.content)
        case "fence" | "code_block":
            return el("pre", lines(node.content.removesuffix("\n").split("\n")), tabindex=0)
        case "heading":
            return el(f"h{min(6, int(node.tag[1]))}", within, id=_id(node))
        case "table":
            return el("div", el("table", within), class_="box", role="region", aria_label="Table", tabindex=0)
        case "ordered_list":
            return el("ol", within, start=node.attrs.get("start"))
        case "link":
            link = str(node.attrs.get("href", ""))
            leads = link if link.startswith(("#", "https://")) else address(link)
            return within if leads is None else el("a", within, href=leads)
        case kind if kind in _TAGS:
            return within if kind == "paragraph" and node.hidden else el(_TAGS[kind], within)
        case _:
            return within


def _id(heading: SyntaxTreeNode) -> str:
    """The anchor of a heading, as on GitHub."""
    words = "".join(node.content for node in heading.walk() if node.type in ("text", "code_inline"))
    return _IDS.sub("", words.lower()).replace(" ", "-")
