"""A failed build: one line for the message, a few for the terminal, the whole output in a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from referee.errors import BotError
from referee.names import harmless, shorten

SHOWN: Final = 20
"""The most lines of a compiler's output that are shown."""
WIDTH: Final = 300
"""The most characters of such a line."""


class BuildFailed(BotError):
    """A bot cannot be built. The message says which command failed, how, and where its whole output is.

    Attributes:
        bot: its name.
        output: of the failed command, safe for a terminal; up to some hundred lines.
        excerpt: its most important lines: all of them if they are few, otherwise from the first error on.
        log: the file with the whole output; None if it could not be written.
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
    """All lines if they are at most `most`, otherwise those from the first error on, and one that says where the rest is.

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
