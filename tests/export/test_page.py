"""The page of a match as a file: what stands in it, what it may do, and how large it is."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from export.conftest import RECORDS

from referee.export.document import document
from referee.export.page import SCRIPT, match_page
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.viewer import VIEWER_KEYS

Games = Callable[[str], Replay]
LARGEST = 91_000
"""Bytes of the page of a golden record. A default match of ants, 50 times as long, has 0.8 MB."""


class Elements(HTMLParser):
    """Lists the elements of a page, with the text of its scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.key = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.key = str(dict(attrs).get("id", tag)) if tag in ("script", "style") else ""

    def handle_endtag(self, tag: str) -> None:
        self.key = ""

    def handle_data(self, data: str) -> None:
        if self.key:
            self.texts[self.key] = self.texts.get(self.key, "") + data


@pytest.mark.parametrize("name", RECORDS)
def test_a_page_is_small_and_the_same_for_the_same_match(games: Games, name: str) -> None:
    page = match_page(games(name))
    assert len(page.encode()) < LARGEST
    assert page == match_page(Replay(load(RECORDS[name])))


def test_a_page_allows_its_own_script_and_style_and_nothing_else(games: Games) -> None:
    page = Elements(match_page(games("ava")))
    tags = [tag for tag, _ in page.found]
    assert [tags.count(tag) for tag in ("style", "script", "iframe", "img", "object", "form", "base")] == [
        1,
        2,
        0,
        0,
        0,
        0,
        0,
    ]
    (policy,) = [one["content"] for _, one in page.found if one.get("http-equiv") == "Content-Security-Policy"]
    script, style = (
        base64.b64encode(hashlib.sha256(page.texts[tag].encode()).digest()).decode() for tag in ("script", "style")
    )
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    order = [(tag, one.get("http-equiv")) for tag, one in page.found]
    assert order.index(("meta", "Content-Security-Policy")) < min(tags.index("script"), tags.index("style"))
    for tag, attributes in page.found:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "action")]
        assert tag == "link" or "href" not in attributes
    assert ("link", {"rel": "icon", "href": "data:,"}) in page.found
    assert ("script", {"type": "text/plain", "id": "data"}) in page.found


def test_a_page_has_its_script_and_style_without_comments(games: Games) -> None:
    page = Elements(match_page(games("ava")))
    viewer = Path(match_page.__code__.co_filename).parent / "viewer"
    for tag, paths in (("script", [viewer / f"{part}.js" for part in SCRIPT]), ("style", [viewer / "viewer.css"])):
        code = [line.strip() for path in paths for line in path.read_text().splitlines()]
        comment = ("//", "/*", "*/", *(["* "] if tag == "script" else []))
        lines = [line for line in code if line and not line.startswith(comment)]
        assert page.texts[tag].replace('"use strict";', "").split("\n")[1:] == [*[""] * (tag == "script"), *lines, ""]


def test_the_data_of_a_page_is_its_document(games: Games) -> None:
    page = Elements(match_page(games("viper"), explanation="why"))
    match = json.loads(gzip.decompress(base64.b64decode(page.texts["data"])))
    assert match == json.loads(json.dumps(document(games("viper"), explanation="why")))


def test_the_page_knows_no_game() -> None:
    """A game is named only in its own folder."""
    folder = Path(match_page.__code__.co_filename).parent
    for path in (*folder.glob("*.py"), *(folder / "viewer").iterdir()):
        words = set(re.findall(r"\w+", path.read_text().lower()))
        assert not words & {"snakecore", "viper", "egghunt", "python's"}, path.name


def test_the_help_has_the_keys_of_the_terminal_except_what_only_one_of_them_can_do(games: Games) -> None:
    keys = set(re.findall("<kbd>(.*?)</kbd>", match_page(games("ava"))))
    assert keys - {"f F"} == {row.name for row in VIEWER_KEYS} - {":", "Tab", "e", "q"}


def test_controls_have_names(games: Games) -> None:
    elements = Elements(match_page(games("ants"))).found
    for tag, attributes in elements:
        if tag in ("button", "input", "canvas", "dialog", "table"):
            assert attributes.get("aria-label"), attributes
    ids = {attributes["id"] for _, attributes in elements if "id" in attributes}
    assert ids >= {"board", "board-text", "seats", "chart", "seek", "play", "prev", "next", "theme", "speed", "events"}
    (root,) = [attributes for tag, attributes in elements if tag == "html"]
    last = str(len(games("ants").steps))
    assert root == {"lang": "en", "data-ready": "0", "data-step": "0", "data-steps": last, "data-playing": "0"}
