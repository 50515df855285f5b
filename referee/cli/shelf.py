"""Where played matches are put: the file that was asked for, else the shelf in the user's data folder.

Nothing is overwritten silently: a file that stands in the way is moved aside to the first of `NAME~`, `NAME~2`, … that is
free, and the user is told. The shelf keeps the newest `KEPT` matches of those that were put there by themselves.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from referee.errors import UsageError
from referee.files import set_aside

KEPT: Final = 100
_OWN = re.compile(r"\d{8}-\d{6}-\d{6}-[a-z0-9_]+-\d+\.jsonl\.gz")


def shelf() -> Path:
    """The folder of matches that were played without `-o`."""
    return user_data_path("referee") / "matches"


def place(game: str, rng_seed: int, now: datetime) -> Path:
    """A new place on the shelf; makes room for it.

    Raises:
        UsageError: the folder cannot be made.
    """
    folder = shelf()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        own = sorted(path for path in folder.iterdir() if _OWN.fullmatch(path.name))
        for old in own[: max(0, len(own) - KEPT + 1)]:
            old.unlink(missing_ok=True)
    except OSError as failed:
        raise UsageError(f"the match cannot be kept in {folder} ({failed.strerror}): name a file with -o") from None
    return folder / f"{now.astimezone(UTC):%Y%m%d-%H%M%S-%f}-{game}-{rng_seed}.jsonl.gz"


def latest() -> Path:
    """The match that was put on the shelf last.

    Raises:
        UsageError: there is none.
    """
    found = sorted(path for path in shelf().glob("*.jsonl.gz") if _OWN.fullmatch(path.name))
    if not found:
        raise UsageError("no match has been played yet: name a saved game, or play one with: referee play")
    return found[-1]


def check(path: Path) -> None:
    """Whether a file can be put there.

    Raises:
        UsageError: it is a folder, or its own folder is not there or may not be written in.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is no ordinary file: choose another name")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}: make it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"the folder {path.parent} may not be written in: choose another")


def move_aside(path: Path) -> Path | None:
    """Make way for a new file at `path`; returns where the old one is now, None when there was none.

    Raises:
        UsageError: there is something that cannot be moved, or no folder to write in.
    """
    check(path)
    try:
        return set_aside(path)
    except OSError as failed:
        raise UsageError(f"{path} is in the way and cannot be moved aside: {failed.strerror}") from None
