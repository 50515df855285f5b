"""Starter kits: a complete first bot in a language, copied into a new folder under a new name.

1. A kit is a folder with a `bot.toml`, one source file and a README; `assets.kits` says where. The folders show which
   kits there are, so no list must be edited for a new one. `<language>` may be one that the referee cannot build: the kit's
   manifest can say how to run the bot, or name a program in the game's own language.
2. `@NAME@` in a kit becomes the bot's name. It appears in string literals, format strings and comments of any language, and
   in TOML. So a name has only characters that are harmless in all of them: letters, digits, spaces and a few marks.
3. Nothing is overwritten: a kit goes into a new or empty folder.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Final

from referee import games, languages
from referee.bots import MANIFEST, manifest_of
from referee.errors import UsageError
from referee.files import assets
from referee.languages import Tool
from referee.text.words import MAX_NAME, did_you_mean, shorten

PLACEHOLDER: Final = b"@NAME@"
UNNAMED: Final = "My bot"
"""The name of a bot if its folder's name has no usable character."""
_MARKS: Final = ".,:!+-_#&()"
"""No quotes and backslashes, no braces and percent signs (formats), no asterisks and slashes (comments), no `?` (trigraphs)."""
_LEGAL: Final = re.compile(rf"[A-Za-z0-9 {re.escape(_MARKS)}]+")
_LEFT_BEHIND: Final = frozenset({"__pycache__"})
"""Files that running a kit in place leaves there; they are not part of it."""


def languages_for(game: str) -> list[str]:
    """The languages that have a kit for a game, sorted."""
    return list(assets.kits(game))


def title(language: str) -> str:
    """A language's name as people write it, or the folder's name if only the kit knows the language."""
    return languages.find(language).title if language in languages.names() else language


def tools(language: str, game: str) -> tuple[Tool, ...]:
    """The tools that a kit's bot needs; none for a program that the referee itself runs.

    Args:
        language: one of `languages_for(game)`.
    """
    if language in languages.names():
        return languages.find(language).tools
    run = manifest_of(assets.kits(game)[language] / MANIFEST).run
    return () if run is None else (languages.tool(run[0]) or Tool((run[0],), run[0]),)


def kit(language: str, game: str) -> Path:
    """The kit's folder.

    Args:
        language: as a user names it.
        game: the name of a game.

    Raises:
        UsageError: there is none. The message lists the kits.
    """
    there = assets.kits(game)
    if language in there:
        return there[language]
    others = (other for other in games.names() if language in assets.kits(other))
    if language not in languages.names() and (other := next(others, None)) is not None:
        raise UsageError(f"{game} has no starter kit in {language}, but {other} has: add --game {other}")
    near = did_you_mean(language, there)
    instead = f"there are kits in {', '.join(there)}" if there else "it has no kits"
    raise UsageError(f"{game} has no starter kit in {shorten(repr(language), 40)}{near}: {instead}")


def check_name(name: str) -> str:
    """Return the name if a bot in any language can have it. Raises: UsageError: it cannot be a name."""
    if len(name) > MAX_NAME:
        raise UsageError(f"the name {shorten(repr(name), 80)} has {len(name)} characters, {MAX_NAME} are allowed")
    if not _LEGAL.fullmatch(name) or name != name.strip():
        raise UsageError(
            f"{shorten(repr(name), 80)} cannot be a bot's name in every language: use letters from a to z and A to Z, "
            f"digits, {' '.join(_MARKS)}, and spaces between them"
        )
    return name


def name_for(folder: Path) -> str:
    """A name made from the folder's name: letters lose their accents, and other characters become spaces."""
    bare = unicodedata.normalize("NFKD", Path(os.path.abspath(folder)).name)
    letters = "".join(c for c in bare if not unicodedata.combining(c))
    return " ".join(re.sub(r"[^A-Za-z0-9._+-]+", " ", letters).split())[:MAX_NAME].strip() or UNNAMED


def write(kit: Path, folder: Path, name: str) -> list[Path]:
    """Copy a kit into a new or empty folder. Returns the files, `bot.toml` first.

    Args:
        kit: a folder that `kit` returned.
        folder: is created, with its parents, if necessary.
        name: the bot's name, as `check_name` allows it.

    Raises:
        UsageError: the folder is not empty, or cannot be written.
    """
    check_name(name)
    return copy_folder(kit, folder, lambda inside, data: (inside, data.replace(PLACEHOLDER, name.encode())))


def copy_folder(source: Path, folder: Path, change: Callable[[Path, bytes], tuple[Path, bytes]]) -> list[Path]:
    """Copy a folder into a new or empty one. Returns the new files, `bot.toml` first.

    Args:
        change: from a file's path in the folder and its bytes to those of the copy.

    Raises:
        UsageError: the folder is not empty, or cannot be written.
    """
    sources = [path for path in source.rglob("*") if path.is_file() and not _LEFT_BEHIND & set(path.parts)]
    files = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty: name a new folder")
        for path in sorted(sources, key=lambda path: (path.name != MANIFEST, path)):
            inside, data = change(path.relative_to(source), path.read_bytes())
            target = folder / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "xb") as file:
                file.write(data)
            if os.access(path, os.X_OK):
                target.chmod(0o755)
            files.append(target)
    except OSError as failed:
        raise UsageError(f"{failed.filename or folder} cannot be written: {failed.strerror}") from None
    return files
