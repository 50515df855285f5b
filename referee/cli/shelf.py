"""The shelf: the folder in the user's data where matches are saved that were played without `-o`. It keeps the newest `KEPT`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from referee.errors import UsageError

KEPT: Final = 100
_OWN = re.compile(r"\d{8}-\d{6}-\d{6}-[a-z0-9_]+-\d+\.jsonl\.gz")


def shelf() -> Path:
    """The folder of matches that were played without `-o`."""
    return user_data_path("referee") / "matches"


def place(game: str, rng_seed: int) -> Path:
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
    return folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{game}-{rng_seed}.jsonl.gz"


def latest() -> Path:
    """The match that was put on the shelf last.

    Raises:
        UsageError: there is none.
    """
    found = sorted(path for path in shelf().glob("*.jsonl.gz") if _OWN.fullmatch(path.name))
    if not found:
        raise UsageError("no match has been played yet: name a saved game, or play one with: referee play")
    return found[-1]
