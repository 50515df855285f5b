"""A saved match as one web page that needs no network: the board, the points, the moves, with keys as in the terminal's replay.

The page is markup that never changes, a style sheet, a script, and the match as `document` describes it, packed. Markup, style
and script are in `viewer/`: `film.js` has the moments, `cells.js` and `board.js` draw the board, `charts.js`, `panels.js` and
`pointer.js` the rest, and `viewer.js` is what people can do.
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
from referee.text.markup import Html, brief, data, fill, name, page, together

SCRIPT: Final = ("elements", "film", "cells", "board", "charts", "panels", "pointer", "viewer")
"""The parts of the script, in order."""


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
    names = [part for entrant in saved.entrants for part in (", ", name(entrant.name))][1:]
    markup = fill(_source("viewer.html"), game=saved.game.title, names=together(*names))
    return page(
        title or saved.title,
        [links, markup, data(packed, id="data")],
        generator="referee export",
        style=_source("viewer.css"),
        script='"use strict";\n' + "".join(_source(f"{part}.js") for part in SCRIPT),
        data_ready=0,
        data_step=0,
        data_steps=len(saved.steps),
        data_playing=0,
    )


def _source(name: str) -> str:
    """A file of `viewer/` without indentation and comments."""
    return brief((files("referee.export") / "viewer" / name).read_text(encoding="utf-8"))
