"""The page of the editor and debugger: `page.html`, which never changes, for the scripts beside this file to fill.

Its ids and `data-` attributes are an interface: other programs steer the page by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response

from referee import bots
from referee.contract.game import Game
from referee.text.words import harmless
from referee.web.pages import page, template

_ROOM: Final = "referee.studio/editor"
_VIEWER: Final = ("film.js", "cells.js", "board.js")
"""The parts of the page of a match that draw its board."""
_SCRIPTS: Final = ("program.js", "pictures.js", "drawing.js", "debugger.js", "positions.js", "editor.js", "events.js")
"""The parts of the script, in order."""


def edit(name: str, path: Path, game: Game[Any, Any], matches: Sequence[dict[str, Any]]) -> Response:
    """The page of a program.

    Args:
        name: in the studio. path: its file. matches: the saved games to choose from.
    """
    facts = {
        "name": name,
        "stem": path.stem,
        "game": game.name,
        "matches": matches,
        "least": game.seats.start,
        "most": game.seats.stop - 1,
        "rivals": bots.samples(game.name, own_runtime=True),
    }
    body = template(_ROOM, "page.html", file=path.name)
    return page(harmless(path.name), [body], facts, room=_ROOM, style="editor.css", scripts=_SCRIPTS, viewer=_VIEWER)
