"""Maps as users name them: the name of a map that comes with the referee, or a TOML file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee import assets, files
from referee.errors import SetupError, UsageError
from referee.game import Game
from referee.names import did_you_mean, shorten


@contextmanager
def about(file: str | Path) -> Iterator[None]:
    """Add the name of the file to a `SetupError`."""
    try:
        yield
    except SetupError as wrong:
        raise SetupError(f"{file}: {wrong}") from None


def names(game: Game[Any, Any]) -> list[str]:
    """The maps that come with the referee."""
    return sorted(path.stem for path in (assets.folder("maps") / game.name).glob("*.toml"))


def read(game: Game[Any, Any], given: str) -> dict[str, Any]:
    """A map's document.

    Raises:
        UsageError: there is no such map, or the file cannot be read.
    """
    path = Path(given)
    if path.suffix != ".toml" and os.sep not in given:
        if given not in (known := names(game)):
            raise UsageError(
                f"no map is called {shorten(repr(given))}{did_you_mean(given, known)}; there are: {', '.join(known)}, or name a "
                ".toml file"
            )
        path = assets.folder("maps") / game.name / f"{given}.toml"
    return files.read_toml(path)
