"""A saved match as one web page that needs no network: the board, the points, the moves, with keys as in the terminal's replay.

The page is markup that never changes, a style sheet, a script, and the match as `document` describes it, packed. Style and script
are in `viewer/`: `film.js` has the moments, `cells.js` and `board.js` draw the board, `charts.js`, `panels.js` and `pointer.js`
the rest, and `viewer.js` is what people can do.
"""

from __future__ import annotations

import base64
import gzip
import json
from importlib.resources import files
from typing import Final

from referee.export.document import Logs, document
from referee.moments.evidence import Why
from referee.saved.replay import Replay
from referee.text.markup import Html, brief, data, el, name, page

GENERATOR: Final = "referee export"
SCRIPT: Final = ("elements", "film", "cells", "board", "charts", "panels", "pointer", "viewer")
"""The parts of the script, in order."""
_KEYS: Final = (
    ("space", "play or pause"),
    ("← →", "one step"),
    ("↑ ↓", "one round"),
    ("PgUp PgDn", "ten steps"),
    ("[ ]", "5 % of the match"),
    ("Home End", "start, end"),
    ("+ −", "speed"),
    ("0–9", "set speed; 0 is full speed"),
    ("n N", "next, previous event"),
    ("k", "choose one kind of event"),
    ("Esc", "events of any kind again"),
    ("f F", "follow the next, previous seat"),
    ("m M", "next, previous move of the followed seat"),
    ("d", "stop before each move of the followed seat, or not"),
    ("?", "this help"),
)
_UNITS: Final = (
    ("round", "round"),
    ("move", "move of the followed seat"),
    ("ten", "ten steps"),
    ("part", "5 % of the match"),
    ("end", "start or end"),
)
"""What two buttons skip besides events: its name in the script, and what people read."""
_ICONS: Final = {
    "prev": "M6 5h2.5v14H6zM20 5v14L9.5 12z",
    "next": "M15.5 5H18v14h-2.5zM4 5v14l10.5-7z",
    "start": "M7 4v16l13-8z",
    "halt": "M6 4h4.5v16H6zM13.5 4H18v16h-4.5z",
    "theme": "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18v-2a7 7 0 0 0 0-14z",
}


def match_page(
    saved: Replay,
    *,
    logs: Logs | None = None,
    reasons: Why | None = None,
    explanation: str | None = None,
    title: str | None = None,
    links: Html | None = None,
) -> str:
    """The page of a saved match, the same text for the same match.

    Args:
        logs, reasons, explanation: see `document`.
        title: of the page; None for that of the saved game.
        links: a `nav` with the id `links`, which leads to the pages around it.

    Raises:
        SavedGameError: a step does not follow from the rules.
    """
    match = document(saved, logs=logs, reasons=reasons, explanation=explanation)
    text = json.dumps(match, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    packed = base64.b64encode(gzip.compress(text, mtime=0)).decode()
    viewer = files("referee.export") / "viewer"
    return page(
        title or saved.title,
        [links, _header(saved), _main(), _help(), data(packed, id="data")],
        generator=GENERATOR,
        style=brief((viewer / "viewer.css").read_text(encoding="utf-8")),
        script='"use strict";\n'
        + "".join(brief((viewer / f"{part}.js").read_text(encoding="utf-8")) for part in SCRIPT),
        data_ready=0,
        data_step=0,
        data_steps=len(saved.steps),
        data_playing=0,
    )


def _header(saved: Replay) -> Html:
    bots = [name(entrant.name) for entrant in saved.entrants]
    names = [part for bot in bots for part in (", ", bot)][1:]
    return el(
        "header",
        el("h1", saved.game.title, " ", el("span", *names)),
        _button("why", "Why it went this way", "Why?", hidden=""),
        _button("theme", "Light or dark", _icon("theme")),
        _button("keys", "Keys", "?"),
    )


def _main() -> Html:
    return el(
        "main",
        el("p", id="failed", role="alert", hidden="hidden"),
        el("noscript", el("p", "This page needs JavaScript to show the match.")),
        el("div", _stage(), _side(), id="match"),
        el("div", id="tip", aria_hidden="true", hidden=""),
        el("div", _move(), el("section", el("h2", "Legend"), el("ul", id="legend"), class_="card"), class_="below"),
        el(
            "section",
            el("h2", "Why it went this way"),
            el("pre", id="explanation"),
            id="explained",
            class_="card",
            hidden="",
        ),
    )


def _stage() -> Html:
    board = el("canvas", id="board", role="img", aria_label="Board", aria_describedby="board-text")
    seek = el("input", id="seek", type="range", min=0, max=0, value=0, aria_label="Step")
    others = [el("option", what, value=unit) for unit, what in _UNITS]
    to = "What the buttons beside it go to"
    return el(
        "section",
        el("div", board, id="frame"),
        el("pre", id="board-text", class_="unseen"),
        seek,
        el("canvas", id="ticks", role="img", aria_label="Events over time; the list has them in words"),
        el(
            "div",
            _button("prev", "Previous step", _icon("prev")),
            _button("play", "Play", _icon("start"), _icon("halt")),
            _button("next", "Next step", _icon("next")),
            el("output", id="now", aria_live="off"),
            _button("slower", "Slower", "−"),
            el("output", id="speed", aria_live="off"),
            _button("faster", "Faster", "+"),
            class_="controls",
        ),
        el(
            "div",
            _button("back", "Previous", "‹"),
            el(
                "select",
                el("optgroup", label="Events"),
                el("optgroup", *others, label="Steps"),
                id="unit",
                aria_label=to,
            ),
            _button("ahead", "Next", "›"),
            _button("debug", "Stop before each move of the followed seat", "Stop before its moves"),
            class_="controls",
        ),
        id="stage",
        aria_label="Match",
    )


def _side() -> Html:
    chart = el("canvas", id="chart", role="img", aria_label="Points over time; the table has those of this step")
    times = el(
        "canvas", id="times", role="img", aria_label="The time of each answer, on a logarithmic scale up to its limit"
    )
    table = el("table", el("thead"), el("tbody"), id="seats", aria_label="Seats")
    return el(
        "section",
        el("p", id="winner", role="status"),
        el("div", table, class_="card box"),
        el("figure", chart, times, class_="charts"),
        el(
            "div",
            el("h2", "Events"),
            el("p", "No events yet.", id="none"),
            el("div", el("ol", id="events"), id="past"),
            class_="card events",
        ),
        id="side",
        aria_label="Seats and events",
    )


def _move() -> Html:
    return el(
        "section",
        el(
            "div",
            el("h2", el("span", "Last", id="which"), " move of ", el("span", id="mover")),
            el("span", id="moved"),
            el("span", id="lasted"),
            el("span", el("i"), id="took"),
            class_="lead",
        ),
        el("h3", "Answer"),
        el("pre", id="answer"),
        el("div", el("h3", "What decided"), el("pre", id="reasons"), id="reasons-part", hidden=""),
        el("div", el("h3", "Log (stderr)"), el("pre", id="log"), id="log-part", hidden=""),
        el("h3", "Request"),
        el("pre", id="request"),
        class_="card",
    )


def _help() -> Html:
    rows = [part for keys, does in _KEYS for part in (el("dt", el("kbd", keys)), el("dd", does))]
    return el("dialog", el("h2", "Keys", _button("close", "Close", "×")), el("dl", *rows), id="help", aria_label="Keys")


def _button(key: str, label: str, *content: Html | str, hidden: str | None = None) -> Html:
    return el("button", *content, id=key, type="button", aria_label=label, title=label, hidden=hidden)


def _icon(key: str) -> Html:
    shape = el("path", d=_ICONS[key])
    return el("svg", shape, viewBox="0 0 24 24", aria_hidden="true", class_=key)
