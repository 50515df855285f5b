"""Maps as users name them: a name of a map that comes with the referee, or a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee import assets
from referee.errors import SetupError, UsageError
from referee.game import Game
from referee.names import shorten


@contextmanager
def about(file: str | Path) -> Iterator[None]:
    """Says which file it is that breaks the rules of its game."""
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
        UsageError: there is no such map, or the file is no TOML.
    """
    path = Path(given)
    if path.suffix != ".toml":
        path = assets.folder("maps") / game.name / f"{given}.toml"
        if given not in names(game):
            raise UsageError(
                f"no map is called {shorten(given)!r}; there is: {', '.join(names(game))}, or name a .toml file"
            )
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as failed:
        raise UsageError(f"{given}: {failed.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise UsageError(f"{given} is no TOML: {wrong}") from None
