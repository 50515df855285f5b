"""What a pattern of `tournament.toml` hits: bots, and files and folders that are none, each with the reason.

1. A hit that was meant as a bot and is none cannot play, like a bot that cannot be built. A file without a program, such as
   `notes.txt`, is only mentioned. Its author decides what to rename.
2. Some hits are ignored: hidden files, `README.md`, files that file managers and the referee write, folders around other hits,
   and files in the folder of a bot.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from referee import bots, languages
from referee.bots import Bot
from referee.bots.folders import is_meant, nested_bot
from referee.bots.programs import is_own_program
from referee.bots.sources import suffix_hint
from referee.bots.zips import OMITTED
from referee.errors import BotError
from referee.files.reading import at_home
from referee.text.words import shorten
from referee.tournament import roster
from referee.tournament.model import ENTRANTS
from referee.tournament.settings import FILE

_ARCHIVES: Final = frozenset({".rar", ".7z", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst"})
_OF_WINDOWS: Final = frozenset({"system volume information", "$recycle.bin", "thumbs.db", "desktop.ini"})
"""Names, in small letters, of what Windows writes on a disk by itself."""
_BESIDE: Final = re.compile(r"(?:readme|licen[cs]e|copying|changelog)(?:\..*)?", re.IGNORECASE)
"""Matches names of files that are beside programs everywhere."""


class Hit(NamedTuple):
    """A file or folder.

    Attributes:
        why: why it is no bot, and what to do; None if it is one.
        meant: whether it was meant as a bot.
    """

    path: Path
    why: str | None = None
    meant: bool = True


def hits(folder: Path, pattern: str, find: Callable[[str], Bot] = bots.find) -> list[Hit]:
    """What fits a pattern from the tournament's folder, by path in bytes. `find` may remember what it found."""
    full_pattern = at_home(pattern)
    base = Path("/") if full_pattern.is_absolute() else folder
    paths = base.glob(str(full_pattern.relative_to("/")) if full_pattern.is_absolute() else pattern)
    return [_hit(path, find) for path in sorted(paths, key=os.fsencode) if not _is_ignored(folder, path)]


def without_surroundings(candidates: Iterable[Hit]) -> list[Hit]:
    """Hits, without those that are no bots and lie around another hit or in the folder of a bot."""
    all_hits = list(candidates)
    around = {parent for hit in all_hits for parent in hit.path.parents}
    inside = {hit.path for hit in all_hits if hit.why is None}
    return [hit for hit in all_hits if hit.why is None or not (hit.path in around or inside & set(hit.path.parents))]


def is_bot(path: Path) -> bool:
    """Whether a path is a bot: a folder with a manifest or the sources of one program, a ZIP file, a source file, a program."""
    if path.name.startswith("."):
        return False
    if not path.is_dir():
        return path.is_file() and (bots.is_zip(path) or languages.by_suffix(path) is not None or is_own_program(path))
    if (path / FILE).exists():
        return False
    if (path / bots.MANIFEST).exists():
        return True
    try:
        return bool(bots.find(f"{path}{os.sep}"))
    except BotError:
        return False


def holds_bots(path: Path) -> bool:
    """Whether a path is a folder that is no bot and has bots in it. False if it cannot be read."""
    try:
        return path.is_dir() and not is_bot(path) and any(map(is_bot, path.iterdir()))
    except OSError:  # a folder of another user, or a word that is too long for a path
        return False


def is_utf8(name: str) -> bool:
    """Whether a name or path can be in a file or ledger. Old systems write names of files in other encodings."""
    return os.fsencode(name).decode(errors="ignore") == name


def _is_ignored(folder: Path, path: Path) -> bool:
    name = path.name
    if name.startswith(".") or name in OMITTED or name.lower() in _OF_WINDOWS or path == folder / ENTRANTS:
        return True
    if path.is_dir():
        return (path / FILE).exists()
    return name in {FILE, roster.FILE, bots.MANIFEST} or _BESIDE.fullmatch(name) is not None


def _hit(path: Path, find: Callable[[str], Bot]) -> Hit:
    if path.is_dir():
        try:
            if not (path / bots.MANIFEST).exists():
                find(f"{path}{os.sep}")
        except BotError as wrong:
            return Hit(path, str(wrong), _holds_programs(path))
    elif not is_bot(path):
        return _other_file(path)
    return Hit(path, None if is_utf8(path.name) else "its name is not UTF-8: rename it")


def _other_file(path: Path) -> Hit:
    suffix, end = path.suffix.lower(), shorten(path.suffix, 20)
    if (hint := suffix_hint([path.name])) is not None:
        return Hit(path, hint)
    if suffix in _ARCHIVES:
        return Hit(path, f"an archive that ends in {end} cannot be read: unpack it, and zip the folder")
    if not path.exists():
        return Hit(path, "a link that leads nowhere is no bot: put the file in its place")
    what = f"a file that ends in {end}" if suffix else "a file without a suffix"
    advice = "rename a source to end as `referee help languages` says, and give any other program a folder of its own"
    return Hit(path, f"{what} is no bot: {advice}", meant=False)


def _holds_programs(folder: Path) -> bool:
    try:
        names = [entry.name for entry in os.scandir(folder)]
        return (
            any(is_meant(Path(name)) for name in names)
            or suffix_hint(names) is not None
            or nested_bot(folder) is not None
        )
    except OSError:
        return True
