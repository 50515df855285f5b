"""Starter kits: a whole first bot in a language, copied into a new folder under a name of its own.

1. A kit is the folder `sdk/<language>/starter/<game>`: a `bot.toml`, one source file, a README. Which languages and games
   have one is seen from the folders, so no list has to be edited for a new kit. `<language>` need not be one that the referee
   can build: a kit's manifest may say itself how the bot is run, or name a program in the game's own language.
2. `@NAME@` in a kit stands for the bot's name. It lands in string literals, format strings and comments of any language and
   in TOML, and has to be legal in the protocol: at most 32 letters, digits, blanks and marks that mean nothing in any of them.
3. Nothing is ever overwritten: a kit goes into a folder that is new, or empty, and what could not be finished is removed.
"""

from __future__ import annotations

import difflib
import os
import re
import unicodedata
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from referee import assets, languages
from referee.bots import MANIFEST, manifest_of
from referee.errors import UsageError
from referee.languages import Tool
from referee.names import MAX_NAME_BYTES, shorten

PLACEHOLDER: Final = b"@NAME@"
UNNAMED: Final = "My bot"
"""The name of a bot whose folder's name holds nothing that a name may hold."""
_MARKS: Final = ".,:!+-_#&()"
"""No quotes and backslashes, no braces and percent signs (formats), no asterisks and slashes (comments), no `?` (trigraphs)."""
_LEGAL: Final = re.compile(rf"[A-Za-z0-9 {re.escape(_MARKS)}]+")
_LEFT_BEHIND: Final = frozenset({"__pycache__"})
"""What running a kit where it lies leaves there, and is no part of it."""


def languages_for(game: str) -> list[str]:
    """The languages that have a kit for a game, by alphabet."""
    return sorted(place.name for place in assets.folder("sdk").iterdir() if _is_kit(_place(place.name, game)))


def title(language: str) -> str:
    """A language's name as people write it, or the folder's name, where only the kit knows it."""
    return languages.find(language).title if language in languages.names() else language


def tools(language: str, game: str) -> tuple[Tool, ...]:
    """All that has to be installed for a kit's bot; nothing for a program that the referee itself runs.

    Args:
        language: one of `languages_for(game)`.
    """
    if language in languages.names():
        return languages.find(language).tools
    run = manifest_of(_place(language, game) / MANIFEST).run
    return () if run is None else (languages.tool(run[0]) or Tool((run[0],), run[0]),)


def kit(language: str, game: str) -> Path:
    """The kit's folder.

    Args:
        language: as a user names it.
        game: the name of a game.

    Raises:
        UsageError: there is none; the message says what there is.
    """
    there = languages_for(game)
    if language in there:
        return _place(language, game)
    if language not in languages.names() and (near := difflib.get_close_matches(language.lower(), there, 1)):
        raise UsageError(
            f"there is no language {shorten(repr(language), 40)}: did you mean {near[0]}? {game} has starter kits in "
            f"{', '.join(there)}"
        )
    found = languages.find(language)
    instead = f"there is one in {', '.join(there)}" if there else "nor has any other language"
    raise UsageError(f"{found.title} has no starter kit for {game}: {instead}")


def check_name(name: str) -> str:
    """The name as it is, if a bot of any language can have it.

    Raises:
        UsageError: it cannot.
    """
    if len(name.encode()) > MAX_NAME_BYTES:
        raise UsageError(
            f"the name {shorten(repr(name), 80)} has {len(name.encode())} bytes, {MAX_NAME_BYTES} are allowed"
        )
    if not _LEGAL.fullmatch(name) or name != name.strip():
        raise UsageError(
            f"{shorten(repr(name), 80)} cannot be a bot's name in every language: use letters from A to Z, small ones too, "
            f"digits and {' '.join(_MARKS)}, and blanks between them"
        )
    return name


def name_for(folder: Path) -> str:
    """A name that fits: the folder's own, without what a name may not hold.

    Letters lose their accents, what is left over of others becomes a blank.
    """
    bare = unicodedata.normalize("NFKD", Path(os.path.abspath(folder)).name)
    kept = "".join(c for c in bare if not unicodedata.combining(c))
    return " ".join(re.sub(r"[^A-Za-z0-9._+-]+", " ", kept).split())[:MAX_NAME_BYTES].strip() or UNNAMED


def write(kit: Path, folder: Path, name: str) -> list[Path]:
    """Copy a kit into a folder, which is made, with its parents, if it is not there; returns the files, `bot.toml` first.

    Args:
        kit: a folder as `kit` gives it.
        folder: new, or an empty one.
        name: as `check_name` lets it through.

    Raises:
        UsageError: something is in that place already, or the folder cannot be written.
    """
    check_name(name)
    sources = [path for path in kit.rglob("*") if path.is_file() and not _LEFT_BEHIND & set(path.parts)]
    written = []
    try:
        with ExitStack() as undo:
            _make(folder, undo)
            for source in sorted(sources, key=lambda path: (path.name != MANIFEST, path)):
                target = folder / source.relative_to(kit)
                if not target.parent.is_dir():
                    _make(target.parent, undo)
                with open(target, "xb") as file:
                    undo.callback(target.unlink)
                    file.write(source.read_bytes().replace(PLACEHOLDER, name.encode()))
                if os.access(source, os.X_OK):
                    target.chmod(0o755)
                written.append(target)
            undo.pop_all()
    except OSError as failed:
        raise UsageError(f"{failed.filename or folder} cannot be written: {failed.strerror}") from None
    return written


def _place(language: str, game: str) -> Path:
    return assets.folder("sdk") / language / "starter" / game


def _is_kit(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


def _make(folder: Path, undo: ExitStack) -> None:
    """Make a folder, to be removed by `undo`; an empty one may be there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir()
    except FileExistsError:
        if folder.is_symlink():
            raise UsageError(f"{folder} is a symbolic link, which no bot may be: name the folder itself") from None
        if not folder.is_dir():
            raise UsageError(f"{folder} is there already: name a new folder") from None
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty: name a new folder") from None
    else:
        undo.callback(_remove, folder)


def _remove(folder: Path) -> None:
    """Remove a folder if it is still empty."""
    with suppress(OSError):
        folder.rmdir()
