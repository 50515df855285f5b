"""A folder without a manifest: the bot that it is, or why it is none.

1. The files at its top decide. If all sources are in one language, they are the bot. Without any source, the only program in a
   game's own language, or else the only shell script, is the bot. Beside sources, scripts are tools of their author.
2. Nothing is guessed. If several files could be the bot, or the sources are deeper, the message says what to do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final

from referee.bots import sources
from referee.bots.manifest import EXAMPLES, MANIFEST, Manifest
from referee.bots.programs import is_own_program
from referee.errors import BotError
from referee.files.reading import head
from referee.languages import by_suffix
from referee.text.strict import read
from referee.text.words import shorten

SCRIPT: Final = ".sh"
"""The suffix of shell scripts."""
_LINE: Final = 100
"""Bytes of a script in which its first line may name bash."""


def shell_of(script: Path) -> str:
    """The program that runs a shell script: `bash` if its first line names it, otherwise `sh`."""
    first = b""
    with suppress(OSError):  # reported when it is started
        first = (head(script, _LINE) or b"").partition(b"\n")[0]
    return "bash" if first.startswith(b"#!") and b"bash" in first else "sh"


def plain(folder: Path) -> Manifest | None:
    """The manifest of a folder that has none: a bot with the folder's name (theory, point 1); None if it is no bot.

    Raises:
        BotError: the name of its program cannot be used.
    """
    files = sources.top(folder)
    spoken, lone = sources.languages_of(files), _lone(files)
    start: dict[str, object]
    if len(spoken) == 1:
        start = {"language": spoken[0].name}
    elif spoken or len(lone) != 1:
        return None
    elif is_own_program(files[lone[0]]):
        start = {"program": lone[0]}
    else:
        start = {"run": [shell_of(files[lone[0]]), lone[0]]}
    return read(Manifest, {"name": shorten(folder.resolve().name, 60), **start}, BotError)


def _lone(files: Iterable[str]) -> list[str]:
    """The programs in a game's own language at the top of a folder; without any, the shell scripts."""
    names = sorted(files)
    own = [name for name in names if is_own_program(PurePath(name))]
    return own or [name for name in names if PurePath(name).suffix == SCRIPT]


def why_none(folder: Path, *, unpacked: Path | None = None) -> str:
    """Why a folder without a manifest is no bot, and what to do.

    Args:
        unpacked: if the folder is from a ZIP file, where that was unpacked.
    """
    names: list[str] = []
    with suppress(OSError):  # reported when it is started
        names = sorted(sources.top(folder))
    spoken, lone = sources.languages_of(names), _lone(names)
    none = f"the folder {folder} has no {MANIFEST}"
    if len(spoken) > 1:
        titles = " and ".join(language.title for language in spoken[:3])
        return f"{none}, and its sources are in {titles}: write one with a {_example(spoken[0].name)}"
    if not spoken and len(lone) > 1:
        files = ", ".join(shorten(name, 60) for name in lone[:4])
        return f"{none}, and {files} could each be the bot: leave only one there"
    if not spoken and (hint := sources.misnamed(names)) is not None:
        return f"{none}: {hint}"
    if not spoken and (inner := below(folder)) is not None:
        path = folder / inner.parent
        path, verb = (path, "name") if unpacked is None else (path.relative_to(unpacked), "zip")
        return f"{none}, and {shorten(inner.name, 60)} lies in {shorten(str(path))}: {verb} that folder"
    if not names:
        return f"{none} and no other file: put the source of the bot there"
    if not spoken and (archive := next((name for name in names if name.lower().endswith(".zip")), None)) is not None:
        instead = "unpack it there" if unpacked is None else "use that file instead"
        return f"{none}, and {shorten(archive, 60)} in it is a ZIP file: {instead}"
    return f"{none}: write one with a {_example(spoken[0].name if spoken else 'python')}"


def _example(language: str) -> str:
    return f'`{EXAMPLES["name"]}` and `language = "{language}"`'


def below(folder: Path) -> PurePath | None:
    """The path of the manifest or source below a folder that is the least deep, `main` before others; without any, a script."""
    paths = (PurePath(name) for name, _ in sources.walk(folder) if "/" in name)
    ranked = (
        (path.suffix == SCRIPT, len(path.parts), path.name != MANIFEST, path.stem.lower() != "main", str(path), path)
        for path in paths
        if not any(part.startswith((".", "__")) for part in path.parts) and is_meant(path)
    )
    best = min(ranked, default=None)
    return None if best is None else best[-1]


def is_meant(path: PurePath) -> bool:
    """Whether a file is a manifest, or a source, a program or a script by its suffix."""
    return path.name == MANIFEST or by_suffix(path) is not None or path.suffix == SCRIPT or is_own_program(path)


def innermost(folder: Path) -> Path:
    """A folder, without the folders around it that hold nothing else."""
    while True:
        with os.scandir(folder) as entries:
            inside = [entry for _, entry in zip(range(2), entries, strict=False)]
        if len(inside) != 1 or not inside[0].is_dir(follow_symlinks=False):
            return folder
        folder = Path(inside[0].path)
