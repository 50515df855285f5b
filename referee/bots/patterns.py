"""Patterns of file names in a manifest's `files`: which of a folder's files belong to the bot.

1. A pattern is relative to the folder, with `/` between names. `*` stands for any part of a name, `?` for a character, `**` as
   a whole name for any folders, also none.
2. A pattern that fits a folder takes all that is in it.
3. Patterns and names are untrusted, so matching never backtracks without bound: all folders that `**` may stand for are
   followed at once, and `*` matches as little as possible. A single regular expression took 31 s for six stars and a name
   of a hundred letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache


def check(pattern: str) -> None:
    """Check that a text is a pattern.

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
    names = name.split("/")
    return any(_fits(names, _compiled(pattern)) for pattern in patterns)


def _fits(names: Sequence[str], parts: Sequence[re.Pattern[str] | None]) -> bool:
    """Whether the first of these names, or all, fit the parts; a part is None for any folders."""
    due = _onward({0}, parts)
    for name in names:
        due = _onward(
            {
                at if part is None else at + 1
                for at in due
                if (part := parts[at]) is None or part.fullmatch(name) is not None
            },
            parts,
        )
        if len(parts) in due:
            return True
    return False


def _onward(due: set[int], parts: Sequence[re.Pattern[str] | None]) -> set[int]:
    """The parts that may come next, where those that are due may stand for no folder."""
    reached = set(due)
    for at in range(len(parts)):
        if at in reached and parts[at] is None:
            reached.add(at + 1)
    return reached


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Sequence[re.Pattern[str] | None]:
    *folders, last = pattern.removesuffix("/").split("/")
    # What ends in `**` takes whatever lies there, which is what any name takes.
    return [*(None if part == "**" else _name(part) for part in folders), _name(last)]


def _name(part: str) -> re.Pattern[str]:
    first, *others = (
        "".join("." if mark == "?" else re.escape(mark) for mark in run) for run in re.split(r"\*+", part)
    )
    if not others:
        return re.compile(first, re.DOTALL)
    *between, last = others
    return re.compile(first + "".join(f"(?>.*?{run})" for run in between) + f".*{last}", re.DOTALL)
