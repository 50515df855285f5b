"""The page of the editor and debugger: `page.html`, which never changes, for the scripts beside this file to fill.

Its ids and `data-` attributes are an interface: other programs steer the page by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final

from starlette.responses import Response

from referee import bots
from referee.contract.game import Game
from referee.text.markup import el
from referee.text.words import harmless
from referee.web.pages import page, template

_ROOM: Final = "referee.studio/editor"
_VIEWER: Final = ("film.js", "cells.js", "board.js")
"""The parts of the page of a match that draw its board."""
_SCRIPTS: Final = ("program.js", "pictures.js", "drawing.js", "debugger.js", "positions.js", "editor.js", "events.js")
"""The parts of the script, in order."""


def edit(
    name: str,
    file: str,
    game: Game[Any, Any],
    matches: Sequence[dict[str, Any]],
    *,
    own: Sequence[tuple[str, str]] | None = None,
    seats: int | None = None,
    home: tuple[str, str] = ("/", "Studio"),
    submits: bool = False,
    **attributes: Any,
) -> Response:
    """The page of a program.

    Args:
        name: in the site. file: the name of its file.
        matches: the saved games to choose from; the `seat` of one is that of the program, if it is known.
        own: further rivals, as words and names; None if the page is to ask for the bots of the studio.
        seats: of a new game, unless the page is told otherwise; all seats of the game by default.
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
        "most": game.seats.stop - 1,
        "seats": seats or game.seats.stop - 1,
        "rivals": bots.samples(game.name, own_runtime=True),
    }
    submit = template(_ROOM, "submit.html") if submits else None
    body = template(_ROOM, "page.html", home=el("a", home[1], href=home[0]), file=file, submit=submit)
    parts: dict[str, Any] = {"room": _ROOM, "style": "editor.css", "scripts": _SCRIPTS, "viewer": _VIEWER}
    return page(harmless(file), [body], facts, **parts, data_ready=0, **attributes)
