"""Makes the pictures of the README in referee/docs/pictures from a saved match, so that they show what the referee draws.

The match was played with `referee play oracle guard courier hunter --seed 7`. A test compares the pictures with those made here.
"""

from __future__ import annotations

import argparse
import re
from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from referee.export.shapes import GROUND, TEXT
from referee.export.svg import picture
from referee.moments.colours import FLOOR, channels
from referee.moments.moment import moment
from referee.moments.timeline import Timeline
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.page import Page
from referee.terminal.palette import Look
from referee.terminal.text import remark_on
from referee.terminal.viewer import Viewer

ROOT: Final = Path(__file__).parents[1]
MATCH: Final = ROOT / "tests" / "records" / "crossroads.jsonl.gz"
FOLDER: Final = ROOT / "referee" / "docs" / "pictures"
STEP: Final = 443
COLUMNS: Final = 96
LINES: Final = 28
LOADED: Final = re.compile(r"\s*(?:@font-face \{.*?\}|<!--.*?-->)", re.DOTALL)
"""The fonts that rich's pictures load from the network, and an address in a comment."""


def board(saved: Replay) -> str:
    """The board as `referee export -o X.svg` draws it."""
    shot = moment(Timeline(saved), STEP)
    return picture(shot.frame, remark_on(STEP, len(saved.steps), shot.over))


def terminal(saved: Replay) -> str:
    """The page of `referee replay` on a terminal."""
    console = Console(
        record=True, file=StringIO(), width=COLUMNS, color_system="truecolor", force_terminal=True, markup=False,
        emoji=False, highlight=False, legacy_windows=False, _environ={},
    )  # fmt: skip
    look = Look(colour=True, shades=True, ascii_only=False)
    console.print(Page(Viewer(saved, look, at=STEP).page(COLUMNS, LINES)))
    theme = TerminalTheme(channels(GROUND), channels(TEXT), [channels(FLOOR)] * 8)
    return LOADED.sub("", console.export_svg(title="referee replay game.jsonl", theme=theme, unique_id="terminal"))


def pictures() -> dict[str, str]:
    """The pictures by the names of their files."""
    saved = Replay(load(MATCH))
    return {"board.svg": board(saved), "terminal.svg": terminal(saved)}


def main() -> None:
    argparse.ArgumentParser(prog="scripts/pictures", description="Makes the pictures of the README.").parse_args()
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
