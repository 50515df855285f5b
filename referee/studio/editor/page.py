"""The page of the editor and debugger: markup that never changes, for the scripts beside this file to fill.

Its ids and `data-` attributes are an interface: other programs steer the page by them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final

from starlette.responses import Response

from referee import bots
from referee.contract.game import Game
from referee.text.markup import Child, Html, data, el
from referee.text.words import harmless
from referee.web.pages import SHARED, page, source

_VIEWER: Final = ("elements.js", "film.js", "cells.js", "board.js")
_SHARED: Final = ("page.js", "server.js")
_PARTS: Final = ("program.js", "pictures.js", "drawing.js", "debugger.js", "positions.js", "editor.js", "events.js")
"""The parts of the script, in order: those of the page of a match, those of all pages of the studio, and the editor's own."""
_KEYS: Final = (
    ("← → ↑ ↓", "in the grid: another cell"),
    ("V, W, … and A, …", "in the grid: paint the element or the set of this letter"),
    ("0–9", "in the grid: put the cell into a group"),
    ("!", "in the grid: except, or not"),
    ("Del", "in the grid: clear the cell"),
    ("h", "in the grid: put the own head here, or turn it"),
    ("Alt+↑ Alt+↓", "in the list: change the order"),
    ("1–9", "outside the grid: choose a chart"),
    ("g", "outside the grid: go to the grid"),
    ("← →", "outside the grid: the turn before, the next turn"),
    ("space", "outside the grid: play or stop"),
    ("Ctrl+Z Ctrl+Y", "undo, redo"),
    ("Ctrl+S", "save"),
    ("?", "this help"),
)


def edit(
    name: str,
    file: str,
    game: Game[Any, Any],
    matches: Sequence[dict[str, Any]],
    *,
    own: Sequence[tuple[str, str]] | None = None,
    home: tuple[str, str] = ("/", "Studio"),
    submits: bool = False,
    **attributes: Any,
) -> Response:
    """The page of a program.

    Args:
        name: in the site. file: the name of its file.
        matches: the saved games to choose from; the `seat` of one is that of the program, if it is known.
        own: further rivals, as words and names; None if the page is to ask for the bots of the studio.
        home: where the first link leads, and its words. submits: whether it can be submitted.
        attributes: of the page.
    """
    facts = {
        "name": name,
        "stem": PurePath(file).stem,
        "file": file,
        "own": own,
        "game": game.name,
        "matches": matches,
        "least": game.seats.start,
        "most": game.seats.stop - 1,
        "rivals": bots.samples(game.name, own_runtime=True),
    }
    body = [
        _header(file, home, submits=submits),
        el("main", _list(), _draw(), _debugger()),
        _help(),
        _pinning(),
        _rivals(),
        data(json.dumps(facts).replace("<", "\\u003c"), id="facts"),
    ]
    script = "".join(
        (
            '"use strict";\n',
            source("referee.export/viewer", _VIEWER),
            source(SHARED, _SHARED),
            source("referee.studio/editor", _PARTS),
        )
    )
    style = source(SHARED, ("base.css",)) + source("referee.studio/editor", ("editor.css",))
    return page(harmless(file), body, style=style, script=script, **attributes)


def _header(file: str, home: tuple[str, str], *, submits: bool) -> Html:
    return el(
        "header",
        el("a", home[1], href=home[0]),
        el(
            "h1",
            el("span", file, class_="unseen"),
            el("input", id="name", maxlength=32, aria_label="Name of the program"),
        ),
        el("input", id="description", aria_label="Description of the program", placeholder="what this program does"),
        el("span", id="state", role="status"),
        _button("undo", "Undo", "↶"),
        _button("redo", "Redo", "↷"),
        _button("theme", "Light or dark", "◐"),
        _button("keys", "Keys", "?"),
        _button("save", "Save", "Save", class_="main"),
        _button("submit", "Submit as a new version", "Submit", class_="main") if submits else None,
    )


def _list() -> Html:
    return el(
        "section",
        el(
            "div",
            el("h2", el("span", "Charts", id="charts-label"), " ", el("small", id="count")),
            _button("up", "Earlier in the order", "↑"),
            _button("down", "Later in the order", "↓"),
            class_="lead",
        ),
        el("ol", id="charts"),
        el(
            "div",
            _button("add", "Add a chart", "+ Add"),
            _button("copy", "Copy the chart", "Copy"),
            _button("delete", "Delete the chart", "Delete"),
            class_="row",
        ),
        el("p", "The first one that fits decides. Drag, or Alt+↑ ↓, to change the order.", class_="hint"),
        id="list",
        aria_label="Charts",
    )


def _draw() -> Html:
    tools = el(
        "div",
        el("h3", "Element", id="palette-label"),
        el("div", id="palette", role="group", aria_labelledby="palette-label"),
        el("details", el("summary", "Sets"), el("ul", id="sets"), open="open"),
        el("h3", "Group", id="groups-label"),
        el("div", id="groups", role="group", aria_labelledby="groups-label"),
        el("h3", "Own head, and what is done to the chart", id="heads-label"),
        el(
            "div",
            el("span", id="heads", role="group", aria_labelledby="heads-label"),
            el("label", el("input", id="not", type="checkbox"), " except ", el("kbd", "!"), class_="chip"),
            _button("mirror", "Mirror the chart", "⇋ mirror"),
            _button("rotate", "Turn the chart to the right", "⟳ rotate"),
            class_="row",
        ),
        class_="tools",
    )
    tests = el(
        "section",
        el("h2", "Test positions ", el("small", id="passed")),
        el("ul", id="tests"),
        el("p", "None yet. Pin a turn in the debugger: it is tested after each edit.", id="untested", class_="hint"),
        class_="card",
    )
    text = el(
        "section",
        el("h2", el("label", "Text", for_="text")),
        el("textarea", id="text", spellcheck="false", wrap="off", rows=12),
        class_="card",
    )
    lead = el(
        "div",
        el("h2", id="which"),
        el("input", id="about", aria_label="Description of the chart", placeholder="what it is for"),
        el("select", id="kind", aria_label="Kind of the chart"),
        class_="lead",
    )
    drawn = el(
        "div",
        el("table", id="grid", aria_label="Chart"),
        el("button", id="problem", type="button", hidden=""),
        el("p", id="notes", class_="hint"),
        el("p", id="reads", class_="card", aria_live="polite"),
        text,
    )
    return el("section", lead, drawn, el("div", tools, tests), id="draw", aria_label="Chart")


def _debugger() -> Html:
    board = el("canvas", id="board", role="img", aria_label="Board", aria_describedby="board-text")
    return el(
        "section",
        el(
            "div",
            el("h2", "Debugger"),
            el("select", id="match", aria_label="Saved game"),
            el("select", id="seat", aria_label="Seat of this program"),
            class_="lead",
        ),
        el(
            "div",
            el("div", board, el("canvas", id="overlay", aria_hidden="true"), id="frame"),
            el("pre", id="board-text", class_="unseen"),
            el("input", id="turn", type="range", min=0, max=0, value=0, aria_label="Turn"),
            el(
                "div",
                _button("prev", "The turn before", "‹"),
                _button("play", "Play", "▶"),
                _button("next", "The next turn", "›"),
                el("label", "step ", el("input", id="step", type="number", min=0, aria_label="Step")),
                el("span", id="steps"),
                _button("pin", "Keep this turn as a test", "+ Pin"),
                class_="row",
            ),
            el("p", id="answer", role="status", hidden=""),
            el("ol", id="reasons"),
            id="playing",
        ),
        el("p", "Choose a saved game, or play one, to see what the program decides in it, and why.", id="idle"),
        _button("debug", "Play a new game with this program", "Play a new game …"),
        id="debugger",
        aria_label="Debugger",
    )


def _help() -> Html:
    rows = [part for keys, does in _KEYS for part in (el("dt", el("kbd", keys)), el("dd", does))]
    return _dialog("help", "Keys", el("dl", *rows), _close("Close"))


def _pinning() -> Html:
    kinds = (("chart", "must fire:"), ("must", "must go:"), ("must_not", "must not go:"))
    return _dialog(
        "pinning",
        "Keep this turn as a test",
        el("select", *(el("option", words, value=kind) for kind, words in kinds), id="pin-kind", aria_label="What"),
        el("select", id="pin-value", aria_label="Which"),
        el("div", _button("pin-save", "Keep it", "Keep", class_="main"), _close("Cancel"), class_="row"),
    )


def _rivals() -> Html:
    return _dialog(
        "playing-new",
        "Play a new game",
        el("div", id="rivals"),
        el("label", "Seed ", el("input", id="seed", type="number", min=0)),
        el("div", _button("debug-start", "Play", "Play", class_="main"), _close("Cancel"), class_="row"),
    )


def _dialog(key: str, title: str, *content: Child) -> Html:
    return el("dialog", el("form", el("h2", title), *content, method="dialog"), id=key, aria_label=title)


def _close(words: str) -> Html:
    return el("button", words)


def _button(key: str, label: str, *content: Html | str, class_: str | None = None) -> Html:
    return el("button", *content, id=key, type="button", aria_label=label, title=label, class_=class_)
