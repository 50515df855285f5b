"""What an author may do about a cell that ended the bot: one line of advice, from the bot's last words alone.

1. The words are strangers' text. Lines are capped, and no expression repeats what repeats or overlaps; nothing of the words
   is shown but the name of a module that lies beside the bot.
2. The last line that says something is nearest to the cause, so lines are read from the last to the first, and each
   is held against all special rows. Node and Java end with stack frames: the caller hands over more lines than it shows.
3. "Operation not permitted" alone does not say what was refused, and words like "fork" alone are no refusal: a row may
   ask for a second sign, anywhere in the words. What is left when no special row matches is read by the general rows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from referee.sandbox.limits import MIB

SILENT: Final = "It played in a cell: does it play with --isolation none?"
"""Advice for a bot that exited in a cell and wrote nothing."""
LINES: Final = 30
"""Last lines that are worth reading."""
_LINE_CAP: Final = 500

_WRITES: Final = "In its cell a player writes no files: log to stderr (--transcript DIR keeps it)."
_LIBRARY: Final = (
    "Only Python's standard library is in a cell: name the interpreter of a virtual environment, "
    "cmd:'venv/bin/python my.py'."
)
_BESIDE: Final = (
    "{} is beside the bot, but only the file that was named was taken along: make a folder with a bot.toml."
)
_FOLDER: Final = "Only the files that the command names are taken along: make a folder with a bot.toml."
_PROCESSES: Final = "A player is one process and starts no others: use threads."
_NETWORK: Final = "A player has no network."
_MEMORY: Final = "It may hold {} MiB: --memory SIZE allows more."
_ELSEWHERE: Final = (
    "A player sees its own folder and nothing else of the machine: put the file there, and name it relative to the bot."
)
_REFUSED: Final = "The sandbox refused that: what a player may do is in referee/sandbox/README.md."

_NO_MODULE: Final = re.compile(r"No module named '?([A-Za-z_][A-Za-z0-9_]{0,99})")
_IS_REFUSED: Final = re.compile(
    r"\b(EPERM|EACCES|PermissionError|AccessDeniedException)\b|(?i:not permitted|permission denied)"
)
_IS_MISSING: Final = re.compile(r"\b(ENOENT|FileNotFoundError|NoSuchFileException)\b|(?i:no such file)")
_OUTSIDE: Final = re.compile(r"(?<![\w.])/(proc|tmp|home|root|etc|var|dev|sys|mnt|media|srv)/")


class _Row(NamedTuple):
    """Advice for words with a line that matches `line`, and one, the same or another, that matches `also`."""

    advice: str
    line: re.Pattern[str]
    also: re.Pattern[str] | None = None


_SPECIAL: Final = (
    _Row(_WRITES, re.compile(r"Read-only file system|Errno 30\b|\bEROFS\b|No usable temporary directory")),
    _Row(_WRITES, re.compile(r"\b(mkdir|makedirs)\b"), _IS_REFUSED),
    _Row(_LIBRARY, _NO_MODULE),
    _Row(
        _FOLDER,
        re.compile(r"ClassNotFoundException|MODULE_NOT_FOUND|Cannot find (module|package)|Unable to access jarfile"),
    ),
    _Row(_PROCESSES, re.compile(r"SemLock|(?i:cannot fork)|posix_spawn|spawn\w* (\S+ )?EPERM|BrokenProcessPool")),
    _Row(_PROCESSES, re.compile(r"multiprocessing|subprocess|child_process"), _IS_MISSING),
    _Row(
        _PROCESSES,
        re.compile(
            r"multiprocessing|subprocess|child_process|ProcessBuilder|ProcessImpl|(\b|_)v?fork(\b|_|And)|\bspawn"
        ),
        _IS_REFUSED,
    ),
    _Row(_NETWORK, re.compile(r"\bEAI_AGAIN\b|name resolution|UnknownHostException")),
    # Node's frames name the Socket that stdin is to it: `at Socket.emit`.
    _Row(
        _NETWORK,
        re.compile(r"(?<!at )(\b|_)socket(\b|(?i:exception))|\bconnect\b|getaddrinfo", re.IGNORECASE),
        _IS_REFUSED,
    ),
    _Row(
        _MEMORY,
        re.compile(r"\bMemoryError\b|bad_alloc|heap out of memory|OutOfMemoryError|(?i:cannot allocate memory)"),
    ),
)
_GENERAL: Final = (_Row(_FOLDER, _IS_MISSING), _Row(_REFUSED, _IS_REFUSED))


def advise(words: Sequence[str], *, memory: int, beside: Collection[str] = (), folder: bool = False) -> str | None:
    """One line for the author of a bot that a cell may have ended (levels full and reduced), None where nothing is known.

    Args:
        words: the last lines of the bot's stderr, of which the last `LINES` are read.
        memory: bytes that it may hold.
        beside: names of files and folders that lie beside the bot and were not taken along.
        folder: whether the bot is a whole folder already.
    """
    lines = [line[:_LINE_CAP] for line in reversed(words[-LINES:])]
    for line in lines:
        for row in _SPECIAL:
            if row.line.search(line) and (row.also is None or any(map(row.also.search, lines))):
                return _filled(row.advice, line, memory, beside, folder)
        if _OUTSIDE.search(line) and (_IS_MISSING.search(line) or _IS_REFUSED.search(line)):
            return _ELSEWHERE
    for row in _GENERAL:
        if any(map(row.line.search, lines)):
            return _filled(row.advice, "", memory, beside, folder)
    return None


def _filled(advice: str, line: str, memory: int, beside: Collection[str], folder: bool) -> str:
    """The advice with what it speaks of: only sizes, and a module's name."""
    if advice is _FOLDER and folder:
        return _ELSEWHERE
    if advice is _MEMORY:
        return _MEMORY.format(memory // MIB)
    if advice is _LIBRARY and (found := _NO_MODULE.search(line)):
        for name in (f"{found[1]}.py", found[1]):
            if name in beside:
                return _BESIDE.format(name)
    return advice
