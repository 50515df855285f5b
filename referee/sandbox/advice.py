"""Reads the last lines of a bot's stderr: the most telling line, an excerpt, and a hint for its author.

1. The lines are untrusted. They are capped, no expression can backtrack without bound, and a hint quotes at most the name
   of a module that is next to the bot.
2. Runtimes print the cause first and the trace after it, one line for each call, a thousand for endless recursion. So callers
   pass `LINES`, and the cause is searched among lines outside of traces. If it is far from the end, the excerpt starts there.
   Python prints the cause last. If the last lines are all about calls inside libraries, the excerpt starts with the bot's line;
   other calls inside libraries are left out after a cause.
3. For a hint, lines are read from the last to the first, because the last telling line is nearest to the cause. The most telling
   line is read too, however far up it is.
4. "Operation not permitted" alone does not say what was refused, and words like "fork" alone do not mean a refusal. So a row
   may require a second pattern, anywhere in the lines. The general rows apply if no special row matches.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence, Set
from itertools import groupby
from typing import Final, NamedTuple

from referee.sandbox.limits import MIB
from referee.text.words import harmless, shorten

SILENT: Final = "It ran in a sandbox: does it work with --isolation none?"
"""Advice for a bot that exited in a cell, and whose stderr names no place."""
LINES: Final = 2000
"""How many last lines callers pass: Java prints 1,024 calls of a stack that overflowed."""
_READ: Final = 30
"""Last lines that advice is read from."""
_RECENT: Final = 12
"""Last lines outside of traces among which a cause is looked for: what was written long before an end did not cause it."""
_ABOVE: Final = 5
"""Lines above a cause among which the place is looked for, if no line after it names one."""
_LINE_CAP: Final = 500
_TAB: Final = 4

_ERROR: Final = re.compile(
    r"(?:Error|Exception|Fault)\b|\b(?:FATAL ERROR|error|panic|panicked|terminate|[Aa]ssert\w*|what\(\))", re.ASCII
)
"""How runtimes name what ended a program."""
_TRACE: Final = re.compile(
    r"\s|$|at \S|\d+: 0x|\.\.\. \d+ |Node\.js v\d|\(Use `node |\$[0-9A-Fa-f]{8}|note: run with `RUST_BACKTRACE"
    r"|[\^~]+\s*$|[\[\](){};,]+\s*$"
)
"""How lines of a trace begin, and other lines that runtimes print after a cause."""
_TRACEBACK: Final = "Traceback (most recent call last):"
_OWN_CALL: Final = re.compile(r'\s+File "(?!<)(?!.*/(?:lib(?:64)?/python\d|sdk/python/))')
"""How Python names a line of the bot: not one of a library or of the SDK."""
_LIBRARY_CALL: Final = re.compile(r"\s+at (?:java|jdk|sun)\.|\s+at .*\(node:")
"""How Java and Node name calls inside their libraries."""
_NAMES_PLACE: Final = re.compile(r"\bline \d+|\.[A-Za-z]\w*:\d+")
"""How runtimes name a line of a source."""

_WRITES: Final = "A player cannot write files: log to stderr (--transcript DIR keeps it)."
_LIBRARY: Final = (
    "Bots in Python have the standard library alone. On your own machine, name the interpreter of a virtual environment "
    "for packages, but not that of the referee: cmd:'venv/bin/python my.py'."
)
_FOLDER: Final = (
    "The sandbox has only the files that you named, or that `files` in bot.toml names: name the missing file there too, or "
    "put the bot and what it needs into a folder with a bot.toml, and name that folder."
)
_BESIDE: Final = f"{{}} is beside the bot. {_FOLDER}"
_NEWER: Final = (
    f"Correct the line that its stderr names. If that is right, it needs a newer Python than {sys.version_info[0]}."
    f"{sys.version_info[1]}, on which the referee runs bots."
)
_CIRCULAR: Final = (
    "Rename the bot's file if it has the name of a module that it imports. If not, two of its files import each other."
)
_ENCODING: Final = "Save this file as UTF-8 in your editor."
_REQUIRE: Final = (
    '`import` does not find the SDK: write `const { run } = require("snake")`, in a file that ends with .js and imports '
    "nothing."
)
_PROCESSES: Final = "A player cannot start other processes: use threads."
_NETWORK: Final = "A player has no network."
_MEMORY: Final = "Its memory limit is {} MiB: --memory SIZE sets another."
_ELSEWHERE: Final = (
    "A player sees only its own folder and cannot write files: put a file that it reads there, and name it relative to the "
    "bot; log to stderr (--transcript DIR keeps it)."
)
_REFUSED: Final = "The sandbox refused this: referee/sandbox/README.md lists what a player may do."

_STDIN: Final = "/dev/stdin and similar files cannot be opened: read standard input itself, descriptor 0."

_NO_MODULE: Final = re.compile(r"No module named '?([A-Za-z_][A-Za-z0-9_]{0,99})")
_IS_REFUSED: Final = re.compile(
    r"\b(EPERM|EACCES|PermissionError|AccessDeniedException)\b|(?i:not permitted|permission denied)"
)
_IS_MISSING: Final = re.compile(r"\b(ENOENT|ENXIO|FileNotFoundError|NoSuchFileException)\b|(?i:no such (file|device))")
_NO_NAME: Final = r"\bEAI_AGAIN\b|name resolution|UnknownHostException"
_OUTSIDE: Final = re.compile(r"(?<![\w.])/(proc|tmp|home|root|etc|var|dev|sys|mnt|media|srv)/")


class _Row(NamedTuple):
    """Advice for logs with a line that matches `line`, and a line, the same or another, that matches `also`."""

    advice: str
    line: re.Pattern[str]
    also: re.Pattern[str] | None = None


_SPECIAL: Final = (
    _Row(_STDIN, re.compile(r"/dev/(stdin|stdout|stderr|fd)\b"), _IS_MISSING),
    _Row(_WRITES, re.compile(r"Read-only file system|Errno 30\b|\bEROFS\b|No usable temporary directory")),
    _Row(_LIBRARY, _NO_MODULE),
    _Row(
        _NEWER,
        re.compile(r"^SyntaxError: (invalid syntax$|f-string)|cannot import name '\w+' from '(typing|itertools)'"),
    ),
    _Row(_CIRCULAR, re.compile(r"partially initialized module")),
    _Row(_ENCODING, re.compile(r"^SyntaxError: Non-UTF-8 code|\.rb:\d+: invalid multibyte char")),
    _Row(
        _REQUIRE,
        re.compile(
            r"Cannot find package '?snake\b|Cannot use import statement outside a module"
            r"|require is not defined in ES module scope"
        ),
    ),
    _Row(
        _FOLDER,
        re.compile(r"\bMODULE_NOT_FOUND|Cannot find (module|package)|ClassNotFoundException|Unable to access jarfile"),
    ),
    _Row(
        _PROCESSES,
        re.compile(r"multiprocessing|subprocess|(\b|_)v?fork(\b|_|And)|\bspawn"),
        re.compile(f"{_IS_REFUSED.pattern}|{_IS_MISSING.pattern}"),
    ),
    _Row(_PROCESSES, re.compile(r"\bCannot fork\b")),
    # Node's frames name the Socket that stdin is to it: `at Socket.emit`.
    _Row(
        _NETWORK,
        re.compile(rf"(?<!at )(\b|_)socket(\b|(?i:exception))|\bconnect\b|getaddrinfo|{_NO_NAME}", re.IGNORECASE),
        re.compile(f"{_IS_REFUSED.pattern}|{_NO_NAME}"),
    ),
    _Row(
        _MEMORY,
        re.compile(r"\bMemoryError\b|bad_alloc|heap out of memory|OutOfMemoryError|(?i:cannot allocate memory)"),
    ),
)
_GENERAL: Final = (
    _Row(_FOLDER, _IS_MISSING),
    _Row(_FOLDER, re.compile(r"(?i)\b(?:cannot|can't|could not|couldn't|failed to) (?:open|load|read) \S+\.\w")),
    _Row(_REFUSED, _IS_REFUSED),
)


def most_telling_line(words: Sequence[str]) -> str:
    """The most telling line: the last that names an error, else the last outside of a trace; empty without words.

    C++ and Rust say in the line after it what was wrong, so this is added.
    """
    if not words:
        return ""
    cause = _cause(words)
    line, after = words[cause], "".join(words[cause + 1 : cause + 2])
    goes_on = after.lstrip().startswith("what():") or (line.endswith(":") and not _TRACE.match(after))
    return f"{line} {after.strip()}" if goes_on else line


def names_error(words: Sequence[str]) -> bool:
    """Whether the most telling line is about an error, and the log names where it was: `errors: 0` is no error."""
    return names_place(words) and _ERROR.search(most_telling_line(words)[:_LINE_CAP]) is not None


def names_place(words: Sequence[str]) -> bool:
    """Whether the end of a log names a line of a source."""
    return any(_NAMES_PLACE.search(line[:_LINE_CAP]) for line in (*words[-_READ:], most_telling_line(words)))


def excerpt(words: Sequence[str], *, lines: int, width: int) -> list[str]:
    """The last lines of a log, safe to show, and before them its cause or the bot's line if these lines do not include it.

    Args:
        words: lines of the log, up to the last. Equal lines in a row become one.
        lines: how many lines are shown, besides one that says how many are left out.
        width: how many characters of a line are shown: both ends of a longer one.
    """
    runs = [(line, len(list(same))) for line, same in groupby(words)]
    words = [line if count == 1 else f"{line} ({count} times)" for line, count in runs]
    first = len(words) - lines
    start, head = _beginning(words, first, lines // 2)
    excerpt_lines = words[-lines:]
    if (left_out := first - start) > 0:
        excerpt_lines = [*head, f"… ({left_out} left out)", *words[len(head) - lines :]]
    return [harmless(shorten(line.expandtabs(_TAB), width)) for line in excerpt_lines]


def _beginning(words: Sequence[str], first: int, most: int) -> tuple[int, list[str]]:
    """The index at which an excerpt begins, and at most so many lines from there on; `first` is that of its last lines."""
    start = _cause(words)
    if start >= first:
        start = _own_call(words)
        return start, [*words[start : start + 2]][:most]
    calls = [line for line in words[start + 1 : first + 1] if not _LIBRARY_CALL.match(line[:_LINE_CAP])]
    head = [*words[start : start + 1], *calls][:most]
    if most > 1 and not names_place(head):  # Node names a line that it cannot parse above the cause
        for at in range(start - 1, max(start - _ABOVE, 0) - 1, -1):
            if _NAMES_PLACE.search(words[at][:_LINE_CAP]):
                return at, [words[at], *head][:most]
    return start, head


def _cause(words: Sequence[str]) -> int:
    """The index of the most telling line."""
    capped = [line[:_LINE_CAP] for line in words]
    outside = [number for number, line in enumerate(capped) if not _TRACE.match(line)][-_RECENT:]
    errors = [number for number in outside if _ERROR.search(capped[number])]
    return [len(words) - 1, *outside[-1:], *errors[-1:]][-1]


def _own_call(words: Sequence[str]) -> int:
    """The index of the last line of the bot in a traceback of Python at the end; the number of lines if there is none."""
    for index in range(len(words) - 1, -1, -1):
        if _OWN_CALL.match(words[index][:_LINE_CAP]):
            return index
        if words[index] == _TRACEBACK:
            break
    return len(words)


def advise(
    words: Sequence[str], *, memory: int, beside: Set[str] = frozenset(), whole_folder: bool = False
) -> str | None:
    """One line for the author of a bot that a cell may have ended (levels full and reduced); None without advice.

    Args:
        words: the last lines of the bot's stderr, `LINES` of them.
        memory: the bytes that the bot may hold.
        beside: names of files and folders next to the bot that were not copied.
        whole_folder: whether the cell has all of the bot's folder, or only files that were named.
    """
    lines = [line[:_LINE_CAP] for line in (*reversed(words[-_READ:]), most_telling_line(words))]
    for line in lines:
        for row in _SPECIAL:
            if row.line.search(line) and (row.also is None or any(map(row.also.search, lines))):
                return _fill(row.advice, line, memory, beside, whole_folder)
        if _OUTSIDE.search(line) and (_IS_MISSING.search(line) or _IS_REFUSED.search(line)):
            return _ELSEWHERE
    for row in _GENERAL:
        if any(map(row.line.search, lines)):
            return _fill(row.advice, "", memory, beside, whole_folder)
    return None


def _fill(advice: str, line: str, memory: int, beside: Set[str], whole_folder: bool) -> str:
    """The advice for this bot, with sizes and the name of a module."""
    if advice is _FOLDER and whole_folder:
        return _ELSEWHERE
    if advice is _MEMORY:
        return _MEMORY.format(memory // MIB)
    module = _NO_MODULE.search(line) if advice is _LIBRARY else None
    if module is not None and (found := beside & {module[1], f"{module[1]}.py"}):
        return _BESIDE.format(max(found))  # the file, if there are both
    return advice
