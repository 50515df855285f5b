"""The page of a match as a file: what stands in it, what it may do, and how large it is."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from export.conftest import RECORDS, games
from tournament.report.reports import parsed

from referee.export.document import document
from referee.export.page import SCRIPT, match_page
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.viewer import VIEWER_KEYS

LARGEST = 91_000
"""Bytes of the page of a golden record. A default match of ants, 50 times as long, has 0.8 MB."""


@pytest.mark.parametrize("name", RECORDS)
def test_a_page_is_small_and_the_same_for_the_same_match(name: str) -> None:
    page = match_page(games(name))
    assert len(page.encode()) < LARGEST
    assert page == match_page(Replay(load(RECORDS[name])))


def test_a_page_allows_its_own_script_and_style_and_nothing_else() -> None:
    page = parsed(match_page(games("ava")), scripts=2)
    script, style = page.all("script")[-1], page.one("style")
    policy = page.one("meta", http_equiv="Content-Security-Policy")
    allowed = (base64.b64encode(hashlib.sha256(part.text.encode()).digest()).decode() for part in (script, style))
    assert policy.attributes["content"] == (
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    ).format(*allowed)
    order = list(page.within())
    assert order.index(policy) < min(order.index(script), order.index(style))
    assert not page.all("a")
    assert page.one("link").attributes == {"rel": "icon", "href": "data:,"}
    assert page.all("script")[0].attributes == {"type": "text/plain", "id": "data"}


def test_a_page_has_its_script_and_style_without_comments() -> None:
    page = parsed(match_page(games("ava")), scripts=2)
    viewer = Path(match_page.__code__.co_filename).parent / "viewer"
    for tag, paths in (("script", [viewer / f"{part}.js" for part in SCRIPT]), ("style", [viewer / "viewer.css"])):
        code = [line.strip() for path in paths for line in path.read_text().splitlines()]
        comment = ("//", "/*", "*/", *(["* "] if tag == "script" else []))
        lines = [line for line in code if line and not line.startswith(comment)]
        actual = page.all(tag)[-1].text.replace('"use strict";', "").split("\n")[1:]
        assert actual == [*[""] * (tag == "script"), *lines, ""]


def test_the_data_of_a_page_is_its_document() -> None:
    page = parsed(match_page(games("viper"), explanation="why"), scripts=2)
    match = json.loads(gzip.decompress(base64.b64decode(page.one("script", id="data").text)))
    assert match == json.loads(json.dumps(document(games("viper"), explanation="why")))


def test_the_page_knows_no_game() -> None:
    """A game is named only in its own folder."""
    folder = Path(match_page.__code__.co_filename).parent
    for path in (*folder.glob("*.py"), *(folder / "viewer").iterdir()):
        words = set(re.findall(r"\w+", path.read_text().lower()))
        assert not words & {"snakecore", "viper", "egghunt", "python's"}, path.name


def test_the_help_has_the_keys_of_the_terminal_except_what_only_one_of_them_can_do() -> None:
    keys = set(re.findall("<kbd>(.*?)</kbd>", match_page(games("ava"))))
    assert keys - {"f F"} == {row.name for row in VIEWER_KEYS} - {":", "Tab", "e", "q"}


def test_controls_have_names() -> None:
    page = parsed(match_page(games("ants")), scripts=2)
    for control in page.within():
        if control.tag in ("button", "input", "canvas", "dialog", "table"):
            name = control.attributes.get("aria-label")
            assert name, control.attributes
            spoken = control.tag != "button" or control.text.strip("×?−+‹› ") in name
            assert spoken, "who speaks says what is written on it"
    ids = {node.attributes["id"] for node in page.within() if "id" in node.attributes}
    assert ids >= {"board", "board-text", "seats", "chart", "seek", "play", "prev", "next", "theme", "speed", "events"}
    last = str(len(games("ants").steps))
    assert page.one("html").attributes == {
        "lang": "en", "data-ready": "0", "data-step": "0", "data-steps": last, "data-playing": "0"
    }  # fmt: skip
