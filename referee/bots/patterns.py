"""Patterns of file names in a manifest's `files`: which of a folder's files belong to the bot.

1. A pattern is relative to the folder, with `/` between names. `*` stands for any part of a name, `?` for a character, `**` as
   a whole name for any folders, also none.
2. A pattern that fits a folder takes all that is in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache


def check(pattern: str) -> None:
    """Whether it is a pattern at all.

    Raises:
        ValueError: it is not; what is allowed.
    """
    parts = pattern.removesuffix("/").split("/")
    if not pattern or len(pattern) > 200 or any(part in {"", ".", ".."} for part in parts):
        raise ValueError(f"{pattern[:60]!a} is no name in the folder: write one such as main.py, data/ or src/**/*.h")
    if any(ord(character) < 0x20 for character in pattern):
        raise ValueError("control characters may not be in a name")
    if len(parts) > 40:
        raise ValueError("a name lies in at most 40 folders")


def belongs(name: str, patterns: Sequence[str]) -> bool:
    """Whether a file of this name, relative to the folder, fits one of the patterns."""
    return any(_compiled(pattern).match(name) is not None for pattern in patterns)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = pattern.removesuffix("/").split("/")
    text = ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            text += ".*" if last else "(?:[^/]+/)*"
        else:
            text += _name(part) + ("" if last else "/")
    return re.compile(rf"{text}(?:/.*)?\Z", re.DOTALL)


def _name(part: str) -> str:
    # `**` inside a name is no more than `*`: several stars in a row would take a regular expression long.
    part = re.sub(r"\*+", "*", part)
    return "".join("[^/]*" if mark == "*" else "[^/]" if mark == "?" else re.escape(mark) for mark in part)
