"""What a bot's folder contains. The folder is untrusted: caps apply, and links are not followed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from referee import languages
from referee.bots.bot import Bot
from referee.bots.programs import suffixes as own_suffixes
from referee.errors import BotError
from referee.files.reading import head
from referee.languages import Language, NoRecipeError, Sdk
from referee.text.words import shorten

FILES: Final = 50_000
"""The most files of a folder that are looked at. The sandbox has its own, lower cap, and reports it."""
SOURCES: Final = 500
"""The most sources that a recipe sees."""
TEXT: Final = 1 << 20
"""The most bytes of a source that are read to classify it."""
TEXTS: Final = 4 << 20
"""The most bytes of all sources of a bot that are read. So finding out how to build it takes seconds, whatever it contains."""
BESIDE: Final = 10_000
"""The most files beside a bot of single files that are looked at."""


def walk(folder: Path) -> Iterator[tuple[str, Path]]:
    """All files in a folder and its folders, by name. Links are listed but not followed: the sandbox refuses them."""
    count = 0
    for parent, inner, names in os.walk(folder):
        inner.sort()
        linked = [name for name in inner if os.path.islink(os.path.join(parent, name))]
        for name in sorted([*names, *linked]):
            count += 1
            if count > FILES:
                return
            path = Path(parent, name)
            yield str(path.relative_to(folder)), path


def matching_files(folder: Path, patterns: Sequence[str]) -> dict[str, Path]:
    """The files of a folder that match one of these patterns, by name.

    A pattern is a path relative to the folder, and each of its names is a pattern of the `fnmatch` module (`*`, `?`, `[ab]`).
    A pattern that matches a folder includes everything in it.

    Raises:
        BotError: the folder is a link, which may lead to somebody else's.
    """
    if os.path.islink(folder):
        raise BotError(f"the folder {shorten(str(folder))} is a symbolic link: name the folder itself")
    lists = [pattern.removesuffix("/").split("/") for pattern in patterns]
    return {name: path for name, path in walk(folder) if any(_matches(name.split("/"), parts) for parts in lists)}


def _matches(names: Sequence[str], parts: Sequence[str]) -> bool:
    return len(names) >= len(parts) and all(map(fnmatchcase, names, parts))


def sources(language: Language, files: Mapping[str, Path], sdk: Sdk | None) -> dict[str, str]:
    """The text of the sources in a language, and of other files that its recipe looks for, by name.

    Raises:
        NoRecipeError: a source is UTF-16, which no compiler and no interpreter reads.
    """
    hosts = sdk.hosts if sdk is not None else ()
    marks = {name.lower() for name in (*language.marks, *(host.serves for host in hosts))}
    by_name = texts({name: path for name, path in files.items() if language.is_source(name) or name.lower() in marks})
    for name, text in by_name.items():
        if text.startswith("\ufffd\ufffd") and "\0" in text:  # the byte order mark of UTF-16 is not valid UTF-8
            raise NoRecipeError(f"{shorten(name, 60)} is UTF-16: save it as UTF-8")
    return by_name


def texts(files: Mapping[str, Path]) -> dict[str, str]:
    """The text of the first `SOURCES` files, by name, up to `TEXTS` bytes in all."""
    found, left = dict[str, str](), TEXTS
    for name, path in islice(files.items(), SOURCES):
        with suppress(OSError):  # the sandbox reports it
            data = head(path, min(TEXT, left)) or b""
            found[name] = data.decode("utf-8-sig", errors="replace")
            left -= len(data)
    return found


def top(folder: Path) -> dict[str, Path]:
    """The files at the top of a folder, by name, without links."""
    with os.scandir(folder) as entries:
        return {entry.name: Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)}


def main_language(names: Iterable[str]) -> Language | None:
    """The language of most of these files; None without sources."""
    return next(iter(languages_of(names)), None)


def languages_of(names: Iterable[str]) -> list[Language]:
    """The languages of these files, the most frequent first."""
    counts = Counter(language.name for name in names if (language := languages.by_suffix(name)) is not None)
    return [languages.find(name) for name, _ in counts.most_common()]


def suffix_hint(names: Iterable[str]) -> str | None:
    """A hint if a file is not a source, or a program in a game's own language, only because of its suffix.

    The suffix has capital letters, or `.txt` behind it.
    """
    paths = [PurePath(name) for name in sorted(names)]
    suffixes = [*languages.suffixes(), *own_suffixes()]
    if any(languages.by_suffix(path) or path.suffix in suffixes for path in paths):
        return None
    for path in paths:
        source = path.with_suffix("") if path.suffix.lower() == ".txt" else path
        if source.suffix.lower() in suffixes:
            right = source.with_suffix(source.suffix.lower())
            return f"{shorten(str(path), 60)} does not have the suffix of a source file: rename it to {shorten(str(right), 60)}"
    return None


def neighbours(bot: Bot) -> set[str]:
    """Names beside the files of a bot that do not belong to it; looks at `BESIDE` names at most."""
    names: set[str] = set()
    for folder in {path.parent for path in (bot.files or {}).values()}:
        with suppress(OSError), os.scandir(folder) as entries:
            names.update(entry.name for entry in islice(entries, BESIDE))
    return names - {name.partition("/")[0] for name in bot.files or ()}
