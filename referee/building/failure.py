"""A build that failed: in one line for the message, in a few for the terminal, whole in a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from referee.errors import BotError
from referee.names import harmless, shorten

SHOWN: Final = 20
"""Lines of a compiler's output that are shown."""
WIDTH: Final = 300
"""Characters of such a line."""


class BuildFailed(BotError):
    """A bot cannot be built; the message says which command failed, how, and where all that it said is.

    Attributes:
        bot: its name.
        output: what the failed command said, safe to show in a terminal; up to some hundred lines.
        excerpt: the lines of it that matter most, for a terminal: all of a few, else from the first error on.
        log: the file with all that was said; None when none could be written.
    """

    def __init__(
        self, message: str, *, bot: str, output: str = "", excerpt: Sequence[str] = (), log: Path | None = None
    ):
        super().__init__(message)
        self.bot = bot
        self.output = output
        self.excerpt = tuple(excerpt)
        self.log = log


def excerpt(output: str, error: re.Pattern[str], log: Path | None, *, most: int = SHOWN) -> list[str]:
    """All lines where they are no more than `most`, else those from the first error on, and one that says where the others are.

    Args:
        output: as the command wrote it.
        error: what a line looks like in which an error begins.
        log: the file with all of it.
    """
    lines = output.rstrip("\n").split("\n") if output.strip() else []
    first = next((number for number, line in enumerate(lines) if error.search(line)), 0)
    if len(lines) <= most:
        first = 0
    shown = [harmless(shorten(line, WIDTH)) for line in lines[first : first + most]]
    if left := len(lines) - len(shown):
        where = f" in {log}" if log is not None else ""
        shown.append(f"… {left} more line{'s' if left > 1 else ''}{where}")
    return shown
