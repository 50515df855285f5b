"""`referee rules`: a game's rules and protocol, as its own README has them."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Annotated

from cyclopts import Parameter

from referee import games as room
from referee.cli.options import Color


def rules(
    game: Annotated[str | None, Parameter(help="The game; without one, the main game.")] = None,
    /,
    *,
    color: Color = "auto",
) -> int:
    """Print a game's rules and protocol: Markdown into a pipe, laid out on a terminal."""
    found = room.find(game)
    text = (files(room) / found.name / "README.md").read_text(encoding="utf-8")
    if sys.stdout.isatty() and color != "never":
        from rich.markdown import Markdown

        from referee.view.console import open_terminal

        open_terminal(color=color).out.print(Markdown(text))
    else:
        print(text, end="")
    return 0
