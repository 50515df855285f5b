"""What is in the studio's folder: bots, programs and saved games, and the names that addresses have for them.

1. The list is made anew for each request, so a change on disk is seen at once. It goes `DEPTH` folders deep, and reads at most
   `ENTRIES` names.
2. Only regular files count. No link is followed, so nothing outside the folder has a name here.
3. A saved game's id is a digest of its path. The matches that `referee play` keeps without `-o` are listed too.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from referee.bots import MANIFEST
from referee.bots.programs import is_own_program
from referee.bots.sources import suffix_hint
from referee.cli import history
from referee.tournament.hits import is_bot, is_utf8
from referee.web.refusals import Refusal

DEPTH: Final = 3
ENTRIES: Final = 5_000
SOURCES: Final = 100
"""The most files of a bot without a manifest."""
MOST: Final = 300
"""The most bots, programs or saved games of a list."""
SAVED: Final = (".jsonl", ".jsonl.gz")
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "venv"})


class Folder:
    """The studio's folder."""

    def __init__(self, root: Path, also: Sequence[Path] = ()) -> None:
        """A folder; `also` are saved games outside of it, by their whole paths."""
        self.root, self._also = root.resolve(), also

    def bots(self) -> dict[str, Path]:
        """The bots and what was meant as one, `my.py.txt`, by name: a user's word for each is its path from the folder."""
        listed = dict[Path, str]()
        for path in self._entries():
            if len(listed) == MOST:
                break
            if path.name.endswith(SAVED) and _is_file(path):  # there may be thousands, and a closer look takes 0.2 ms
                continue
            if listed.keys().isdisjoint(path.parents) and _may_be_bot(path) and (is_bot(path) or _misnamed(path)):
                listed[path] = self._name(path)
        return {name: path for path, name in listed.items()}

    def programs(self) -> dict[str, Path]:
        """The programs in games' own languages, by name: without the suffix where that is clear."""
        files = [path for path in self._entries() if is_own_program(path) and _is_file(path)][:MOST]
        stems = [self._name(path.with_suffix("")) for path in files]
        names = [self._name(path) if stems.count(stem) > 1 else stem for path, stem in zip(files, stems, strict=True)]
        return dict(zip(names, files, strict=True))

    def program(self, name: str) -> Path:
        """The file of a program, with its suffix or without.

        Raises:
            Refusal: there is none, or more than one.
        """
        programs = self.programs()
        path = programs.get(name) or next((path for path in programs.values() if self._name(path) == name), None)
        if path is None:
            raise Refusal("not_found", "this folder has no program of that name")
        return path

    def saved_games(self) -> dict[str, Path]:
        """The saved games by id, the newest first."""
        files = [path for path in self._entries() if path.name.endswith(SAVED) and _is_file(path)]
        newest = sorted({*files, *history.matches(), *self._also}, key=_modification_time, reverse=True)[:MOST]
        return {saved_id(path): path for path in newest}

    def saved_game(self, match: str) -> Path:
        """The saved game with an id.

        Raises:
            Refusal: there is none.
        """
        if (path := self.saved_games().get(match)) is None:
            raise Refusal("not_found", "there is no saved game with this id")
        return path

    def _name(self, path: PurePath) -> str:
        return path.relative_to(self.root).as_posix()

    def _entries(self) -> Iterator[Path]:
        """Files and folders, by name, without hidden ones and links."""
        left = ENTRIES
        waiting = [(self.root, 1)]
        while waiting:
            folder, depth = waiting.pop(0)
            try:
                inside = sorted(
                    (entry.name, entry.is_dir(follow_symlinks=False))
                    for entry in os.scandir(folder)
                    if not entry.is_symlink()
                )
            except OSError:
                continue
            for name, is_folder in inside:
                if name.startswith(".") or name in _SKIPPED or not is_utf8(name):
                    continue
                if (left := left - 1) < 0:
                    return
                path = folder / name
                yield path
                if depth < DEPTH and is_folder:
                    waiting.append((path, depth + 1))


def saved_id(path: Path) -> str:
    """The id of a saved game, by its path."""
    return hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:16]


def _may_be_bot(path: Path) -> bool:
    """Whether a path can be a bot: not a folder with folders, which may hold bots, or with more than `SOURCES` files."""
    if not os.path.isdir(path) or os.path.exists(path / MANIFEST):
        return True
    try:
        with os.scandir(path) as entries:
            inside = [*islice(entries, SOURCES + 1)]
        return len(inside) <= SOURCES and not any(entry.is_dir() for entry in inside)
    except OSError:
        return False


def _misnamed(path: Path) -> bool:
    is_odd = not path.suffix.islower() or path.name.count(".") > 1  # most names need no closer look
    return is_odd and suffix_hint([path.name]) is not None and _is_file(path)


def _is_file(path: Path) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def _modification_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
